"""`react-tck replay FILE SUBJECT`: a finding again, without Hypothesis."""

import sys
from pathlib import Path

import click
from rich.text import Text

from react_tck.catalogue.manifests import manifest_of
from react_tck.cli.arguments import SubjectCommand, open_subject, silence_output
from react_tck.fuzz.findings import read_finding
from react_tck.fuzz.shards import describe_violations
from react_tck.judges.table import collect_violations
from react_tck.model.report import Finding
from react_tck.play.again import play_and_compare
from react_tck.record.transcript import write_transcript
from react_tck.reports.fuzz import show_finding
from react_tck.reports.printing import escape_line, escape_text, terminal
from react_tck.results.exit_status import Exit


@click.command(cls=SubjectCommand)
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE")
def command(file: Path, subject: str) -> int:
    """Play a case that fuzz has kept, without Hypothesis, and judge it.

    FILE is case-….json, as fuzz writes it.
    """
    console = terminal(sys.stdout)
    finding = read_finding(file)
    with open_subject(subject) as replayed, silence_output():
        manifest_of(replayed)
        evidence = play_and_compare(replayed, finding.episode, again=True)
    if violated := collect_violations(evidence):
        shown = evidence.episode, evidence.record
        show_finding(console, finding, shown, describe_violations(evidence, violated), subject)
        return Exit.NOT_CONFORMANT
    console.print(Text(escape_text(write_transcript(evidence.episode, evidence.record))))
    console.print(_describe_finding(finding), style="bold green")
    return Exit.CONFORMANT


def _describe_finding(finding: Finding) -> str:
    who = escape_line(f"{finding.subject.name} {finding.subject.version}")
    found = f"found violating {', '.join(finding.requirements)}" if finding.requirements else "kept without a violation"
    return f"nothing is violated; it was {found} in {who}"
