"""How long a subject in this process may take over one check, and where in its code it was."""

import signal
import sysconfig
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import react_tck

#: Seconds for an episode of one or two steps, most of them for libraries that are imported by the first.
LIMIT = 60
_KIT = str(Path(react_tck.__file__).parent)
#: Where code is that nobody will change for a harness: Python's own, and what is installed.
_INSTALLED = tuple(sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib"))


class OutOfTime(BaseException):
    """The check didn't come back. No `except Exception` of the subject's is to stop it."""


@contextmanager
def limit_time() -> Iterator[None]:
    """Interrupt what takes longer than the limit, where there are alarms.

    Raises:
        OutOfTime: if it takes longer, with the place in the subject's code.
    """
    if not hasattr(signal, "SIGALRM") or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGALRM, _interrupt)
    signal.setitimer(signal.ITIMER_REAL, LIMIT)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def find_place(error: BaseException) -> str:
    """File and line, outside of the kit, that an error came from; empty where all of it is the kit's."""
    raised = error.__cause__ or error
    return _describe_place(traceback.extract_tb(raised.__traceback__))


def _interrupt(_: int, frame: FrameType | None) -> None:
    where = _describe_place(traceback.extract_stack(frame))
    raise OutOfTime(f"it hasn't come back after {LIMIT} seconds" + (f"\nat {where}" if where else ""))


def _describe_place(stack: traceback.StackSummary) -> str:
    theirs = [each for each in stack if not each.filename.startswith((_KIT, "<"))]
    written = [each for each in theirs if not each.filename.startswith(_INSTALLED)] or theirs
    return f"{written[-1].filename}:{written[-1].lineno}" if written else ""
