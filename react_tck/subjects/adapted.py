"""A decorated class as a subject in this process: the adapter drives it, and what it asks is answered directly."""

import inspect
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from pydantic import JsonValue, ValidationError

from react_tck.adapter.agent import BuiltAgent, OperationMissing, read_reply
from react_tck.adapter.declare import SubjectError, find_declaration
from react_tck.adapter.lm import LM, LMFault, LMRefusal
from react_tck.adapter.results import Notice
from react_tck.adapter.values import AdapterBroken, Caller
from react_tck.fakes.conversation import ProtocolBroken, StrictRequest
from react_tck.fakes.lm import CUT_TEXT
from react_tck.fakes.server.errors import BadRequest
from react_tck.fakes.server.forms import chat
from react_tck.fakes.server.wire import Limits, SaidBefore
from react_tck.model.base import JsonObject
from react_tck.model.case import Invocation, Options, Resumption
from react_tck.model.lm import Completion, LMRequest
from react_tck.model.manifest import Description, Manifest
from react_tck.model.outcome import Outcome
from react_tck.model.protocol import Endpoint, Parsed, Parsing
from react_tck.model.signature import Signature
from react_tck.model.tool import Tool
from react_tck.subjects.api import (
    ConstructionError,
    Endpoints,
    HarnessBroken,
    OperationRefused,
    raising,
)
from react_tck.subjects.lanes import Lanes, endpoint_of

#: Seconds for which an LM says nothing to an adapter's agent. Clients of the kit's wait for that however long it takes,
#: so that a busy machine is never mistaken for it; it is long enough for one with a limit of its own to reach it.
SILENCE = Limits(hold=2.0)


class ClassSubject:
    """The subject that a class is. Whoever asks for an address of the LM starts the kit's server."""

    def __init__(self, made: type, manifest: Manifest) -> None:
        self._made = made
        self._manifest = manifest
        self.lanes = Lanes(SILENCE)

    def initialize(self) -> Manifest:
        """Give the manifest that the class declares."""
        return self._manifest

    @property
    def place(self) -> str:
        """File and line of the method that is called; of the class, where it has none."""
        code = inspect.unwrap(getattr(self._made, "call", None) or getattr(self._made, "acall", None) or self._made)
        try:
            return f"{inspect.getsourcefile(code)}:{inspect.getsourcelines(code)[1]}"
        except (OSError, TypeError):  # it was made while the program ran
            return ""

    def close(self) -> None:
        """End the server, if there is one."""
        self.lanes.close()

    def construct(
        self, signature: Signature, tools: tuple[Tool, ...], options: Options, endpoints: Endpoints
    ) -> "ClassInstance":
        """Build an agent of the class.

        Raises:
            ConstructionError: whatever its `build` raises.
        """
        params = {
            "signature": signature.model_dump(),
            "tools": [tool.model_dump() for tool in tools],
            "options": options.model_dump(),
        }
        caller = endpoints.caller if "caller-objects" in self._manifest.capabilities else Caller()
        kit = KitSide(endpoints, lambda: endpoints.endpoint or endpoint_of(self.lanes.open_lane(endpoints)))
        told = raising.get()
        try:
            agent = BuiltAgent(self._made, params, kit.answer, caller, told, endpoints.decorate_tool)
        except Exception as error:
            told(error)
            raise ConstructionError(f"{type(error).__name__}: {error}") from error
        return ClassInstance(agent, self._made.__name__)

    def parse(self, parsing: Parsing) -> Parsed:
        """Have the class read a reply.

        Raises:
            HarnessBroken: if it returns no fields.
        """
        with _as_broken():
            return Parsed.model_validate(read_reply(self._made, parsing.model_dump(), self._manifest.parse_errors))

    def clock(self) -> float:
        """Tell the time of the processor: what others do on it meanwhile is no time of the parser's."""
        return time.process_time()


