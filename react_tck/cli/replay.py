"""`react-tck replay FILE SUBJECT`: a finding again, without Hypothesis."""

import sys
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from react_tck.cli.subject import SubjectCommand, resolved, silenced
from react_tck.fuzz.findings import read_case
from react_tck.model.found import FoundCase
from react_tck.play.judgement import judged
from react_tck.record.transcript import transcript
from react_tck.reports.fuzz import show_finding
from react_tck.reports.safe import printable
from react_tck.suite.conformance import Exit


@click.command(cls=SubjectCommand)
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE")
def command(file: Path, subject: str) -> int:
    """Play a case that fuzz has kept, without Hypothesis, and judge it.

    FILE is case-….json, as fuzz writes it.
    """
    console = Console(file=sys.stdout, highlight=False, soft_wrap=True)
    case = read_case(file)
    with resolved(subject) as replayed, silenced():
        judgement = judged(replayed, case.episode, again=True)
    if judgement.violations:
        show_finding(console, judgement, case, subject)
        return Exit.NOT_CONFORMANT
    console.print(Text(printable(transcript(judgement.episode, judgement.record))))
    console.print(_kept(case))
    return Exit.CONFORMANT


def _kept(case: FoundCase) -> str:
    found = f"{', '.join(case.requirements)} in {case.subject.name} {case.subject.version}"
    return f"[bold green]nothing is violated; it was found violating {found}[/]"
