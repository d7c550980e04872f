"""Interrupts: which command is sent what while a subject holds it up, and how it ends."""

import signal
from collections.abc import Mapping
from dataclasses import dataclass

_HARNESS = "-- env ZOO_READY={ready} PYTHONPATH={root} {python} -m react_tck harness python:tests.zoo.captives:asleep"
_ASLEEP = "python:tests.zoo.captives:asleep"
_STUBBORN = "python:tests.zoo.captives:stubborn"
_BUSY = "python:tests.zoo.captives:running"
_STARTING = "python:tests.zoo.captives:starting"
_NO_REPORT = "interrupted (SIGHUP) before the subject said who it is, so there is no report"
INT, TERM, HUP, KILL = signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL


@dataclass(frozen=True)
class Interrupt:
    """Words of the command, with the places of file, root and interpreter in them; and what it is sent."""

    words: str
    sent: signal.Signals
    #: What is said at the end, on either stream.
    said: str = "interrupted"
    #: Whether it goes to the whole group, as a terminal's Ctrl-C does.
    to_all: bool = False
    #: Whether it comes until all is over, as where a shell, a terminal and a runner each send it.
    is_repeated: bool = False
    status: int | None = None
    #: How many processes there are when it is time, or what has been said; else a subject says so.
    processes: int = 0
    until: str = ""

    @property
    def expected(self) -> int:
        """The status; that of a shell for the signal, unless there is a verdict."""
        if self.status is not None:
            return self.status
        return -self.sent if self.sent is KILL else 128 + self.sent


INTERRUPTS: Mapping[str, Interrupt] = {
    "Ctrl-C while it fuzzes": Interrupt(f"fuzz {_ASLEEP}", INT, "interrupted after 1 examples", to_all=True),
    "SIGTERM while it fuzzes": Interrupt(f"fuzz {_ASLEEP}", TERM, "interrupted after 1 examples"),
    "SIGHUP while it fuzzes": Interrupt(f"fuzz {_ASLEEP}", HUP, "interrupted after 1 examples"),
    "SIGKILL while it fuzzes": Interrupt(f"fuzz {_ASLEEP}", KILL, ""),
    "Ctrl-C that the subject swallows": Interrupt(f"fuzz {_STUBBORN}", INT, to_all=True),
    "SIGTERM that can't be heard": Interrupt(f"fuzz {_BUSY}", TERM),
    "Ctrl-C while it fuzzes a harness": Interrupt(f"fuzz {_HARNESS}", INT, "interrupted after 1 examples", to_all=True),
    "SIGKILL while it fuzzes a harness": Interrupt(f"fuzz {_HARNESS}", KILL, ""),
    "Ctrl-C while it tells choices": Interrupt(
        f"check --choices {_ASLEEP}", INT, "scenarios; nothing is written", to_all=True
    ),
    "Ctrl-C while a cluster begins": Interrupt("fuzz reference --cluster local:2", INT, to_all=True, processes=6),
    "SIGHUP again and again while it fuzzes": Interrupt(f"fuzz {_ASLEEP}", HUP, is_repeated=True),
    "SIGHUP before a subject has said who it is": Interrupt(f"run {_STARTING}", HUP, _NO_REPORT),
    "SIGHUP to all before a subject has said who it is": Interrupt(f"run {_STARTING}", HUP, _NO_REPORT, to_all=True),
    "SIGHUP before the first row has ended": Interrupt(f"run {_ASLEEP} --json r.json", HUP, "scenarios were not run"),
    "SIGHUP to all before the first row has ended": Interrupt(
        f"run {_ASLEEP} --json r.json", HUP, "scenarios were not run", to_all=True
    ),
    "SIGHUP again and again while it runs": Interrupt(
        f"run {_ASLEEP} --json r.json", HUP, "scenarios were not run", is_repeated=True
    ),
    "SIGHUP again and again while it compares": Interrupt(
        f"matrix {_ASLEEP} --out o", HUP, "scenarios were not run", is_repeated=True
    ),
    "SIGTERM while it checks": Interrupt(f"check {_HARNESS}", TERM),
    "SIGKILL while it checks": Interrupt(f"check {_HARNESS}", KILL, ""),
    "Ctrl-C while it runs": Interrupt(f"run {_STUBBORN} --json r.json", INT, "scenarios were not run", to_all=True),
    "SIGTERM while it runs": Interrupt(f"run {_BUSY} --json r.json", TERM, "scenarios were not run"),
    "SIGHUP while it runs a harness": Interrupt(f"run {_HARNESS}", HUP, "scenarios were not run"),
    "SIGKILL while it runs": Interrupt(f"run {_BUSY}", KILL, ""),
    "Ctrl-C while processes share a run": Interrupt(
        f"run -n 2 {_ASLEEP} --json r.json", INT, "scenarios were not run", to_all=True
    ),
    "Ctrl-C while it compares": Interrupt(
        f"matrix {_ASLEEP} {_STUBBORN} --out o", INT, "scenarios were not run", to_all=True
    ),
    "SIGTERM while it compares": Interrupt(f"matrix {_ASLEEP} {_BUSY} --out o", TERM, "scenarios were not run"),
    "SIGKILL while it compares": Interrupt(f"matrix {_ASLEEP} {_STUBBORN}", KILL, ""),
    "Ctrl-C while it runs releases": Interrupt("matrix dspy@3.0.0", INT, to_all=True),
    "SIGKILL while it runs releases": Interrupt("matrix dspy@3.0.0", KILL, ""),
    "Ctrl-C while it serves": Interrupt(
        "serve script.json", INT, "requests: 0, complaints: 0", to_all=True, status=0, until="Interrupt with Ctrl-C"
    ),
    "SIGHUP while it serves": Interrupt(
        "serve script.json", HUP, "requests: 0, complaints: 0", status=0, until="Interrupt with Ctrl-C"
    ),
    "SIGTERM while it replays": Interrupt(f"replay {{case}} {_STUBBORN}", TERM),
    "Ctrl-C while a harness is played": Interrupt(f"play LOOP-001 {_HARNESS}", INT, to_all=True),
}
