"""The gate: what is as listed is expected, and nothing else passes it unseen."""

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from react_tck.gate.baseline import Entry, Section, section_of
from react_tck.gate.gate import Gate
from react_tck.gate.lapses import GateRules, find_lapses
from react_tck.model.report import Cause, Ledger, Report, RequirementResult, ScenarioResult, Verdict
from react_tck.model.requirement import Threshold
from react_tck.results.exit_status import Exit
from tests.support.gates import flake
from tests.support.reports import make_report, practice, result

TODAY = date(2026, 11, 22)


def row(title: str, verdict: Verdict = Verdict.FAILED, fault: str = "goes on too long") -> ScenarioResult:
    return ScenarioResult(title=title, verdict=verdict, fault=fault if verdict is Verdict.FAILED else "")


def requirement(id_: str, *rows: ScenarioResult, **more: Any) -> RequirementResult:
    verdict = Verdict.FAILED if any(each.verdict is Verdict.FAILED for each in rows) else Verdict.PASSED
    return result(id_, verdict, **{"scenarios": rows, **more})


LOOP = requirement("LOOP-003", row("one"), row("two"), row("three", Verdict.PASSED))
GOOD = requirement("ERR-001", row("good", Verdict.PASSED))
LEDGER = Ledger(registered=6, failed=3, passed=2, unsupported=1)


def report(*results: RequirementResult, **more: Any) -> Report:
    return make_report(*results, **{"ledger": LEDGER, **more})


REPORT = report(LOOP, GOOD)
LISTED = section_of(REPORT, Section(), GateRules())


def gate(shown: Report, section: Section | None = LISTED, rules: GateRules | None = None) -> Gate:
    return Gate(shown, section, rules or GateRules(), TODAY)


def only(shut: Gate) -> str:
    """The text of its only objection."""
    (objection,) = shut.objections
    return f"{objection.requirement} {objection.text}"


def test_a_report_beside_what_it_was_written_from_is_open() -> None:
    assert LISTED.entries == (Entry("LOOP-003", "goes on too long", ("one", "two")),)
    opened = gate(REPORT)
    assert (opened.objections, opened.exit_status) == ((), Exit.CONFORMANT)
    assert [each.verdict for each in opened.gated_report.requirements] == [Verdict.EXPECTED_FAILURE, Verdict.PASSED]
    assert opened.gated_report.ledger == Ledger(registered=6, failed=1, expected_failures=2, passed=2, unsupported=1)


@pytest.mark.parametrize(
    ("robustness", "severities"),
    [
        ("critical", ["critical"]),
        ("major", ["critical", "major"]),
        ("minor", ["critical", "major", "minor"]),
        ("off", []),
    ],
)
def test_practices_count_from_a_severity_on(robustness: Threshold, severities: list[str]) -> None:
    rules, bound = GateRules(robustness=robustness), {"revision": 3, "claims": ("react-module",)}
    known = requirement("SIG-001", row("known", Verdict.PASSED), specification="react-module")
    weighed = {"critical": "ERR-002", "major": "ERR-010", "minor": "ERR-014"}
    broken = [practice(id_, Verdict.FAILED, severity, scenarios=(row(severity),)) for severity, id_ in weighed.items()]
    shown = report(known, *broken, **bound)
    assert gate(shown, None, rules).exit_status is (Exit.NOT_CONFORMANT if severities else Exit.CONFORMANT)
    shut = gate(shown, Section("core"), rules)
    assert [each.requirement for each in shut.objections] == [weighed[each] for each in severities]
    accepted = section_of(shown, Section(), rules)
    assert [each.requirement for each in accepted.entries] == [weighed[each] for each in severities]
    opened = gate(shown, accepted, rules)
    assert opened.exit_status is Exit.CONFORMANT
    assert opened.gated_report.verdicts is not None
    assert opened.gated_report.verdicts.robustness.broken["critical"] == ("ERR-002",)


def test_what_is_declared_otherwise_closes_the_gate_whatever_its_robustness() -> None:
    seen = result("SAN-010", Verdict.FAILED, level=None, profile="sanitizer", scenarios=(row("any"),))
    known = requirement("SIG-001", row("known", Verdict.PASSED), specification="react-module")
    shown = report(known, seen, revision=3, claims=("react-module",))
    rules = GateRules(robustness="off")
    assert only(gate(shown, Section("core"), rules)).startswith(
        "SAN-010 seen by the kit's judges fails and isn't listed"
    )
    assert gate(shown, section_of(shown, Section(), rules), rules).exit_status is Exit.CONFORMANT


