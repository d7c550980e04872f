"""Checks a harness before any scenario: is it connected, whatever the agent does? What is wrong is told once."""

import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial

from react_tck.diagnose.checks import list_checks
from react_tck.diagnose.patience import OutOfTime, find_place, limit_time
from react_tck.diagnose.trial import Trial, Unconnected
from react_tck.judges.verdict import Violation
from react_tck.subjects.api import (
    ConstructionError,
    HarnessBroken,
    OperationRefused,
    Overheard,
    Placed,
    Subject,
    raising,
)


@dataclass(frozen=True)
class CheckResult:
    """How one check ended; `problem` is empty if all is well."""

    name: str
    problem: str = ""
    advice: str = ""
    #: What else there is to look at: the LM's last reply, what the harness wrote on its standard error.
    evidence: str = ""
    #: What explains it; what has the same cause is mended by the same change.
    cause: str = ""
    #: The earlier check that failed for the same cause.
    as_in: str = ""


def check_harness(subject: Subject) -> Iterator[CheckResult]:
    """Check one thing after another; without a handshake there is nothing more to check."""
    causes: dict[str, str] = {}
    handshake = "Answer `initialize` with a manifest."
    first = _tell_cause(subject, _run_check(subject, "handshake", handshake, subject.initialize), causes)
    yield first
    if first.problem:
        return
    trial = Trial(subject, subject.initialize())
    for name, advice, action in list_checks(trial.manifest):
        yield _tell_cause(subject, _run_check(subject, name, advice, partial(action, trial)), causes)


def _tell_cause(subject: Subject, result: CheckResult, causes: dict[str, str]) -> CheckResult:
    """Return the result with the earlier check that failed for the same cause, and what else there is to look at."""
    if not result.problem:
        return result
    earlier = causes.setdefault(result.cause, result.name)
    evidence = "\n".join(filter(None, [result.evidence, _read_standard_error(subject, result.problem)]))
    return replace(result, evidence=evidence, as_in="" if earlier == result.name else earlier)


#: Seconds for which what a harness has written is waited for.
_READING = 0.5


def _read_standard_error(subject: Subject, told: str) -> str:
    """Return the end of what a harness wrote, unless told already; what preceded its answer may be read later."""
    if not isinstance(subject, Overheard):
        return ""
    end = time.monotonic() + _READING
    while not subject.stderr and time.monotonic() < end:
        time.sleep(0.01)
    said = f"its standard error ends: {subject.stderr}"
    return said if subject.stderr and said not in told else ""


def _run_check(subject: Subject, name: str, advice: str, action: Callable[[], object]) -> CheckResult:
    """Return how it ended; what the subject raised is told with its place, else the place of what was called."""
    raised: list[Exception] = []
    heard = raising.set(raised.append)
    try:
        # A harness has limits of its own, and is stopped where it passes them.
        with nullcontext() if isinstance(subject, Overheard) else limit_time():
            action()
    except Unconnected as error:
        where = find_place(raised[-1]) if raised else ""
        problem = _add_place(str(error), where or _find_method(subject))
        return CheckResult(name, problem, error.advice or advice, error.evidence, error.cause)
    except OutOfTime as error:
        return CheckResult(
            name, str(error), "Let the call come back: it waits, or goes round, there.", cause=str(error)
        )
    except (HarnessBroken, Violation, ConstructionError, OperationRefused) as error:
        problem = _add_place(str(error), find_place(error) or _find_method(subject))
        return CheckResult(name, problem, advice, cause=str(error))
    finally:
        raising.reset(heard)
    return CheckResult(name)


def _find_method(subject: Subject) -> str:
    return subject.place if isinstance(subject, Placed) else ""


def _add_place(problem: str, where: str) -> str:
    return f"{problem}\nat {where}" if where else problem
