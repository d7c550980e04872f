"""`react-tck replay FILE SUBJECT`: a finding again, without Hypothesis."""

import sys
from argparse import Namespace
from pathlib import Path

from rich.console import Console
from rich.text import Text

from react_tck.cli import running
from react_tck.cli.quiet import silenced
from react_tck.fuzz.findings import read_case
from react_tck.model.found import FoundCase
from react_tck.play.judgement import judged
from react_tck.record.transcript import transcript
from react_tck.reports.fuzz import show_finding
from react_tck.reports.safe import printable
from react_tck.subjects.catalogue import close, resolve
from react_tck.suite.conformance import Exit


def main(arguments: Namespace) -> int:
    """Play the case and judge it."""
    return running.guarded(lambda: _replay(arguments))


def _replay(arguments: Namespace) -> int:
    console = Console(file=sys.stdout, highlight=False, soft_wrap=True)
    case = read_case(Path(arguments.file))
    name = running.subject_name(arguments)
    sys.path.insert(0, "")
    subject = resolve(name)
    try:
        with silenced():
            judgement = judged(subject, case.episode, again=True)
    finally:
        close(subject)
    if judgement.violations:
        show_finding(console, judgement, case, name)
        return Exit.NOT_CONFORMANT
    console.print(Text(printable(transcript(judgement.episode, judgement.record))))
    console.print(_kept(case))
    return Exit.CONFORMANT


def _kept(case: FoundCase) -> str:
    found = f"{', '.join(case.requirements)} in {case.subject.name} {case.subject.version}"
    return f"[bold green]nothing is violated; it was found violating {found}[/]"
