"""JUnit XML as its readers count it."""

from xml.etree import ElementTree

from react_tck.model.report import ScenarioResult, Verdict
from react_tck.reports.junit import junit
from tests.support.reports import make_report, result


def row(verdict: Verdict, message: str = "", fault: str = "") -> ScenarioResult:
    return ScenarioResult(title=f"ends as {verdict}", verdict=verdict, message=message, fault=fault)


ROWS = tuple(row(verdict, message="m", fault="f") for verdict in Verdict if verdict not in ("pending", "excluded"))


def test_every_verdict_is_a_case_that_counts_as_what_it_is() -> None:
    seen = ScenarioResult(title="elsewhere", verdict=Verdict.FAILED, message="seen", fault="goes on too long")
    text = junit(make_report(result("LOOP-003", Verdict.FAILED, scenarios=ROWS, departures=(seen,))))

    root = ElementTree.fromstring(text)
    counts = {name: root.get(name) for name in ("tests", "failures", "errors", "skipped")}
    # All but "not selected".
    assert counts == {"tests": "9", "failures": "3", "errors": "2", "skipped": "3"}
    cases = {case.get("name"): case for case in root.iter("testcase")}
    assert len(cases["ends as passed"]) == 0
    assert cases["ends as failed"][0].attrib == {"message": "f"}
    assert cases["ends as expected failure"][0].attrib == {"message": "expected failure: f"}
    assert cases["seen in: elsewhere (1)"][0].text == "seen"
    assert {case.get("classname") for case in cases.values()} == {"core.LOOP-003"}


def test_what_no_xml_may_hold_is_escaped() -> None:
    said = "a \x1b[31m red \x00 & <b> \ud800 ]]> é"
    shown = make_report(result("LOOP-003", Verdict.FAILED, scenarios=(row(Verdict.FAILED, message=said, fault=said),)))
    case = next(ElementTree.fromstring(junit(shown).encode()).iter("failure"))
    assert case.text == "a \\x1b[31m red \\x00 & <b> \\ud800 ]]> é"


def test_the_same_report_is_the_same_text() -> None:
    shown = make_report(result("LOOP-003", Verdict.FAILED, scenarios=ROWS))
    assert junit(shown) == junit(shown)
    assert junit(make_report()).endswith('tests="0" failures="0" errors="0" skipped="0" />\n')
