"""The requirements as tests of a user's own pytest: one test each, under the user's fixtures."""

import inspect
from collections.abc import Callable, Iterable, Iterator
from datetime import date
from functools import wraps
from pathlib import Path
from typing import Any

import pytest

from react_tck.api.running import check_profile, name_of, run
from react_tck.api.subjects import subject_of
from react_tck.catalogue.features import load_features
from react_tck.catalogue.registry import load_registry
from react_tck.gate.baseline import Section, read
from react_tck.gate.gate import Gate
from react_tck.gate.lapses import GateRules
from react_tck.model.report import RequirementResult, ScenarioResult, Verdict
from react_tck.subjects.api import HarnessBroken

_WRONG = (Verdict.ERROR, Verdict.FAILED, Verdict.UNTESTABLE)


def conformance(
    subject: type, profile: str = "core", baseline: str | Path | None = None
) -> Callable[[Callable[..., Any]], Callable[..., None]]:
    """Make a test of yours one test a requirement of a profile: `@react_tck.conformance(Mine)` above `def test_mine()`.

    What stands in the function, and its fixtures, come first; then the scenarios of the requirement are played, and
    the test fails with what a person needs to see what is wrong. What the subject declares not to support is skipped
    with the reason. What the baseline accepts, and what fails of a SHOULD, is an expected failure. What holds in every
    episode (SAN-…) fails the test in which it is broken. `-k ERR-001` runs one requirement; xdist shares them.

    Args:
        subject: a class that `react_tck.subject` has decorated, at the top of a module.
        profile: `core`, `robustness` …, or `all`.
        baseline: a file that `react-tck baseline --write` has written. An entry that passes or has expired fails.

    Raises:
        SubjectError: if the class is no subject, or can't be imported elsewhere.
        ValueError: if there is no such profile, or the baseline can't be understood.
    """
    check_profile(profile)
    name_of(subject)
    accepted = None if baseline is None else _accepted(subject, Path(baseline))
    tested = {scenario.requirement_id for scenario in load_features() if profile in ("all", scenario.profile)}
    ids = [each.id for each in load_registry().requirements if each.id in tested]

    def made(test: Callable[..., Any]) -> Callable[..., None]:
        if inspect.iscoroutinefunction(test) or inspect.isgeneratorfunction(test):
            raise ValueError(f"{test.__name__} is no plain function: write `def {test.__name__}():`, and fixtures")

        @wraps(test)
        def tested_here(*args: Any, react_tck_requirement: str, **fixtures: Any) -> None:
            test(*args, **fixtures)
            _judge(subject, profile, react_tck_requirement, accepted)

        own = inspect.signature(test)
        more = inspect.Parameter("react_tck_requirement", inspect.Parameter.KEYWORD_ONLY)
        tested_here.__signature__ = own.replace(parameters=[*own.parameters.values(), more])  # type: ignore[attr-defined]
        each: Callable[..., None] = pytest.mark.parametrize("react_tck_requirement", ids)(tested_here)
        return each

    return made


def _accepted(subject: type, file: Path) -> Section:
    """What the baseline accepts of the subject.

    Raises:
        ValueError: if there is no such file, or nothing in it is about the subject.
    """
    if not file.exists():
        raise ValueError(f"there is no baseline {file}; `react-tck baseline {name_of(subject)} --write` makes one")
    sections, name = read(file), subject_of(subject).initialize().name
    if name not in sections:
        raise ValueError(f"{file} has no section [{name}]; there are {', '.join(sections) or 'none'}")
    return sections[name]


def _judge(subject: type, profile: str, requirement_id: str, accepted: Section | None) -> None:
    """Play the requirement's scenarios, and end the test as they ended."""
    __tracebackhide__ = True
    try:
        report = run(subject, profile, tags=f"@{requirement_id}")
    except HarnessBroken as error:
        pytest.fail(str(error), pytrace=False)
    if report.kit_errors:
        pytest.fail("this is a bug of the kit, not of the subject: " + "\n".join(report.kit_errors), pytrace=False)
    gate = Gate(report, accepted, GateRules(), date.today())
    by_id = {each.id: each for each in gate.gated.requirements}
    own = by_id.pop(requirement_id)
    stale = [f"{each.requirement} {each.text}" for each in gate.objections if each.requirement == requirement_id]
    if told := [*_told(own), *(text for other in by_id.values() for text in _told(other))] or stale:
        pytest.fail(f"\n\n{'─' * 79}\n".join(told), pytrace=False)
    if own.verdict is Verdict.UNSUPPORTED:
        pytest.skip(next(result.message for result in own.scenarios if result.message))
    if accounted := next(_accounted_for((own, *by_id.values())), ""):
        pytest.xfail(accounted)


def _told(requirement: RequirementResult) -> list[str]:
    """What is wrong and nobody expects: a bug report, and what else fails; a SHOULD's where the harness broke."""
    counted = _WRONG if requirement.level == "MUST" else (Verdict.ERROR,)
    wrong = [result for result in _results(requirement) if result.verdict in counted]
    if not wrong:
        return []
    more = [f"  {result.title}: {result.fault}" for result in wrong[1:]]
    return [wrong[0].message, *(["\n".join([f"{requirement.id} fails in {len(more)} more:", *more])] if more else [])]


def _accounted_for(requirements: Iterable[RequirementResult]) -> Iterator[str]:
    """Why what fails isn't held against the subject."""
    for requirement in requirements:
        for result in _results(requirement):
            if result.verdict is Verdict.EXPECTED_FAILURE:
                yield f"{requirement.id} is in the baseline: {result.fault}"
            elif result.verdict in _WRONG:
                yield f"{requirement.id} is a {requirement.level}: {result.fault or result.message}"


def _results(requirement: RequirementResult) -> tuple[ScenarioResult, ...]:
    """What is held against the requirement: what judges saw counts only where it is blamed for it."""
    is_blamed = requirement.verdict in (Verdict.FAILED, Verdict.EXPECTED_FAILURE)
    return requirement.scenarios + (requirement.departures if is_blamed else ())
