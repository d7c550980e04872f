"""A run as GitHub shows it: the summary of a job in Markdown, and annotations of what closes the gate."""

from collections.abc import Iterator
from pathlib import Path

from react_tck.gate.gate import Gate
from react_tck.reports.causes import headline, likeness
from react_tck.reports.gate import sentence, standing_of
from react_tck.reports.printing import printable
from react_tck.reports.standing import profiles, standing
from react_tck.reports.terminal import conclusion


def summary(gate: Gate, file: Path) -> str:
    """The verdict, what closes the gate, the causes of what nobody expected, and the MUSTs of each profile."""
    report = gate.gated
    lines = [f"### {_escaped(conclusion(report).plain)}", ""]
    if said := standing_of(gate, file):
        lines += [f"**{_escaped(said)}**", ""]
    lines += [f"- {_escaped(sentence(objection, file))}" for objection in gate.objections]
    if report.causes:
        lines += ["", "| cause | scenarios | behaves like |", "|---|---|---|"]
        lines += [
            f"| {_escaped(headline(cause))} | {cause.explains} | {_escaped(likeness(cause) or '')} |"
            for cause in report.causes
        ]
        lines += ["", "<details><summary>The first failure of each cause</summary>", ""]
        for cause in report.causes:
            lines += ["```text", printable(cause.message).replace("```", "'''"), "```", ""]
        lines += ["</details>"]
    lines += ["", "| profile | MUST passed | failed | unsupported |", "|---|---|---|---|"]
    stands = ((profile, standing(report, profile)) for profile in profiles(report))
    lines += [f"| {profile} | {s.passed} | {s.failed} | {s.unsupported} |" for profile, s in stands if s]
    return "\n".join((*lines, ""))


def annotations(gate: Gate, file: Path) -> Iterator[str]:
    """Commands of GitHub's runner, a line each; what is to be changed in the baseline points at its line."""
    for objection in gate.objections:
        kind = "warning" if objection.is_stale else "error"
        place = f"file={_property(str(file))},line={objection.line}," if objection.line else ""
        title = _property(objection.requirement or "gate")
        yield f"::{kind} {place}title={title}::{_data(printable(objection.text))}"
    if gate.section is None:
        for cause in gate.report.causes:
            yield f"::error title={_property(headline(cause))}::{_data(printable(cause.message))}"


def _escaped(text: str) -> str:
    """Text that Markdown reads as text, in a line of a table too."""
    marked = "".join(f"\\{c}" if c in "\\`*_[]<>|#" else c for c in printable(text))
    return " ".join(marked.split())


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
