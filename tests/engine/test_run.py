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


def test_changed_args_and_a_changing_record_are_seen() -> None:
    (args,) = (each for each in run("mutant:args-coerced-to-strings").requirements if each.id == "SAN-002")
    assert any(found.verdict is Verdict.FAILED for found in args.scenarios)
    assert verdict(run("mutant:state-kept-between-instances"), "SAN-009") is Verdict.FAILED


def test_an_unexpected_request_fails_though_the_subject_swallows_the_refusal() -> None:
    heard = Heard()
    run("python:tests.support.subjects_gone_wrong:swallower", listener=heard)
    assert [result.verdict for result in heard.results] == [Verdict.FAILED]
    assert "unexpected request" in heard.results[0].message


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


def test_what_is_not_asked_of_a_subject_is_not_held_against_it() -> None:
    title = "The extraction gets the original inputs when no tool ran"
    report = run("python:tests.support.subjects_gone_wrong:Refuser", title)
    assert verdict(report, "EXT-001") is Verdict.UNSUPPORTED


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


def test_a_failure_keeps_its_episode_as_it_is_drawn() -> None:
    heard = Heard()
    run("mutant:tool-run-twice", listener=heard)
    course = heard.results[0].course
    assert course is not None
    # The oracle knows what was due where the scenario's own sentence only counts.
    assert course.departure == 3
    assert [beat.does for beat in course.beats[2:4]] == ['runs add({"a": 2, "b": 3})'] * 2
    assert [(beat.lane, beat.does) for beat in course.due] == [("LM", "asks for a step")]


def test_an_exact_episode_fails_its_own_requirement_only() -> None:
    title = "The agent doesn't run a tool again that returned nothing"
    twice, unshown = (run(f"mutant:{name}", title) for name in ("call-repeated", "extraction-without-inputs"))
    assert verdict(twice, "SAN-003") is Verdict.FAILED
    assert (verdict(unshown, "SAN-003"), verdict(unshown, "EXT-001")) == (Verdict.PASSED, Verdict.FAILED)


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
