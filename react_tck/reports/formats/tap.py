"""A report as TAP, version 14: a point a row, with what is known and what isn't judged as its directives say."""

import json
from collections.abc import Iterator

from react_tck.gate.gate import Gate
from react_tck.model.report import NOT_ASKED, Verdict
from react_tck.reports.formats.rows import Row, describe_briefly, describe_fully, list_rows
from react_tck.reports.gate import format_objection, standing_of
from react_tck.reports.printing import escape_line, escape_text
from react_tck.reports.terminal import conclude_run_in_a_line
from react_tck.reports.verdicts import verdict_lines
from react_tck.results.exit_status import Exit

_DIRECTIVES = {
    Verdict.EXPECTED_FAILURE: "TODO",
    Verdict.UNEXPECTED_PASS: "TODO",
    Verdict.UNSUPPORTED: "SKIP",
    Verdict.UNTESTABLE: "SKIP",
    Verdict.NOT_RUN: "SKIP",
}
_OK = (Verdict.PASSED, Verdict.UNEXPECTED_PASS, *NOT_ASKED, Verdict.NOT_RUN)


def render_tap(gate: Gate) -> str:
    """The stream; where there is no verdict it bails out."""
    points = [_make_point(row, gate) for row in list_rows(gate)]
    if said := standing_of(gate):
        told = "\n".join((said, *(format_objection(gate, objection) for objection in gate.objections)))
        points.append((not gate.objections, "the gate is open", told if gate.objections else ""))
    lines = ["TAP version 14", f"1..{len(points)}"]
    lines += [f"# {name}: {_escape_description(sentence)}" for name, sentence, _ in verdict_lines(gate.gated_report)]
    for number, (is_ok, description, message) in enumerate(points, 1):
        lines.append(f"{'ok' if is_ok else 'not ok'} {number} - {description}")
        lines += _render_diagnostics(message)
    if gate.exit_status not in (Exit.CONFORMANT, Exit.NOT_CONFORMANT, Exit.STALE_BASELINE):
        lines.append(f"Bail out! {conclude_run_in_a_line(gate.gated_report)}")
    return "\n".join((*lines, ""))


def _make_point(row: Row, gate: Gate) -> tuple[bool, str, str]:
    verdict = row.result.verdict
    is_excused = row.flake is not None and gate.is_excused(row.flake)
    description = _escape_description(f"{row.requirement.title}: {row.result.title}")
    if directive := _DIRECTIVES.get(verdict):
        description += f" # {directive} {_escape_description(describe_briefly(row))}"
    return verdict in _OK or is_excused, description, describe_fully(row) if verdict not in NOT_ASKED else ""


def _render_diagnostics(message: str) -> Iterator[str]:
    """A block of YAML, whose text is written as JSON writes it."""
    if message:
        text = json.dumps(escape_text(message), ensure_ascii=False)
        yield from ("  ---", f"  message: {text}", "  ...")


def _escape_description(text: str) -> str:
    """Text on one line that holds no directive."""
    return escape_line(" ".join(text.split())).replace("\\", "\\\\").replace("#", "\\#")
