"""A report as JUnit XML, as Surefire writes and Jenkins and GitLab read it: a suite a requirement, a case a row.

A flaky row that the gate lets pass is a case that passed, with Surefire's mark of it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from react_tck.gate.gate import Gate
from react_tck.model.report import Flake, RequirementResult, ScenarioResult, Verdict
from react_tck.reports.causes import owners_of
from react_tck.reports.printing import escape_text
from react_tck.reports.terminal import format_objection, standing_of
from react_tck.reports.verdicts import verdict_lines
from react_tck.results.ledger import find_worst_verdict


@dataclass(frozen=True)
class Row:
    """One thing that passes or doesn't."""

    #: Whose row it is.
    requirement: RequirementResult
    #: How it ended: what its own sentence came to, or something worse that was seen in it.
    result: ScenarioResult
    #: Of which requirement that is.
    violated: RequirementResult
    #: How it ended when it was played again, where it is flaky.
    flake: Flake | None


def list_rows(gate: Gate) -> Iterator[Row]:
    """Yield all that were selected, in the report's order."""
    flaky = {(flake.requirement, flake.row): flake for flake in gate.report.flakes}
    owners = owners_of(gate.report)
    entered: dict[str, list[tuple[RequirementResult, ScenarioResult]]] = {}
    for requirement in gate.gated_report.requirements:
        for result in requirement.held_results:
            entered.setdefault(result.title, []).append((requirement, result))
    for requirement in gate.gated_report.requirements:
        mine = (result.title for result in requirement.scenarios if result.verdict is not Verdict.NOT_SELECTED)
        for title in dict.fromkeys(title for title in mine if owners[title] == requirement.id):
            entries = sorted(entered[title], key=lambda entry: entry[0].id != requirement.id)
            worst = find_worst_verdict(tuple(result for _, result in entries))
            violated, result = next(entry for entry in entries if entry[1].verdict is worst)
            flake = flaky.get((violated.id, title)) if worst is Verdict.FLAKY else None
            yield Row(requirement, result, violated, flake)


def describe_briefly(row: Row) -> str:
    """Return how it ended and why, where it didn't pass; for people, in a line."""
    result = row.result
    if row.flake:
        return f"{result.verdict}: {row.flake.first}, then {row.flake.second}; {row.flake.parting.place}"
    why = result.fault or result.message
    if row.violated.verdict is Verdict.BLOCKED:
        why = f"blocked by {', '.join(row.violated.blocked_by)}: {why}"
    elif row.violated.id != row.requirement.id:
        why = f"{row.violated.id}: {why}"
    return why if result.verdict in (Verdict.FAILED, Verdict.ERROR) else ": ".join(filter(None, (result.verdict, why)))


def describe_fully(row: Row) -> str:
    """Return all that there is to say of a row that didn't pass; of a flaky one, where both plays part first."""
    return (
        f"{row.flake.summary_sentence}{row.flake.parting.difference_text}\n\n{row.result.message}"
        if row.flake
        else row.result.message
    )


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
        for each in lines:
            SubElement(properties, "property", name=each.name, value=_format_attribute(each.sentence))


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
