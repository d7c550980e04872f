"""A requirement all of which another's cause made fail is blocked by it: counted apart, and never conformant."""

import pytest

from react_tck.catalogue.registry import load_registry
from react_tck.catalogue.selection import Selection
from react_tck.model.report import RequirementResult, ScenarioResult, Verdict
from react_tck.reports.verdicts import conclude_run, conclude_run_in_a_line
from react_tck.results.causes import explain_symptoms
from react_tck.results.exit_status import Exit, exit_status, verdicts_of
from react_tck.results.ledger import Results
from tests.support.hand_made import MANIFEST
from tests.support.reports import make_report, practice, result

PASSED = result("SIG-001", Verdict.PASSED)
BLOCKED = result("EXT-001", Verdict.BLOCKED, blocked_by=("LOOP-003",))


def ended(row: str, verdict: Verdict = Verdict.FAILED, kind: str = "", moment: int | None = None) -> ScenarioResult:
    return ScenarioResult(title=row, verdict=verdict, kind=kind, moment=moment)


def judge(results: Results) -> dict[str, RequirementResult]:
    found = explain_symptoms(tuple(results.list_symptoms(load_registry())), {})
    judged = results.judge_requirements(Selection(profile="all"), MANIFEST, found.blockers)
    return {each.id: each for each in judged}


def run_that_goes_on() -> Results:
    results = Results(tested={"SAN-001"})
    results.add_result("EXT-001", ended("a", moment=7))
    results.add_result("EXT-001", ended("b", Verdict.PASSED))
    for row in "ab":
        results.add_violation("departures", "LOOP-003", ended(row, kind="goes on too long", moment=5))
    return results


def test_a_requirement_whose_failures_another_made_is_blocked() -> None:
    judged = judge(run_that_goes_on())
    assert (judged["EXT-001"].verdict, judged["EXT-001"].blocked_by) == (Verdict.BLOCKED, ("LOOP-003",))
    assert judged["LOOP-003"].verdict is Verdict.FAILED


def test_one_failure_of_its_own_and_it_is_not_met() -> None:
    results = run_that_goes_on()
    results.add_result("EXT-001", ended("c", moment=3))
    judged = judge(results)
    assert (judged["EXT-001"].verdict, judged["EXT-001"].blocked_by) == (Verdict.FAILED, ())


def test_what_a_judge_saw_after_a_departure_is_held_against_nobody_else() -> None:
    results = run_that_goes_on()
    results.add_violation("departures", "TRJ-002", ended("a", moment=8))
    assert judge(results)["TRJ-002"].verdict is Verdict.NOT_SELECTED


def test_both_verdicts_name_it_apart() -> None:
    ours = {"specification": "react-module"}
    report = make_report(
        result("SIG-001", Verdict.PASSED, **ours),
        result("LOOP-003", Verdict.FAILED, **ours),
        result("EXT-001", Verdict.BLOCKED, blocked_by=("LOOP-003",), **ours),
        practice("ERR-002", Verdict.BLOCKED, "critical", blocked_by=("LOOP-003",)),
        practice("ERR-001", Verdict.PASSED, "critical"),
        revision=3,
        claims=("react-module",),
    )
    found = verdicts_of(report)
    assert found
    (conformance,) = found.conformance
    assert (conformance.judged, conformance.unmet, conformance.blocked) == (2, ("LOOP-003",), ("EXT-001",))
    assert (found.robustness.judged, found.robustness.blocked) == (1, ("ERR-002",))
    told = conclude_run_in_a_line(report)
    assert "not conformant: 1 of 3 MUST met; not met: LOOP-003; 1 blocked by LOOP-003" in told
    assert "broken: none of 1, 1 blocked" in told


@pytest.mark.parametrize("blocker", [Verdict.FLAKY, Verdict.PASSED, Verdict.UNSUPPORTED])
def test_nobody_conforms_with_a_blocked_must_whatever_became_of_its_cause(blocker: Verdict) -> None:
    ours = {"specification": "react-module"}
    report = make_report(
        PASSED,
        result("LOOP-003", blocker, **ours),
        result("EXT-001", Verdict.BLOCKED, blocked_by=("LOOP-003",), **ours),
        revision=3,
        claims=("react-module",),
    )
    found = verdicts_of(report)
    assert found
    assert not any(each.is_conformant for each in found.conformance if each.specification)
    assert exit_status(report) is Exit.NOT_CONFORMANT
    assert exit_status(make_report(PASSED, result("LOOP-003", blocker), BLOCKED)) is Exit.NOT_CONFORMANT


def test_a_blocked_practice_counts_where_it_would_broken() -> None:
    blocked = practice("ERR-002", Verdict.BLOCKED, "critical", blocked_by=("ERR-001",))
    report = make_report(PASSED, blocked, practice("ERR-001", Verdict.FLAKY, "critical"), revision=3)
    assert exit_status(report) is Exit.NOT_CONFORMANT
    minor = practice("TOOL-006", Verdict.BLOCKED, "minor", blocked_by=("ERR-001",))
    assert exit_status(make_report(PASSED, minor, revision=3)) is Exit.CONFORMANT


@pytest.mark.parametrize(
    "red",
    [
        result("LOOP-010", Verdict.FAILED, level="SHOULD"),
        result("LOOP-010", Verdict.FAILED, level="MAY"),
        practice("ERR-002", Verdict.FAILED, "minor"),
        practice("ERR-002", Verdict.BLOCKED, "minor"),
    ],
)
def test_a_part_in_which_anything_failed_does_not_end_with_nothing_failed(red: RequirementResult) -> None:
    assert "nothing failed" not in conclude_run(make_report(PASSED, red, is_whole_profile=False, revision=3)).plain
    assert "nothing failed" in conclude_run(make_report(PASSED, is_whole_profile=False, revision=3)).plain


def test_a_sanitizer_that_no_episode_put_to_the_test_doesnt_pass() -> None:
    judged = judge(Results(tested={"SAN-001"}))
    assert (judged["SAN-001"].verdict, judged["SAN-013"].verdict) == (Verdict.PASSED, Verdict.UNSUPPORTED)
    part = Results(tested={"SAN-001"}).judge_requirements(Selection(title="x"), MANIFEST, {})
    assert {each.id: each.verdict for each in part}["SAN-013"] is Verdict.NOT_SELECTED
