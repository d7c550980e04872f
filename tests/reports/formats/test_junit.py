"""JUnit XML as its readers count it."""

from xml.etree import ElementTree

import pytest

from react_tck.gate.gate import Gate
from react_tck.model.report import ScenarioResult, Verdict
from react_tck.reports.formats.junit import render_junit
from tests.support.gates import everything, rows_of
from tests.support.reports import result

#: What the schema of Jenkins and Surefire (junit-10.xsd) knows of what is written here: attributes, elements within.
SCHEMA = {
    "testsuites": ({"name", "tests", "failures", "errors", "time"}, {"testsuite"}),
    "testsuite": ({"name", "tests", "failures", "errors", "skipped"}, {"testcase"}),
    "testcase": ({"classname", "name"}, {"failure", "error", "skipped", "flakyFailure", "flakyError"}),
    **dict.fromkeys(("failure", "error", "skipped"), ({"message", "type"}, set[str]())),
    **dict.fromkeys(("flakyFailure", "flakyError"), ({"message", "type"}, {"stackTrace"})),
    "stackTrace": (set[str](), set[str]()),
}


def row(verdict: Verdict, message: str = "", fault: str = "") -> ScenarioResult:
    return ScenarioResult(title=f"ends as {verdict}", verdict=verdict, message=message, fault=fault)


ROWS = tuple(
    row(verdict, message="m", fault="f") for verdict in Verdict if verdict not in ("blocked", "pending", "excluded")
)


def cases(gate: Gate) -> dict[str | None, ElementTree.Element]:
    return {case.get("name"): case for case in ElementTree.fromstring(render_junit(gate).encode()).iter("testcase")}


def test_every_verdict_is_a_case_that_counts_as_what_it_is() -> None:
    seen = ScenarioResult(title="elsewhere", verdict=Verdict.FAILED, message="seen", fault="goes on too long")
    other = result("EXT-001", Verdict.PASSED, scenarios=(seen.model_copy(update={"verdict": Verdict.PASSED}),))
    gate = rows_of(result("LOOP-003", Verdict.FAILED, scenarios=ROWS, departures=(seen,)), other)

    root = ElementTree.fromstring(render_junit(gate))
    # All but "not selected".
    assert {name: root.get(name) for name in ("tests", "failures", "errors")} == {
        "tests": "10",
        "failures": "4",
        "errors": "1",
    }
    assert [suite.get("skipped") for suite in root] == ["4", "0"]
    found = cases(gate)
    assert len(found["ends as passed"]) == 0
    assert found["ends as failed"][0].attrib == {"message": "f"}
    assert found["ends as expected failure"][0].attrib == {"message": "expected failure: f"}
    assert found["elsewhere"].get("classname") == "core.EXT-001"
    assert (found["elsewhere"][0].get("message"), found["elsewhere"][0].text) == ("LOOP-003: goes on too long", "seen")


def test_what_is_flaky_passes_with_surefires_mark_or_fails_as_the_gate_has_it() -> None:
    (mark,) = cases(everything())["is flaky"]
    assert (mark.tag, mark.get("type")) == ("flakyFailure", "failed")
    told = "'is flaky' is flaky: failed, then passed when it was played alone; said: one became said\n\nsaid"
    assert mark.findtext("stackTrace") == told
    assert mark.get("message") == "flaky: failed, then passed; said"
    (failure,) = cases(everything(flaky="fail"))["is flaky"]
    assert (failure.tag, failure.get("message")) == ("failure", "flaky: failed, then passed; said")


def test_nothing_stands_there_that_the_schema_does_not_know() -> None:
    for gate in (everything(), everything(flaky="fail"), rows_of(result("LOOP-003", Verdict.FAILED, scenarios=ROWS))):
        for element in ElementTree.fromstring(render_junit(gate).encode()).iter():
            attributes, inner = SCHEMA[element.tag]
            assert set(element.attrib) <= attributes, element.tag
            assert {each.tag for each in element} <= inner, element.tag
            if element.tag.startswith("flaky"):
                assert element.get("type")


def test_a_real_reader_reads_it() -> None:
    reader = pytest.importorskip("junitparser", reason="needs the extra 'dev': junitparser")
    read = reader.JUnitXml.fromstring(render_junit(everything()).encode())
    assert (read.tests, read.failures, read.errors) == (8, 3, 1)
    ended = {case.name: case for suite in read for case in suite}
    assert [type(each).__name__ for each in ended["is new"].result] == ["Failure"]
    assert [type(each).__name__ for each in ended["is listed"].result] == ["Skipped"]
    assert ended["is flaky"].is_passed
    assert ended["passes"].is_passed
