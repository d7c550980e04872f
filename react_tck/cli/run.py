"""`react-tck run SUBJECT`."""

from dataclasses import replace
from json import dumps
from pathlib import Path

import click
from rich.console import Console

from react_tck.cli.arguments import SubjectCommand, find_modules_here, resolved, selection, selection_options
from react_tck.cli.mistakes import write_text
from react_tck.model.report import Report
from react_tck.reports.terminal import Progress, show
from react_tck.suite.exit_status import exit_status
from react_tck.suite.plugin import Listener
from react_tck.suite.registry import load_registry
from react_tck.suite.run import Run
from react_tck.suite.selection import Selection
from react_tck.suite.workers import ParallelRun

_PATH = click.Path(path_type=Path)


@click.command(cls=SubjectCommand)
@selection_options
@click.option(
    "--requirements",
    "revision",
    type=click.IntRange(1, load_registry().revision),
    metavar="N",
    help="hold it against this revision of the requirements (default the newest)",
)
@click.option("--seed", type=int, default=0, metavar="N", help="derive other nonces (default 0)")
@click.option(
    "-n",
    "processes",
    type=click.IntRange(min=1),
    default=1,
    metavar="N",
    help="share the work among N processes (default 1)",
)
@click.option("--transcript", type=_PATH, metavar="DIR", help="keep every episode here, a JSONL file each")
@click.option("--json", type=_PATH, metavar="FILE", help="also write the report as JSON")
def command(
    subject: str,
    profile: str | None,
    tags: str | None,
    title: str | None,
    revision: int | None,
    seed: int,
    processes: int,
    transcript: Path | None,
    json: Path | None,
) -> int:
    """Run the selected scenarios against a subject and report."""
    console = Console(highlight=False, soft_wrap=True)
    chosen = replace(selection(profile, tags, title, subject), requirements=revision)
    report = report_of(subject, chosen, Progress(console), seed, transcript, processes)
    show(report, console)
    if json:
        write(report, json)
    return exit_status(report)


def report_of(
    subject_name: str,
    chosen: Selection,
    listener: Listener,
    seed: int = 0,
    transcripts: Path | None = None,
    processes: int = 1,
) -> Report:
    """The report of a run; the same report, however many processes share the work.

    Raises:
        UnknownSubject: if the name names no subject.
        NothingSelected: if no scenario is selected.
        KitBroken: if the kit fails.
    """
    if processes > 1:
        find_modules_here()
        return ParallelRun(subject_name, chosen, seed, processes, transcripts).report(listener)
    with resolved(subject_name) as subject:
        return Run(subject, subject_name, chosen, seed, transcripts).report(listener)


def write(report: Report, file: Path) -> None:
    """Write the report as JSON: the same report, the same bytes.

    Raises:
        CannotWrite: if the file can't be written.
    """
    # What pydantic writes itself can't hold half a surrogate pair, which a failure may be about.
    write_text(file, f"{dumps(report.model_dump(mode='json'), indent=2, ensure_ascii=False)}\n")
