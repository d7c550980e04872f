"""`react-tck run SUBJECT`: play the selected scenarios against a subject, show the report and write it to files."""

import os
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from datetime import date
from functools import partial
from json import dumps
from pathlib import Path
from time import monotonic
from typing import get_args

import click
from rich.console import Console

from react_tck.catalogue.registry import load_registry
from react_tck.catalogue.sampling import Replay, Vary
from react_tck.catalogue.selection import Selection
from react_tck.cli.arguments import (
    SubjectCommand,
    features_option,
    find_modules_here,
    gate_rules,
    in_process_option,
    open_subject,
    processes_option,
    selection,
    selection_options,
)
from react_tck.cli.mistakes import Mistake, write_and_conclude
from react_tck.cli.streams import print_commands
from react_tck.engine.run import KitBroken, Run
from react_tck.files import CannotWrite, check_writable, make_folder
from react_tck.files import write as write_text
from react_tck.gate.baseline import places_of, read_baseline
from react_tck.gate.flakes import MOST, find_flakes
from react_tck.gate.gate import JUDGED, Gate
from react_tck.model.report import Report
from react_tck.play.left_over import await_lasting_threads
from react_tck.processes import guard
from react_tck.processes.interruption import Interrupted, catch_signals
from react_tck.processes.supervised import SupervisedRun
from react_tck.reports.formats import FORMATS, Writer
from react_tck.reports.formats.alerts import format_annotations
from react_tck.reports.formats.summary import render_summary
from react_tck.reports.printing import terminal
from react_tck.reports.progress import Letters, RowCount
from react_tck.reports.terminal import show_gate, show_report
from react_tck.results.books import Listener
from react_tck.results.exit_status import Exit, exit_status
from react_tck.results.ledger import Results

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
@features_option
@click.option(
    "--vary",
    type=click.Choice(get_args(Vary)),
    default="none",
    help="also play rows that pass under variations: all that fit, or a pairwise sample of them (default none)",
)
@click.option(
    "--replay",
    type=click.Choice(get_args(Replay)),
    default="sample",
    help="play again, to compare the records: a row a requirement, or all (default sample; of a part, all)",
)
@click.option("--seed", type=int, default=0, metavar="N", help="derive other nonces (default 0)")
@processes_option
@click.option("--transcript", type=_PATH, metavar="DIR", help="keep every episode here, a JSONL file each")
@in_process_option
@click.option("-v", "details", count=True, help="also show each failure in full; -vv shows all there is")
@click.option("--json", type=_PATH, metavar="FILE", help="also write the report as JSON")
@click.option(
    "--report",
    "reports",
    multiple=True,
    metavar="FORMAT=FILE",
    help=f"also write it as {', '.join(FORMATS)}; may be given several times",
)
def command(
    subject: str,
    profile: str | None,
    tags: str | None,
    title: str | None,
    revision: int | None,
    features: Path | None,
    vary: Vary,
    replay: Replay,
    seed: int,
    processes: int | None,
    transcript: Path | None,
    details: int,
    json: Path | None,
    reports: tuple[str, ...],
    *,
    is_in_process: bool,
) -> int:
    """Run the selected scenarios against a subject and report."""
    asked = list(map(_parse_report_option, reports))
    files = [*(file for file, _ in asked), *filter(None, [json])]
    for file in files:
        if files.count(file) > 1:
            raise Mistake(f"Several reports would be written to {file}; name a file for each.")
        check_writable(file)
    if transcript:
        make_folder(transcript)
    # What the run is judged by, before the subject can write it.
    places, rules = places_of(subject, os.environ), gate_rules(subject)
    accepted = read_baseline(places.baseline)
    console = terminal()
    chosen = selection(profile, tags, title, subject, features)
    chosen = replace(chosen, requirements=revision, vary=vary, replay=replay)
    # A signal that comes while files are written finds the report as it is.
    with nullcontext() if is_in_process else catch_signals():
        with _open_run(subject, chosen, seed, transcript, processes, is_in_process=is_in_process) as playable:
            began = monotonic()
            with Letters(console) if details else RowCount() as listener:
                report, results = playable.run_with_results(listener)
            seconds = monotonic() - began
            gate = Gate(report, accepted.get(report.subject.name), rules, date.today(), places)
            gate = _sift_flakes(gate, playable, results, console)
        show_report(gate.gated_report, console, subject, details, seconds, results.seconds)
        show_gate(gate, console)
        return _write_reports(gate, report, json, asked)


def _write_reports(gate: Gate, report: Report, json: Path | None, asked: Iterable[tuple[Path, Writer]]) -> int:
    """Write what is asked for; the status of the gate, unless all is well but something can't be written."""
    verdict = write_and_conclude(gate.exit_status, lambda: _check_transcripts(report))
    if json:
        # Who reads it later wants to know what explains the failures that are expected, too.
        whole = gate.gated_report.model_copy(update={"causes": report.causes})
        verdict = write_and_conclude(verdict, lambda: write_json_report(whole, json))
    for file, as_text in asked:
        verdict = write_and_conclude(verdict, partial(_write_format, gate, file, as_text))
    if os.environ.get("GITHUB_ACTIONS") == "true":
        verdict = write_and_conclude(verdict, lambda: _tell_github(gate))
    return verdict


