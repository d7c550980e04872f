"""Errors that say what happened, and those that say only that nobody thought of the case (ERR-005, ERR-011)."""

from collections.abc import Iterator, Mapping
from itertools import pairwise

from react_tck.fakes.malformed.reading import reading, requirement_of
from react_tck.judges.verdict import Violation
from react_tck.model.case import Case
from react_tck.model.intent import BadArgs, CallTool, Garbled
from react_tck.model.manifest import Manifest
from react_tck.model.outcome import Failure
from react_tck.model.record import Asked, Returned
from react_tck.record.evidence import Evidence
from react_tck.record.tool_names import read_case_name

#: What a program raises where nobody thought of the case, in Python and elsewhere.
_CRASHES = frozenset(
    {
        *("AssertionError", "AttributeError", "ImportError", "IndexError", "KeyError", "LookupError", "NameError"),
        *("RecursionError", "RuntimeWarning", "SystemError", "TypeError", "UnboundLocalError"),
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

#: What is a crash in one language, and in others the error of a parser: JavaScript's `JSON.parse`, Go's `json`.
_CRASHES_OF: Mapping[str, frozenset[str]] = {"python": frozenset({"SyntaxError"})}


def is_typed(error: Failure, manifest: Manifest) -> bool:
    """Whether an error says by its type what happened, rather than that nobody thought of the case.

    What the subject's parser refuses a reply with is no crash, whatever it is called.
    """
    name = error.type.rpartition(".")[2]
    if {error.type, name} & set(manifest.parse_errors):
        return True
    return name not in _CRASHES | _CRASHES_OF.get(manifest.language.lower(), frozenset())


def crashes(evidence: Evidence) -> Iterator[Violation]:
    """Every call that a faulty reply ends with a crash, of the requirement for such replies."""
    for asked, ended in pairwise(evidence.record.events):
        if not (isinstance(asked, Asked) and isinstance(ended, Returned) and ended.outcome.error):
            continue
        requirement_id, error = fault_of(asked, evidence.episode.case), ended.outcome.error
        if requirement_id and not is_typed(error, evidence.manifest):
            actual = f"{error.type}: {error.message}"
            yield Violation("an error of a type that says what happened", actual, ended, requirement_id)


def fault_of(asked: Asked, case: Case) -> str | None:
    """The requirement that says what may become of a faulty reply; None if nothing is wrong with it."""
    match asked.intent:
        case BadArgs():
            return "ERR-002"
        case CallTool(tool=tool) if read_case_name(tool, case).match != "exact":
            return "ERR-001"
        case Garbled() as garbled if asked.ask and reading(garbled, asked.ask) is None:
            return requirement_of(garbled.form, asked.ask.phase)
    return None
