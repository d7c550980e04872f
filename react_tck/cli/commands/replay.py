"""`react-tck replay FILE SUBJECT`: a finding again, without Hypothesis; or kept for good, as a scenario."""

import shlex
import sys
from pathlib import Path
from typing import Any

import click
from rich.text import Text

from react_tck.catalogue.manifests import manifest_of
from react_tck.cli.arguments import SubjectCommand, open_subject, silence_output
from react_tck.engine.judging import examine_episode
from react_tck.fuzz.findings import freeze_finding, read_finding
from react_tck.fuzz.shards import describe_violations
from react_tck.model.report import Finding
from react_tck.record.transcript import write_transcript
from react_tck.reports.fuzz import show_finding
from react_tck.reports.printing import escape_line, escape_text, print_text, terminal
from react_tck.results.exit_status import Exit
from react_tck.subjects.catalogue import REFERENCES


class _ReplayCommand(SubjectCommand):
    """A command that needs a subject unless it makes a scenario."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the callback with the subject's name, empty where nobody plays."""
        said = ctx.params
        title, kills = said.pop("title"), said.pop("kills")
        if title is None and kills:
            ctx.fail("--kills names a mutant that a new scenario kills; give --freeze TITLE too.")
        if title is None:
            return super().invoke(ctx)
        if said["subject"] or said["harness"] or said["python"]:
            ctx.fail("--freeze makes a scenario of the case and plays it with nobody; give no subject.")
        return _freeze_case(said["file"], title, kills)


@click.command(cls=_ReplayCommand)
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE")
@click.option("--freeze", "title", metavar="TITLE", help="add the case to the features, as a scenario of this title")
@click.option("--kills", metavar="MUTANT", help="with --freeze: the mutant it kills (default: its requirement's)")
def command(file: Path, subject: str) -> int:
    """Play a case that fuzz has kept, without Hypothesis, and judge it.

    FILE is case-….json, as fuzz writes it.
    """
    console = terminal(sys.stdout)
    finding = read_finding(file)
    with open_subject(subject) as replayed, silence_output():
        manifest_of(replayed)
        evidence, violated = examine_episode(replayed, finding.episode, again=True)
    if violated:
        shown = evidence.episode, evidence.record
        show_finding(console, finding, shown, describe_violations(evidence, violated), subject, file)
        return Exit.NOT_CONFORMANT
    console.print(Text(escape_text(write_transcript(evidence.episode, evidence.record))))
    console.print(_describe_finding(finding), style="bold green")
    return Exit.CONFORMANT


def _freeze_case(file: Path, title: str, kills: str | None) -> int:
    finding = read_finding(file)
    with silence_output():
        path = freeze_finding(finding, title, kills)
    print_text(f"{finding.name} is the scenario {title!r} in {path.parent.name}/{path.name}")
    words = ["react-tck", "run", _choose_reference(finding), "--profile", path.parent.name, "-k", title]
    print_text(f"run it: {shlex.join(words)}")
    return Exit.CONFORMANT


def _choose_reference(finding: Finding) -> str:
    """Return the class of the reference that can play the scenario: it was found with it, or is about it."""
    system = finding.episode.case.options.system
    about = f"{REFERENCES[0]}-{system}" if system else REFERENCES[0]
    return finding.subject.name if finding.subject.name in REFERENCES else about


def _describe_finding(finding: Finding) -> str:
    who = escape_line(f"{finding.subject.name} {finding.subject.version}")
    found = f"found violating {', '.join(finding.requirements)}" if finding.requirements else "kept without a violation"
    return f"nothing is violated; it was {found} in {who}"
