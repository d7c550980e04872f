"""`react-tck matrix SUBJECT…`: several subjects, one table."""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from react_tck.cli.arguments import complete_subject, find_modules_here
from react_tck.cli.mistakes import after, told
from react_tck.cli.run import report_of, write
from react_tck.files import check, make_folder
from react_tck.files import write as write_text
from react_tck.model.report import Report
from react_tck.reports import comparison
from react_tck.reports.page import page
from react_tck.reports.printing import on_one_line, printable, terminal
from react_tck.reports.standing import by_area
from react_tck.reports.terminal import conclusion
from react_tck.subjects.catalogue import BUILT_IN, LibraryMissing
from react_tck.suite.books import Unheard
from react_tck.suite.exit_status import OF_SIGNALS, exit_status
from react_tck.suite.interruption import Interrupted, interruptible
from react_tck.suite.selection import Selection

PAGE = "index.html"
#: Columns of a table that is rather wrapped by the terminal than cut by us.
_WHOLE = 1000
#: Subjects that run at the same time, and processes for each: more than there are processors, since some subjects
#: sleep before they ask again, as udspy does.
_AT_ONCE, _PROCESSES = 4, 3


@click.command()
@click.argument("subjects", shell_complete=complete_subject, metavar="[SUBJECT]...", nargs=-1)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="write index.html and a report for each subject here",
)
def command(subjects: tuple[str, ...], out: Path | None) -> int:
    """Run several subjects and compare them: all that are built in, if none is named.

    The first one's result is the exit status.
    """
    subjects = subjects or tuple(BUILT_IN)
    console = terminal(width=_WHOLE)
    if out:
        make_folder(out)
        for file in (PAGE, *map(_file_name, subjects)):
            check(out / file)
    with interruptible() as interruption:
        found = _found(subjects, console)
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
    return after(verdict, lambda: _write(out, reports, html, console))


def _found(subjects: Sequence[str], console: Console) -> dict[str, Report | Exception]:
    """What came of each, told as soon as it and those before it are through."""
    found: dict[str, Report | Exception] = {}
    for subject, result in outcomes(subjects, Selection(profile="all")):
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
