"""What GitHub's runner is told: commands of one line, and Markdown in which names are names."""

from datetime import date
from pathlib import Path

from react_tck.gate.baseline import Entry, Section
from react_tck.gate.gate import Gate, GateRules
from react_tck.model.report import Cause, ScenarioResult, SubjectInfo, Verdict
from react_tck.reports.github import annotations, summary
from tests.support.reports import make_report, result

FILE = Path("a,b.toml")
ROW = "calls `a|b`\n<script>"
FAILED = ScenarioResult(title=ROW, verdict=Verdict.FAILED, message="expected: 100%\nactual: ```", fault="goes on")
CAUSE = Cause(requirement="LOOP-003", kind="goes on", explains=1, rows=(ROW,), message=FAILED.message)
REPORT = make_report(
    result("LOOP-003", Verdict.FAILED, scenarios=(FAILED,)),
    subject=SubjectInfo(name="my *port*", version="1"),
    causes=(CAUSE,),
)


def gate(section: Section | None) -> Gate:
    return Gate(REPORT, section, GateRules(), date(2026, 11, 22))


def test_without_a_baseline_each_cause_is_an_annotation() -> None:
    assert list(annotations(gate(None), FILE)) == ["::error title=LOOP-003%2C goes on::expected: 100%25%0Aactual: ```"]


def test_what_is_to_be_changed_in_the_baseline_points_at_its_line() -> None:
    listed = Section("core", (Entry("LOOP-003", "ends", (ROW,), line=7), Entry("LOOP-003", "old", ("gone",), line=9)))
    wrong, stale = annotations(gate(listed), FILE)
    assert wrong.startswith("::error file=a%2Cb.toml,line=7,title=LOOP-003::'calls `a|b`\\n<script>' fails otherwise")
    assert stale.startswith("::warning file=a%2Cb.toml,line=9,title=LOOP-003::there is no row 'gone'")
    assert all("\n" not in line for line in (wrong, stale))


def test_a_summary_shows_names_as_they_are() -> None:
    text = summary(gate(Section("core")), FILE)
    assert text.startswith("### my \\*port\\* 1: not conformant, 1 MUST not met\n\n**gate: closed, objections: 1; ")
    assert "- LOOP-003 'calls \\`a\\|b\\`\\\\n\\<script\\>' fails and isn't listed" in text
    assert "| LOOP-003, goes on | 1 |  |" in text
    assert "```text\nexpected: 100%\nactual: '''\n```" in text
    assert "| core | 0 | 1 | 0 |" in text
