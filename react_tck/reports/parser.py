"""What fuzzing a parser found, for people: what breaks a requirement first, then the choices."""

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.text import Text

from react_tck.fuzz.parser.finding import ParserFinding

_SHOWN = 300


def show_parser_findings(console: Console, findings: Sequence[ParserFinding], examples: int, who: str) -> None:
    """Every class of differences with the shortest text that shows it, and the sum."""
    for finding in findings:
        for line in _lines(finding):
            console.print(Text(line))
    broken = sum(finding.sort == "broken" for finding in findings)
    choices = len(findings) - broken
    console.print(Text(f"{who}: {examples} texts, {broken} ways to break a requirement, {choices} choices"))


def _lines(finding: ParserFinding) -> Iterable[str]:
    what = f"breaks {finding.requirement_id}" if finding.sort == "broken" else "choice"
    yield f"{finding.dialect}, {what}: it {finding.kind} ({finding.count} times)"
    yield f"  text:     {_cut(ascii(finding.text))}"
    yield from (f"  {_cut(line)}" for line in finding.detail.splitlines())
    yield ""


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
