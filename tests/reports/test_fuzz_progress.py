"""How far a search is, where there is no terminal in which a line could change."""

import io

import pytest
from rich.console import Console

from react_tck.processes.workers.workers import Serial
from react_tck.reports.fuzz import SearchProgress, Teller


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A clock of one hand, which somebody moves."""
    now = [100.0]
    monkeypatch.setattr("react_tck.reports.fuzz.time.monotonic", lambda: now[0])
    return now


def test_without_a_terminal_a_line_is_written_every_ten_seconds(clock: list[float]) -> None:
    shown, lines = io.StringIO(), io.StringIO()
    with Console(file=shown).status("") as status:
        progress = SearchProgress(Teller(status, Console(file=lines)), 4, Serial())
        for examples in (10, 20, 30, 40, 50):
            clock[0] += 4
            progress.show_progress(examples // 20, examples, 0)
        clock[0] += 10
        progress.show_shrinking("SAN-002", 7)
        progress.show_shrinking("SAN-002", 8)
        progress.show_choosing(50)
    assert shown.getvalue() == ""
    assert lines.getvalue().splitlines() == [
        "1 of 4 shards, 30 examples, 2 a second",
        "SAN-002 is violated; making the example smaller, attempt 7",
        "all 50 examples are judged; choosing the episodes that the corpus keeps",
    ]