def test_another_row_closes_it() -> None:
    shut = gate(report(requirement("LOOP-003", row("one"), row("two"), row("three")), GOOD))
    assert only(shut).startswith("LOOP-003 'three' fails and isn't listed: 'goes on too long'; mend it, or accept it")
    assert shut.exit_status is Exit.NOT_CONFORMANT


def test_another_fault_of_a_listed_row_closes_it() -> None:
    listed = replace(LISTED, entries=tuple(replace(entry, line=7) for entry in LISTED.entries))
    shut = gate(report(requirement("LOOP-003", row("one", fault="ends too early"), row("two")), GOOD), listed)
    assert only(shut).startswith(
        "LOOP-003 'one' fails otherwise than listed: now 'ends too early', there 'goes on too long'"
    )
    assert shut.objections[0].line == 7
    assert shut.exit_status is Exit.NOT_CONFORMANT


def test_a_pass_of_a_listed_row_is_out_of_date() -> None:
    shut = gate(report(requirement("LOOP-003", row("one"), row("two", Verdict.PASSED)), GOOD))
    assert only(shut).startswith("LOOP-003 'two' passes and is listed as a failure; delete the row")
    assert shut.exit_status is Exit.STALE_BASELINE
    verdicts = [each.verdict for each in shut.gated_report.requirements[0].scenarios]
    assert verdicts == [Verdict.EXPECTED_FAILURE, Verdict.UNEXPECTED_PASS]


@pytest.mark.parametrize(("day", "status"), [(22, Exit.CONFORMANT), (21, Exit.STALE_BASELINE)])
def test_an_entry_is_accepted_until_its_day_is_over(day: int, status: Exit) -> None:
    entries = tuple(replace(entry, expires=date(2026, 11, day)) for entry in LISTED.entries)
    assert gate(REPORT, replace(LISTED, entries=entries)).exit_status is status


def test_what_is_judged_no_longer_closes_it() -> None:
    gone = result("ERR-001", Verdict.UNSUPPORTED, scenarios=(row("good", Verdict.UNSUPPORTED),))
    shut = gate(report(LOOP, gone))
    assert only(shut).startswith("ERR-001 isn't judged: ")
    assert shut.exit_status is Exit.NOT_CONFORMANT
    assert gate(report(LOOP, gone), section_of(report(LOOP, gone), LISTED, GateRules())).objections == ()


def test_what_judges_see_is_listed_once_wherever_they_see_it() -> None:
    seen = result("TOOL-003", Verdict.FAILED, departures=(row("a", fault="ends early"), row("b", fault="ends early")))
    listed = section_of(report(seen), Section(), GateRules())
    assert listed.entries == (Entry("TOOL-003", "ends early"),)
    other = result("TOOL-003", Verdict.FAILED, departures=(row("c", fault="ends early"),))
    assert gate(report(other), listed).exit_status is Exit.CONFORMANT
    assert gate(report(other), listed).gated_report.requirements[0].verdict is Verdict.EXPECTED_FAILURE
    mended = gate(report(result("TOOL-003", Verdict.PASSED)), listed)
    assert only(mended).startswith("TOOL-003 is listed with 'ends early', which no judge sees now")


def test_shoulds_count_where_the_gate_is_strict() -> None:
    should = requirement("ERR-001", row("good"), level="SHOULD")
    assert gate(report(LOOP, should)).objections == ()
    assert gate(report(LOOP, should), rules=GateRules(strict=True)).exit_status is Exit.NOT_CONFORMANT
    assert list(find_lapses(report(should), GateRules())) == []


def test_the_gate_asks_for_areas_and_for_a_number_of_musts() -> None:
    gone = result("ERR-001", Verdict.UNSUPPORTED, scenarios=(row("good", Verdict.UNSUPPORTED),))
    listed = section_of(report(LOOP, gone), LISTED, GateRules())
    shut = gate(report(LOOP, gone), listed, GateRules(require=("ERR",), min_must=1))
    assert [objection.text for objection in shut.objections] == [
        "is unsupported; [gate] require asks for all of ERR",
        "0 MUST passed; [gate] min_must asks for 1",
    ]
    assert shut.exit_status is Exit.NOT_CONFORMANT
    # Also where nothing was ever written down.
    assert gate(report(GOOD), None, GateRules(min_must=2)).exit_status is Exit.NOT_CONFORMANT


