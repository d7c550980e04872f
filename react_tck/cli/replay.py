"""`react-tck replay FILE SUBJECT`: a finding again, without Hypothesis."""

import sys
from argparse import Namespace
from pathlib import Path

from rich.console import Console
from rich.text import Text

from react_tck.cli import running
from react_tck.cli.quiet import silenced
from react_tck.fuzz.findings import read_finding
from react_tck.judges.table import violations
from react_tck.model.finding import Finding
from react_tck.play.evidence import gather
from react_tck.record.transcript import transcript
from react_tck.reports.fuzz import show_finding
from react_tck.reports.safe import printable
from react_tck.subjects.catalogue import close, resolve
from react_tck.suite.conformance import Exit


def main(arguments: Namespace) -> int:
    """Play the finding and judge it."""
    return running.guarded(lambda: _replay(arguments))


def _replay(arguments: Namespace) -> int:
    console = Console(file=sys.stdout, highlight=False, soft_wrap=True)
    finding = read_finding(Path(arguments.file))
    name = running.subject_name(arguments)
    sys.path.insert(0, "")
    subject = resolve(name)
    try:
        with silenced():
            evidence = gather(subject, finding.episode, again=True)
    finally:
        close(subject)
    if violated := violations(evidence):
        show_finding(console, finding, evidence, violated, name)
        return Exit.NOT_CONFORMANT
    console.print(Text(printable(transcript(evidence.episode, evidence.record))))
    console.print(_kept(finding))
    return Exit.CONFORMANT


def _kept(finding: Finding) -> str:
    found = f"{', '.join(finding.requirements)} in {finding.subject.name} {finding.subject.version}"
    return f"[bold green]nothing is violated; it was found violating {found}[/]"
