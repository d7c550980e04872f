"""A run that a signal ends: what ended is reported, the rest is counted as not run, and nothing is left running."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from react_tck.catalogue.selection import Selection
from react_tck.engine import examiner
from react_tck.judges.table import JUDGES
from react_tck.model.report import Report
from react_tck.processes.supervised import SupervisedRun
from react_tck.record.evidence import Evidence
from react_tck.results.exit_status import Exit, exit_status
from tests.support.subjects_gone_wrong import STARTED
from tests.support.suite_checks import TITLE, Heard

pytest.importorskip("dspy", reason="the support module needs the extra 'reference'")

_SUBJECT = "python:tests.support.subjects_gone_wrong:SleepsFromTheThirdCallOn"
_RUN = ("run", "--tags", "@SIG-005 or @LOOP-001 or @SIG-001 or @TOOL-003")
_STATUSES = {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGHUP: 129}


@pytest.fixture
def running(tmp_path: Path, request: pytest.FixtureRequest) -> subprocess.Popen[str]:
    """A run that has begun, and hangs in its second or third row."""
    json_file = ["--json", str(tmp_path / "report.json")] if request.param[0] == "run" else []
    words = [*request.param, *json_file, _SUBJECT]
    process = subprocess.Popen(
        [sys.executable, "-m", "react_tck", *words],
        env={**os.environ, STARTED: str(tmp_path / "started")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # A test runner may have been told to ignore it, in the background of a shell.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    _within(60, lambda: (tmp_path / "started").exists() and bool((tmp_path / "started").read_text()))
    return process


@pytest.mark.parametrize("running", [_RUN, (*_RUN, "-n", "2")], indirect=True, ids=["one process", "two"])
@pytest.mark.parametrize("number", _STATUSES)
def test_a_signal_ends_a_run_with_its_report(
    running: subprocess.Popen[str], number: signal.Signals, tmp_path: Path
) -> None:
    running.send_signal(number)
    told, _ = running.communicate(timeout=30)
    assert running.returncode == _STATUSES[number]
    assert f"interrupted ({number.name}), " in told
    report = Report.model_validate(json.loads((tmp_path / "report.json").read_text(encoding="utf-8")))
    assert report.interrupted == number.name
    assert report.ledger.balances
    assert report.ledger.not_run >= 1
    assert exit_status(report) == _STATUSES[number]
    assert not _left(tmp_path)


@pytest.mark.parametrize("running", [_RUN], indirect=True, ids=[""])
def test_nothing_is_left_when_the_kit_itself_is_killed(running: subprocess.Popen[str], tmp_path: Path) -> None:
    running.kill()
    running.communicate(timeout=30)
    _within(20, lambda: not _left(tmp_path))


@pytest.mark.parametrize("running", [("matrix", "cheater:inert")], indirect=True, ids=[""])
def test_a_signal_ends_all_subjects_of_a_matrix(running: subprocess.Popen[str], tmp_path: Path) -> None:
    running.send_signal(signal.SIGINT)
    told, _ = running.communicate(timeout=30)
    assert running.returncode == Exit.INTERRUPTED
    assert "hand-made 0: interrupted (SIGINT), " in told
    assert not _left(tmp_path)


def test_an_error_of_the_kit_costs_neither_the_report_nor_the_other_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    class Careless:
        name = "careless"
        account = "departures"

        def find_violations(self, evidence: Evidence) -> object:
            if evidence.episode.case.id.endswith(TITLE):
                raise ZeroDivisionError("no judge divides")
            return ()

    monkeypatch.setattr(examiner, "JUDGES", (*JUDGES, Careless()))
    report = SupervisedRun("reference", Selection(tags="@LOOP-001 or @SIG-001")).report(Heard())
    assert report.ledger.balances
    assert (report.ledger.errors, report.ledger.not_run) == (0, 0)
    assert [error.partition(": ZeroDivisionError: no judge divides")[0] for error in report.kit_errors] == [TITLE]
    assert exit_status(report) is Exit.KIT_BUG


def _within(seconds: float, holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, f"not within {seconds} seconds"
        time.sleep(0.02)


def _left(tmp_path: Path) -> list[str]:
    return [number for number in (tmp_path / "started").read_text().split() if _runs(int(number))]


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True