def test_what_people_wrote_is_kept_as_long_as_the_failure_is_the_same() -> None:
    known = replace(
        LISTED,
        entries=(Entry("LOOP-003", "goes on too long", ("one",), "later", "https://i/1", TODAY), Entry("ERR-001", "f")),
    )
    found = section_of(REPORT, known, GateRules())
    assert found.entries == (Entry("LOOP-003", "goes on too long", ("one", "two"), "later", "https://i/1", TODAY),)


def test_a_part_of_a_profile_renews_what_it_plays_and_keeps_the_rest() -> None:
    seen, other = Entry("SAN-004", "the next LM request shows …"), Entry("ERR-002", "Then no tool ran", ("far",), "why")
    known = Section("all", (*LISTED.entries, other, seen), frozenset({"ERR-001", "ADP-001"}))
    played = requirement("LOOP-003", row("one", Verdict.PASSED), row("two", Verdict.NOT_SELECTED), row("three"))
    found = section_of(report(played, GOOD, is_whole_profile=False), known, GateRules())
    assert found.profile == "all"
    assert found.entries == (Entry("LOOP-003", "goes on too long", ("two", "three")), other, seen)
    assert found.unsupported == {"ADP-001"}


def loop_of(id_: str, *titles: str, **more: Any) -> RequirementResult:
    return requirement(id_, *(row(title, fault=f'Then "{title}" ended') for title in titles), **more)


def endless(*blocked: RequirementResult, shown: int = 5, **more: Any) -> Report:
    """One fault, in a row of its own and in rows of others, as causes show it."""
    titles = tuple(f"b{number}" for number in range(shown))
    seen = tuple(row(title) for title in ("own", *titles))
    first = requirement("LOOP-003", row("own", fault="Then it stopped"), departures=seen)
    cause = Cause(requirement="LOOP-003", kind="goes on too long", rows=("own", *titles))
    return report(first, *blocked, GOOD, causes=(cause,), **more)


BLOCKED = (loop_of("ERR-002", "b0", "b1"), loop_of("ERR-003", "b2", "b3", "b4"))
ENDLESS = endless(*BLOCKED)


def test_one_fault_is_one_entry_with_the_rows_of_others_counted() -> None:
    listed = section_of(ENDLESS, Section(), GateRules())
    assert listed.entries == (
        Entry("LOOP-003", "goes on too long", ("own",), blocked=(("ERR-002", 2), ("ERR-003", 3))),
    )
    assert gate(ENDLESS, listed).objections == ()
    assert gate(ENDLESS, listed).exit_status is Exit.CONFORMANT


def test_one_fault_is_one_objection_with_its_rows_folded() -> None:
    others = [loop_of(f"ERR-0{number}", f"b{number}") for number in range(10, 40)]
    shut = gate(endless(*others, shown=40), Section("core"))
    assert only(shut).startswith(
        "LOOP-003 'own' fails and isn't listed: 'goes on too long' "
        "(it blocks ERR-010 1, ERR-011 1, ERR-012 1 and 27 more); mend it"
    )
    rows = [row(f"row {number}") for number in range(762)]
    listed = section_of(report(requirement("LOOP-003", *rows)), Section(), GateRules())
    mended = report(requirement("LOOP-003", *(row(each.title, Verdict.PASSED) for each in rows)))
    assert only(gate(mended, listed)).startswith("LOOP-003 'row 0' and 761 more passes and is listed as a failure")
    assert only(gate(report(GOOD), listed)).startswith("LOOP-003 there is no row 'row 0' and 761 more; delete it")


def test_a_listed_fault_excuses_no_more_rows_than_it_did() -> None:
    listed = section_of(ENDLESS, Section(), GateRules())
    # Another row of a requirement that it blocks, and a requirement that it hasn't blocked so far.
    for more in (loop_of("ERR-002", "b0", "b1", "b5"), loop_of("ERR-002", "b0", "b1"), loop_of("ERR-004", "b5")):
        shut = gate(endless(more, BLOCKED[1], shown=6, is_whole_profile=False), listed)
        is_more = more.id == "ERR-004" or len(more.scenarios) == 3
        assert shut.exit_status is (Exit.NOT_CONFORMANT if is_more else Exit.CONFORMANT), more
    # A row in which it doesn't show.
    shut = gate(endless(loop_of("ERR-002", "b0", "elsewhere"), BLOCKED[1]), listed)
    assert shut.objections[0].text.startswith("'elsewhere' fails and isn't listed: 'Then … ended'; mend it")
    assert shut.exit_status is Exit.NOT_CONFORMANT


