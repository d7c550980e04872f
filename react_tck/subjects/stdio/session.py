"""One process of a harness, from its handshake to its end, and the instances that live in it."""

import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from react_tck.fakes.server import Lane
from react_tck.model.base import JsonObject
from react_tck.model.case import Invocation, Resumption
from react_tck.model.manifest import Description, Manifest
from react_tck.model.outcome import Outcome
from react_tck.model.protocol import (
    ADAPTER_BROKEN,
    OPERATION_REFUSED,
    CallParams,
    ConfirmationStatus,
    DescribeParams,
    Dumped,
    DumpParams,
    InitializeParams,
    Loaded,
    LoadParams,
    Outcomes,
    ResumeParams,
    StatusParams,
)
from react_tck.subjects.api import HarnessBroken, OperationRefused
from react_tck.subjects.config import START_TIMEOUT
from react_tck.subjects.stdio.rpc import Channel, Dialogue, Params, Result, RpcFailure

#: The operations that are answered by an outcome, whatever the subject does.
_WITH_OUTCOME = ("call", "calls", "resume")
#: What a call's parameters say beside the instance.
_OF_A_CALL = tuple(name for name in CallParams.model_fields if name != "instance")
_RAISED = "; what the subject raises belongs in an outcome with status 'error'"


@dataclass(frozen=True)
class Timeouts:
    """Seconds a harness may take for each operation."""

    initialize: float = 60
    construct: float = 30
    call: float = 60
    calls: float = 120
    resume: float = 60
    status: float = 30
    describe: float = 30
    dump: float = 30
    load: float = 30
    parse: float = 20


def read_timeouts(configured: Mapping[str, float]) -> Timeouts:
    """Return the limits that a configuration has, and the one that the command line gives for starting."""
    given = os.environ.get(START_TIMEOUT)
    return Timeouts(**{**configured, **({"initialize": float(given)} if given else {})})


class HarnessSession:
    """One process of the harness, from its handshake to its end."""

    def __init__(self, start: Callable[[], Channel], timeouts: Timeouts) -> None:
        self._timeouts = timeouts
        self._process = start()
        self._connection = Dialogue(self._process)
        self.broken = False
        #: Where it is told what the harness does after its answers; the latest episode's.
        self.broke: Callable[[str], None] | None = None
        self.manifest = self._request_manifest()

    def _request_manifest(self) -> Manifest:
        try:
            return self.send_request("initialize", InitializeParams(), Manifest)
        except RpcFailure as failure:
            self.broken = True
            self.end_harness()
            error = failure.error
            raise HarnessBroken(
                f"the harness answered 'initialize' with error {error.code}: {error.message}; a manifest is due"
            ) from failure

    def send_request(self, method: str, params: Params, result: type[Result]) -> Result:
        """Send a request; a harness that breaks the protocol is ended at once.

        Raises:
            RpcFailure: if it answers with an error.
            HarnessBroken: if it breaks the protocol.
        """
        try:
            return self._connection.send_request(method, params, result, self.find_timeout(method))
        except HarnessBroken:
            self.broken = True
            self.end_harness()
            raise

    def find_breach(self, seconds: float = 0.0) -> str | None:
        """Return what it did after its latest answer, or does in so many seconds, when nothing is asked of it."""
        return self._connection.find_breach(seconds)

    def report_breach(self, breach: str) -> None:
        """End it, and tell the episode that had the latest answer.

        Raises:
            HarnessBroken: if there is none.
        """
        self.broken = True
        self.end_harness()
        if self.broke is None:
            raise HarnessBroken(breach)
        self.broke(breach)

    @property
    def stderr(self) -> str:
        """The end of what it has written on its standard error."""
        return self._process.stderr

    def find_timeout(self, method: str) -> float:
        """Seconds it may take for this operation."""
        seconds: float = getattr(self._timeouts, method, self._timeouts.describe)
        return seconds

    def end_harness(self) -> None:
        """End the process and all it started."""
        self._process.end_harness()


class RemoteInstance:
    def __init__(self, harness: HarnessSession, name: str, lane: Lane) -> None:
        self._harness = harness
        self._name = name
        self._lane = lane

    def call(self, invocation: Invocation) -> Outcome:
        """Call it.

        Raises:
            HarnessBroken: if the harness breaks the protocol, or gives an error where an outcome is due.
        """
        return self._send_request("call", self._build_params(invocation), Outcome, _RAISED)

    def calls(self, invocations: Sequence[Invocation]) -> Sequence[Outcome]:
        """Call it several times at once.

        Raises:
            HarnessBroken: if the harness breaks the protocol, or gives an error where outcomes are due.
        """
        params = {"calls": [self._build_params(invocation) for invocation in invocations]}
        outcomes = self._send_request("calls", params, Outcomes, _RAISED).outcomes
        if len(outcomes) != len(invocations):
            raise HarnessBroken(f"the harness gave {len(outcomes)} outcomes of {len(invocations)} calls")
        return outcomes

    def _build_params(self, invocation: Invocation) -> Params:
        """Those of `CallParams`, whose values have been checked already: the invocation's own."""
        said = vars(invocation)
        return {"instance": self._name, **{name: said[name] for name in _OF_A_CALL}}

    def resume(self, suspension: JsonObject, resumption: Resumption) -> Outcome:
        """Go on with a suspended call.

        Raises:
            HarnessBroken: if the harness breaks the protocol, or gives an error where an outcome is due.
        """
        params = ResumeParams(
            instance=self._name, suspension=suspension, response=resumption.response, mode=resumption.mode
        )
        return self._send_request("resume", params, Outcome, _RAISED)

    def status(self, confirmation_id: str) -> str:
        """Return what became of a confirmation.

        Raises:
            OperationRefused: if the subject doesn't say.
            HarnessBroken: if the harness breaks the protocol.
        """
        params = StatusParams(instance=self._name, confirmation_id=confirmation_id)
        return self._send_request("status", params, ConfirmationStatus).status

    def describe(self) -> Description:
        """Return what the instance says of itself.

        Raises:
            OperationRefused: if it says nothing.
            HarnessBroken: if the harness breaks the protocol.
        """
        return self._send_request("describe", DescribeParams(instance=self._name), Description)

    def dump(self) -> JsonValue:
        """Save its program.

        Raises:
            OperationRefused: if the subject can't.
            HarnessBroken: if the harness breaks the protocol, or gives an error.
        """
        return self._send_request("dump", DumpParams(instance=self._name), Dumped).state

    def load(self, state: JsonValue) -> None:
        """Load a saved program into it.

        Raises:
            OperationRefused: if the subject can't.
            HarnessBroken: if the harness breaks the protocol, or gives an error.
        """
        self._send_request("load", LoadParams(instance=self._name, state=state), Loaded)

    def _send_request(self, method: str, params: Params, result: type[Result], hint: str = "") -> Result:
        if self._harness.broken:
            raise HarnessBroken("the instance is gone: its harness broke in an earlier call")
        self._lane.deadline = time.monotonic() + self._harness.find_timeout(method)
        try:
            return self._harness.send_request(method, params, result)
        except RpcFailure as failure:
            error = failure.error
            if error.code == OPERATION_REFUSED and method not in _WITH_OUTCOME:
                raise OperationRefused(error.message) from failure
            if error.code == ADAPTER_BROKEN:
                raise HarnessBroken(error.message) from failure
            raise HarnessBroken(
                f"the harness answered {method!r} with error {error.code}: {error.message}{hint}"
            ) from failure
