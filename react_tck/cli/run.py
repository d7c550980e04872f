"""`react-tck run SUBJECT`."""

import os
from dataclasses import replace
from datetime import date
from json import dumps
from pathlib import Path

import click

from react_tck.cli.arguments import (
    SubjectCommand,
    find_modules_here,
    gate_rules,
    in_process_option,
    resolved,
    selection,
    selection_options,
)
from react_tck.cli.mistakes import after
from react_tck.files import CannotWrite, check, make_folder
from react_tck.files import write as write_text
from react_tck.gate.baseline import file_of, read
from react_tck.gate.gate import Gate
from react_tck.model.report import Report
from react_tck.reports.gate import show_gate
from react_tck.reports.github import annotations, summary
from react_tck.reports.junit import junit as as_junit
from react_tck.reports.printing import terminal
from react_tck.reports.terminal import Progress, show
from react_tck.suite import guard
from react_tck.suite.books import Listener
from react_tck.suite.registry import load_registry
from react_tck.suite.run import Run
from react_tck.suite.selection import Selection
from react_tck.suite.supervised import SupervisedRun

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
@in_process_option
@click.option("--json", type=_PATH, metavar="FILE", help="also write the report as JSON")
@click.option("--junit", type=_PATH, metavar="FILE", help="also write it as JUnit XML")
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
    junit: Path | None,
    *,
    is_in_process: bool,
) -> int:
    """Run the selected scenarios against a subject and report."""
    for file in filter(None, (json, junit)):
        check(file)
    if transcript:
        make_folder(transcript)
    baseline = file_of(subject)
    accepted = read(baseline)
    console = terminal()
    chosen = replace(selection(profile, tags, title, subject), requirements=revision)
    report = report_of(subject, chosen, Progress(console), seed, transcript, processes, is_in_process=is_in_process)
    gate = Gate(report, accepted.get(report.subject.name), gate_rules(subject), date.today())
    show(gate.gated, console)
    show_gate(gate, baseline, console)
    verdict = after(gate.exit_status, lambda: _check_kept(report))
    if json:
        verdict = after(verdict, lambda: write(gate.gated, json))
    if junit:
        verdict = after(verdict, lambda: write_text(junit, as_junit(gate.gated)))
    if os.environ.get("GITHUB_ACTIONS") == "true":
        verdict = after(verdict, lambda: _tell_github(gate, baseline))
    return verdict


def _tell_github(gate: Gate, baseline: Path) -> None:
    """Annotations on the run, and a summary of the job where GitHub says it is to be.

    Raises:
        CannotWrite: if there is nowhere to write it.
    """
    for annotation in annotations(gate, baseline):
        print(annotation)
    if file := os.environ.get("GITHUB_STEP_SUMMARY"):
        try:
            with Path(file).open("a", encoding="utf-8") as summaries:
                summaries.write(summary(gate, baseline))
        except OSError as error:
            raise CannotWrite(f"The summary of the job can't be written to {file}: {error.strerror}.") from error


def report_of(
    subject_name: str,
    chosen: Selection,
    listener: Listener,
    seed: int = 0,
    transcripts: Path | None = None,
    processes: int = 1,
    *,
    is_in_process: bool = False,
) -> Report:
    """The report of a run; the same report, however many processes share the work, and if none but this one does.

    Raises:
        UnknownSubject: if the name names no subject.
        NothingSelected: if no scenario is selected.
        KitBroken: if the kit fails.
        Interrupted: by a signal, before there is anything to report.
    """
    if is_in_process or not guard.IS_POSSIBLE:
        with resolved(subject_name) as subject:
            return Run(subject, subject_name, chosen, seed, transcripts).report(listener)
    find_modules_here()
    return SupervisedRun(subject_name, chosen, seed, processes, transcripts).report(listener)


def _check_kept(report: Report) -> None:
    """See whether every transcript has been written.

    Raises:
        CannotWrite: if one hasn't.
    """
    if report.unwritten:
        more = f" And {len(report.unwritten) - 1} more." if len(report.unwritten) > 1 else ""
        raise CannotWrite(f"{report.unwritten[0]}{more}")


def write(report: Report, file: Path) -> None:
    """Write the report as JSON: the same report, the same bytes.

    Raises:
        CannotWrite: if the file can't be written.
    """
    # What pydantic writes itself can't hold half a surrogate pair, which a failure may be about.
    write_text(file, f"{dumps(report.model_dump(mode='json'), indent=2, ensure_ascii=False)}\n")
