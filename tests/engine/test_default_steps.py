"""A default of more steps than the kit plays can't be tested, and nobody is believed to have it."""

import pytest

from react_tck.catalogue.selection import Selection
from react_tck.engine.run import Run
from react_tck.fakes.lm import BUDGET
from react_tck.model.case import Options
from react_tck.model.manifest import Manifest
from react_tck.model.report import Report, Verdict
from react_tck.model.signature import Signature
from react_tck.model.tool import Tool
from react_tck.results.exit_status import Exit, exit_status, list_unmet
from react_tck.subjects.api import Endpoints, Instance
from tests.support.suite_checks import Heard, verdict

pytest.importorskip("dspy", reason="the reference needs the extra 'reference'")


LARGER = "max_steps may be larger than the default"


class Patient:
    """The reference, saying that it goes on for very long."""

    def __init__(self) -> None:
        from react_tck.subjects.libraries.reference import react as reference

        self._inner = reference.subject()
        self.constructed = 0

    def initialize(self) -> Manifest:
        return self._inner.initialize().model_copy(update={"default_max_steps": BUDGET})

    def construct(
        self, signature: Signature, tools: tuple[Tool, ...], options: Options, endpoints: Endpoints
    ) -> Instance:
        self.constructed += 1
        return self._inner.construct(signature, tools, options, endpoints)


def verdict_of_row(report: Report, title: str) -> Verdict:
    (found,) = (row.verdict for each in report.requirements for row in each.scenarios if row.title == title)
    return found


@pytest.mark.parametrize("title", [LARGER, "An LM that never finishes is stopped at the documented default"])
def test_nothing_is_played_to_find_that_out_and_nothing_is_held_against_the_subject(title: str) -> None:
    patient = Patient()
    report = Run(patient, "patient", Selection(title=title)).report(Heard())
    assert (verdict_of_row(report, title), patient.constructed) == (Verdict.UNTESTABLE, 0)
    assert not list_unmet(report)
    # The reason alone: there is nothing in it to be mended, so it is no bug report.
    (message,) = {row.message for found in report.requirements for row in found.scenarios if row.message}
    assert message == "the default of 100 steps is more than the kit plays in an episode: fewer than 100"
    # Who can be asked nothing conforms to nothing.
    assert exit_status(report) is Exit.NOT_CONFORMANT


def test_another_row_judges_the_requirement() -> None:
    report = Run(Patient(), "patient", Selection(tags="@LOOP-008")).report(Heard())
    assert verdict(report, "LOOP-008") is Verdict.PASSED
    assert exit_status(report) is Exit.CONFORMANT
