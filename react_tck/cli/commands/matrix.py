"""`react-tck matrix SUBJECT…`: several subjects, one table; of some the report is there already."""

from collections import deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from os import cpu_count
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from react_tck.catalogue.selection import Selection
from react_tck.cli.arguments import complete_subject, find_modules_here, selection, selection_options, tell_installation
from react_tck.cli.commands.run import report_of, write_json_report
from react_tck.cli.earlier_reports import read_comparable_report
from react_tck.cli.mistakes import report_mistake, write_and_conclude
from react_tck.cli.workers import WorkerOptions, gather_results, workers_options
from react_tck.files import check_writable, make_folder
from react_tck.files import write as write_text
from react_tck.gate.compared import compare_reports
from react_tck.model.report import Report
from react_tck.processes.interruption import Interrupted, catch_signals
from react_tck.processes.workers.workers import Beat, make_sendable
from react_tck.reports import comparison
from react_tck.reports.comparison import show_changes
from react_tck.reports.page import render_page
from react_tck.reports.page.markup import PAGE
from react_tck.reports.printing import escape_line, escape_text, terminal
from react_tck.reports.progress import RowCount
from react_tck.reports.verdicts import by_area, conclude_run, conclude_run_in_a_line
from react_tck.results.books import Listener, Unheard
from react_tck.results.exit_status import OF_SIGNALS, Exit, exit_status
from react_tck.subjects.catalogue import BUILT_IN, REFERENCES, LibraryMissing
from react_tck.subjects.config import is_config, keep_config
from react_tck.subjects.releases import install_release

#: What the name of a report's file ends with.
_REPORT = ".json"
#: Columns of a table that is rather wrapped by the terminal than cut by us.
_WHOLE = 1000
#: Subjects that run at the same time unless it is said, and processes for each: more than there are processors, since
#: some subjects sleep before they ask again, as udspy does.
_AT_ONCE, _PROCESSES = 2 * (cpu_count() or 1), 3


@click.command()
@click.argument("subjects", shell_complete=complete_subject, metavar="[SUBJECT | REPORT.json]...", nargs=-1)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="write index.html and a report for each subject here",
)
@selection_options
@workers_options
def command(
    subjects: tuple[str, ...],
    profile: str | None,
    tags: str | None,
    title: str | None,
    out: Path | None,
    worker_options: WorkerOptions,
) -> int:
    """Run several subjects and compare them: all that are built in, if none is named; in all profiles, if none is.

    A REPORT.json is what `run --profile all --json` wrote of a subject, which isn't run again. Of releases, such as
    dspy@3.3.0 and dspy@3.4.1, each gets an environment of its own, which is kept, and what changed from one to the
    next is told. The first one's result is the exit status; where that is one of the reference's own classes, all of
    these that are played must conform.
    """
    chosen = selection(profile or "all", tags, title)
    subjects = subjects or tuple(BUILT_IN)
    decisive = [each for each in subjects if each in REFERENCES] if subjects[0] in REFERENCES else subjects[:1]
    console = terminal(width=_WHOLE)
    kept = {subject: read_comparable_report(Path(subject)) for subject in subjects if subject.endswith(_REPORT)}
    if out:
        make_folder(out)
        for file in (PAGE, *(_file_name(subject) for subject in subjects if subject not in kept)):
            check_writable(out / file)
    places, missing = _install_releases(subject for subject in subjects if subject not in kept)
    # A signal that comes while files are written finds the reports as they are.
    with nullcontext() if worker_options.cluster else catch_signals():
        found, signal = _run_subjects(subjects, places, {**kept, **missing}, chosen, worker_options, console)
        return _tell_results(found, signal, decisive, kept, out, console)


def _install_releases(subjects: Iterable[str]) -> tuple[dict[str, str], dict[str, LibraryMissing]]:
    """Return what each subject is played as, once releases are installed; and why some can't be."""
    places: dict[str, str] = {}
    missing: dict[str, LibraryMissing] = {}
    for subject in subjects:
        try:
            places[subject] = install_release(subject, tell_installation)
            if is_config(subject):
                keep_config(Path(subject))
        except LibraryMissing as error:
            missing[subject] = error
    return places, missing


def _tell_results(
    found: Mapping[str, Report | Exception],
    signal: str,
    decisive: Sequence[str],
    kept: Collection[str],
    out: Path | None,
    console: Console,
) -> Exit:
    """Show and write what came of the subjects; the status of those that decide, or of the signal that came."""
    reports = {subject: result for subject, result in found.items() if isinstance(result, Report)}
    missing = {subject: str(why) for subject, why in found.items() if isinstance(why, LibraryMissing)}
    broken = {subject: _describe_error(why) for subject, why in found.items() if _is_broken(why)}
    if reports:
        _show_matrix(list(reports.values()), missing, broken, console)
    verdict = next(filter(None, (_find_status(found[subject]) for subject in decisive)), Exit.CONFORMANT)
    if signal:
        verdict = OF_SIGNALS[signal]
    if not reports or not out:
        return verdict
    html = render_page(list(reports.values()), missing, broken)
    made = {subject: report for subject, report in reports.items() if subject not in kept}
    return write_and_conclude(verdict, lambda: _write_matrix(out, made, html, console))


