"""What a report says of causes, in the terminal and on the page."""

import io

from rich.console import Console

from react_tck.catalogue.features import load_features
from react_tck.model.report import Beside, Cause, NearestMutant, Report, Verdict
from react_tck.reports.causes import show_causes
from react_tck.reports.page import render_page
from tests.support.reports import make_report, result

ROWS = {
    id_: next(s.row_titles for s in load_features() if s.requirement_id == id_)
    for id_ in ("LOOP-003", "TRJ-001", "EXT-001")
}
NEAREST = NearestMutant(name="finish-does-not-stop", sentence="Goes on.", shared=2, failing=3)
CAUSE = Cause(
    requirement="LOOP-003",
    kind="goes on too long",
   
    rows=(ROWS["LOOP-003"][0], ROWS["TRJ-001"][0]),
    nearest_mutant=NEAREST,
    message="LOOP-003 (MUST): [red]it stops[/red]",
    reproduce="react-tck run -k x mine",
)


def told(*causes: Cause) -> str:
    return told_of(make_report(causes=causes))


def told_of(report: Report) -> str:
    out = io.StringIO()
    show_causes(report, Console(file=out, width=200))
    return out.getvalue()


def test_nothing_is_said_where_nothing_failed() -> None:
    assert told() == ""


def test_one_cause_explains_all() -> None:
    text = told(CAUSE)
    assert text.startswith("1 cause explains all of 2 failed scenarios:\n  LOOP-003, goes on too long: 2 scenarios\n")
    assert "behaves like the mutant `finish-does-not-stop` (2 of the 3 scenarios that it fails): Goes on." in text
    assert "blocked by it: TRJ-001 1" in text


def test_rows_in_which_it_was_only_seen_are_counted_apart_and_not_blocked() -> None:
    seen = CAUSE.model_copy(update={"rows": (*CAUSE.rows, ROWS["EXT-001"][0])})
    assert "LOOP-003, goes on too long: 2 scenarios, and seen in 1 more\n" in told(seen)
    assert "EXT-001" not in told(seen)
    only = Cause(requirement="SAN-004", rows=ROWS["EXT-001"][:1], fault="nothing is lost", message="m")
    assert "  SAN-004, nothing is lost: seen in 1 scenario\n" in told(CAUSE, only)


def test_each_cause_has_its_weight_and_what_is_wrong_and_what_is_blocked_by_it_is_named() -> None:
    blocked = (result(id_, Verdict.BLOCKED, blocked_by=("LOOP-003",)) for id_ in ("TRJ-001", "EXT-001"))
    report = make_report(result("LOOP-003", Verdict.FAILED), *blocked, causes=(CAUSE,))
    text = told_of(report)
    assert "  LOOP-003 (MUST), goes on too long: 2 scenarios\n  blocked by LOOP-003: TRJ-001, EXT-001\n" in text


def test_the_page_names_what_is_blocked_and_by_what() -> None:
    blocked = result("TRJ-001", Verdict.BLOCKED, blocked_by=("LOOP-003",))
    text = render_page([make_report(result("LOOP-003", Verdict.FAILED), blocked, causes=(CAUSE,))], {}, {})
    assert "blocked by LOOP-003:" in text
    assert '<td class="blocked" aria-label="blocked">■</td>' in text
    assert "blocked by another&#x27;s failure" in text


def test_what_is_not_met_beside_a_lighter_cause_has_a_line_of_its_own() -> None:
    beside = Beside(requirement="TRJ-001", fault="it is there", rows=ROWS["TRJ-001"][:1], reproduce="run it")
    cause = CAUSE.model_copy(update={"beside": (beside,)})
    report = make_report(result("TRJ-001", Verdict.FAILED), causes=(cause,))
    text = told_of(report)
    assert "2 scenarios\n    not met either: TRJ-001 (MUST), it is there: seen in 1 scenario\n" in text
    assert "\nTRJ-001 isn't met either: it is there\nreproduce: run it\n" in text
    assert "not met either: TRJ-001, it is there: seen in 1 scenario" in render_page([report], {}, {})


def test_what_a_subject_says_is_no_markup() -> None:
    assert "[red]it stops[/red]" in told(CAUSE)


def test_several_causes_are_counted() -> None:
    other = Cause(requirement="TRJ-001", rows=ROWS["TRJ-001"][:1], message="m")
    assert told(CAUSE, other).startswith("2 causes; the first explains 2 of 3 failed scenarios:")


def test_the_page_lists_them_with_a_link_to_the_requirement() -> None:
    report: Report = make_report(result("LOOP-003", Verdict.FAILED), causes=(CAUSE,))
    text = render_page([report], {}, {})
    assert "Causes (1)" in text
    assert "LOOP-003, goes on too long" in text
    assert "react-tck run -k x mine" in text
