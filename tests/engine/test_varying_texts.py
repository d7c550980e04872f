"""What a subject declares to vary is left out wherever two plays of one case are compared."""

from itertools import count
from typing import Any

import pytest

from react_tck.catalogue.selection import Selection
from react_tck.engine.run import Run
from react_tck.judges.determinism import DETERMINISM
from react_tck.model.report import Verdict
from react_tck.subjects.api import Subject
from tests.support.subject_checks import Declaring
from tests.support.suite_checks import Heard

pytest.importorskip("dspy", reason="the reference and its mutants need the extra 'reference'")

#: Those in which a call among others is held against the same call alone.
ROWS = Selection(profile="all", tags="@ISO-001 or @ISO-002")


def make_clock(*varies: str) -> Subject:
    """A reference whose step requests tell a time of day, which is never the same."""
    from react_tck.prove.mutants.operators.runs import on_request
    from react_tck.prove.mutants.operators.views import inputs
    from react_tck.reference.seams import Seams, Site
    from react_tck.reference.signatures.react import TRAJECTORY
    from tests.false_positives.agents import UnusualAgent

    moments = count(100)

    def add_time(_: Site, shown: dict[str, Any]) -> dict[str, Any]:
        if TRAJECTORY not in shown:  # a conversation is its own trajectory
            return shown
        return shown | {TRAJECTORY: f"{shown[TRAJECTORY]}\n\nIt is 9:{next(moments)}."}

    tell_time = inputs(add_time)
    agent = UnusualAgent("clock", "Tells the time in each step request.", Seams(prompt=on_request("step", tell_time)))
    subject = agent.make_subject()
    return Declaring(subject, subject.initialize().model_copy(update={"varies": varies}))


def find_failed(subject: Subject) -> set[str]:
    """The requirements that are not met in the rows that compare calls."""
    report = Run(subject, "unusual:clock", ROWS).report(Heard())
    return {result.id for result in report.requirements if result.verdict in (Verdict.FAILED, Verdict.BLOCKED)}


def test_a_declared_time_of_day_is_no_difference_between_calls() -> None:
    assert find_failed(make_clock(r"It is 9:\d+\.")) == set()


def test_an_undeclared_time_of_day_is_a_difference() -> None:
    assert find_failed(make_clock()) >= {"ISO-001", "ISO-002", DETERMINISM}
