"""`react-tck matrix SUBJECT…`: several subjects, one table; of some the report is there already."""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from os import cpu_count
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from react_tck.cli.arguments import complete_subject, find_modules_here
from react_tck.cli.earlier_reports import read_report
from react_tck.cli.mistakes import Mistake, after, told
from react_tck.cli.run import report_of, write
from react_tck.files import check, make_folder
from react_tck.files import write as write_text
from react_tck.model.report import Report
from react_tck.reports import comparison
from react_tck.reports.page import page
from react_tck.reports.page.document import PAGE
from react_tck.reports.printing import on_one_line, printable, terminal
from react_tck.reports.standing import by_area
from react_tck.reports.terminal import conclusion
from react_tck.subjects.catalogue import BUILT_IN, LibraryMissing
from react_tck.suite.books import Unheard
from react_tck.suite.exit_status import OF_SIGNALS, exit_status
from react_tck.suite.interruption import Interrupted, interruptible
from react_tck.suite.registry import load_registry
from react_tck.suite.selection import Selection

#: What the name of a report's file ends with, and what writes one.
_REPORT, _WRITTEN = ".json", "`react-tck run --profile all --json FILE`"
#: Columns of a table that is rather wrapped by the terminal than cut by us.
_WHOLE = 1000
#: Subjects that run at the same time, and processes for each: more than there are processors, since some subjects
#: sleep before they ask again, as udspy does.
_AT_ONCE, _PROCESSES = 2 * (cpu_count() or 1), 3


@click.command()
@click.argument("subjects", shell_complete=complete_subject, metavar="[SUBJECT | REPORT.json]...", nargs=-1)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="write index.html and a report for each subject here",
)
def command(subjects: tuple[str, ...], out: Path | None) -> int:
    """Run several subjects and compare them: all that are built in, if none is named.

    A REPORT.json is what `run --profile all --json` wrote of a subject, which isn't run again. The first one's result
    is the exit status.
    """
    subjects = subjects or tuple(BUILT_IN)
    console = terminal(width=_WHOLE)
    kept = {subject: _kept(Path(subject)) for subject in subjects if subject.endswith(_REPORT)}
    if out:
        make_folder(out)
        for file in (PAGE, *(_file_name(subject) for subject in subjects if subject not in kept)):
            check(out / file)
    with interruptible() as interruption:
        found = _found(subjects, kept, console)
    reports = {subject: result for subject, result in found.items() if isinstance(result, Report)}
    missing = {subject: str(why) for subject, why in found.items() if isinstance(why, LibraryMissing)}
    broken = {subject: _why(why) for subject, why in found.items() if _is_broken(why)}
    if reports:
        _show(list(reports.values()), missing, broken, console)
    first = found[subjects[0]]
    verdict = told(first) if isinstance(first, Exception) else exit_status(first)
    if interruption:
        verdict = OF_SIGNALS[interruption.name]
    if not reports or not out:
        return verdict
    html = page(list(reports.values()), missing, broken)
    made = {subject: report for subject, report in reports.items() if subject not in kept}
    return after(verdict, lambda: _write(out, made, html, console))


def _kept(file: Path) -> Report:
    """The report in a file.

    Raises:
        Mistake: if there is none in it, or one of other requirements than those of this kit.
    """
    report = read_report(file)
    if [each.id for each in report.requirements] != list(load_registry().by_id):
        raise Mistake(f"{file} is a report of other requirements than those of this kit; {_WRITTEN} writes it anew.")
    return report


def _found(subjects: Sequence[str], kept: Mapping[str, Report], console: Console) -> dict[str, Report | Exception]:
    """What came of each, told as soon as it and those before it are through."""
    found: dict[str, Report | Exception] = {}
    played = outcomes([subject for subject in subjects if subject not in kept], Selection(profile="all"))
    for subject in subjects:
        result = kept[subject] if subject in kept else next(played)[1]
        found[subject] = result
        console.print(Text(f"{on_one_line(subject)}: ").append_text(_in_a_line(result)))
    return found


def outcomes(subjects: Sequence[str], chosen: Selection) -> Iterator[tuple[str, Report | Exception]]:
    """Each subject's report, or why there is none, in the order of the subjects.

    Each runs in processes of its own: one that breaks leaves the others alone.
    """
    find_modules_here()  # a worker's modules are looked for where ours are
    threads = ThreadPoolExecutor(_AT_ONCE)
    try:
        yield from zip(subjects, threads.map(lambda subject: outcome(subject, chosen), subjects), strict=True)
    finally:
        threads.shutdown(cancel_futures=True)


def outcome(subject: str, chosen: Selection) -> Report | Exception:
    """One subject's report, or why there is none."""
    try:
        return report_of(subject, chosen, Unheard(), processes=_PROCESSES)
    except Exception as error:
        return error


def _in_a_line(result: Report | Exception) -> Text:
    if isinstance(result, Report):
        return conclusion(result)
    words = {LibraryMissing: ("not installed", "yellow"), Interrupted: ("not run", "yellow")}
    return Text(*words.get(type(result), ("error", "bold red")))


def _is_broken(result: Report | Exception) -> bool:
    return isinstance(result, Exception) and not isinstance(result, LibraryMissing | Interrupted)


def _why(error: Report | Exception) -> str:
    return printable(f"{type(error).__name__}: {error}")


def _show(reports: list[Report], missing: Mapping[str, str], broken: Mapping[str, str], console: Console) -> None:
    console.print()
    console.print(comparison.requirements(reports))
    console.print()
    console.print(comparison.choices(reports))
    for found in reports:
        console.print()
        console.print(by_area(found.requirements))
        console.print(conclusion(found))
    console.print()
    console.print(comparison.matrix(reports, broken))
    for subject, reason in broken.items():
        console.print(Text(f"{subject} could not be run: {reason}", style="bold red"))
    for reason in missing.values():
        console.print(Text(f"not installed: {reason}", style="yellow"))


def _write(folder: Path, reports: Mapping[str, Report], html: str, console: Console) -> None:
    write_text(folder / PAGE, html)
    for subject, found in reports.items():
        write(found, folder / _file_name(subject))
    console.print(Text(f"\nThe page is {folder / PAGE}", style="bold"))


def _file_name(subject: str) -> str:
    name = "".join(c if c.isalnum() or c in "-_." else "-" for c in subject)
    return f"{name}.json"
