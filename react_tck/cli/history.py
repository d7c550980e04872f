"""`react-tck history dspy VERSION…`: one library over its releases, each in an environment of its own."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from react_tck.cli.mistakes import Mistake, told
from react_tck.cli.run import report_of
from react_tck.model.report import Report
from react_tck.reports import comparison
from react_tck.reports.changes import show_changes
from react_tck.reports.printing import printable, terminal
from react_tck.reports.regressions import compare
from react_tck.reports.terminal import Progress
from react_tck.subjects.catalogue import HARNESSES, UnknownSubject, elsewhere
from react_tck.suite.exit_status import Exit, exit_status
from react_tck.suite.interruption import Interrupted
from react_tck.suite.selection import Selection

_VERSION = re.compile(r"\d[\w.+!]*")
#: Characters of an installer's complaint that are shown: it may name every version there ever was.
_SHOWN = 120
#: Written into an environment when it is complete: an interrupted installation is begun anew.
_READY = ".ready"


class ReleaseMissing(Mistake):
    """A release can't be installed here; the message says why."""


def _complete(_: click.Context, __: click.Parameter, incomplete: str) -> list[str]:
    return [library for library in HARNESSES if library.startswith(incomplete)]


@click.command()
@click.argument("library", metavar="LIBRARY", shell_complete=_complete)
@click.argument("versions", metavar="VERSION...", nargs=-1, required=True)
def command(library: str, versions: tuple[str, ...]) -> int:
    """Run the core profile in several releases of a library and show what changed.

    LIBRARY is dspy or udspy; the last VERSION's result is the exit status.
    """
    _check(library, versions)
    console = terminal()
    reports: list[Report] = []
    stopped: Exit | None = None
    try:
        for report in _reports(library, dict.fromkeys(versions), console):
            reports.append(report)
    except (Interrupted, KeyboardInterrupt) as error:
        console.print("\n")
        stopped = told(error if isinstance(error, Interrupted) else click.Abort())
    if reports:
        _show(reports, console)
    complete = len(reports) == len(dict.fromkeys(versions))
    return stopped or (exit_status(reports[-1]) if complete else Exit.USAGE)


def _check(library: str, versions: Iterable[str]) -> None:
    if library not in HARNESSES:
        raise UnknownSubject(f"There is no history of {library!r}, only of {', '.join(HARNESSES)}.")
    for version in versions:
        if not _VERSION.fullmatch(version):
            raise UnknownSubject(f"{version!r} is no version of {library}: write one such as 3.0.4.")


def _reports(library: str, versions: Iterable[str], console: Console) -> Iterator[Report]:
    for version in versions:
        console.print(Text.assemble((f"{library} {version}", "bold"), ": "), end="")
        try:
            python = environment(library, version)
        except ReleaseMissing as error:
            console.print(Text(printable(f"not installed\n{error}\n"), style="red"))
            continue
        report = report_of(elsewhere(library, str(python)), Selection(), Progress(console))
        console.print("\n")
        yield report
        if report.interrupted:
            raise Interrupted(report.interrupted)


def _show(reports: list[Report], console: Console) -> None:
    console.print(comparison.releases(reports))
    console.print()
    console.print(comparison.choices(reports))
    for before, after in pairwise(reports):
        console.print()
        show_changes(compare(before, after), console)


def environment(library: str, version: str) -> Path:
    """The interpreter of an environment with that release, which is built unless an earlier run has.

    Raises:
        ReleaseMissing: if it can't be built.
    """
    running_on = f"py{sys.version_info.major}.{sys.version_info.minor}"
    folder = cache() / "environments" / f"{library}-{version}-{running_on}"
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not (folder / _READY).is_file():
        shutil.rmtree(folder, ignore_errors=True)
        _install(folder, python, f"{library}=={version}")
        (folder / _READY).touch()
    return python


def cache() -> Path:
    """Where environments are kept."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "react-tck"


def _install(folder: Path, python: Path, requirement: str) -> None:
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", requirement]
    for command in ([sys.executable, "-m", "venv", str(folder)], pip):
        made = subprocess.run(command, capture_output=True, text=True, errors="replace")
        if made.returncode:
            shutil.rmtree(folder, ignore_errors=True)
            said = "\n".join(_shortened(line) for line in f"{made.stdout}{made.stderr}".strip().splitlines()[-5:])
            raise ReleaseMissing(
                f"{requirement} can't be installed for Python {sys.version.split()[0]}. If another set of packages "
                f"would do, make an environment by hand and give it to `react-tck run --python`. It was said:\n{said}"
            )


def _shortened(line: str) -> str:
    return line if len(line) <= _SHOWN else f"{line[:_SHOWN]}…"
