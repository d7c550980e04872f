"""A run as GitHub shows it: the summary of a job, in its Markdown."""

from collections import Counter
from collections.abc import Iterator

from react_tck.gate.gate import Gate
from react_tck.model.report import Flake, Report, Verdict
from react_tck.reports.causes import headline, likeness
from react_tck.reports.gate import sentence, standing_of
from react_tck.reports.printing import printable
from react_tck.reports.standing import of_profile, profiles
from react_tck.reports.terminal import conclusion

#: A column of the last table, and what is counted in it.
_COLUMNS = {
    "MUST passed": (Verdict.PASSED, Verdict.UNEXPECTED_PASS),
    "failed": (Verdict.FAILED, Verdict.ERROR, Verdict.UNTESTABLE),
    "expected": (Verdict.EXPECTED_FAILURE,),
    "flaky": (Verdict.FLAKY,),
    "unsupported": (Verdict.UNSUPPORTED,),
}


def summary(gate: Gate) -> str:
    """The verdict, what closes the gate, what is flaky, the causes of what nobody expected, each profile's MUSTs."""
    report = gate.gated
    lines = [f"### {_escaped(conclusion(report).plain)}", ""]
    if said := standing_of(gate):
        lines += [f"**{_escaped(said)}**", ""]
    lines += [f"- {_escaped(sentence(gate, objection))}" for objection in gate.objections]
    lines += [f"- a bug of the kit, not of the subject: {_escaped(error)}" for error in report.kit_errors]
    if report.flakes:
        lines += ["", "| flaky | row | ended | where both plays part | in the run | alone |", "|---" * 6 + "|"]
        lines += map(_flake, report.flakes)
    lines += _causes(report)
    lines += ["", f"| profile | {' | '.join(_COLUMNS)} |", "|---" * (len(_COLUMNS) + 1) + "|"]
    for profile in profiles(report):
        ended = Counter(each.verdict for each in of_profile(report, profile) if each.level == "MUST")
        counts = [sum(ended[verdict] for verdict in verdicts) for verdicts in _COLUMNS.values()]
        lines.append(f"| {profile} | {' | '.join(map(str, counts))} |")
    return "\n".join((*lines, ""))


def _flake(flake: Flake) -> str:
    ended, parting = f"{flake.first}, then {flake.second}", flake.parting
    cells = (flake.requirement, flake.row, ended, parting.place, parting.first, parting.second)
    return f"| {' | '.join(map(_escaped, cells))} |"


def _causes(report: Report) -> Iterator[str]:
    if not report.causes:
        return
    yield from ("", "| cause | scenarios | behaves like |", "|---|---|---|")
    for cause in report.causes:
        yield f"| {_escaped(headline(cause))} | {cause.explains} | {_escaped(likeness(cause) or '')} |"
    yield from ("", "<details><summary>The first failure of each cause</summary>", "")
    for cause in report.causes:
        yield from ("```text", printable(cause.message).replace("```", "'''"), "```", "")
    yield "</details>"


def _escaped(text: str) -> str:
    """Text that Markdown reads as text, in a line of a table too."""
    marked = "".join(f"\\{c}" if c in "\\`*_[]<>|#" else c for c in printable(text))
    return " ".join(marked.split())
