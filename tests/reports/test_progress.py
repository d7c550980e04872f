"""How far several runs are is told on one line of a terminal, and elsewhere every ten seconds."""

import io
from itertools import count

from rich.console import Console

from react_tck.catalogue.features import load_features
from react_tck.model.report import ScenarioResult, Verdict
from react_tck.reports.progress import RowCount

SCENARIO = load_features()[0]
PASSED, FAILED = (ScenarioResult(title="x", verdict=verdict) for verdict in (Verdict.PASSED, Verdict.FAILED))


def play(console: Console, seconds_a_row: float) -> None:
    with RowCount(console, clock=count(0.0, seconds_a_row).__next__) as rows:
        for _ in range(2):
            rows.announce_run(8)
        for number in range(16):
            rows.announce_result(SCENARIO, FAILED if number == 3 else PASSED)


def test_without_a_terminal_a_line_is_printed_every_ten_seconds() -> None:
    out = io.StringIO()
    play(Console(file=out, width=80), seconds_a_row=2.0)

    assert out.getvalue().splitlines() == [
        "5 of 16 rows, 1 failed, 22 s left",
        "10 of 16 rows, 1 failed, 12 s left",
        "15 of 16 rows, 1 failed, 2 s left",
    ]


def test_runs_of_a_moment_print_nothing() -> None:
    out = io.StringIO()
    play(Console(file=out, width=80), seconds_a_row=0.1)

    assert not out.getvalue()
