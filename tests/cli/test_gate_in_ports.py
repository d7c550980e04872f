"""The gate over a port's life: whatever happens to it, all that is told is right.

The port is the toy with habits: what it does at which of its starts stands in a file.
"""

import json
import os
import sys
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

import pytest

from react_tck.cli.commands import baseline as baseline_command
from react_tck.cli.main import main
from react_tck.gate.baseline import FILE
from tests.support.gates import FewRequirements

PLAIN = Path(__file__).parents[1] / "harnesses" / "plain.py"
#: Before its code: which habits it has at this start, the last stay.
HEAD = """\
import os
from pathlib import Path
_STARTS, _HABITS = Path("starts"), Path("habits").read_text().splitlines()
_START = len(_STARTS.read_text()) if _STARTS.exists() else 0
_STARTS.write_text("x" * (_START + 1))
HABITS = _HABITS[min(_START, len(_HABITS) - 1)].split()
"""
#: Where its code does what it does, and what it does there with a habit.
PATCHES = {
    '        "trajectory",\n': '        *([] if "mute" in HABITS else ["trajectory"]),\n',
    'return self.tools[name]["run"](args)': (
        '"leaves" in HABITS and os._exit(7)\n'
        '            "twice" in HABITS and self.tools[name]["run"](args)\n'
        '            return self.tools[name]["run"](args)'
    ),
    '    return {"status": "ok", "outputs": outputs, "trajectory": trajectory,': (
        '    trajectory = [] if "hollow" in HABITS else trajectory\n'
        '    if "silent" in HABITS:\n'
        '        return {"status": "ok", "outputs": outputs}\n'
        '    return {"status": "ok", "outputs": outputs, "trajectory": trajectory,'
    ),
}
TAGS = "@TRJ-001 or @LOOP-001"
PART = ("--tags", TAGS)
ROW, TOLD = "ReAct selects and executes a tool", "The prediction includes the trajectory"
#: What it has from the beginning, and what is accepted of it.
ACCEPTED = "silent"


@dataclass(frozen=True)
class Situation:
    """What happens to the port, and what is told of it."""

    habits: tuple[str, ...]
    status: int
    #: How the row of LOOP-001 and that of TRJ-001 end in JUnit, with what judges see in them: the tags in it.
    ran: set[str]
    told: set[str]
    #: What stands in the annotation, and in the summary.
    annotation: str
    summary: str
    #: The end of what is printed.
    gate: str
    #: A line of the baseline, and what it becomes.
    edit: tuple[str, str] = field(default=("", ""))


SITUATIONS = {
    "nothing": Situation((ACCEPTED,), 0, {"skipped"}, {"skipped"}, "", "expected", "gate: open; "),
    "a regression": Situation(
        *((f"{ACCEPTED} twice",), 1, {"failure"}, {"failure"}),
        *("title=LOOP-001::", "LOOP-001", "gate: closed, objections: "),
    ),
    "a repaired failure": Situation(
        *(("well",), 4, set(), {"failure"}),
        *("title=TRJ-001::", "passes and is listed as a failure", "gate: closed; nothing is broken, but "),
    ),
    "a changed cause": Situation(
        *(("hollow",), 1, {"failure"}, {"failure"}),
        *("title=TRJ-001::", "TRJ-001", "gate: closed, objections: "),
    ),
    "an expired entry": Situation(
        *((ACCEPTED,), 4, {"skipped"}, {"skipped"}),
        *("was accepted until 2026-01-31", "was accepted until 2026-01-31", "gate: closed; nothing is broken, but "),
        edit=('fault = "the prediction includes', 'expires = 2026-01-31\nfault = "the prediction includes'),
    ),
    "a vanished capability": Situation(
        *((f"{ACCEPTED} mute",), 1, set(), {"skipped"}),
        *("title=TRJ-001::isn't judged any more", "- TRJ-001 isn't judged any more", "gate: closed, objections: "),
    ),
    "a flaky subject": Situation(
        *((f"{ACCEPTED} twice", ACCEPTED), 0, {"flakyFailure"}, {"flakyFailure"}),
        *("is flaky", "LOOP-001", "gate: open; "),
    ),
    "a crashed harness": Situation(
        *((f"{ACCEPTED} leaves",), 3, {"error"}, {"error"}),
        *("title=LOOP-001%2C the harness broke in 1 scenarios::", "LOOP-001", ""),
    ),
}


@dataclass
class Port:
    """In a folder, where the user stands."""

    folder: Path
    monkeypatch: pytest.MonkeyPatch
    capsys: pytest.CaptureFixture[str]

    def has(self, *habits: str) -> None:
        (self.folder / "starts").unlink(missing_ok=True)
        (self.folder / "habits").write_text("\n".join(habits) + "\n", encoding="utf-8")

    def told(self, *arguments: str) -> tuple[int, str]:
        status = main(arguments)
        captured = self.capsys.readouterr()
        return status, captured.out + captured.err


def write(folder: Path) -> None:
    """The toy, with its habits and a wire of its own, which can be broken."""
    assert main(["init", "python", str(folder)]) == 0
    text = PLAIN.read_text(encoding="utf-8")
    for old, new in PATCHES.items():
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    (folder / "harness.py").write_text(HEAD + text, encoding="utf-8")
    config = folder / "react-tck.toml"
    lines = config.read_text(encoding="utf-8").splitlines()
    command = f"command = {json.dumps([sys.executable, 'harness.py'])}"
    known = [command if line.startswith("command") else line for line in lines]
    config.write_text("\n".join(known) + "\n", encoding="utf-8")


@pytest.fixture
def port(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Port:
    write(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(baseline_command, "selection", lambda *_: FewRequirements(tags=TAGS))
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    capsys.readouterr()
    made = Port(tmp_path, monkeypatch, capsys)
    made.has(ACCEPTED)
    return made


def test_whatever_happens_to_a_port_is_told(port: Port) -> None:
    status, out = port.told("run", *PART)
    assert (status, "gate" in out) == (1, False)
    assert port.told("baseline", "--write")[0] == 0
    written = (port.folder / FILE).read_text(encoding="utf-8")

    for name, situation in SITUATIONS.items():
        _happens(port, name, situation)
        (port.folder / FILE).write_text(written, encoding="utf-8")


def _happens(port: Port, name: str, situation: Situation) -> None:
    port.has(*situation.habits)
    baseline = port.folder / FILE
    written = baseline.read_text(encoding="utf-8")
    assert situation.edit[0] in written
    baseline.write_text(written.replace(*situation.edit), encoding="utf-8")
    summary = port.folder / "summary.md"
    summary.unlink(missing_ok=True)
    with port.monkeypatch.context() as github:
        github.setenv("GITHUB_ACTIONS", "true")
        github.setenv("GITHUB_STEP_SUMMARY", os.fspath(summary))
        status, out = port.told("run", *PART, "--report", "junit=report.xml")

    assert status == situation.status, (name, out)
    assert situation.gate in out, (name, out)
    annotations = "\n".join(line for line in out.splitlines() if line.startswith(("::error", "::warning", "::notice")))
    assert situation.annotation in annotations, (name, out)
    assert bool(annotations) == bool(situation.annotation), (name, annotations)
    assert situation.summary in summary.read_text(encoding="utf-8"), name
    cases = ElementTree.parse("report.xml").iter("testcase")
    ended = {(case.get("classname"), case.get("name")): {each.tag for each in case} for case in cases}
    assert (ended["core.LOOP-001", ROW], ended["core.TRJ-001", TOLD]) == (situation.ran, situation.told), (name, out)
