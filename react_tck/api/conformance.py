"""The requirements as tests of a user's own pytest: one test a row, under the user's fixtures."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any

import pytest

from react_tck.api.running import check_profile, name_of, outside_event_loops
from react_tck.catalogue.features import ScenarioRow
from react_tck.catalogue.selection import Selection
from react_tck.engine.session import bind_row
from react_tck.gate.baseline import Section, read_baseline
from react_tck.subjects.adapted import subject_of


@dataclass(frozen=True)
class RowUnderTest:
    """What a test that `conformance` has made plays: the argument of its mark `react_tck`."""

    subject: type
    row: ScenarioRow
    accepted: Section | None


def conformance(
    subject: type, profile: str = "core", baseline: str | Path | None = None
) -> Callable[[Callable[..., Any]], Callable[..., None]]:
    """Make a test of yours one test a row of a profile: `@react_tck.conformance(Mine)` above `def test_mine()`.

    What stands in the function, and its fixtures, come first; then the row is played, and the test fails with what a
    person needs to see what is wrong. What the subject declares not to support is skipped with the reason. What the
    baseline accepts, and what fails of a SHOULD or of a practice below critical, is an expected failure. What holds in
    every episode (SAN-…) fails the test in which it is broken. `-k ERR-001` runs one requirement, `-m robustness` a
    profile; xdist shares the rows.

    >>> import react_tck
    >>> from function_agent import Mine
    >>> @react_tck.conformance(Mine, profile="core")
    ... def test_mine(monkeypatch):
    ...     monkeypatch.setenv("MY_AGENT_CACHE", "off")

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
    accepted = None if baseline is None else _read_accepted(subject, Path(baseline))
    rows = [RowUnderTest(subject, row, accepted) for row in Selection(profile=profile).rows]

    def decorate_test(test: Callable[..., Any]) -> Callable[..., None]:
        if inspect.iscoroutinefunction(test) or inspect.isgeneratorfunction(test):
            raise ValueError(f"{test.__name__} is no plain function: write `def {test.__name__}():`, and fixtures")
        own = inspect.signature(test)

        @wraps(test)
        def tested_here(*args: Any, react_tck_row: RowUnderTest, **fixtures: Any) -> None:
            request = fixtures["request"]
            test(*args, **{name: value for name, value in fixtures.items() if name in own.parameters})
            outside_event_loops(lambda: bind_row(react_tck_row.row)(request))

        more = [name for name in ("request", "react_tck_row") if name not in own.parameters]
        added = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY) for name in more]
        tested_here.__signature__ = own.replace(parameters=[*own.parameters.values(), *added])  # type: ignore[attr-defined]
        params = [
            pytest.param(each, id=f"{each.row.requirement_id}: {each.row.title}", marks=pytest.mark.react_tck(each))
            for each in rows
        ]
        each: Callable[..., None] = pytest.mark.parametrize("react_tck_row", params)(tested_here)
        return each

    return decorate_test


def _read_accepted(subject: type, file: Path) -> Section:
    """Return what the baseline accepts of the subject.

    Raises:
        ValueError: if there is no such file, or nothing in it is about the subject.
    """
    if not file.exists():
        raise ValueError(f"there is no baseline {file}; `react-tck baseline {name_of(subject)} --write` makes one")
    sections, name = read_baseline(file), subject_of(subject).initialize().name
    if name not in sections:
        raise ValueError(f"{file} has no section [{name}]; there are {', '.join(sections) or 'none'}")
    return sections[name]
