"""A run of a mutant: what it violates isn't met, what fails for that is blocked, and no selection makes it conform."""

import pytest

from react_tck.catalogue.selection import Selection
from react_tck.engine.run import Run
from react_tck.model.report import Report, RequirementResult, Verdict
from react_tck.results.books import Unheard
from react_tck.results.exit_status import Exit, exit_status
from react_tck.subjects.catalogue import resolve

pytest.importorskip("dspy", reason="the reference and its mutants need the extra 'reference'")

MUTANT = "mutant:one-step-too-many"
ITS_OWN = "The loop takes max_steps steps if finish is never selected"
ANOTHER = "The extraction gets a failed step like any other"
WHOLE = "The trajectory holds every step when the steps have run out"


def run(*titles: str) -> Report:
    selection = Selection(profile="core", titles=frozenset(titles))
    return Run(resolve(MUTANT), MUTANT, selection, replays=False).report(Unheard())


def requirement(report: Report, id_: str) -> RequirementResult:
    return next(each for each in report.requirements if each.id == id_)


def test_one_fault_is_one_must_that_is_not_met_and_the_others_are_blocked_by_it() -> None:
    report = run(ITS_OWN, ANOTHER, WHOLE)
    assert [cause.requirement for cause in report.causes] == ["LOOP-004"]
    assert len(report.causes[0].rows) == report.ledger.failed
    assert requirement(report, "LOOP-004").verdict is Verdict.FAILED
    for id_ in ("EXT-001", "TRJ-002"):
        assert requirement(report, id_).verdict is Verdict.BLOCKED
        assert requirement(report, id_).blocked_by == ("LOOP-004",)
    assert exit_status(report) is Exit.NOT_CONFORMANT


@pytest.mark.parametrize("title", [ITS_OWN, ANOTHER, WHOLE])
def test_what_is_red_together_is_red_alone(title: str) -> None:
    together, alone = run(ITS_OWN, ANOTHER, WHOLE), run(title)
    red = (Verdict.FAILED, Verdict.BLOCKED)
    for each in alone.requirements:
        if each.scenarios and each.verdict is not Verdict.NOT_SELECTED:
            assert (each.verdict in red) is (requirement(together, each.id).verdict in red)
    assert exit_status(alone) is Exit.NOT_CONFORMANT