def flaky(shown: Report, second: Verdict = Verdict.PASSED, row_: str = "two") -> Report:
    return shown.model_copy(update={"flakes": (flake(row_, second),)})


NEW = report(requirement("LOOP-003", row("one"), row("two"), row("three")), GOOD)


def test_a_flake_is_neither_failed_nor_expected_and_the_ledger_balances() -> None:
    opened = gate(flaky(NEW, row_="three"))
    assert (opened.objections, opened.exit_status) == ((), Exit.CONFORMANT)
    loop = opened.gated_report.requirements[0]
    assert [each.verdict for each in loop.scenarios] == [
        *(Verdict.EXPECTED_FAILURE, Verdict.EXPECTED_FAILURE, Verdict.FLAKY),
    ]
    assert loop.verdict is Verdict.FLAKY
    assert opened.gated_report.ledger == Ledger(registered=6, expected_failures=2, flaky=1, passed=2, unsupported=1)
    assert opened.gated_report.ledger.balances


def test_a_listed_failure_that_passed_by_chance_is_not_out_of_date() -> None:
    shown = report(requirement("LOOP-003", row("one"), row("two", Verdict.PASSED)), GOOD)
    assert [each.title for _, each in gate(shown).listed_passes] == ["two"]
    again = flake("two", Verdict.FAILED).model_copy(update={"first": Verdict.PASSED})
    opened = gate(shown.model_copy(update={"flakes": (again,)}))
    assert (opened.objections, opened.exit_status) == ((), Exit.CONFORMANT)
    assert opened.gated_report.requirements[0].scenarios[1].verdict is Verdict.FLAKY


def test_a_flake_closes_a_gate_that_asks_for_it() -> None:
    shut = gate(flaky(NEW, row_="three"), rules=GateRules(flaky="fail"))
    assert only(shut).startswith("LOOP-003 'three' is flaky: failed, then passed when it was played alone; episode 1")
    assert shut.exit_status is Exit.NOT_CONFORMANT


def test_what_never_passed_is_excused_by_nobody() -> None:
    for rules in (GateRules(), GateRules(flaky="pass"), GateRules(flaky="fail")):
        shut = gate(flaky(NEW, Verdict.ERROR, "three"), rules=rules)
        assert only(shut).endswith("episode 1, event 2; mend it")
        assert shut.exit_status is Exit.NOT_CONFORMANT


def test_an_error_that_came_once_is_a_flake_and_one_that_stays_breaks_the_run() -> None:
    broken = requirement("LOOP-003", row("one", Verdict.ERROR), row("two", Verdict.ERROR))
    shown = report(broken, GOOD, ledger=Ledger(registered=4, errors=2, passed=2))
    assert gate(flaky(shown), Section("core")).exit_status is Exit.HARNESS_BROKEN
    both = shown.model_copy(update={"flakes": (flake("one"), flake("two"))})
    assert gate(both, Section("core")).exit_status is Exit.CONFORMANT


def test_what_is_played_again_is_what_nobody_expects() -> None:
    broken = requirement("ERR-001", row("breaks", Verdict.ERROR), level="SHOULD")
    should = requirement("ERR-002", row("may"), level="SHOULD")
    shown = report(*NEW.requirements[:1], broken, should)
    assert [(id_, each.title) for id_, each in gate(shown).unexpected_results] == [
        ("ERR-001", "breaks"),
        ("LOOP-003", "three"),
    ]
    assert [each.title for _, each in gate(shown, rules=GateRules(strict=True)).unexpected_results][1:] == [
        "three",
        "may",
    ]


def test_a_gate_is_in_force_where_anything_is_written_or_asked() -> None:
    assert not gate(REPORT, None).is_in_force
    assert gate(REPORT).is_in_force
    assert gate(REPORT, None, GateRules(flaky="pass")).is_in_force
    assert gate(REPORT, None, GateRules(min_must=1)).is_in_force
