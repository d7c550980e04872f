"""A report as JUnit XML, as Surefire writes and Jenkins and GitLab read it: a suite a requirement, a case a row.

A flaky row that the gate lets pass is a case that passed, with Surefire's mark of it.
"""

from itertools import groupby
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from react_tck.gate.gate import Gate
from react_tck.model.report import Verdict
from react_tck.reports.formats.rows import Row, describe_briefly, describe_fully, list_rows
from react_tck.reports.printing import escape_text
from react_tck.reports.terminal import format_objection, standing_of
from react_tck.reports.verdicts import verdict_lines

#: The element that a case holds, by verdict; a case that passed holds none.
_ELEMENTS = {
    Verdict.FAILED: "failure",
    Verdict.FLAKY: "failure",
    Verdict.UNEXPECTED_PASS: "failure",
    Verdict.ERROR: "error",
    Verdict.UNSUPPORTED: "skipped",
    Verdict.UNTESTABLE: "skipped",
    Verdict.EXPECTED_FAILURE: "skipped",
    Verdict.NOT_RUN: "skipped",
}
#: What Surefire says of a case that passed when it was run again.
_FLAKY = {Verdict.FAILED: "flakyFailure", Verdict.ERROR: "flakyError"}


def render_junit(gate: Gate) -> str:
    """Return the XML, declaration included; the same report, the same text."""
    report = gate.report
    root = Element("testsuites", name=_format_attribute(f"{report.subject.name} {report.subject.version}"))
    for requirement, mine in groupby(list_rows(gate), key=lambda row: row.requirement):
        suite = SubElement(root, "testsuite", name=requirement.label)
        suite.extend(_make_case(row, gate) for row in mine)
    if report.kit_errors:
        _add_own_case(root, "the kit", "fails nowhere", "error", "\n".join(report.kit_errors))
    if said := standing_of(gate):
        told = "\n".join((said, *(format_objection(gate, objection) for objection in gate.objections)))
        _add_own_case(root, "the gate", "is open", "failure", told if gate.objections else "")
    _tell_verdicts(root, gate)
    for suite in root:
        _set_counts(suite, "failures", "errors", "skipped")
    _set_counts(root, "failures", "errors")
    indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{tostring(root, encoding="unicode")}\n'


def _make_case(row: Row, gate: Gate) -> Element:
    result = row.result
    case = Element(
        "testcase",
        classname=f"{row.requirement.profile}.{row.requirement.id}",
        name=_format_attribute(row.result.title),
    )
    if row.flake and gate.is_excused(row.flake):
        mark = SubElement(
            case, _FLAKY[row.flake.first], message=_format_attribute(describe_briefly(row)), type=str(row.flake.first)
        )
        SubElement(mark, "stackTrace").text = escape_text(describe_fully(row))
    elif element := _ELEMENTS.get(result.verdict):
        SubElement(case, element, message=_format_attribute(describe_briefly(row))).text = escape_text(
            describe_fully(row)
        )
    return case


def _tell_verdicts(root: Element, gate: Gate) -> None:
    """Add a suite without cases, whose properties are both verdicts; none before revision 3."""
    if lines := verdict_lines(gate.gated_report):
        properties = SubElement(SubElement(root, "testsuite", name="verdicts"), "properties")
        for name, sentence, _ in lines:
            SubElement(properties, "property", name=name, value=_format_attribute(sentence))


def _add_own_case(root: Element, suite: str, name: str, element: str, wrong: str) -> None:
    """Add a case that is about no requirement; it passes if nothing is wrong."""
    case = SubElement(SubElement(root, "testsuite", name=suite), "testcase", classname=suite, name=name)
    if wrong:
        SubElement(case, element, message=_format_attribute(wrong.splitlines()[0])).text = escape_text(wrong)


def _set_counts(suite: Element, *kinds: str) -> None:
    """Give a suite its counts, by the names of their attributes."""
    suite.set("tests", str(sum(1 for _ in suite.iter("testcase"))))
    for kind in kinds:
        suite.set(kind, str(sum(1 for _ in suite.iter(kind.removesuffix("s")))))


def _format_attribute(text: str) -> str:
    return " ".join(escape_text(text).split())
