"""What a person's responses let happen to a suspended call (CNF-003 to CNF-006)."""

import json
from collections.abc import Iterable

from react_tck.model.base import JsonObject
from react_tck.model.intent import CallTool
from react_tck.model.record import Resumed

_YES = ("yes", "y")


def agreed(call: CallTool, responses: Iterable[Resumed]) -> CallTool | None:
    """The call that may run: as the LM made it, or as it was edited; None if nobody has agreed to it."""
    for response in responses:
        # A response to another confirmation is none to this one.
        if response.resumption.confirmation_id is None and (allowed := _allowed(call, response.resumption.response)):
            return allowed
    return None


def _allowed(call: CallTool, response: str) -> CallTool | None:
    if response.strip().lower() in _YES:
        return call
    edit = _edit(response)
    return (
        call.model_copy(update={"tool": edit.get("name", call.tool), "args": edit.get("args", call.args)})
        if edit
        else None
    )


def _edit(response: str) -> JsonObject | None:
    try:
        said = json.loads(response)
    except ValueError:
        return None
    edit = said.get("edit") if isinstance(said, dict) else None
    return edit if isinstance(edit, dict) else None
