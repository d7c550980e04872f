"""The runner does what it must: subjects known to be good or bad are run, and end as they have to."""

import pytest

from react_tck.catalogue.selection import NothingSelected
from react_tck.model.case import Invocation
from react_tck.model.outcome import Outcome, make_error_outcome
from react_tck.model.report import ScenarioResult, Verdict
from react_tck.results.exit_status import Exit, exit_status
from react_tck.results.ledger import Results, Unbalanced
from react_tck.subjects.api import Subject
from react_tck.subjects.python import BuiltSubject
from tests.support.hand_made import MANIFEST
from tests.support.suite_checks import Heard, run, verdict

pytest.importorskip("dspy", reason="the reference and its mutants need the extra 'reference'")


def test_a_good_subject_is_conformant() -> None:
    heard = Heard()
    report = run("reference", listener=heard)
    assert (exit_status(report), verdict(report, "LOOP-001")) == (Exit.CONFORMANT, Verdict.PASSED)
    assert heard.announced == len(heard.results) == 1


def test_a_violation_fails_its_scenario_its_requirement_and_the_run_and_is_seen_by_sanitizers_and_oracle() -> None:
    heard = Heard()
    report = run("mutant:tool-run-twice", listener=heard)
    assert [result.verdict for result in heard.results] == [Verdict.FAILED]
    assert (exit_status(report), verdict(report, "LOOP-001")) == (Exit.NOT_CONFORMANT, Verdict.FAILED)
    (unasked,) = (each for each in report.requirements if each.id == "SAN-003")
    assert any(found.verdict is Verdict.FAILED for found in unasked.scenarios)
    assert [each.message for each in unasked.departures if "runs a call again" in each.message]
    # A row counts once, whatever is seen in it.
    assert report.ledger.failed == 1


def test_a_lost_scenario_and_a_run_of_nothing_are_no_reports() -> None:
    results = Results(registered=2)
    results.add_result("LOOP-001", ScenarioResult(title="one", verdict=Verdict.PASSED))
    with pytest.raises(Unbalanced):
        results.make_ledger()
    with pytest.raises(NothingSelected):
        run("reference", title="no scenario has this title")


def test_who_supports_nothing_doesnt_conform_and_who_exits_is_broken() -> None:
    for name in ("inert", "evader"):
        assert exit_status(run(f"python:tests.support.cheaters:{name}")) == Exit.NOT_CONFORMANT
    assert exit_status(run("python:tests.support.cheaters:leaver")) == Exit.HARNESS_BROKEN


def test_two_runs_of_one_seed_give_the_same_bytes() -> None:
    first, second = (run("reference").model_dump_json() for _ in range(2))
    assert first == second


def test_a_failure_reads_like_a_bug_report() -> None:
    heard = Heard()
    run("mutant:tool-run-twice", listener=heard)
    message = heard.results[0].message
    for part in (
        "LOOP-001 (MUST, S4 R2.1): On a step with",
        "features/core/loop.feature:",
        'at: Then the tool "add" ran once with {"a": 2, "b": 3}',
        "expected: 'add' runs exactly once\nactual:   it ran 2 times",
        ">>  4 tool add(",
        "reproduce: react-tck run --profile core -k 'ReAct selects and executes a tool' mutant:tool-run-twice",
    ):
        assert part in message


class HalfAPair:
    """Says half a surrogate pair, whatever it is asked."""

    def call(self, _: Invocation) -> Outcome:
        """Fail."""
        return make_error_outcome(ValueError("\ud83d"))


def half_a_pair() -> Subject:
    """Its subject."""
    return BuiltSubject(MANIFEST.model_copy(update={"capabilities": ("arrow-signature",)}), lambda *_: HalfAPair())


def test_a_report_can_be_written_whatever_a_subject_says() -> None:
    report = run("python:tests.engine.test_run:half_a_pair")
    assert "ValueError: \\ud83d" in next(cause.message for cause in report.causes)
    assert report.model_dump_json()
