"""A call that waits for a person (S3): the suspended call as a value, and what became of each confirmation."""

from threading import Lock
from typing import Any, Literal
from uuid import uuid4

from pydantic_core import to_jsonable_python

from react_tck.model.base import JsonObject, Value
from react_tck.reference.loop import Call

Status = Literal["pending", "approved", "rejected", "edited", "feedback"]


class WaitingCall(Value):
    """The tool call that waits; `call_id` is the provider's own, or one made from the step's number."""

    name: str
    args: JsonObject
    call_id: str | None = None


class ConfirmationRequired(Exception):
    """The call is suspended until `resume` is given this and a person's response.

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
