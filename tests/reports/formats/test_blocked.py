"""Every format tells what is blocked apart from what failed, and by what."""

import json
from xml.etree import ElementTree

from react_tck.model.report import Cause, Verdict
from react_tck.reports.formats.badge import render_endpoint
from react_tck.reports.formats.junit import render_junit
from react_tck.reports.formats.sarif import render_sarif
from react_tck.reports.formats.summary import render_summary
from tests.support.gates import ended, gate_of
from tests.support.reports import make_report, result

REPORT = make_report(
    result("LOOP-003", Verdict.FAILED, scenarios=(ended("stops", Verdict.FAILED, "m", "goes on"),)),
    result(
        "EXT-001",
        Verdict.BLOCKED,
        blocked_by=("LOOP-003",),
        scenarios=(ended("asks", Verdict.FAILED, "m", "asked twice"), ended("answers", Verdict.PASSED)),
    ),
    causes=(Cause(requirement="LOOP-003", rows=("stops", "asks"), message="m"),),
)
GATE = gate_of(REPORT)


def test_junit_counts_a_blocked_row_as_the_ledger_does_and_says_what_blocks_it() -> None:
    root = ElementTree.fromstring(render_junit(GATE))
    assert [suite.get("failures") for suite in (root, *root)] == ["2", "1", "1"]
    failure = root.find(".//testcase[@name='asks']/failure")
    assert failure is not None
    assert failure.get("message") == "blocked by LOOP-003: asked twice"
    assert not list(root.iterfind(".//testcase[@name='answers']/*"))


def test_sarif_notes_it_and_makes_no_result_of_it() -> None:
    (run,) = json.loads(render_sarif(GATE))["runs"]
    assert [each["ruleId"] for each in run["results"]] == ["LOOP-003"]
    (note,) = run["invocations"][0]["toolConfigurationNotifications"]
    assert (note["associatedRule"], note["message"]) == ({"id": "EXT-001"}, {"text": "blocked by LOOP-003"})


def test_a_badge_and_a_summary_count_it_apart() -> None:
    badge = json.loads(render_endpoint(GATE))
    assert (badge["message"], badge["color"]) == ("core: 0 of 1 MUST, 1 blocked", "red")
    assert "| core | 0 | 1 | 1 | 0 | 0 | 0 |" in render_summary(GATE)
