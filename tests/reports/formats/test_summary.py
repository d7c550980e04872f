"""What GitHub is told: Markdown in which names are names, and commands of one line."""

from react_tck.gate.baseline import Section
from react_tck.model.report import Cause, ScenarioResult, SubjectInfo, Verdict
from react_tck.reports.formats.alerts import format_annotations
from react_tck.reports.formats.summary import render_summary
from tests.support.gates import gate_of
from tests.support.reports import make_report, result

ROW = "calls `a|b`\n<script>"
FAILED = ScenarioResult(title=ROW, verdict=Verdict.FAILED, message="expected: 100%\nactual: ```", fault="goes on")
CAUSE = Cause(requirement="LOOP-003", kind="goes on", rows=(ROW,), message=FAILED.message)
REPORT = make_report(
    result("LOOP-003", Verdict.FAILED, scenarios=(FAILED,)),
    subject=SubjectInfo(name="my *port*", version="1"),
    causes=(CAUSE,),
)


def test_without_a_baseline_each_cause_is_an_annotation() -> None:
    told = list(format_annotations(gate_of(REPORT)))
    assert told == ["::error title=LOOP-003%2C goes on::expected: 100%25%0Aactual: ```"]
    should = REPORT.model_copy(
        update={"requirements": (REPORT.requirements[0].model_copy(update={"level": "SHOULD"}),)}
    )
    assert next(format_annotations(gate_of(should))).startswith("::warning title=")


def test_a_summary_shows_names_as_they_are() -> None:
    text = render_summary(gate_of(REPORT, Section("core")))
    assert text.startswith("### my \\*port\\* 1: not conformant, 1 MUST not met\n\n**gate: closed, objections: 1; ")
    assert "- LOOP-003 'calls \\`a\\|b\\`\\\\n\\<script\\>' fails and isn't listed" in text
    assert "| MUST not met | LOOP-003:" in text
    assert "```text\nexpected: 100%\nactual: '''\n```" in text
    assert "| core | 0 | 1 | 0 | 0 | 0 | 0 |" in text
