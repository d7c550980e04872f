"""`react-tck history LIBRARY VERSION…`: one library over its releases, each installed by itself."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from io import StringIO
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from react_tck.cli.arguments import selection
from react_tck.cli.commands.run import report_of
from react_tck.cli.mistakes import Mistake, report_mistake, write_and_conclude
from react_tck.cli.workers import WorkerOptions, gather_results, workers_options
from react_tck.files import CannotWrite, make_folder, write
from react_tck.files import check_writable as check_file
from react_tck.model.report import Report
from react_tck.processes.interruption import Interrupted, find_interrupt
from react_tck.processes.workers.isolation import make_sendable
from react_tck.processes.workers.workers import Beat
from react_tck.reports import comparison
from react_tck.reports.asked import make_table_of_asked
from react_tck.reports.changes import show_changes
from react_tck.reports.history import History, Untested
from react_tck.reports.page.document import PAGE
from react_tck.reports.page.releases import releases_page
from react_tck.reports.printing import escape_text, terminal
from react_tck.reports.terminal import Progress
from react_tck.results.exit_status import Exit, exit_status
from react_tck.subjects.api import HarnessBroken
from react_tck.subjects.config import FILE
from react_tck.subjects.releases import LIBRARIES, ReleaseMissing, check_releases, is_port, plan_release


def _complete_library(_: click.Context, __: click.Parameter, incomplete: str) -> list[str]:
    return [library for library in (*LIBRARIES, "npm:", "go:") if library.startswith(incomplete)]


@click.command()
@click.argument("library", metavar="LIBRARY", shell_complete=_complete_library)
@click.argument("versions", metavar="VERSION...", nargs=-1, required=True)
@click.option("--profile", metavar="P", help="core (default), another profile, or all; of a port, its own")
@click.option("--python", type=click.Path(), metavar="FILE", help="of a Python library: the interpreter it is run by")
@click.option(
    "--initialize-timeout",
    type=click.FloatRange(min=0, min_open=True),
    metavar="SECONDS",
    help="of a Python library: how long a release may take to start (default 60)",
)
@click.option("--json", "file", type=click.Path(path_type=Path), metavar="FILE", help="also write it all as JSON")
@click.option("--out", type=click.Path(path_type=Path), metavar="DIR", help="write a page, index.html, here")
@workers_options
def command(
    library: str,
    versions: tuple[str, ...],
    profile: str | None,
    python: str | None,
    initialize_timeout: float | None,
    file: Path | None,
    out: Path | None,
    worker_options: WorkerOptions,
) -> int:
    """Run several releases of a library and show what changed.

    LIBRARY is dspy, udspy or dspy-react-machina; or, in the folder of a port with its react-tck.toml, npm:PACKAGE or
    go:MODULE. Each release is installed by itself and kept in the user's cache; the port is copied there. One that
    can't be installed or doesn't start is not tested, and the others are; the files are written after each. The last
    VERSION's result is the exit status: 2 if it can't be installed, 3 if it doesn't start.
    """
    versions = tuple(dict.fromkeys(versions))
    if worker_options.is_far and is_port(library):
        raise Mistake(f"{library} is played in copies of the port in this folder: give -n N or --cluster local:N.")
    check_releases(library, versions, python)
    if is_port(library) and initialize_timeout:
        raise Mistake(f"{library} is a port's: write `initialize` under [timeouts] in its {FILE}.")
    if out:
        make_folder(out)
        check_file(out / PAGE)
    if file:
        check_file(file)
    selection(profile, None, None)
    console = terminal()
    wanted = [
        WantedRelease(
            library, version, profile, python, initialize_timeout, worker_options.count_processes(len(versions))
        )
        for version in versions
    ]
    kept = _KeptReleases(library, file, out)
    stopped = (
        _run_shared(wanted, worker_options, console, kept) if worker_options else _run_in_turn(wanted, console, kept)
    )
    if kept.history.reports:
        _show_history(kept.history, console)
    verdict = stopped or kept.find_status(versions[-1])
    return write_and_conclude(verdict, kept.write_files)


@dataclass(frozen=True)
class WantedRelease:
    """A release whose report is wanted."""

    library: str
    version: str
    profile: str | None
    python: str | None
    #: Seconds that it may take to start; None for as many as any harness.
    initialize_timeout: float | None
    #: That share its scenarios; None for as many as are useful.
    processes: int | None

    @property
    def name(self) -> str:
        """The library and its version, such as `dspy 3.0.4`."""
        return f"{self.library} {self.version}"


@dataclass(frozen=True)
class Came:
    """What came of a release: what is told of it, and its report; or why there is none, or what nobody foresaw."""

    told: str
    report: Report | None = None
    untested: str = ""
    status: Exit = Exit.CONFORMANT
    error: Exception | None = None


@dataclass
class _KeptReleases:
    """The releases that have come, and the files that are written after each."""

    library: str
    file: Path | None
    out: Path | None
    came: dict[str, Came] = field(default_factory=dict)

    @property
    def history(self) -> History:
        """What has come so far."""
        found = {version: each.report or Untested(each.untested) for version, each in self.came.items()}
        return History(self.library, found)

    def add_release(self, version: str, came: Came) -> None:
        """Keep what came, and write it; a file that can't be written is told at the end."""
        if came.error:
            raise came.error
        self.came[version] = came
        with suppress(CannotWrite):
            self.write_files()

    def find_status(self, version: str) -> Exit:
        """The status that a release's result is."""
        came = self.came[version]
        return exit_status(came.report) if came.report else came.status

    def write_files(self) -> None:
        """Write what has come as JSON and as a page, where that is wanted.

        Raises:
            CannotWrite: if a file can't be written.
        """
        history = self.history
        if self.out and history.releases:
            write(self.out / PAGE, releases_page(history))
        if self.file:
            write(self.file, history.render_json())


