"""What becomes of a scenario whose episode breaks the harness when it is played again (SAN-009)."""

import pytest

from react_tck.catalogue.selection import Selection
from react_tck.engine.run import Run
from react_tck.model.case import Options
from react_tck.model.report import Verdict
from react_tck.model.signature import Signature
from react_tck.model.tool import Tool
from react_tck.subjects.api import Endpoints, HarnessBroken, Instance, Subject
from tests.support.suite_checks import TITLE, Heard

pytest.importorskip("dspy", reason="the reference needs the extra 'reference'")


class Once:
    """A harness that hangs from its second instance on."""

    def __init__(self, inner: Subject) -> None:
        self._inner = inner
        self.initialize = inner.initialize
        self._made = 0

    def construct(
        self, signature: Signature, tools: tuple[Tool, ...], options: Options, endpoints: Endpoints
    ) -> Instance:
        self._made += 1
        if self._made > 1:
            raise HarnessBroken("it did not answer 'construct' within 2 seconds")
        return self._inner.construct(signature, tools, options, endpoints)


def test_a_second_play_that_breaks_the_harness_is_an_error_of_its_scenario() -> None:
    from react_tck.subjects.libraries.reference import react

    report = Run(Once(react.subject()), "once", Selection(title=TITLE)).report(Heard())
    verdicts = {one.id: one.verdict for one in report.requirements if one.verdict is not Verdict.NOT_SELECTED}
    (spoilt,) = (s for one in report.requirements for s in one.scenarios if s.verdict is Verdict.ERROR)
    assert (verdicts["LOOP-001"], verdicts["SAN-009"]) == (Verdict.ERROR, Verdict.PASSED)
    assert "at: the case is played again" in spoilt.message
    assert "within 2 seconds" in spoilt.message
    assert report.ledger.balances
    assert report.ledger.errors == 1
