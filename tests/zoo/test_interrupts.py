"""Whatever a command is sent, it says what ended, has the signal's status, and leaves no process behind."""

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tests.zoo.by_kind import split_by_kind
from tests.zoo.captives import READY
from tests.zoo.hostile_files import case
from tests.zoo.interrupts import INT, INTERRUPTS, Interrupt

pytestmark = [
    pytest.mark.skipif(find_spec("dspy") is None, reason="needs the extra 'reference'"),
    pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="needs /proc to find what is left"),
]
ROOT = Path(__file__).parents[2]
#: Seconds for a start of the kit on a busy machine, and from the signal to the end of everything.
_START, _END = 120.0, 20.0
_TURN = 0.02


def family(ready: Path) -> list[str]:
    """The command lines of all processes that have the file's name in their environment."""
    mark, found = f"{READY}={ready}".encode(), []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if mark in (process / "environ").read_bytes().split(b"\0"):
                found.append((process / "cmdline").read_bytes().replace(b"\0", b" ").decode())
        except OSError:
            continue
    return found


def waited(seconds: float, is_over: object) -> bool:
    deadline = time.monotonic() + seconds
    while not (over := is_over()) and time.monotonic() < deadline:  # type: ignore[operator]
        time.sleep(_TURN)
    return bool(over)


def kind_of(interrupt: Interrupt) -> str:
    """What is sent, and whether the command has a verdict by then, as a server has."""
    return f"{interrupt.sent.name}{' again and again' * interrupt.is_repeated}{' to a server' * bool(interrupt.until)}"


@pytest.mark.parametrize("names", split_by_kind(INTERRUPTS, kind_of))
def test_an_interrupt_ends_everything(names: list[str], tmp_path: Path) -> None:
    took = []
    for number, name in enumerate(names):
        print(name)
        (tmp_path / str(number)).mkdir()
        took.append(_interrupt(name, tmp_path / str(number)))
    # A busy machine makes some of them long, not most.
    assert sorted(took)[len(took) // 4] < 2, took


def _interrupt(name: str, folder: Path) -> float:
    """The seconds that it takes to end the command and all that it has started."""
    interrupt, ready = INTERRUPTS[name], folder / "ready"
    release_of_dspy(folder, ready)
    process = _start(interrupt, folder, ready)
    try:
        assert waited(_START, lambda: is_time(interrupt, ready, folder / "said") or process.poll() is not None)
        assert process.poll() is None, (folder / "said").read_text()
        time.sleep(0.5)
        began = time.monotonic()
        (os.killpg if interrupt.to_all else os.kill)(process.pid, interrupt.sent)
        while interrupt.is_repeated and process.poll() is None:
            time.sleep(_TURN)
            process.send_signal(interrupt.sent)
        status = process.wait(_END)
        assert waited(_END - (time.monotonic() - began), lambda: not family(ready)), family(ready)
        took = time.monotonic() - began
    finally:
        process.kill()
        process.wait()
        end_all(ready)
    if interrupt.is_repeated and status == -interrupt.sent:  # Python had gone by then; a shell calls it the same
        status = interrupt.expected
    _check(name, status, folder)
    return took


def _start(interrupt: Interrupt, folder: Path, ready: Path) -> subprocess.Popen[bytes]:
    (folder / "case.json").write_bytes(case())
    (folder / "script.json").write_text('{"replies": []}')
    words = interrupt.words.format(ready=ready, root=ROOT, python=sys.executable, case="case.json")
    environment = {**os.environ, "PYTHONPATH": str(ROOT), READY: str(ready), "XDG_CACHE_HOME": str(folder)}
    with (folder / "said").open("wb") as said:
        return subprocess.Popen(
            [sys.executable, "-m", "react_tck", *shlex.split(words)],
            cwd=folder,
            env=environment,
            stdout=said,
            stderr=said,
            start_new_session=True,
        )


def _check(name: str, status: int, folder: Path) -> None:
    interrupt, told = INTERRUPTS[name], (folder / "said").read_text(encoding="utf-8")
    assert status == interrupt.expected, told
    assert interrupt.said in told
    assert "Traceback" not in told
    if "--json" in interrupt.words:
        report = json.loads((folder / "r.json").read_text(encoding="utf-8"))
        assert_balanced(report, interrupt.sent.name)
        if "before the first row" in name:
            assert [report["ledger"][each] for each in ("passed", "failed", "errors")] == [0, 0, 0]
    if "--out" in interrupt.words:
        assert (folder / "o" / "index.html").exists()


#: What comes, and before the import of which module: the last two are imported once something has gone wrong.
IMPORTED = (
    "react_tck.cli.main",
    "click",
    "react_tck.cli.commands.list",
    "react_tck.catalogue.registry",
    "react_tck.cli.mistakes",
    "react_tck.cli.mistakes",
)
#: What is under way then, of which Python or pydantic makes an error of its own.
CARRIED_OUT = {
    "plainly": "send()",
    "as a class is made": "type('Made', (), {'part': type('Part', (), {'__set_name__': lambda *_: send()})()})",
    "as a value is written": "Written(value=1).model_dump_json()",
}
_PROGRAM = """
import os, sys

class Interrupting:
    def find_spec(self, name, *_):
        if name in {names}:
            {act}

def send():
    os.kill(os.getpid(), {number})

if "Written" in {act!r}:
    from pydantic import BaseModel, field_serializer

    class Written(BaseModel):
        value: int

        @field_serializer("value")
        def write(self, value):
            send()

sys.meta_path.insert(0, Interrupting())
sys.argv = ["react-tck", "list", "-k", "no such scenario"]
from react_tck.__main__ import main
{last}
sys.exit(main())
"""


def interrupted(tmp_path: Path, names: tuple[str, ...], act: str, number: int, last: str = "") -> tuple[int, list[str]]:
    """The status and the lines on standard error of a command that gets a signal when these modules are imported."""
    program = _PROGRAM.format(names=names, act=act, number=number, last=last)
    environment = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60
    )
    return done.returncode, list(filter(None, done.stderr.splitlines()))