def _run_in_turn(wanted: Sequence[WantedRelease], console: Console, kept: _KeptReleases) -> Exit | None:
    """Have each tested while somebody watches; the status if a signal came."""
    try:
        for each in wanted:
            console.print(Text.assemble((each.name, "bold"), ": "), end="")
            came = _test_release(each, console)
            kept.add_release(each.version, came)
            if came.report and came.report.interrupted:
                raise Interrupted(came.report.interrupted)
    except (Interrupted, KeyboardInterrupt) as error:
        console.print("\n")
        return report_mistake(find_interrupt(error))
    return None


def _run_shared(
    wanted: Sequence[WantedRelease], worker_options: WorkerOptions, console: Console, kept: _KeptReleases
) -> Exit | None:
    """The same by several workers: what is told of a release is told at once."""
    versions = {each.name: each.version for each in wanted}

    def show_release(name: str, came: Came) -> None:
        console.print(Text.assemble((name, "bold"), ": "), end="")
        console.print(Text(came.told), end="")
        kept.add_release(versions[name], came)

    with worker_options.open_for_runs((), at_once=1) as (workers, _):
        found, signal = gather_results(workers, play_release, wanted, show_release, are_here=not worker_options.cluster)
    # Behind a signal, what came out of its turn wasn't shown.
    for name, came in found.items():
        kept.came.setdefault(versions[name], came)
    return report_mistake(Interrupted(signal)) if signal else None


def play_release(wanted: WantedRelease, _: Beat) -> tuple[str, Came]:
    """What comes of it, by its name."""
    said = StringIO()
    try:
        came = _test_release(wanted, terminal(said))
    except Exception as error:
        return wanted.name, Came(said.getvalue(), error=make_sendable(error))
    return wanted.name, replace(came, told=said.getvalue())


def _test_release(wanted: WantedRelease, console: Console) -> Came:
    """What comes of the release; why it isn't tested is told."""
    try:
        return Came("", _report_release(wanted, console))
    except ReleaseMissing as error:
        why, status = str(error), Exit.USAGE
    except HarnessBroken as error:
        why, status = f"It doesn't start: {error}", Exit.HARNESS_BROKEN
    console.print(Text(escape_text(f"not tested, because:\n{why}\n"), style="red"))
    return Came("", untested=why, status=status)


def _report_release(wanted: WantedRelease, console: Console) -> Report:
    """The release's report.

    Raises:
        ReleaseMissing: if it can't be installed.
        HarnessBroken: if it doesn't start.
    """
    made = plan_release(wanted.library, wanted.version, wanted.python, wanted.initialize_timeout)
    if made.is_ready:
        console.print(Text(escape_text(f"installed in {made.folder}")))
    else:
        console.print(Text(escape_text(f"installing {made.installs} into {made.folder}")))
        made.make()
    made.write_config()
    made.check_import()
    chosen = selection(wanted.profile, None, None, made.subject)
    report = report_of(made.subject, chosen, Progress(console), processes=wanted.processes)
    console.print("\n")
    return report


def _show_history(history: History, console: Console) -> None:
    console.print(comparison.compare_releases(history.releases))
    for version, why in history.untested.items():
        console.print(Text(escape_text(f"{version} is not tested, because: {why}"), style="red"))
    console.print()
    if history.asked_less:
        console.print(make_table_of_asked(history.asked_less))
    else:
        console.print(Text("Each release was asked all that the last one was."))
    console.print()
    console.print(comparison.compare_choices(list(history.reports.values())))
    for changes in history.comparisons:
        console.print()
        show_changes(changes, console)
