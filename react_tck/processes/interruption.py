"""Ctrl-C, and the signals that end a program: a run that gets one ends in good order."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Interrupted(Exception):
    """There is nothing to report yet; a signal has come, by name, and what it came before, if that is to be told."""

    def __init__(self, name: str, before: str = "") -> None:
        said = f"interrupted ({name})" if name != signal.SIGINT.name else "interrupted"
        super().__init__(f"{said} {before}".strip())
        self.name = name


class Interruption:
    """The name of the signal that came, if one did."""

    name = ""

    def __bool__(self) -> bool:
        return bool(self.name)

    def record_signal(self, number: int, _: FrameType | None) -> None:
        """A signal has come; the first counts."""
        self.name = self.name or signal.Signals(number).name


def list_handled_signals() -> list[signal.Signals]:
    """Those that aren't ignored, as they are under `nohup`."""
    return [number for number in _SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]


def raise_at_signals() -> None:
    """From now on each is a KeyboardInterrupt with its name, so that whatever is under way is left in good order."""
    for number in list_handled_signals():
        signal.signal(number, _raise_interrupt)


def _raise_interrupt(number: int, _: FrameType | None) -> None:
    raise KeyboardInterrupt(signal.Signals(number).name)


#: Those that the main thread takes note of now, the outermost first.
_noted: list[Interruption] = []


@contextmanager
def catch_signals() -> Iterator[Interruption]:
    """Take note of signals instead of ending; those that were ignored stay so.

    Signals are the main thread's: what it takes note of interrupts other threads too, and what it does inside.
    """
    if _noted or current_thread() is not main_thread():
        yield _noted[0] if _noted else Interruption()
        return
    _noted.append(Interruption())
    taken = list_handled_signals()
    before = {number: signal.signal(number, _noted[0].record_signal) for number in taken}
    try:
        yield _noted[0]
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        _noted.clear()