def _parse_report_option(word: str) -> tuple[Path, Writer]:
    """Return what `FORMAT=FILE` asks for.

    Raises:
        Mistake: if there is no such format, or no file.
    """
    name, _, file = word.partition("=")
    if name not in FORMATS:
        raise Mistake(f"--report {word}: there is no format {name!r}; there are {', '.join(FORMATS)}. JSON is --json.")
    if not file:
        raise Mistake(f"--report {word}: write FORMAT=FILE, such as {name}=FILE; the formats are {', '.join(FORMATS)}.")
    for ending, writer in FORMATS[name].items():
        if file.endswith(ending):
            return Path(file), writer
    raise Mistake(f"--report {word}: the file of a {name} ends in {' or '.join(FORMATS[name])}.")


def _write_format(gate: Gate, file: Path, as_text: Writer) -> None:
    write_text(file, as_text(gate))


def _tell_github(gate: Gate) -> None:
    """Annotations on the run, and a summary of the job where GitHub says it is to be.

    Raises:
        CannotWrite: if there is nowhere to write it.
    """
    print_commands(format_annotations(gate))
    if file := os.environ.get("GITHUB_STEP_SUMMARY"):
        try:
            with Path(file).open("a", encoding="utf-8") as summaries:
                summaries.write(render_summary(gate))
        except OSError as error:
            raise CannotWrite(f"The summary of the job can't be written to {file}: {error.strerror}.") from error


def report_of(
    subject_name: str,
    chosen: Selection,
    listener: Listener,
    processes: int | None = None,
    *,
    is_in_process: bool = False,
    replays: bool = True,
) -> Report:
    """Return the report of a run; the same report, however many processes share the work, and if none but this one
    does.

    Raises:
        UnknownSubject: if the name names no subject.
        NothingSelected: if no scenario is selected.
        KitBroken: if the kit fails, in one row or in all.
        Interrupted: by a signal, before there is anything to report.
    """
    with _open_run(subject_name, chosen, 0, None, processes, is_in_process=is_in_process, replays=replays) as playable:
        report = playable.run_with_results(listener)[0]
    if report.kit_errors:
        raise KitBroken("\n".join(report.kit_errors))
    return report


@contextmanager
def _open_run(
    subject_name: str,
    chosen: Selection,
    seed: int,
    transcripts: Path | None,
    processes: int | None,
    *,
    is_in_process: bool,
    replays: bool = True,
) -> Iterator[Run | SupervisedRun]:
    """Yield the run, in this process or in others."""
    if is_in_process or not guard.IS_POSSIBLE:
        known_threads = frozenset(threading.enumerate())
        with open_subject(subject_name) as subject:
            left = await_lasting_threads(known_threads)
            yield Run(subject, subject_name, chosen, seed, transcripts, replays, left_at_start=left)
    else:
        find_modules_here()
        yield SupervisedRun(subject_name, chosen, seed, processes, transcripts, replays)


def _sift_flakes(gate: Gate, playable: Run | SupervisedRun, first: Results, console: Console) -> Gate:
    """Return the gate once what failed, or passed, unexpectedly has been played again, if that may be a flake."""
    surprises = gate.unexpected_results
    passes = gate.listed_passes if len(surprises) + len(gate.listed_passes) <= MOST else ()
    rows = dict.fromkeys(result.title for _, result in (*surprises, *passes))
    if not rows or not gate.is_in_force or exit_status(gate.report) not in (*JUDGED, Exit.HARNESS_BROKEN):
        return gate
    if len(rows) > MOST:
        console.print(f"unexpected failures: {len(rows)}, too many to be flaky; none is played again")
        return gate
    what = "failures and passes" if passes else "failures"
    console.print(f"unexpected {what} that are played again, each alone: {len(rows)}")
    try:
        found = tuple(find_flakes((*surprises, *passes), first, playable.play_again(rows)))
        return replace(gate, report=gate.report.model_copy(update={"flakes": found}))
    except Interrupted as error:
        return replace(gate, report=gate.report.model_copy(update={"interrupted": error.name}))


def _check_transcripts(report: Report) -> None:
    """See whether every transcript has been written.

    Raises:
        CannotWrite: if one hasn't.
    """
    if report.unwritten:
        more = f" And {len(report.unwritten) - 1} more." if len(report.unwritten) > 1 else ""
        raise CannotWrite(f"{report.unwritten[0]}{more}")


def write_json_report(report: Report, file: Path) -> None:
    """Write the report as JSON: the same report, the same bytes.

    Raises:
        CannotWrite: if the file can't be written.
    """
    # What pydantic writes itself can't hold half a surrogate pair, which a failure may be about.
    write_text(file, f"{dumps(report.model_dump(mode='json'), indent=2, ensure_ascii=False)}\n")
