"""A report as JUnit XML: a suite a requirement, a case a row.

What judges saw in a row of another requirement is a case of the requirement that it is held against.
"""

from collections.abc import Iterator
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from react_tck.model.report import Report, RequirementResult, ScenarioResult, Verdict
from react_tck.reports.printing import printable

#: The element that a case holds, by verdict; a case that passed holds none.
_ELEMENTS = {
    Verdict.FAILED: "failure",
    Verdict.UNEXPECTED_PASS: "failure",
    Verdict.UNTESTABLE: "error",
    Verdict.ERROR: "error",
    Verdict.UNSUPPORTED: "skipped",
    Verdict.EXPECTED_FAILURE: "skipped",
    Verdict.NOT_RUN: "skipped",
}
#: An attribute of a suite, and the element that it counts.
_COUNTED = {"failures": "failure", "errors": "error", "skipped": "skipped"}


def junit(report: Report) -> str:
    """The XML, declaration included; the same report, the same text."""
    root = Element("testsuites", name=_attribute(f"{report.subject.name} {report.subject.version}"))
    for requirement in report.requirements:
        cases = list(_cases(requirement))
        if cases:
            suite = SubElement(root, "testsuite", name=f"{requirement.id} ({requirement.level})")
            suite.extend(cases)
            _count(suite)
    _count(root)
    indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{tostring(root, encoding="unicode")}\n'


def _cases(requirement: RequirementResult) -> Iterator[Element]:
    for result in requirement.scenarios:
        if result.verdict is not Verdict.NOT_SELECTED:
            yield _case(requirement, result, result.title)
    if requirement.verdict in (Verdict.FAILED, Verdict.EXPECTED_FAILURE):
        for number, result in enumerate(requirement.departures, 1):
            yield _case(requirement, result, f"seen in: {result.title} ({number})")


def _case(requirement: RequirementResult, result: ScenarioResult, name: str) -> Element:
    case = Element("testcase", classname=f"{requirement.profile}.{requirement.id}", name=_attribute(name))
    if element := _ELEMENTS.get(result.verdict):
        short = result.fault or result.message
        said = f"{result.verdict}: {short}" if result.verdict not in (Verdict.FAILED, Verdict.ERROR) else short
        SubElement(case, element, message=_attribute(said)).text = printable(result.message)
    return case


def _count(suite: Element) -> None:
    suite.set("tests", str(sum(1 for _ in suite.iter("testcase"))))
    for attribute, element in _COUNTED.items():
        suite.set(attribute, str(sum(1 for _ in suite.iter(element))))


def _attribute(text: str) -> str:
    return " ".join(printable(text).split())
