"""`react-tck matrix SUBJECT…`: several subjects, one table."""

import sys
from argparse import Namespace
from collections.abc import Iterator, Mapping
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

from rich.console import Console
from rich.text import Text

from react_tck.cli import running
from react_tck.model.report import Report
from react_tck.reports import comparison
from react_tck.reports.page import page
from react_tck.reports.tables import by_area
from react_tck.reports.terminal import conclusion
from react_tck.runner.conformance import exit_status
from react_tck.runner.features import FeatureError
from react_tck.runner.plugin import Unheard
from react_tck.runner.processes import pool
from react_tck.runner.registry import RegistryError
from react_tck.runner.run import KitBroken
from react_tck.runner.selection import Selection
from react_tck.subjects.catalogue import BUILT_IN, NotInstalled
from react_tck.subjects.protocol import HarnessBroken

#: Subjects that run at the same time.
_AT_ONCE = 2
PAGE = "index.html"
#: Columns of a table that is rather wrapped by the terminal than cut by us.
_WHOLE = 1000


def main(arguments: Namespace) -> int:
    """Run them all, compare them; the first one's result is the exit status."""
    return running.guarded(lambda: _matrix(arguments.subjects or list(BUILT_IN), arguments.out))


def _matrix(subjects: list[str], out: str | None) -> int:
    console = Console(highlight=False, soft_wrap=True, width=_WHOLE)
    if out:
        _make(Path(out))
    missing: dict[str, str] = {}
    reports = dict(_reports(subjects, Selection(profile="all"), missing, console))
    if subjects[0] in missing:
        raise NotInstalled(missing[subjects[0]])
    _show(list(reports.values()), missing, console)
    if out:
        _write(Path(out), reports, missing)
        console.print(Text(f"\nThe page is {Path(out) / PAGE}", style="bold"))
    return exit_status(reports[subjects[0]])


def _reports(
    subjects: list[str], chosen: Selection, missing: dict[str, str], console: Console
) -> Iterator[tuple[str, Report]]:
    """The reports in the order of the subjects, each in a process of its own; who is `missing` is noted."""
    # A worker's modules are looked for where ours are.
    sys.path.insert(0, "")
    with pool(_AT_ONCE) as workers:
        futures = {subject: workers.submit(report, subject, chosen) for subject in subjects}
        for subject, future in futures.items():
            try:
                found = _result(subject, future)
            except NotInstalled as error:
                missing[subject] = str(error)
                console.print(Text(f"{subject}: not installed", style="yellow"))
                continue
            console.print(Text(f"{subject}: ").append_text(conclusion(found)))
            yield subject, found


def report(subject: str, chosen: Selection) -> Report:
    """One subject's report; runs in a process of its own."""
    try:
        return running.report(subject, chosen, 0, Unheard())
    except (FeatureError, RegistryError) as error:
        # These can't be carried from one process to another.
        raise KitBroken(str(error)) from error


def _result(subject: str, future: Future[Report]) -> Report:
    try:
        return future.result()
    except BrokenProcessPool as error:
        raise HarnessBroken(f"A process ended before its subject was through, perhaps that of {subject}.") from error


def _show(reports: list[Report], missing: Mapping[str, str], console: Console) -> None:
    console.print()
    console.print(comparison.requirements(reports))
    console.print()
    console.print(comparison.choices(reports))
    for found in reports:
        console.print()
        console.print(by_area(found.requirements))
        console.print(conclusion(found))
    console.print()
    console.print(comparison.matrix(reports))
    for reason in missing.values():
        console.print(Text(f"not installed: {reason}", style="yellow"))


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise running.CannotWrite(f"The folder {folder} can't be made: {error.strerror}.") from error


def _write(folder: Path, reports: Mapping[str, Report], missing: Mapping[str, str]) -> None:
    running.write_text(folder / PAGE, page(list(reports.values()), missing))
    for subject, found in reports.items():
        running.write(found, folder / f"{_file_name(subject)}.json")


def _file_name(subject: str) -> str:
    return "".join(c if c.isalnum() or c in "-_." else "-" for c in subject)
