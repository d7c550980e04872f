"""What a kind of misbehaving Python subject is; those that a module tells of."""

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType

from react_tck.model.outcome import Outcome
from react_tck.model.report import Verdict

#: Seconds a row may take, and bytes the subject may take up, in the zoo.
PATIENCE, MEMORY = 4.0, 2 << 30
#: Where those that start processes write their numbers.
STARTED = "REACT_TCK_ZOO_STARTED"
#: Is given the outcome of the call, gives what becomes of it.
Act = Callable[[Outcome], object]


@dataclass(frozen=True)
class Kind:
    """One way to misbehave, and how a row ends in which a subject does."""

    name: str
    does: str
    act: Act
    verdict: Verdict
    evidence: str
    #: The sanitizer that it violates, if the row's own sentence isn't what fails.
    violates: str = ""


_kinds: list[Kind] = []


def errs(does: str, evidence: str) -> Callable[[Act], Act]:
    """The row is an error that tells this."""
    return _kind(does, Verdict.ERROR, evidence)


def fails(does: str, evidence: str) -> Callable[[Act], Act]:
    """The row fails, and tells this."""
    return _kind(does, Verdict.FAILED, evidence)


def violates(sanitizer: str, does: str, evidence: str) -> Callable[[Act], Act]:
    """The row's own sentence holds, and the sanitizer tells this."""
    return _kind(does, Verdict.FAILED, evidence, sanitizer)


def passes(does: str) -> Callable[[Act], Act]:
    """It is none of the kit's business, and costs nobody anything."""
    return _kind(does, Verdict.PASSED, "")


def _kind(does: str, verdict: Verdict, evidence: str, violates: str = "") -> Callable[[Act], Act]:
    def take(act: Act) -> Act:
        _kinds.append(Kind(act.__name__.strip("_").replace("_", "-"), does, act, verdict, evidence, violates))
        return act

    return take


def hangs(does: str) -> Callable[[Act], Act]:
    return errs(does, f"did not come to an end within {PATIENCE:g} seconds")


def kinds_of(module: ModuleType) -> tuple[Kind, ...]:
    """Those that a module tells of, in its order."""
    return tuple(kind for kind in _kinds if kind.act.__module__ == module.__name__)