def told_of(sent: signal.Signals) -> str:
    return "react-tck: interrupted" if sent is INT else f"react-tck: interrupted ({sent.name})"


#: The signals of `make test`, and those of `make test-all`.
BY_SIGNAL = pytest.mark.parametrize(
    "sent", [signal.SIGTERM, *(pytest.param(each, marks=pytest.mark.all) for each in (signal.SIGINT, signal.SIGHUP))]
)


@BY_SIGNAL
def test_an_interrupt_is_told_in_a_line_whatever_is_under_way(sent: signal.Signals, tmp_path: Path) -> None:
    last = ("react_tck.cli.commands.list",)
    under_way = [
        *(((name,), "send()") for name in IMPORTED),
        *((last, act) for act in CARRIED_OUT.values()),
        ((*last, "react_tck.cli.mistakes"), "send()"),  # a second one changes nothing
    ]
    for names, act in under_way:
        assert interrupted(tmp_path, names, act, sent) == (128 + sent, [told_of(sent)]), (names, act)


@BY_SIGNAL
def test_an_interrupt_at_the_very_end_is_told_in_a_line(sent: signal.Signals, tmp_path: Path) -> None:
    status, lines = interrupted(tmp_path, (), "pass", sent, "import atexit; atexit.register(send)")
    assert (status, lines[-1]) == (128 + sent, told_of(sent))
    assert "Traceback" not in "".join(lines)


def is_time(interrupt: Interrupt, ready: Path, said: Path) -> bool:
    """Whether the subject holds the command up, or as many processes are at work as are wanted."""
    if interrupt.until:
        return interrupt.until in said.read_text(encoding="utf-8")
    return len(family(ready)) >= interrupt.processes if interrupt.processes else ready.exists()


def assert_balanced(report: dict[str, Any], sent: str) -> None:
    ledger = report["ledger"]
    assert report["interrupted"] == sent
    assert ledger["not_run"] > 0
    assert ledger.pop("registered") == sum(ledger.values())


def release_of_dspy(cache: Path, ready: Path) -> None:
    """An environment as `matrix` makes it, whose interpreter is the one here, with a family of its own."""
    version = f"py{sys.version_info.major}.{sys.version_info.minor}"
    folder = cache / "react-tck" / "environments" / f"dspy-3.0.0-{version}"
    (folder / "bin").mkdir(parents=True)
    (folder / ".ready").touch()
    python = folder / "bin" / "python"
    python.write_text(
        f'#!/bin/sh\nexport {READY}={ready}\nsetsid sleep 600 &\ntouch {ready}\nexec {sys.executable} "$@"\n'
    )
    python.chmod(0o755)


def end_all(ready: Path) -> None:
    """End what a failing test has left."""
    mark = f"{READY}={ready}".encode()
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if mark in (process / "environ").read_bytes().split(b"\0"):
                os.kill(int(process.name), signal.SIGKILL)
        except OSError:
            continue
