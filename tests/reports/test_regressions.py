"""What has changed from one report to another, and what of it is a regression."""

from typing import Any

import pytest

from react_tck.model.report import Cause, Report, RequirementResult, ScenarioResult, Verdict
from react_tck.reports.regressions import Comparison, RowChange, compare_reports
from tests.support.reports import make_report, result

PASSED, FAILED, UNSUPPORTED = Verdict.PASSED, Verdict.FAILED, Verdict.UNSUPPORTED
ERROR, EXPECTED, SKIPPED = Verdict.ERROR, Verdict.EXPECTED_FAILURE, Verdict.NOT_SELECTED


def row(title: str, verdict: Verdict, **more: Any) -> ScenarioResult:
    return ScenarioResult(title=title, verdict=verdict, **more)


def requirement(id_: str, verdict: Verdict, *rows: ScenarioResult, **more: Any) -> RequirementResult:
    return result(id_, verdict, scenarios=rows, **more)


def one(verdict: Verdict, **more: Any) -> Report:
    """A report of one scenario of one requirement."""
    return make_report(requirement("LOOP-001", verdict, row("stops", verdict, message="no `history`"), **more))


def changes(found: Comparison) -> list[tuple[str, str, list[str], bool]]:
    return [(g.change, g.cause, [r.title for r in g.rows], g.is_regression) for g in found.changed]


@pytest.mark.parametrize(
    ("before", "after", "change", "is_regression"),
    [
        (PASSED, FAILED, RowChange.GONE_RED, True),
        (PASSED, ERROR, RowChange.GONE_RED, True),
        (Verdict.UNEXPECTED_PASS, EXPECTED, RowChange.GONE_RED, True),
        (PASSED, UNSUPPORTED, RowChange.NO_LONGER_JUDGED, True),
        (FAILED, UNSUPPORTED, RowChange.NO_LONGER_JUDGED, True),
        (UNSUPPORTED, FAILED, RowChange.RED_AT_FIRST_SIGHT, False),
        (UNSUPPORTED, PASSED, RowChange.GONE_GREEN, False),
        (Verdict.UNTESTABLE, PASSED, RowChange.GONE_GREEN, False),
        (PASSED, PASSED, None, False),
        (EXPECTED, FAILED, None, False),
        (FAILED, ERROR, None, False),
    ],
)
def test_what_becomes_of_a_scenario(
    before: Verdict, after: Verdict, change: RowChange | None, is_regression: bool
) -> None:
    found = compare_reports(one(before), one(after))

    assert [group.change for group in found.changed] == ([change] if change else [])
    assert found.is_regression == is_regression


def test_a_should_that_is_no_longer_judged_is_told_only() -> None:
    found = compare_reports(one(PASSED, level="SHOULD"), one(UNSUPPORTED, level="SHOULD"))

    assert changes(found) == [("no longer judged", "no `history`", ["stops"], False)]
    assert not found.is_regression


@pytest.mark.parametrize("absent", [SKIPPED, Verdict.NOT_RUN, None])
def test_what_one_side_played_alone_counts_for_nothing(absent: Verdict | None) -> None:
    there = make_report(
        requirement("LOOP-001", PASSED, row("stops", PASSED)),
        requirement("LOOP-002", FAILED, row("goes on", FAILED)),
    )
    left = [row("goes on", absent)] if absent else []
    lacking = make_report(
        requirement("LOOP-001", PASSED, row("stops", PASSED)),
        *([requirement("LOOP-002", absent, *left)] if absent else []),
    )

    gained, lost = compare_reports(lacking, there), compare_reports(there, lacking)

    assert (gained.only_before, gained.only_after, gained.in_both) == ((), ("goes on",), 1)
    assert (lost.only_before, lost.only_after, lost.in_both) == (("goes on",), (), 1)
    assert [(c.changed, c.requirements, c.is_regression) for c in (gained, lost)] == [((), (), False)] * 2


def test_a_requirement_that_fails_by_a_new_scenario_alone_is_no_regression() -> None:
    before = make_report(requirement("LOOP-001", PASSED, row("stops", PASSED)))
    after = make_report(requirement("LOOP-001", FAILED, row("stops", PASSED), row("stops at once", FAILED)))

    found = compare_reports(before, after)

    assert [(r.id, r.before, r.after, r.is_regression) for r in found.requirements] == [
        ("LOOP-001", PASSED, FAILED, False)
    ]
    assert (found.only_after, found.is_regression) == (("stops at once",), False)


