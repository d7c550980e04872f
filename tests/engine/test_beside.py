"""A mutant's one fault is one cause, also where it breaks what weighs more than the row that shows it."""

import pytest

from react_tck.catalogue.selection import Selection
from react_tck.engine.run import Run
from react_tck.model.report import Verdict
from react_tck.results.books import Unheard
from react_tck.results.exit_status import list_unmet
from react_tck.subjects.catalogue import resolve

pytest.importorskip("dspy", reason="the reference and its mutants need the extra 'reference'")

#: The practice that each mutant violates, and the MUST that it breaks in the very same event.
MUTANTS = {
    "unannotated-args-as-text": ("TOOL-008", "SAN-002"),
    "thought-obeyed": ("ERR-009", "SAN-003"),
    "typed-inputs-shown-by-type": ("SIG-005", "SAN-008"),
}


@pytest.mark.parametrize("mutant", MUTANTS)
def test_a_practice_and_the_must_that_is_broken_with_it_are_one_cause_and_the_must_is_not_met(mutant: str) -> None:
    practice, must = MUTANTS[mutant]
    name = f"mutant:{mutant}"
    report = Run(resolve(name), name, Selection(profile="all", tags=f"@{practice}"), replays=False).report(Unheard())
    (cause,) = report.causes
    assert cause.requirement == practice
    assert [each.requirement for each in cause.beside] == [must]
    assert [each.id for each in list_unmet(report)] == [must]
    assert all(each.verdict is not Verdict.BLOCKED for each in report.requirements)