class ClassInstance:
    """An agent that has been built."""

    def __init__(self, agent: BuiltAgent, name: str) -> None:
        self._agent = agent
        self._name = name

    def call(self, invocation: Invocation) -> Outcome:
        """Call it in the mode that the invocation asks for."""
        with _as_broken():
            return Outcome.model_validate(self._agent.call(vars(invocation)))

    async def acall(self, invocation: Invocation) -> Outcome:
        """Call it in the event loop that runs."""
        with _as_broken():
            return Outcome.model_validate(await self._agent.acall(vars(invocation)))

    def resume(self, suspension: JsonObject, resumption: Resumption) -> Outcome:
        """Go on with a suspended call; here that may be the first of all."""
        given = {"suspension": suspension, "response": resumption.response, "mode": resumption.mode}
        with _as_broken():
            return Outcome.model_validate(self._agent.resume(given))

    def status(self, confirmation_id: str) -> str:
        """Tell what became of a confirmation.

        Raises:
            OperationRefused: if the class doesn't say.
        """
        try:
            return self._agent.status(confirmation_id)
        except OperationMissing as missing:
            raise OperationRefused(str(missing)) from missing

    def describe(self) -> Description:
        """Tell its tools and signatures.

        Raises:
            HarnessBroken: if what the class tells is no description.
        """
        return read_description(self._agent.describe(), self._name)

    @property
    def heard(self) -> Sequence[Notice]:
        """What its library's callbacks have been told.

        Raises:
            HarnessBroken: if those are no notices.
        """
        with _as_broken():
            return self._agent.list_notices()

    def dump(self) -> JsonValue:
        """Give the agent's state as JSON; `load` takes it back."""
        state: JsonValue = self._agent.dump()
        return state

    def load(self, state: JsonValue) -> None:
        """Take over what was saved."""
        self._agent.load(state)


@contextmanager
def _as_broken() -> Iterator[None]:
    """Tell what a class shouldn't do as the kit tells it of any harness."""
    try:
        yield
    except AdapterBroken as broken:
        raise HarnessBroken(str(broken)) from broken


def read_description(said: object, name: str) -> Description:
    """Read what the class of that name says of an instance.

    Raises:
        HarnessBroken: if that is no description.
    """
    try:
        return Description.model_validate(said)
    except ValidationError as error:
        wrong = error.errors()[0]
        where = ".".join(map(str, wrong["loc"])) or "it"
        raise HarnessBroken(
            f"{name}.describe returned no description: {where}: {wrong['msg']}; it is "
            '{"tools": {name: description}, "signatures": {name: {"inputs": […], "outputs": […]}}}'
        ) from error


class KitSide:
    """The kit's part of a conversation with an adapter: what its LM and tools do."""

    def __init__(self, endpoints: Endpoints, serve: Callable[[], Endpoint]) -> None:
        self._endpoints = endpoints
        self._serve = serve

    def answer(self, kind: str, asked: dict[str, Any]) -> dict[str, Any]:
        """Say what the LM says, what a tool's run does, or where the LM is found."""
        if kind == "run":
            return self._endpoints.tools[int(asked["tool"])].answer_run(asked)
        if kind == "endpoint":
            served: dict[str, Any] = self._serve().model_dump()
            return served
        return _answer_chat(self._endpoints.lm, asked["body"])


def make_lm(complete: Callable[[LMRequest], Completion]) -> LM:
    """Make the LM that an agent in this process is given of what replies to its requests; it has no address."""
    return LM(lambda _, asked: _answer_chat(complete, asked["body"]))


def _answer_chat(complete: Callable[[LMRequest], Completion], body: str) -> dict[str, Any]:
    """Say what the LM says to a request of chat completions."""
    try:
        said = complete(StrictRequest(**dict(chat.read_request(body.encode(), "", SaidBefore()).request)))
    except (BadRequest, ProtocolBroken) as wrong:
        return {"wrong": str(wrong)}
    except LMRefusal as refusal:
        return {"refusal": str(refusal)}
    except LMFault as fault:
        if fault.fault != "finish-length":
            return {"fault": fault.fault}
        return {"text": CUT_TEXT, "tool_calls": [], "finish_reason": "length"}
    calls = [(call.name, call.arguments) for call in said.tool_calls]
    return {"text": said.content or "", "tool_calls": calls, "finish_reason": said.finish_reason}


def subject_of(decorated: object) -> ClassSubject:
    """Make the subject that a class is.

    Raises:
        SubjectError: if it is none, or declares what no manifest can say.
    """
    declared = find_declaration(decorated)
    name = getattr(decorated, "__name__", repr(decorated))
    if declared is None or not isinstance(decorated, type):
        raise SubjectError(f"{name} is no subject: decorate its class with @react_tck.subject(name, version=…, …)")
    try:
        return ClassSubject(decorated, Manifest.model_validate(declared))
    except ValidationError as error:
        wrong = error.errors()[0]
        where, given = ".".join(map(str, wrong["loc"])), wrong["input"]
        raise SubjectError(f"{name}: {where} = {given!r}; {wrong['msg']}") from error
