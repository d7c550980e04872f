"""`react-tck history LIBRARY VERSION…`: one library over its releases, each installed by itself."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from itertools import pairwise
from json import dumps
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from react_tck.cli.arguments import selection
from react_tck.cli.commands.run import report_of
from react_tck.cli.mistakes import Mistake, report_mistake, write_and_conclude
from react_tck.cli.workers import WorkerOptions, gather_results, workers_options
from react_tck.files import check_writable as check_file
from react_tck.files import make_folder, write
from react_tck.model.report import Report
from react_tck.processes.interruption import Interrupted
from react_tck.processes.workers.isolation import make_sendable
from react_tck.processes.workers.workers import Beat
from react_tck.reports import comparison
from react_tck.reports.changes import show_changes
from react_tck.reports.page.document import PAGE
from react_tck.reports.page.releases import releases_page
from react_tck.reports.printing import escape_text, terminal
from react_tck.reports.regressions import Comparison, compare_reports
from react_tck.reports.terminal import Progress
from react_tck.results.exit_status import Exit, exit_status
from react_tck.subjects.releases import LIBRARIES, ReleaseMissing, check_releases, is_port, plan_release


def _complete_library(_: click.Context, __: click.Parameter, incomplete: str) -> list[str]:
    return [library for library in (*LIBRARIES, "npm:", "go:") if library.startswith(incomplete)]


@click.command()
@click.argument("library", metavar="LIBRARY", shell_complete=_complete_library)
@click.argument("versions", metavar="VERSION...", nargs=-1, required=True)
@click.option("--profile", metavar="P", help="core (default), another profile, or all; of a port, its own")
@click.option("--python", type=click.Path(), metavar="FILE", help="of a Python library: the interpreter it is run by")
@click.option("--json", "file", type=click.Path(path_type=Path), metavar="FILE", help="also write it all as JSON")
@click.option("--out", type=click.Path(path_type=Path), metavar="DIR", help="write a page, index.html, here")
@workers_options
def command(
    library: str,
    versions: tuple[str, ...],
    profile: str | None,
    python: str | None,
    file: Path | None,
    out: Path | None,
    worker_options: WorkerOptions,
) -> int:
    """Run several releases of a library and show what changed.

    LIBRARY is dspy, udspy or dspy-react-machina; or, in the folder of a port with its react-tck.toml, npm:PACKAGE or
    go:MODULE. Each release is installed by itself and kept in the user's cache; the port is copied there. The last
    VERSION's result is the exit status.
    """
    versions = tuple(dict.fromkeys(versions))
    if worker_options.is_far and is_port(library):
        raise Mistake(f"{library} is played in copies of the port in this folder: give -n N or --cluster local:N.")
    check_releases(library, versions, python)
    if out:
        make_folder(out)
        check_file(out / PAGE)
    if file:
        check_file(file)
    selection(profile, None, None)
    console = terminal()
    wanted = [
        WantedRelease(library, version, profile, python, worker_options.count_processes(len(versions)) or 1)
        for version in versions
    ]
    reports, stopped = _run_shared(wanted, worker_options, console) if worker_options else _run_in_turn(wanted, console)
    comparisons = [compare_reports(before, after) for before, after in pairwise(reports.values())]
    if reports:
        _show_history(reports, comparisons, console)
    verdict = stopped or (exit_status(reports[versions[-1]]) if len(reports) == len(versions) else Exit.USAGE)
    return (
        write_and_conclude(verdict, lambda: _write_history(library, reports, comparisons, file, out))
        if file or out
        else verdict
    )


@dataclass(frozen=True)
class WantedRelease:
    """A release whose report is wanted."""

    library: str
    version: str
    profile: str | None
    python: str | None
    #: That share its scenarios.
    processes: int

    @property
    def name(self) -> str:
        """The library and its version, such as `dspy 3.0.4`."""
        return f"{self.library} {self.version}"


def _run_in_turn(wanted: Sequence[WantedRelease], console: Console) -> tuple[dict[str, Report], Exit | None]:
    """The reports by version, while somebody watches; and the status if a signal came."""
    reports: dict[str, Report] = {}
    try:
        for each in wanted:
            console.print(Text.assemble((each.name, "bold"), ": "), end="")
            if report := _report_release(each, console):
                reports[each.version] = report
                if report.interrupted:
                    raise Interrupted(report.interrupted)
    except (Interrupted, KeyboardInterrupt) as error:
        console.print("\n")
        return reports, report_mistake(error if isinstance(error, Interrupted) else click.Abort())
    return reports, None


def _run_shared(
    wanted: Sequence[WantedRelease], worker_options: WorkerOptions, console: Console
) -> tuple[dict[str, Report], Exit | None]:
    """The same by several workers: what is told of a release is told at once."""

    def show_release(name: str, came: Came) -> None:
        console.print(Text.assemble((name, "bold"), ": "), end="")
        console.print(Text(came.told), end="")

    with worker_options.open_for_runs((), at_once=1) as (workers, _):
        found, signal = gather_results(workers, play_release, wanted, show_release, are_here=not worker_options.cluster)
    came = {each.version: found[each.name] for each in wanted if each.name in found}
    for each in came.values():
        if each.error:
            raise each.error
    reports = {version: each.report for version, each in came.items() if each.report}
    return reports, report_mistake(Interrupted(signal)) if signal else None


@dataclass(frozen=True)
class Came:
    """What came of a release: what is told of it, and its report; or what went wrong."""

    told: str
    report: Report | None = None
    error: Exception | None = None


def play_release(wanted: WantedRelease, _: Beat) -> tuple[str, Came]:
    """What comes of it, by its name."""
    said = StringIO()
    try:
        report = _report_release(wanted, terminal(said))
    except Exception as error:
        return wanted.name, Came(said.getvalue(), error=make_sendable(error))
    return wanted.name, Came(said.getvalue(), report)


def _report_release(wanted: WantedRelease, console: Console) -> Report | None:
    """The release's report; None if it can't be installed, which is told."""
    try:
        made = plan_release(wanted.library, wanted.version, wanted.python)
        if made.is_ready:
            console.print(Text(escape_text(f"installed in {made.folder}")))
        else:
            console.print(Text(escape_text(f"installing {made.installs} into {made.folder}")))
            made.make()
        made.check_import()
    except ReleaseMissing as error:
        console.print(Text(escape_text(f"not tested\n{error}\n"), style="red"))
        return None
    chosen = selection(wanted.profile, None, None, made.subject)
    report = report_of(made.subject, chosen, Progress(console), processes=wanted.processes)
    console.print("\n")
    return report


def _show_history(reports: Mapping[str, Report], comparisons: list[Comparison], console: Console) -> None:
    console.print(comparison.compare_releases(reports))
    console.print()
    console.print(comparison.compare_choices(list(reports.values())))
    for changes in comparisons:
        console.print()
        show_changes(changes, console)


def _write_history(
    library: str,
    reports: Mapping[str, Report],
    comparisons: list[Comparison],
    file: Path | None,
    out: Path | None,
) -> None:
    """Write the reports by version, and what changed between neighbours: as JSON, as a page.

    Raises:
        CannotWrite: if a file can't be written.
    """
    if out and reports:
        write(out / PAGE, releases_page(library, reports, comparisons))
    if file:
        found = {
            "library": library,
            "reports": {version: report.model_dump(mode="json") for version, report in reports.items()},
            "comparisons": [changes.model_dump(mode="json") for changes in comparisons],
        }
        write(file, f"{dumps(found, indent=2, ensure_ascii=False)}\n")
