"""A default of more steps than the kit plays can't be tested, and nobody is believed to have it."""

import pytest

from react_tck.catalogue.selection import Selection
from react_tck.engine.run import Run
from react_tck.fakes.lm import BUDGET
from react_tck.model.case import Options
from react_tck.model.manifest import Manifest
from react_tck.model.report import Verdict
from react_tck.model.signature import Signature
from react_tck.model.tool import Tool
from react_tck.results.exit_status import Exit, exit_status
from react_tck.subjects.api import Endpoints, Instance
from tests.support.suite_checks import Heard, verdict

pytest.importorskip("dspy", reason="the reference needs the extra 'reference'")


class Patient:
    """The reference, saying that it goes on for very long."""

    def __init__(self) -> None:
        from react_tck.subjects.libraries.reference import react as reference

        self._inner = reference.subject()

    def initialize(self) -> Manifest:
        return self._inner.initialize().model_copy(update={"default_max_steps": BUDGET})

    def construct(
        self, signature: Signature, tools: tuple[Tool, ...], options: Options, endpoints: Endpoints
    ) -> Instance:
        return self._inner.construct(signature, tools, options, endpoints)


def test_it_is_untestable_and_not_conformant() -> None:
    chosen = Selection(title="max_steps may be larger than the default")
    report = Run(Patient(), "patient", chosen).report(Heard())
    assert verdict(report, "LOOP-008") is Verdict.UNTESTABLE
    assert "more than the kit plays" in report.model_dump_json()
    assert exit_status(report) is Exit.NOT_CONFORMANT
