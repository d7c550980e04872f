"""Names that the LM gets wrong, and whether anybody is told of them (ERR-001)."""

from collections.abc import Iterable

from react_tck.dialects.fields import FINISH
from react_tck.judges.verdict import Violation
from react_tck.model.intent import CallTool
from react_tck.model.record import Asked, Returned
from react_tck.model.tool import Tool
from react_tck.record.reactions import Aftermath
from react_tck.record.shown import names
from react_tck.record.turns import undecorated


def names_no_tool(asked: Asked, tools: Iterable[Tool]) -> bool:
    """Whether the LM called a tool that isn't there; a near miss may be taken for what it was meant to be."""
    known = {name.lower() for name in (FINISH, *(tool.name for tool in tools))}
    return isinstance(asked.intent, CallTool) and undecorated(asked.intent.tool).lower() not in known


def untold(after: Aftermath, name: str) -> Violation | None:
    """What is wrong if neither the request after that turn shows the name, nor the error does."""
    match after.by:
        case Asked(request=request) if not names(request.text, name):
            return Violation(f"the next request tells of {name!r}", "it does not", after.by)
        case Returned(outcome=outcome) if outcome.error:
            told = f"{outcome.error.type}: {outcome.error.message}"
            if not names(told, name):
                return Violation(f"the error tells of {name!r}", f"it says {told}", after.by)
    return None
