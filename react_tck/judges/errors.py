"""Errors that say what happened, and those that say only that nobody thought of the case (ERR-005, ERR-011)."""

from collections.abc import Iterator
from itertools import pairwise

from react_tck.dialects.fields import FINISH
from react_tck.fakes.malformed.rendering import reading
from react_tck.judges.verdict import Violation
from react_tck.model.episode import Episode
from react_tck.model.intent import BadArgs, CallTool, Garbled
from react_tck.model.manifest import Manifest
from react_tck.model.outcome import Failure
from react_tck.model.record import Asked, Record, Returned

#: What a program raises where nobody thought of the case, in Python and elsewhere.
_CRASHES = frozenset(
    {
        *("AssertionError", "AttributeError", "ImportError", "IndexError", "KeyError", "LookupError", "NameError"),
        *("RecursionError", "RuntimeWarning", "SyntaxError", "SystemError", "TypeError", "UnboundLocalError"),
        *("UnicodeDecodeError", "UnicodeEncodeError", "ZeroDivisionError", "BaseException", "Exception"),
        *(
            "ReferenceError",
            "RangeError",
            "NullPointerException",
            "ArgumentError",
            "NoMethodError",
            "FunctionClauseError",
        ),
    }
)


def is_typed(error: Failure) -> bool:
    """Whether an error says by its type what happened, rather than that nobody thought of the case."""
    return error.type.rpartition(".")[2] not in _CRASHES


def crashes(episode: Episode, _: Manifest, record: Record) -> Iterator[tuple[str, Violation]]:
    """Every call that a faulty reply ends with a crash, with the id of the requirement for such replies."""
    known = {FINISH, *(tool.name for tool in episode.case.tools)}
    for asked, ended in pairwise(record.events):
        if not (isinstance(asked, Asked) and isinstance(ended, Returned) and ended.outcome.error):
            continue
        requirement_id, error = _requirement(asked, known), ended.outcome.error
        if requirement_id and not is_typed(error):
            actual = f"{error.type}: {error.message}"
            yield requirement_id, Violation("an error of a type that says what happened", actual, ended)


def _requirement(asked: Asked, known: set[str]) -> str | None:
    """What a reply that leaves the subject a choice comes under."""
    match asked.intent:
        case BadArgs():
            return "ERR-002"
        case CallTool(tool=tool) if tool not in known:
            return "ERR-001"
        case Garbled() as garbled if asked.ask and reading(garbled, asked.ask) is None:
            return "ERR-011" if asked.ask.phase == "extraction" else "ERR-005"
    return None
