"""What a person's response to a suspended call means (S3)."""

import json
from typing import Any, NamedTuple

from pydantic import ValidationError

from react_tck.model.base import JsonObject, Value
from react_tck.reference.confirmation.suspension import ResponseRefused, Status
from react_tck.reference.loop import Approved, Call, Declined

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


def read_response(response: str, call: Call, tools: tuple[str, ...]) -> Decision:
    """Yes, no, an edit as JSON, or feedback; to a clarification, any text is the answer (CNF-003 to CNF-006, CNF-011).

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
    return Decision("feedback", Declined(observation=f"{call.name} was not executed. The user says: {response}"))


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
