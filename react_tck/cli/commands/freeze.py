"""`react-tck freeze FILE --title TEXT`: a finding becomes a scenario."""

from pathlib import Path

import click

from react_tck.cli.arguments import silence_output
from react_tck.fuzz.findings import freeze_finding, read_finding
from react_tck.model.report import Finding
from react_tck.results.exit_status import Exit
from react_tck.subjects.catalogue import REFERENCES


@click.command()
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE")
@click.option("--title", required=True, metavar="TEXT", help="what the scenario is called")
@click.option("--kills", metavar="MUTANT", help="the mutant it kills (default: those of its requirement that it does)")
def command(file: Path, title: str, kills: str | None) -> int:
    """Add a case that fuzz has kept to the features, as a scenario.

    FILE is case-….json, as fuzz writes it.
    """
    finding = read_finding(file)
    with silence_output():
        path = freeze_finding(finding, title, kills)
    print(f"{finding.name} is the scenario {title!r} in {path.parent.name}/{path.name}")
    print(f"run it: react-tck run {_choose_reference(finding)} --profile {path.parent.name} -k {title!r}")
    return Exit.CONFORMANT


def _choose_reference(finding: Finding) -> str:
    """The class of the reference that can play the scenario: it was found with it, or is about it."""
    system = finding.episode.case.options.system
    about = f"{REFERENCES[0]}-{system}" if system else REFERENCES[0]
    return finding.subject.name if finding.subject.name in REFERENCES else about
