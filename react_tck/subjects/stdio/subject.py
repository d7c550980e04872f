"""A subject behind a harness in another process."""

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import JsonValue

from react_tck.model.base import JsonObject, Value
from react_tck.model.case import Invocation, Options, Resumption
from react_tck.model.manifest import Description, Manifest
from react_tck.model.outcome import Outcome
from react_tck.model.protocol import (
    CONSTRUCTION_REFUSED,
    OPERATION_REFUSED,
    CallParams,
    CallsParams,
    ConfirmationStatus,
    Constructed,
    ConstructParams,
    DescribeParams,
    Dumped,
    DumpParams,
    Endpoint,
    InitializeParams,
    Loaded,
    LoadParams,
    Outcomes,
    Parsed,
    Parsing,
    ResumeParams,
    StatusParams,
)
from react_tck.model.signature import Signature
from react_tck.model.tool import Tool
from react_tck.subjects.api import ConstructionError, Endpoints, HarnessBroken, Instance, OperationRefused
from react_tck.subjects.lanes import Lanes
from react_tck.subjects.stdio.process import Process
from react_tck.subjects.stdio.rpc import Channel, Dialogue, Result, RpcFailure

MODEL = "tck"
#: The operations that are answered by an outcome, whatever the subject does.
_WITH_OUTCOME = ("call", "calls", "resume")
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


class _Harness:
    """One process of the harness, from its handshake to its end."""

    def __init__(self, start: Callable[[], Channel], timeouts: Timeouts) -> None:
        self._timeouts = timeouts
        self._process = start()
        self._connection = Dialogue(self._process)
        self.broken = False
        self.manifest = self.request("initialize", InitializeParams(), Manifest)

    def request(self, method: str, params: Value, result: type[Result]) -> Result:
        """Send a request; a harness that breaks the protocol is ended at once.

        Raises:
            RpcFailure: if it answers with an error.
            HarnessBroken: if it breaks the protocol.
        """
        try:
            return self._connection.request(method, params, result, getattr(self._timeouts, method))
        except HarnessBroken:
            self.broken = True
            self.end()
            raise

    def end(self) -> None:
        """End the process and all it started."""
        self._process.end()


def started(command: Sequence[str], cwd: str | None = None) -> Callable[[], Channel]:
    """What starts a harness by its command.

    Raises:
        HarnessBroken: when called, if the command can't be started.
    """

    def start() -> Channel:
        try:
            return Process(command, cwd)
        except OSError as error:
            raise HarnessBroken(f"the harness can't be started: {shlex.join(command)}: {error.strerror}") from error

    return start


@dataclass
class StdioSubject:
    """A harness as a subject. It is started when needed, and started anew after it broke."""

    start: Callable[[], Channel]
    timeouts: Timeouts = field(default_factory=Timeouts)
    #: What the harness's author declares besides its manifest; it wins.
    choices: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._harness: _Harness | None = None
        self._manifest: Manifest | None = None
        self._lanes = Lanes()

    def initialize(self) -> Manifest:
        """The manifest the harness gave at its first handshake, with the choices declared besides.

        Raises:
            HarnessBroken: if there is no handshake.
        """
        if self._manifest is None:
            self._manifest = self._running().manifest
        return self._manifest.model_copy(update={"choices": {**self._manifest.choices, **self.choices}})

    def construct(
        self, signature: Signature, tools: tuple[Tool, ...], options: Options, endpoints: Endpoints
    ) -> Instance:
        """Build an instance behind a lane of the kit's server.

        Raises:
            ConstructionError: if the subject refuses.
            HarnessBroken: if the harness breaks the protocol.
        """
        harness = self._running()
        lane = self._lanes.open(endpoints)
        params = ConstructParams(
            signature=signature,
            tools=tools,
            options=options,
            lm=Endpoint(base_url=lane.base_url, api_key=lane.api_key, model=MODEL),
            tools_url=lane.tools_url,
        )
        try:
            made = harness.request("construct", params, Constructed)
        except RpcFailure as failure:
            raise _refusal(failure) from failure
        return _RemoteInstance(harness, made.instance)

    def parse(self, parsing: Parsing) -> Parsed:
        """Let the subject's parser read a reply.

        Raises:
            HarnessBroken: if the harness breaks the protocol, or gives an error where a result is due.
        """
        try:
            return self._running().request("parse", parsing, Parsed)
        except RpcFailure as failure:
            raise HarnessBroken(
                f"the harness answered 'parse' with error {failure.error.code}: {failure.error.message}; what the "
                "parser raises belongs in the result"
            ) from failure

    def close(self) -> None:
        """End the harness and the server."""
        if self._harness:
            self._harness.end()
        self._harness = None
        self._lanes.close()

    def _running(self) -> _Harness:
        if self._harness is None or self._harness.broken:
            self._harness = _Harness(self.start, self.timeouts)
            if self._manifest not in (None, self._harness.manifest):
                raise HarnessBroken("the restarted harness gives another manifest than before")
        return self._harness


