"""Flakes as a port's repository meets them: what fails only now and then is told from what fails."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from react_tck.cli.main import main
from react_tck.gate.baseline import FILE
from react_tck.model.report import Ledger
from react_tck.processes.interruption import Interrupted
from react_tck.processes.supervised import SupervisedRun

#: A harness with a wire of its own.
PLAIN = Path(__file__).parents[1] / "harnesses" / "plain.py"
TITLE = "ReAct selects and executes a tool"
#: How often the subject was started, in this folder; what it does at each start follows from that.
COUNTER = """\
import os
import sys
from pathlib import Path

_COUNTER = Path(__file__).with_name("starts")
START = int(_COUNTER.read_text()) if _COUNTER.exists() else 0
_COUNTER.write_text(str(START + 1))
HABITS = {habits!r}
HABIT = HABITS[START % len(HABITS)]
if HABIT == "refuses":
    sys.exit("no licence")


def misbehave(tool, *args, **named):
    if HABIT == "leaves":
        os._exit(7)
    if HABIT == "twice":
        tool(*args, **named)
    return tool(*args, **named)


"""


class Repository:
    """A folder with a subject of these habits, one a start and then from the first on, where the user stands."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str], *habits: str) -> None:
        self.folder, self.capsys = folder, capsys
        harness, config = folder / "harness.py", folder / "react-tck.toml"
        text = PLAIN.read_text(encoding="utf-8")
        call = 'return self.tools[name]["run"](args)'
        assert call in text
        text = text.replace(call, 'return misbehave(self.tools[name]["run"], args)')
        harness.write_text(COUNTER.format(habits=habits) + text, encoding="utf-8")
        config.write_text(f'[subject]\ncommand = ["{sys.executable}", "harness.py"]\n', encoding="utf-8")
        # Nothing is accepted.
        (folder / FILE).write_text('["my-react"]\nprofile = "core"\n', encoding="utf-8")
        capsys.readouterr()

    def ask(self, flaky: str) -> None:
        """Say what is to become of flakes."""
        with (self.folder / "react-tck.toml").open("a", encoding="utf-8") as config:
            config.write(f'[gate]\nflaky = "{flaky}"\n')

    def told(self, *arguments: str) -> tuple[int, str, Any]:
        """Status, what was said, and the report."""
        status = main(["run", "-k", TITLE, "--json", "report.json", *arguments])
        captured = self.capsys.readouterr()
        report = json.loads((self.folder / "report.json").read_text(encoding="utf-8"))
        assert Ledger(**report["ledger"]).balances
        return status, captured.out + captured.err, report

    @property
    def starts(self) -> int:
        return int((self.folder / "starts").read_text())


Made = Callable[..., Repository]


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Made:
    monkeypatch.chdir(tmp_path)
    return lambda *words: Repository(tmp_path, capsys, *words)


def test_what_passes_when_it_is_played_alone_is_flaky_and_leaves_the_gate_open(made: Made) -> None:
    port = made("twice", "well")
    status, out, report = port.told("--report", "junit=j.xml")
    assert (status, port.starts) == (0, 2)
    flakes = {flake["requirement"]: flake for flake in report["flakes"]}
    assert (flakes["LOOP-001"]["row"], flakes["LOOP-001"]["first"], flakes["LOOP-001"]["second"]) == (
        *(TITLE, "failed", "passed"),
    )
    parting = flakes["LOOP-001"]["parting"]
    assert parting["place"].startswith("episode 1, event ")
    assert parting["first"] != parting["second"]
    assert f"  in the run: {parting['first']}\n  alone:      {parting['second']}\n" in out
    assert "LOOP-001 (MUST" in flakes["LOOP-001"]["message"]
    assert (report["ledger"]["failed"], report["ledger"]["flaky"] > 0) == (0, True)
    assert f"LOOP-001 '{TITLE}' is flaky: failed, then passed when it was played alone; episode 1, event" in out
    assert f"gate: open; 0 expected failures, as {FILE} lists them, {len(flakes)} flaky" in out
    assert "unexpected failures that are played again, each alone: 1" in out
    assert ": conformant" not in out
    assert "flakyFailure" in Path("j.xml").read_text(encoding="utf-8")


def test_a_gate_that_asks_for_it_is_closed_by_a_flake(made: Made) -> None:
    port = made("twice", "well")
    port.ask("fail")
    status, out, report = port.told("--report", "junit=j.xml")
    assert (status, len(report["flakes"]) > 0) == (1, True)
    assert "is flaky: failed, then passed when it was played alone; episode 1, event" in out
    assert 'mend it, or set [gate] flaky = "pass"' in out
    assert "gate: closed, objections: " in out
    assert "flakyFailure" not in Path("j.xml").read_text(encoding="utf-8")


def test_what_crashes_when_it_is_played_alone_is_contained_and_never_excused(made: Made) -> None:
    port = made("twice", "leaves")
    status, out, report = port.told()
    assert status == 1
    flake = next(flake for flake in report["flakes"] if flake["requirement"] == "LOOP-001")
    assert (flake["first"], flake["second"]) == ("failed", "error")
    assert "exited with status 7" in flake["second_message"]
    assert "failed, then error when it was played alone" in out


def test_an_interrupt_while_rows_are_played_again_ends_the_run_with_its_report(
    made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise Interrupted("SIGTERM")

    monkeypatch.setattr(SupervisedRun, "play_again", interrupted)
    status, out, report = made("twice").told()
    assert (status, report["interrupted"]) == (143, "SIGTERM")
    assert "there is no verdict" in out
