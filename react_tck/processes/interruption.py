"""Ctrl-C, and the signals that end a program: a run that gets one ends in good order."""

import os
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

    def __init__(self, name: str = "") -> None:
        self.name = name

    def __bool__(self) -> bool:
        return bool(self.name)

    def record_signal(self, number: int, _: FrameType | None) -> None:
        """Note a signal that has come; the first counts."""
        self.name = self.name or signal.Signals(number).name


def list_handled_signals() -> list[signal.Signals]:
    """Those that aren't ignored, as they are under `nohup`."""
    return [number for number in _SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]


def leave_at_signals() -> None:
    """From now on each ends this process at once, with a line and its status: there is nothing to be left in order."""
    for number in list_handled_signals():
        signal.signal(number, _leave)


def _leave(number: int, _: FrameType | None) -> None:
    os.write(2, f"react-tck: {Interrupted(signal.Signals(number).name)}\n".encode())
    os._exit(128 + number)


#: The names of those that were raised, in order: what came of a KeyboardInterrupt on its way out needn't be one.
_raised: list[str] = []


@contextmanager
def raise_at_signals() -> Iterator[None]:
    """Meanwhile each is a KeyboardInterrupt with its name, so that whatever is under way is left in good order."""
    before = {number: signal.signal(number, _raise_interrupt) for number in list_handled_signals()}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _raise_interrupt(number: int, _: FrameType | None) -> None:
    _raised.append(signal.Signals(number).name)
    raise KeyboardInterrupt(_raised[-1])


def find_interrupt(error: BaseException) -> BaseException:
    """Return what is to be told of an error: the interrupt that was raised before it, if one was.

    Python 3.11 makes a RuntimeError of what is raised in a `__set_name__`, pydantic an error of its own of what is
    raised while it writes, and libraries an ImportError of what is raised while they are imported.
    """
    return Interrupted(_raised[0]) if _raised and not isinstance(error, Interrupted) else error


#: Those that the main thread takes note of now, the outermost first.
_noted: list[Interruption] = []


@contextmanager
def catch_signals() -> Iterator[Interruption]:
    """Take note of signals instead of ending; those that were ignored stay so, one that was raised has come.

    Signals are the main thread's: what it takes note of interrupts other threads too, and what it does inside.
    """
    if _noted or current_thread() is not main_thread():
        yield _noted[0] if _noted else Interruption()
        return
    _noted.append(Interruption(_raised[0] if _raised else ""))
    taken = list_handled_signals()
    before = {number: signal.signal(number, _noted[0].record_signal) for number in taken}
    try:
        yield _noted[0]
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        _noted.clear()
