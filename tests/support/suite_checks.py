"""What the runner must do, as checks that both the runner's tests and the tests of weakened runners use.

Each check runs a subject known to be good or bad and asserts what becomes of it.
"""

from collections.abc import Callable

import pytest

from react_tck.catalogue.features import ScenarioInfo
from react_tck.catalogue.selection import NothingSelected, Selection
from react_tck.engine.run import Run
from react_tck.model.report import Report, RequirementResult, ScenarioResult, Verdict
from react_tck.results.exit_status import Exit, exit_status
from react_tck.results.ledger import Results, Unbalanced
from react_tck.subjects.catalogue import resolve

TITLE = "ReAct selects and executes a tool"
_EXTRACTED = "The extraction gets the original inputs when no tool ran"


class Heard:
    """A listener that remembers."""

    def __init__(self) -> None:
        self.announced = 0
        self.results: list[ScenarioResult] = []

    def announce_run(self, scenarios: int) -> None:
        """Remember the number."""
        self.announced = scenarios

    def announce_result(self, scenario: ScenarioInfo, result: ScenarioResult) -> None:
        """Remember the result."""
        self.results.append(result)


def run(subject_name: str, title: str = TITLE, listener: Heard | None = None) -> Report:
    """Run the scenarios of a title against a subject."""
    return Run(resolve(subject_name), subject_name, Selection(title=title)).report(listener or Heard())


def verdict(report: Report, requirement_id: str) -> Verdict:
    """How a requirement stands."""
    return _row(report, requirement_id).verdict


def _is_violated(report: Report, sanitizer_id: str) -> bool:
    return any(found.verdict is Verdict.FAILED for found in _row(report, sanitizer_id).scenarios)


def _row(report: Report, requirement_id: str) -> RequirementResult:
    return next(r for r in report.requirements if r.id == requirement_id)


def a_good_subject_is_conformant() -> None:
    """Nothing is held against the reference."""
    report = run("reference")
    assert exit_status(report) == Exit.CONFORMANT
    assert verdict(report, "LOOP-001") is Verdict.PASSED


def a_violation_is_a_failed_scenario() -> None:
    """A sentence that doesn't hold fails its scenario."""
    heard = Heard()
    run("mutant:tool-run-twice", listener=heard)
    assert [result.verdict for result in heard.results] == [Verdict.FAILED]


def a_failed_scenario_fails_its_requirement() -> None:
    """However many others of the requirement pass."""
    assert verdict(run("mutant:tool-run-twice"), "LOOP-001") is Verdict.FAILED


def a_failed_must_is_not_conformant() -> None:
    """And the exit status says so."""
    assert exit_status(run("mutant:tool-run-twice")) == Exit.NOT_CONFORMANT


def a_sanitizer_speaks_up_by_itself() -> None:
    """SAN-003 sees the second run, whatever the scenario asserts."""
    assert _is_violated(run("mutant:tool-run-twice"), "SAN-003")


def changed_args_are_seen() -> None:
    """SAN-002 compares the args of every run with the LM's."""
    assert _is_violated(run("mutant:args-coerced-to-strings"), "SAN-002")


def a_departure_is_seen() -> None:
    """The oracle compares every episode with its prediction."""
    report = run("mutant:tool-run-twice")
    messages = [departure.message for departure in _row(report, "SAN-003").departures]
    assert [message for message in messages if "runs a call again" in message]
    # A row counts once, whatever is seen in it.
    assert report.ledger.failed == 1


def a_changing_record_is_seen() -> None:
    """SAN-009 plays every episode again."""
    assert verdict(run("mutant:state-kept-between-instances"), "SAN-009") is Verdict.FAILED


def an_unexpected_request_is_refused_and_fails() -> None:
    """Even if the subject swallows the refusal."""
    heard = Heard()
    run("python:tests.support.subjects_gone_wrong:swallower", listener=heard)
    assert [result.verdict for result in heard.results] == [Verdict.FAILED]
    assert "unexpected request" in heard.results[0].message


def a_lost_scenario_is_noticed() -> None:
    """The ledger doesn't balance, and that is no report."""
    results = Results(registered=2)
    results.add_result("LOOP-001", ScenarioResult(title="one", verdict=Verdict.PASSED))
    with pytest.raises(Unbalanced):
        results.make_ledger()


def a_run_of_nothing_is_no_run() -> None:
    """An empty selection is an error, not a success."""
    with pytest.raises(NothingSelected):
        run("reference", title="no scenario has this title")


def supporting_nothing_is_not_conformant() -> None:
    """Unsupported by declaration, all of it: that proves nothing."""
    assert exit_status(run("cheater:evader")) == Exit.NOT_CONFORMANT


def what_is_not_asked_of_a_subject_is_not_held_against_it() -> None:
    """A call that fails at once is the affair of a requirement that the subject can be asked for."""
    report = run("python:tests.support.subjects_gone_wrong:Refuser", _EXTRACTED)
    assert verdict(report, "EXT-001") is Verdict.UNSUPPORTED


def leaving_the_process_is_a_broken_harness() -> None:
    """`exit(0)` is no success."""
    assert exit_status(run("cheater:exit-0")) == Exit.HARNESS_BROKEN


CHECKS: tuple[Callable[[], None], ...] = (
    a_good_subject_is_conformant,
    a_violation_is_a_failed_scenario,
    a_failed_scenario_fails_its_requirement,
    a_failed_must_is_not_conformant,
    a_sanitizer_speaks_up_by_itself,
    changed_args_are_seen,
    a_departure_is_seen,
    a_changing_record_is_seen,
    an_unexpected_request_is_refused_and_fails,
    a_lost_scenario_is_noticed,
    a_run_of_nothing_is_no_run,
    supporting_nothing_is_not_conformant,
    what_is_not_asked_of_a_subject_is_not_held_against_it,
    leaving_the_process_is_a_broken_harness,
)