def seen_by_judges(verdict: Verdict, *titles: str, own: Verdict = PASSED) -> Report:
    departures = tuple(row(title, FAILED, kind="asks again unasked") for title in titles)
    judged = result("ERR-008", verdict, scenarios=(row("bounded", PASSED),), departures=departures)
    return make_report(requirement("LOOP-001", own, row("stops", own)), judged)


def test_what_judges_see_in_a_scenario_turns_it_red() -> None:
    found = compare_reports(seen_by_judges(PASSED), seen_by_judges(FAILED, "stops"))

    assert changes(found) == [("gone red", "ERR-008, asks again unasked", ["stops"], True)]
    assert [(each.id, each.is_regression) for each in found.requirements] == [("ERR-008", True)]


def test_what_judges_see_and_something_else_explains_changes_nothing() -> None:
    found = compare_reports(seen_by_judges(PASSED), seen_by_judges(PASSED, "stops"))

    assert (found.changed, found.requirements, found.is_regression) == ((), (), False)


def test_a_failing_scenario_in_which_something_more_is_violated_is_a_regression() -> None:
    found = compare_reports(seen_by_judges(PASSED, own=FAILED), seen_by_judges(FAILED, "stops", own=FAILED))

    assert (found.changed, found.is_regression) == ((), True)


def test_other_blame_for_the_same_is_no_regression() -> None:
    found = compare_reports(seen_by_judges(PASSED, "stops", own=FAILED), seen_by_judges(FAILED, "stops", own=FAILED))

    assert [(each.id, each.is_regression) for each in found.requirements] == [("ERR-008", False)]
    assert not found.is_regression


def test_scenarios_are_told_by_their_cause_with_their_commands() -> None:
    titles = ("one", "two", "three")
    failing = [row(title, FAILED, reproduce=f"react-tck run -k {title} x", kind="late") for title in titles]
    cause = Cause(requirement="LOOP-003", kind="goes on too long", rows=("one", "two"))
    red = make_report(requirement("LOOP-001", FAILED, *failing), causes=(cause,))
    green = make_report(requirement("LOOP-001", PASSED, *(row(title, PASSED) for title in titles)))

    for change, found in (("gone red", compare_reports(green, red)), ("gone green", compare_reports(red, green))):
        assert [each[:3] for each in changes(found)] == [
            (change, "LOOP-003, goes on too long", ["one", "two"]),
            (change, "LOOP-001, late", ["three"]),
        ]
        assert [r.reproduce for g in found.changed for r in g.rows] == [f"react-tck run -k {t} x" for t in titles]


def unsteady(verdict: Verdict, *titles: str) -> Report:
    """A report of two scenarios that pass, in some of which the subject isn't deterministic."""
    own = (row("one", PASSED), row("two", PASSED))
    seen = tuple(row(title, FAILED) for title in titles)
    return make_report(
        requirement("SAN-009", verdict, *seen, profile="sanitizer"), requirement("TRJ-001", PASSED, *own)
    )


def test_which_scenarios_show_that_nothing_is_deterministic_is_chance() -> None:
    found = compare_reports(unsteady(FAILED, "one"), unsteady(FAILED, "two"))

    assert changes(found) == [("changed by chance: deterministic in neither", "SAN-009", ["two", "one"], False)]
    assert not found.is_regression


def test_what_was_deterministic_and_is_no_longer_is_a_regression() -> None:
    found = compare_reports(unsteady(PASSED), unsteady(FAILED, "two"))

    assert changes(found) == [("gone red", "SAN-009", ["two"], True)]


def test_what_fails_beside_chance_is_a_regression() -> None:
    after = unsteady(FAILED, "two")
    worse = requirement("TRJ-001", FAILED, row("one", PASSED), row("two", FAILED))

    found = compare_reports(
        unsteady(FAILED, "one", "two"), after.model_copy(update={"requirements": (after.requirements[0], worse)})
    )
    assert [each.is_regression for each in found.requirements] == [True]

    found = compare_reports(
        unsteady(FAILED, "one"), after.model_copy(update={"requirements": (after.requirements[0], worse)})
    )
    assert ("gone red", "TRJ-001", ["two"], True) in changes(found)


def test_choices_that_changed() -> None:
    before = one(PASSED).model_copy(update={"choices": {"a": "x", "b": "x", "c": "x"}})
    after = one(PASSED).model_copy(update={"choices": {"b": "y", "c": "x", "d": "z"}})

    found = compare_reports(before, after)

    assert [(c.name, c.before, c.after) for c in found.choices] == [("a", "x", ""), ("b", "x", "y"), ("d", "", "z")]
    assert not found.is_regression