def _find_status(result: Report | Exception) -> Exit:
    return report_mistake(result) if isinstance(result, Exception) else exit_status(result)


def _run_subjects(
    subjects: Sequence[str],
    places: Mapping[str, str],
    known: Mapping[str, Report | Exception],
    chosen: Selection,
    worker_options: WorkerOptions,
    console: Console,
) -> tuple[dict[str, Report | Exception], str]:
    """Return what came of each, and the name of the signal that came before all were through."""
    find_modules_here()  # a worker's modules are looked for where ours are
    found: dict[str, Report | Exception] = dict(known)
    untold = deque(subjects)

    def show_finished() -> None:
        """Tell of each as soon as it and those before it are through."""
        while untold and untold[0] in found:
            subject = untold.popleft()
            console.print(Text(f"{escape_line(subject)}: ").append_text(_describe_result(found[subject])))

    def keep_result(name: str, result: Report | Exception) -> None:
        found[name] = result
        show_finished()

    show_finished()
    with worker_options.open_for_runs(list(places.values()), _AT_ONCE) as (workers, there), RowCount() as count:
        processes = worker_options.count_processes(len(places)) or _PROCESSES
        tasks = [WantedSubject(*names, chosen, processes) for names in zip(places, there, strict=True)]
        work = play_subject_afar if worker_options.cluster else partial(play_subject, listener=count)
        ended, signal = gather_results(workers, work, tasks, keep_result, are_here=not worker_options.cluster)
    found |= {subject: ended.get(subject, Interrupted(signal)) for subject in places if subject not in found}
    show_finished()
    return {subject: found[subject] for subject in subjects}, signal


@dataclass(frozen=True)
class WantedSubject:
    """A subject whose report is wanted: its name here, and where it is played."""

    name: str
    there: str
    chosen: Selection
    processes: int


def play_subject(wanted: WantedSubject, _: Beat, listener: Listener) -> tuple[str, Report | Exception]:
    """Its name, and what came of it; the listener hears of its rows."""
    return wanted.name, outcome(wanted.there, wanted.chosen, wanted.processes, listener)


def play_subject_afar(wanted: WantedSubject, beat: Beat) -> tuple[str, Report | Exception]:
    """Return the same, for somebody in another process."""
    name, result = play_subject(wanted, beat, Unheard())
    return name, make_sendable(result) if isinstance(result, Exception) else result


def outcome(subject: str, chosen: Selection, processes: int, listener: Listener) -> Report | Exception:
    """One subject's report, or why there is none: it runs in processes of its own, and leaves the others alone."""
    try:
        return report_of(subject, chosen, listener, processes=processes)
    except Exception as error:
        return error


def _describe_result(result: Report | Exception) -> Text:
    if isinstance(result, Report):
        return Text(
            conclude_run_in_a_line(result),
            style="bold green" if _find_status(result) is Exit.CONFORMANT else "bold red",
        )
    if _is_broken(result):
        return Text("error", style="bold red")
    return Text("not run" if isinstance(result, Interrupted) else "not installed", style="yellow")


def _is_broken(result: Report | Exception) -> bool:
    return isinstance(result, Exception) and not isinstance(result, LibraryMissing | Interrupted)


def _describe_error(error: Report | Exception) -> str:
    return escape_text(f"{type(error).__name__}: {error}")


def _show_matrix(
    reports: list[Report], missing: Mapping[str, str], broken: Mapping[str, str], console: Console
) -> None:
    console.print()
    console.print(comparison.compare_requirements(reports))
    console.print()
    console.print(comparison.compare_choices(reports))
    for found in reports:
        console.print()
        if found.is_whole_profile:
            console.print(by_area(found.requirements))
        console.print(conclude_run(found))
    console.print()
    console.print(comparison.make_matrix(reports, broken))
    for before, after in pairwise(reports):
        if before.subject.name == after.subject.name:
            console.print()
            show_changes(compare_reports(before, after), console)
    for subject, reason in broken.items():
        console.print(Text(f"{subject} could not be run: {reason}", style="bold red"))
    for reason in missing.values():
        console.print(Text(f"not installed: {reason}", style="yellow"))


def _write_matrix(folder: Path, reports: Mapping[str, Report], html: str, console: Console) -> None:
    write_text(folder / PAGE, html)
    for subject, found in reports.items():
        write_json_report(found, folder / _file_name(subject))
    console.print(Text(f"\nThe page is {folder / PAGE}", style="bold"))


def _file_name(subject: str) -> str:
    name = "".join(c if c.isalnum() or c in "-_." else "-" for c in subject)
    return f"{name}.json"
