"""A subject behind a harness in another process."""

import shlex
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from react_tck.fakes.server import Lane
from react_tck.model.case import Options
from react_tck.model.manifest import Manifest
from react_tck.model.protocol import (
    ADAPTER_BROKEN,
    CONSTRUCTION_REFUSED,
    Constructed,
    ConstructParams,
    Parsed,
    Parsing,
)
from react_tck.model.requirement import Specification
from react_tck.model.signature import Signature
from react_tck.model.tool import Tool
from react_tck.subjects.api import ConstructionError, Endpoints, HarnessBroken, Instance
from react_tck.subjects.lanes import Lanes, endpoint_of
from react_tck.subjects.stdio.process import Process
from react_tck.subjects.stdio.rpc import Channel, RpcFailure, Unasked
from react_tck.subjects.stdio.session import HarnessSession, RemoteInstance, Timeouts

#: Seconds in which a harness that nothing more will be asked of may show that it isn't done.
_SETTLE = 0.1


def make_starter(command: Sequence[str], cwd: str | None = None, env: Sequence[str] = ()) -> Callable[[], Channel]:
    """Return what starts a harness by its command; `env` is what it is to find in its environment besides.

    Raises:
        HarnessBroken: when called, if the command can't be started.
    """

    def start_process() -> Channel:
        try:
            return Process(command, cwd, env)
        except OSError as error:
            raise HarnessBroken(f"the harness can't be started: {shlex.join(command)}: {error.strerror}") from error

    return start_process


@dataclass
class StdioSubject:
    """A harness as a subject. It is started when needed, and started anew after it broke."""

    start: Callable[[], Channel]
    timeouts: Timeouts = field(default_factory=Timeouts)
    #: What the harness's author declares besides its manifest; it wins.
    choices: Mapping[str, str] = field(default_factory=dict)
    #: The specifications that its author claims; None where the manifest says that, or its capabilities.
    claims: tuple[Specification, ...] | None = None
    #: What its texts say otherwise in each play, besides what the manifest says.
    varies: tuple[str, ...] = ()
    #: What the harness does otherwise than users of the library have it, besides what the manifest says.
    deviations: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._harness: HarnessSession | None = None
        self._manifest: Manifest | None = None
        #: With what is declared besides.
        self._declared: Manifest | None = None
        self.lanes = Lanes()

    def initialize(self) -> Manifest:
        """Return the manifest the harness gave at its first handshake, with what is declared besides.

        Raises:
            HarnessBroken: if there is no handshake.
        """
        if self._declared is None:
            manifest = self._manifest = self._running().manifest
            claims = manifest.claims if self.claims is None else self.claims
            choices, varies = {**manifest.choices, **self.choices}, (*manifest.varies, *self.varies)
            deviations = {**manifest.deviations, **self.deviations}
            declared = {"choices": choices, "claims": claims, "varies": varies, "deviations": deviations}
            self._declared = manifest.model_copy(update=declared)
        return self._declared

    def construct(
        self, signature: Signature, tools: tuple[Tool, ...], options: Options, endpoints: Endpoints
    ) -> Instance:
        """Build an instance behind a lane of the kit's server.

        Raises:
            ConstructionError: if the subject refuses.
            HarnessBroken: if the harness breaks the protocol.
        """
        lane = self.open_lane(endpoints)
        params = ConstructParams(
            signature=signature,
            tools=tools,
            options=options,
            lm=endpoint_of(lane),
            tools_url=lane.tools_url,
        )
        try:
            harness, made = self._construct_instance(params)
        except RpcFailure as failure:
            raise _make_refusal(failure) from failure
        finally:
            if self._harness:
                self._harness.broke = endpoints.broke
        return self.make_instance(harness, made.instance, lane, endpoints)

    def open_lane(self, endpoints: Endpoints) -> Lane:
        """Open the lane of an episode."""
        return self.lanes.open_lane(endpoints)

    def make_instance(self, harness: HarnessSession, name: str, lane: Lane, _: Endpoints) -> RemoteInstance:
        """Make the instance that the harness knows by that name."""
        return RemoteInstance(harness, name, lane)

    def parse(self, parsing: Parsing) -> Parsed:
        """Let the subject's parser read a reply.

        Raises:
            HarnessBroken: if the harness breaks the protocol, or gives an error where a result is due.
        """
        harness = self._running()
        harness.broke = None
        try:
            return harness.send_request("parse", parsing, Parsed)
        except RpcFailure as failure:
            raise HarnessBroken(
                f"the harness answered 'parse' with error {failure.error.code}: {failure.error.message}; what the "
                "parser raises belongs in the result"
            ) from failure

    def await_unasked(self) -> None:
        """Wait a little for what the harness does after its latest answer; the episode of that answer is told."""
        harness = self._harness
        if harness and harness.broke and not harness.broken and (breach := harness.find_breach(_SETTLE)):
            harness.report_breach(breach)

    def clock(self) -> float:
        """Return the wall's: how much of a processor the harness has had nobody can see."""
        return time.perf_counter()

    @property
    def stderr(self) -> str:
        """The end of what the harness has written on its standard error; empty where none runs."""
        return self._harness.stderr if self._harness else ""

    def close(self) -> None:
        """End the harness and the server."""
        if self._harness:
            self._harness.end_harness()
        self._harness = None
        self.lanes.close()

    def _construct_instance(self, params: ConstructParams) -> tuple[HarnessSession, Constructed]:
        """Return the instance, and the harness that has it: another than before, if that one was out of step already.

        What may be of an earlier episode is, where it is certain or a fresh harness does well.
        """
        harness = self._running()
        try:
            return harness, harness.send_request("construct", params, Constructed)
        except Unasked as breach:
            if harness.broke is None:
                raise
            if breach.is_certain:
                harness.broke(str(breach))
            fresh = self._running()
            made = fresh.send_request("construct", params, Constructed)
            harness.broke(str(breach))
            return fresh, made

    def _running(self) -> HarnessSession:
        if self._harness and not self._harness.broken and (breach := self._harness.find_breach()):
            self._harness.report_breach(breach)
        if self._harness is None or self._harness.broken:
            self._harness = HarnessSession(self.start, self.timeouts)
            if self._manifest not in (None, self._harness.manifest):
                raise HarnessBroken("the restarted harness gives another manifest than before")
        return self._harness


def _make_refusal(failure: RpcFailure) -> Exception:
    if failure.error.code == CONSTRUCTION_REFUSED:
        return ConstructionError(failure.error.message)
    if failure.error.code == ADAPTER_BROKEN:
        return HarnessBroken(failure.error.message)
    return HarnessBroken(f"the harness answered 'construct' with error {failure.error.code}: {failure.error.message}")
