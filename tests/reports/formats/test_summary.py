"""What GitHub is told: Markdown in which names are names, and commands of one line."""

from react_tck.gate.baseline import Section
from react_tck.model.report import Cause, ScenarioResult, SubjectInfo, Verdict
from react_tck.reports.formats.annotations import format_annotations
from react_tck.reports.formats.summary import render_summary
from tests.support.gates import everything, gate_of, kit_broken
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


def test_what_is_flaky_or_broken_is_an_annotation_and_what_is_expected_is_none() -> None:
    told = list(format_annotations(kit_broken(everything())))
    assert [line.split("::")[1].split(",")[0] for line in told] == [
        "error title=a bug of the kit%2C not of the subject",
        "error title=ERR-001%2C the harness broke in 1 scenarios",
        "error title=LOOP-003",
        "warning file=port/react-tck.baseline.toml",
        "warning title=LOOP-003",
    ]
    assert told[-1].startswith("::warning title=LOOP-003::'is flaky' is flaky: failed, then passed when")
    assert list(format_annotations(everything(flaky="fail")))[-1].startswith(
        "::error title=LOOP-003::'is flaky' is flaky"
    )


def test_a_summary_shows_names_as_they_are() -> None:
    text = render_summary(gate_of(REPORT, Section("core")))
    assert text.startswith("### my \\*port\\* 1: not conformant, 1 MUST not met\n\n**gate: closed, objections: 1; ")
    assert "- LOOP-003 'calls \\`a\\|b\\`\\\\n\\<script\\>' fails and isn't listed" in text
    assert "| MUST not met | LOOP-003:" in text
    assert "```text\nexpected: 100%\nactual: '''\n```" in text
    assert "| core | 0 | 1 | 0 | 0 | 0 | 0 |" in text
