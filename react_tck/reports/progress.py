"""How far runs are, while they go on: one line on a terminal, elsewhere a line every ten seconds."""

import sys
from collections.abc import Callable
from threading import Lock
from time import monotonic

from rich.console import Console
from rich.text import Text

from react_tck.catalogue.features import ScenarioInfo
from react_tck.model.report import ScenarioResult, Verdict
from react_tck.reports.printing import terminal

#: Seconds between two lines, on a terminal and elsewhere.
_ON_TERMINAL, _ELSEWHERE = 0.2, 10.0
_LETTERS = {
    Verdict.PASSED: ("·", "green"),
    Verdict.FAILED: ("F", "bold red"),
    Verdict.UNSUPPORTED: ("u", "yellow"),
    Verdict.UNTESTABLE: ("?", "yellow"),
    Verdict.ERROR: ("E", "bold red"),
    # Only a variation that isn't played is told.
    Verdict.NOT_SELECTED: ("-", "dim"),
}


class RowCount:
    """Counts the rows of runs that go on at the same time, and prints how many have ended; a `Listener` of each run.

    It prints to standard error, unless a console is given. On a terminal the line is written over, and taken away when
    the runs are through.
    """

    def __init__(self, console: Console | None = None, clock: Callable[[], float] = monotonic) -> None:
        console = console or terminal(sys.stderr)
        self._console, self._clock = console, clock
        self._rows = self._ended = self._failed = 0
        self._lock = Lock()
        self._began_at = self._told_at = clock()
        self._status = console.status("") if console.is_terminal else None

    def __enter__(self) -> "RowCount":
        if self._status:
            self._status.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._status:
            self._status.stop()

    def announce_run(self, scenarios: int) -> None:
        """Add the rows of a run that begins."""
        with self._lock:
            self._rows += scenarios

    def announce_result(self, scenario: ScenarioInfo, result: ScenarioResult) -> None:  # noqa: ARG002 - any row counts
        """Count a row that has ended, and tell how far the runs are if that wasn't told just now."""
        with self._lock:
            self._ended += 1
            self._failed += result.verdict in (Verdict.FAILED, Verdict.ERROR)
            now = self._clock()
            if now - self._told_at >= (_ON_TERMINAL if self._status else _ELSEWHERE):
                self._told_at = now
                self._tell_progress(now - self._began_at)

    def _tell_progress(self, passed: float) -> None:
        left = passed / self._ended * (self._rows - self._ended)
        line = f"{self._ended:,} of {self._rows:,} rows, {self._failed:,} failed, {left:,.0f} s left"
        if self._status:
            self._status.update(line)
        else:
            self._console.print(line, style="dim")


class Letters:
    """Prints a line an area, a letter a row, while a run goes on; a `Listener`."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._area = ""
        # Made once: rich takes longer over a character than a row of a compiled subject does.
        self._letters = {verdict: _render_text(console, Text(*letter)) for verdict, letter in _LETTERS.items()}

    def __enter__(self) -> "Letters":
        return self

    def __exit__(self, *_: object) -> None:
        self._console.print()

    def announce_run(self, scenarios: int) -> None:
        """Announce the number of rows."""
        self._console.print(f"{scenarios} rows", style="dim")

    def announce_result(self, scenario: ScenarioInfo, result: ScenarioResult) -> None:
        """Print the letter of the row's verdict; the first row of an area begins a new line."""
        if scenario.area != self._area:
            self._console.print(f"{'' if not self._area else chr(10)}{scenario.area:<12} ", end="")
            self._area = scenario.area
        self._console.file.write(self._letters[result.verdict])
        self._console.file.flush()


def _render_text(console: Console, text: Text) -> str:
    with console.capture() as written:
        console.print(text, end="")
    return written.get()
