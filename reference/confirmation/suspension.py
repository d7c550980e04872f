"""A call that waits for a person (S3): the suspended call as a value, and what became of each confirmation."""

import json
from functools import partial
from threading import Lock
from typing import Any, Literal, NamedTuple
from uuid import uuid4

from pydantic import ValidationError
from pydantic_core import to_jsonable_python

from react_tck.model.base import JsonObject, Value
from react_tck.reference.loop import Approved, AwaitResponse, Call, Declined, Ending, Event, State
from react_tck.reference.seams import Site
from react_tck.reference.tools import BoundTool

Status = Literal["pending", "approved", "rejected", "edited", "feedback"]

#: The built-in tool that asks a person (`enable_user_clarification`).
CLARIFY = "user_clarification"

_YES = ("yes", "y")
_NO = ("no", "n")


class Decision(NamedTuple):
    """What the confirmation's status becomes, and how the loop goes on."""

    status: Status
    event: Approved | Declined


class _Edit(Value):
    name: str | None = None
    args: JsonObject | None = None


def read_response(response: str, call: Call, tools: tuple[str, ...], *, has_asked: bool = False) -> Decision:
    """Yes, no, an edit as JSON, or feedback; to a clarification, any text is the answer (CNF-003 to CNF-006, CNF-011).

    To a tool that has asked itself, what is neither is the answer (CNF-016).

    Raises:
        ResponseRefused: for no text at all, or an edit that can't be understood (CNF-012).
    """
    if not response.strip():
        raise ResponseRefused("the response is empty; it is yes, no, feedback, or JSON with the key 'edit'")
    if call.name == CLARIFY:
        return Decision("approved", Declined(observation=response))
    word = response.strip().lower()
    if word in _YES:
        return Decision("approved", Approved(tool=call.name, args=call.args))
    if word in _NO:
        return Decision("rejected", Declined(observation=f"The user rejected the execution of {call.name}."))
    if response.lstrip().startswith("{"):
        return Decision("edited", _read_edit(response, call, tools))
    told = response if has_asked else f"{call.name} was not executed. The user says: {response}"
    return Decision("feedback", Declined(observation=told))


def _read_edit(response: str, call: Call, tools: tuple[str, ...]) -> Approved:
    try:
        edit = _Edit.model_validate(_unwrap_edit(json.loads(response)))
    except (ValidationError, ValueError) as error:
        raise ResponseRefused(
            f'the response looks like an edit and isn\'t one: {error}; write {{"edit": {{"name": …, "args": {{…}}}}}}'
        ) from error
    name = edit.name or call.name
    if name not in tools:
        raise ResponseRefused(f"the edit names {name!r}, which is no tool; the tools are: {', '.join(tools)}")
    return Approved(tool=name, args=call.args if edit.args is None else edit.args)


def _unwrap_edit(said: Any) -> Any:
    if not isinstance(said, dict) or set(said) != {"edit"}:
        raise ValueError("it is an object with the one key 'edit'")
    if not said["edit"]:
        raise ValueError("it edits nothing")
    return said["edit"]


class WaitingCall(Value):
    """The tool call that waits; `call_id` is the provider's own, or one made from the step's number."""

    name: str
    args: JsonObject
    call_id: str | None = None


#: The name that udspy's documentation has for it.
ToolCall = WaitingCall


