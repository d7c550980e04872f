"""A run as GitHub shows it: the summary of a job, in its Markdown."""

from collections import Counter
from collections.abc import Iterator

from react_tck.gate.gate import Gate
from react_tck.model.report import NOT_ASKED, Flake, Report, RequirementResult, Verdict
from react_tck.model.requirement import FIRST_WITH_BASIS, SEVERITIES
from react_tck.reports.defects import EXPECTED, GROUPS, list_defects
from react_tck.reports.printing import escape_text
from react_tck.reports.terminal import format_objection, standing_of
from react_tck.reports.verdicts import conclude_run, describe_subject, list_profiles, verdict_lines

_PASSED = (Verdict.PASSED, Verdict.UNEXPECTED_PASS)
#: A further column of the last table, and what is counted in it.
_COLUMNS = {
    "failed": (Verdict.FAILED, Verdict.ERROR),
    "blocked": (Verdict.BLOCKED,),
    "expected": (Verdict.EXPECTED_FAILURE,),
    "flaky": (Verdict.FLAKY,),
    "unsupported": NOT_ASKED,
}


def render_summary(gate: Gate) -> str:
    """Return the verdicts, what closes the gate, what is flaky, causes of the unexpected, each profile's MUSTs."""
    report = gate.gated_report
    head, *verdicts = conclude_run(report).plain.splitlines()
    lines = [f"### {_escape_markdown(head)}", ""]
    lines += [f"- **{each.name}**: {_escape_markdown(each.sentence)}" for each in verdict_lines(report) if verdicts]
    lines += ["", *(_escape_markdown(line) for line in describe_subject(report)), ""] if verdicts else []
    if said := standing_of(gate):
        lines += [f"**{_escape_markdown(said)}**", ""]
    lines += [f"- {_escape_markdown(format_objection(gate, objection))}" for objection in gate.objections]
    broken = Counter(each.id for each in report.requirements for row in each.scenarios if row.verdict is Verdict.ERROR)
    lines += [f"- {id_}: the harness broke in {count} scenarios" for id_, count in broken.items()]
    lines += [f"- a bug of the kit, not of the subject: {_escape_markdown(error)}" for error in report.kit_errors]
    if report.flakes:
        lines += ["", "| flaky | row | ended | where both plays part | in the run | alone |", "|---" * 6 + "|"]
        lines += map(_render_flake, report.flakes)
    lines += _render_defects(report)
    lines += _render_counts(report)
    return "\n".join((*lines, ""))


def _render_counts(report: Report) -> Iterator[str]:
    """How the MUSTs of each specification ended, and the practices of each severity; of each profile before that."""
    musts = [each for each in report.requirements if each.level == "MUST"]
    counted: dict[str, list[RequirementResult]] = {}
    if report.revision < FIRST_WITH_BASIS:
        head, first = "profile", "MUST passed"
        counted.update(
            (profile, [each for each in musts if each.profile == profile]) for profile in list_profiles(report)
        )
    else:
        head, first = "MUST and practices", "passed"
        counted.update((name, [each for each in musts if each.specification == name]) for name in report.claims)
        for severity in SEVERITIES:
            counted[f"practices, {severity}"] = [each for each in report.requirements if each.severity == severity]
        counted = {name: found for name, found in counted.items() if found}
    yield from ("", f"| {' | '.join((head, first, *_COLUMNS))} |", "|---" * (len(_COLUMNS) + 2) + "|")
    for name, found in counted.items():
        ended = Counter(each.verdict for each in found)
        counts = [sum(ended[verdict] for verdict in verdicts) for verdicts in (_PASSED, *_COLUMNS.values())]
        yield f"| {name} | {' | '.join(map(str, counts))} |"


def _render_flake(flake: Flake) -> str:
    ended, parting = f"{flake.first}, then {flake.second}", flake.parting
    cells = (flake.requirement, flake.row, ended, parting.place, parting.first, parting.second)
    return f"| {' | '.join(map(_escape_markdown, cells))} |"


def _render_defects(report: Report) -> Iterator[str]:
    """Yield what nobody expected: a line each, as the first screen of a run has it; then each in full."""
    defects = [each for each in list_defects(report) if each.group is not EXPECTED]
    if not defects:
        return
    yield from ("", "| | not met | rows | what happened |", "|---|---|---|---|")
    for each in defects:
        cells = (GROUPS[each.group], f"{', '.join(each.ids)}: {each.title}", str(each.rows), each.happened)
        yield f"| {' | '.join(map(_escape_markdown, cells))} |"
    yield from ("", "<details><summary>Each in full</summary>", "")
    for each in defects:
        yield from ("```text", escape_text(each.shown.message).replace("```", "'''"), "```", "")
    yield "</details>"


def _escape_markdown(text: str) -> str:
    """Text that Markdown reads as text, in a line of a table too."""
    marked = "".join(f"\\{c}" if c in "\\`*_[]<>|#" else c for c in escape_text(text))
    return " ".join(marked.split())