class _RemoteInstance:
    def __init__(self, harness: _Harness, name: str) -> None:
        self._harness = harness
        self._name = name

    def call(self, invocation: Invocation) -> Outcome:
        """Call it.

        Raises:
            HarnessBroken: if the harness breaks the protocol, or gives an error where an outcome is due.
        """
        return self._request("call", self._params(invocation), Outcome, _RAISED)

    def calls(self, invocations: Sequence[Invocation]) -> Sequence[Outcome]:
        """Call it several times at once.

        Raises:
            HarnessBroken: if the harness breaks the protocol, or gives an error where outcomes are due.
        """
        params = CallsParams(calls=tuple(map(self._params, invocations)))
        outcomes = self._request("calls", params, Outcomes, _RAISED).outcomes
        if len(outcomes) != len(invocations):
            raise HarnessBroken(f"the harness gave {len(outcomes)} outcomes of {len(invocations)} calls")
        return outcomes

    def _params(self, invocation: Invocation) -> CallParams:
        return CallParams(
            instance=self._name,
            inputs=invocation.inputs,
            history=invocation.history,
            follows=invocation.follows,
            max_steps=invocation.max_steps,
            adapter=invocation.adapter,
            mode=invocation.mode,
        )

    def resume(self, suspension: JsonObject, resumption: Resumption) -> Outcome:
        """Go on with a suspended call.

        Raises:
            HarnessBroken: if the harness breaks the protocol, or gives an error where an outcome is due.
        """
        params = ResumeParams(
            instance=self._name, suspension=suspension, response=resumption.response, mode=resumption.mode
        )
        return self._request("resume", params, Outcome, _RAISED)

    def status(self, confirmation_id: str) -> str:
        """What became of a confirmation.

        Raises:
            OperationRefused: if the subject doesn't say.
            HarnessBroken: if the harness breaks the protocol.
        """
        params = StatusParams(instance=self._name, confirmation_id=confirmation_id)
        return self._request("status", params, ConfirmationStatus).status

    def describe(self) -> Description:
        """What the instance says of itself.

        Raises:
            OperationRefused: if it says nothing.
            HarnessBroken: if the harness breaks the protocol.
        """
        return self._request("describe", DescribeParams(instance=self._name), Description)

    def dump(self) -> JsonValue:
        """Save its program.

        Raises:
            OperationRefused: if the subject can't.
            HarnessBroken: if the harness breaks the protocol, or gives an error.
        """
        return self._request("dump", DumpParams(instance=self._name), Dumped).state

    def load(self, state: JsonValue) -> None:
        """Load a saved program into it.

        Raises:
            OperationRefused: if the subject can't.
            HarnessBroken: if the harness breaks the protocol, or gives an error.
        """
        self._request("load", LoadParams(instance=self._name, state=state), Loaded)

    def _request(self, method: str, params: Value, result: type[Result], hint: str = "") -> Result:
        if self._harness.broken:
            raise HarnessBroken("the instance is gone: its harness broke in an earlier call")
        try:
            return self._harness.request(method, params, result)
        except RpcFailure as failure:
            error = failure.error
            if error.code == OPERATION_REFUSED and method not in _WITH_OUTCOME:
                raise OperationRefused(error.message) from failure
            raise HarnessBroken(
                f"the harness answered {method!r} with error {error.code}: {error.message}{hint}"
            ) from failure


def _refusal(failure: RpcFailure) -> Exception:
    if failure.error.code == CONSTRUCTION_REFUSED:
        return ConstructionError(failure.error.message)
    return HarnessBroken(f"the harness answered 'construct' with error {failure.error.code}: {failure.error.message}")
