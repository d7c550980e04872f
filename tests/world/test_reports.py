"""Each public report of the table is found by its requirement, and the correct twin of its agent isn't accused."""

from collections import Counter
from typing import Literal

import pytest

from react_tck.catalogue.selection import Selection
from react_tck.model.report import Verdict
from tests.support.subject_checks import report_of
from tests.world.page import KINDS, PAGE, Report, read_mutants, read_reports, render_page

REPORTS = read_reports()
#: One a report that isn't a mutant's: `make prove` plays those. Reports of one agent are one.
REBUILT = {(each.agent, each.requirement, each.row): each for each in REPORTS if not each.mutant}
#: What stands behind the titles of rows that are streamed as some providers do.
VARIED = " {odd streams}"


def select_rows(titles: set[str]) -> Selection:
    """Rows by their titles, those under the variation too."""
    vary: Literal["all", "none"] = "all" if any(title.endswith(VARIED) for title in titles) else "none"
    return Selection(profile="all", titles=frozenset(titles), vary=vary)


@pytest.mark.parametrize("report", [pytest.param(each, id=each.agent) for each in REBUILT.values()])
def test_the_requirement_finds_the_agent_of_the_report(report: Report) -> None:
    played = report_of(report.agent, select_rows({report.row}), replays=report.requirement == "SAN-009")
    found = [each.id for each in played.requirements for row in each.scenarios if row.verdict is Verdict.FAILED]
    assert report.requirement in found


@pytest.mark.parametrize("twin", ["twin:Twin", "streams:StreamingTwin"])
def test_the_twin_is_not_accused_in_the_same_rows(twin: str) -> None:
    rows = {each.row for each in REBUILT.values() if each.row.endswith(VARIED) == twin.startswith("streams")}
    played = report_of(f"python:tests.world.{twin}", select_rows(rows))
    assert [(row.title, row.message) for each in played.requirements for row in each.scenarios if row.message] == []
    assert {
        row.title for each in played.requirements for row in each.scenarios if row.verdict is Verdict.PASSED
    } >= rows
    assert played.ledger.failed == 0


def test_a_mutant_breaks_the_requirement_of_its_report() -> None:
    mutants = read_mutants()
    assert [each for each in REPORTS if each.mutant and mutants.get(each.mutant) != each.requirement] == []


def test_each_report_stands_once_under_a_kind() -> None:
    assert {each.kind for each in REPORTS} <= KINDS.keys()
    assert [address for address, times in Counter(each.address for each in REPORTS).items() if times > 1] == []


def test_the_reports_are_of_many_languages() -> None:
    assert len(REPORTS) >= 60
    assert len({each.language for each in REPORTS}) >= 8


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == render_page(REPORTS), "python -m tests.world.page"