class ConfirmationRequired(Exception):
    """The call is suspended until `resume` is given this and a person's response. A tool may raise it, too.

    `context` holds the `trajectory`, the `iteration` (from 0), the `input_args`, and the loop's `state`.
    """

    def __init__(
        self,
        question: str,
        *,
        confirmation_id: str | None = None,
        tool_call: WaitingCall | None = None,
        context: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(question)
        self.question = question
        self.confirmation_id = confirmation_id or str(uuid4())
        self.tool_call = tool_call
        self.context = context or {}

    def dump(self) -> JsonObject:
        """As JSON, to be resumed in another process (CNF-008)."""
        made: JsonObject = to_jsonable_python(
            {
                "question": self.question,
                "confirmation_id": self.confirmation_id,
                "tool_call": self.tool_call,
                "context": self.context,
            }
        )
        return made

    @classmethod
    def load(cls, dumped: JsonObject) -> "ConfirmationRequired":
        """From what `dump` gave.

        Raises:
            ValidationError: if it isn't what `dump` gave.
        """
        return _Dumped.model_validate(dumped).restore_exception(cls)


class _Dumped(Value):
    question: str
    confirmation_id: str
    tool_call: WaitingCall | None
    context: JsonObject

    def restore_exception(self, kind: type[ConfirmationRequired]) -> ConfirmationRequired:
        return kind(
            self.question, confirmation_id=self.confirmation_id, tool_call=self.tool_call, context=dict(self.context)
        )


class ResponseRefused(ValueError):
    """The response can't be taken; where it was malformed, the call still waits for another one."""


class Confirmations:
    """What became of the confirmations of this process, by id. Safe to use from any thread."""

    def __init__(self) -> None:
        self._statuses: dict[str, Status] = {}
        self._waiting: dict[str, WaitingCall] = {}
        self._lock = Lock()

    def record_question(self, confirmation_id: str, call: WaitingCall | None = None) -> None:
        """Record that a person is asked about this call."""
        with self._lock:
            self._statuses[confirmation_id] = "pending"
            if call is not None:
                self._waiting[confirmation_id] = call

    def has_waiting(self, confirmation_id: str, call: Call) -> bool:
        """Tell whether what nobody has responded to yet is such a call: of this tool, with these args."""
        with self._lock:
            waiting = self._waiting.get(confirmation_id)
            return waiting is not None and (waiting.name, waiting.args) == (call.name, call.args)

    def record_response(self, confirmation_id: str, status: Status) -> None:
        """Record a response. What was asked for in another process is new here, and no less welcome.

        Raises:
            ResponseRefused: if somebody has responded before (CNF-012).
        """
        with self._lock:
            earlier = self._statuses.get(confirmation_id, "pending")
            if earlier != "pending":
                raise ResponseRefused(f"the confirmation {confirmation_id!r} has been responded to: it is {earlier}")
            self._statuses[confirmation_id] = status
            self._waiting.pop(confirmation_id, None)

    def find_status(self, confirmation_id: str) -> Status:
        """Return what became of it.

        Raises:
            LookupError: if this process knows no confirmation of that id.
        """
        with self._lock:
            if confirmation_id not in self._statuses:
                raise LookupError(f"there is no confirmation {confirmation_id!r}")
            return self._statuses[confirmation_id]


#: One for the process, because a status is asked for by id alone.
CONFIRMATIONS = Confirmations()


def get_confirmation_status(confirmation_id: str) -> Status:
    """Return what became of a confirmation (CNF-007).

    Raises:
        LookupError: if this process knows no confirmation of that id.
    """
    return CONFIRMATIONS.find_status(confirmation_id)


def suspend_call(
    state: State, context: dict[str, Any], kind: type[ConfirmationRequired] = ConfirmationRequired
) -> ConfirmationRequired:
    """Return what is raised where a call waits; a person counts as asked from here on (CNF-001, CNF-002, CNF-007)."""
    assert isinstance(state.action, AwaitResponse)
    call, asked = state.action.call, state.action.asked
    confirmation_id = asked.confirmation_id if asked else str(uuid4())
    waiting = WaitingCall(name=call.name, args=call.args, call_id=call.id)
    CONFIRMATIONS.record_question(confirmation_id, waiting)
    # With the id, so that a response can't be given to another confirmation than it was asked for.
    saved = {"confirmation_id": confirmation_id, "loop": state.model_dump(mode="json")}
    return kind(
        asked.question if asked else _write_question(call),
        confirmation_id=confirmation_id,
        tool_call=waiting,
        context=context | {"state": saved},
    )


def reopen_call(saved: ConfirmationRequired, ending: Ending, tools: tuple[str, ...]) -> tuple[State, Call]:
    """Return the loop's state, and the call that waits in it (CNF-008).

    Raises:
        ResponseRefused: if it isn't a suspended call of an agent with these tools, or not of that id.
    """
    context = saved.context.get("state")
    if not isinstance(context, dict) or context.get("confirmation_id") != saved.confirmation_id:
        raise ResponseRefused(f"the confirmation id {saved.confirmation_id!r} is unknown")
    try:
        state = State.model_validate(context["loop"])
    except ValidationError as error:
        raise ResponseRefused(f"the saved state can't be read: {error}") from error
    if state.ending != ending:
        raise ResponseRefused(f"the saved state can't be read: its run ends by {state.ending!r}, not by {ending!r}")
    if not isinstance(state.action, AwaitResponse) or not set(state.tools) <= set(tools):
        raise ResponseRefused(f"the saved state is not of an agent with the tools {', '.join(tools)}")
    return state, state.action.call


def apply_response(site: Site, call: Call, confirmation_id: str, said: str) -> Event:
    """Return what a person's response to a call that waits comes to; there is one response to each.

    Raises:
        ResponseRefused: if it isn't one, or comes twice.
    """
    tools = tuple(name for name in site.state.tools if name != CLARIFY)
    has_asked = getattr(site.state.action, "asked", None) is not None
    read = partial(read_response, call=call, tools=tools, has_asked=has_asked)
    decision = site.agent.seams.response(site, read, said)
    CONFIRMATIONS.record_response(confirmation_id, decision.status)
    made: Event = decision.event
    return made


def make_clarification_tool() -> BoundTool:
    """Return the built-in tool with which the agent asks a person; it never runs, for its answer comes from outside."""
    description = "Ask the user when something needed is missing or unclear. The observation is the answer."
    args: JsonObject = {"question": {"type": "string"}}
    return BoundTool(CLARIFY, description, args, _refuse_to_run, require_confirmation=True)


def _write_question(call: Call) -> str:
    args = json.dumps(call.args, ensure_ascii=False)
    if call.name == CLARIFY:
        return str(call.args.get("question") or args)
    return f"Confirm execution of {call.name} with args: {args}? (yes/no)"


def _refuse_to_run(question: str) -> str:
    raise AssertionError(f"nobody was asked: {question}")
