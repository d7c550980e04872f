"""Threads that a subject leaves running: whether Python would wait for them, and whether they keep a processor busy."""

import concurrent.futures.thread
import faulthandler
import re
import threading
import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import NamedTuple

import react_tck

#: The head of a thread, and a frame.
_HEAD = re.compile(r"(?:Current thread|Thread) 0x([0-9a-f]+).*\(most recent call first\):")
_FRAME = re.compile(r'  File "(?P<file>.*)", line \d+ in (?P<function>.+)')


class StackFrame(NamedTuple):
    """A function that a thread was in, and the file it is defined in."""

    file: str
    function: str


class Stack(NamedTuple):
    """A thread by its identifier, and its frames from where it is to where it began, a hundred at the most."""

    thread: int
    frames: tuple[StackFrame, ...]


def stacks_in(written: str) -> Iterator[Stack]:
    """Those of a text, which may have other lines as well."""
    _, *pieces = _HEAD.split(written)
    for thread, below in zip(pieces[0::2], pieces[1::2], strict=True):
        found = (_FRAME.fullmatch(line) for line in below.splitlines())
        yield Stack(int(thread, 16), tuple(StackFrame(each["file"], each["function"]) for each in found if each))


def is_of_a_stack(line: str) -> bool:
    """Tell whether `faulthandler` has written the line."""
    return bool(_HEAD.fullmatch(line) or _FRAME.fullmatch(line))


def current_stacks() -> Mapping[int, tuple[StackFrame, ...]]:
    """Return the frames of this process's threads, a hundred at the most; none if no file can be opened."""
    with suppress(OSError), TemporaryFile() as file:
        faulthandler.dump_traceback(file)
        file.seek(0)
        return {stack.thread: stack.frames for stack in stacks_in(file.read().decode())}
    return {}


def as_written(path: str) -> str:
    """Return a file's path as it stands in a frame, but for the end of one that is very long."""
    return path.encode("ascii", "backslashreplace").decode()


#: Threads that were left are busy if, in each of so many stretches of so many seconds, so many are spent: little, for
#: others may use the processors too.
_STRETCHES, _MEASURED, _BUSY = 3, 0.15, 0.005
#: Seconds in which threads that are about to end may do so, and between two looks at them.
_GRACE, _TURN = 1.0, 0.01

_KIT = as_written(str(Path(react_tck.__file__).parent))


@dataclass(frozen=True)
class LeftOverThread:
    """A thread, and its frames from where it is to where it began, if they are known."""

    thread: threading.Thread
    frames: tuple[StackFrame, ...]

    def __str__(self) -> str:
        """Its outermost frame that isn't of `threading`."""
        frames = [frame for frame in self.frames if frame.file != as_written(threading.__file__)]
        return f"one in {frames[-1].function} ({Path(frames[-1].file).name})" if frames else "one"

    @property
    def keeps_alive(self) -> bool:
        """Whether Python would wait for it; those of a pool are told to end."""
        is_in_a_pool = self._is_in(as_written(concurrent.futures.thread.__file__))
        return bool(self.frames) and not self.thread.daemon and not is_in_a_pool

    @property
    def is_kits(self) -> bool:
        """Whether it is the kit's, or in a tool or an LM of the kit's."""
        return self._is_in(_KIT)

    def _is_in(self, place: str) -> bool:
        return any(frame.file.startswith(place) for frame in self.frames)


def find_left_over_threads(known: Collection[threading.Thread]) -> list[LeftOverThread]:
    """Return the threads that run and aren't known, but for the kit's."""
    new = [thread for thread in threading.enumerate() if thread not in known]
    stacks = current_stacks() if new else {}
    found = (LeftOverThread(thread, stacks.get(thread.ident or 0, ())) for thread in new)
    return [left for left in found if not left.is_kits]


def await_lasting_threads(known: Collection[threading.Thread]) -> list[LeftOverThread]:
    """Those that aren't known, for which Python would wait, and that don't end by themselves in a second."""
    deadline = time.monotonic() + _GRACE
    while found := [left for left in find_left_over_threads(known) if left.keeps_alive]:
        if time.monotonic() > deadline:
            break
        time.sleep(_TURN)
    return found


def describe_threads(found: Collection[LeftOverThread]) -> str:
    """Return how many there are, and where they began."""
    return f"{len(found)} still {'runs' if len(found) == 1 else 'run'}: {', '.join(sorted(set(map(str, found))))}"


def is_busy() -> bool:
    """Tell whether this process keeps a processor busy while it waits: takes 0.45 s if it does."""
    return all(_measure_processor_time() > _BUSY for _ in range(_STRETCHES))


def _measure_processor_time() -> float:
    begun = time.process_time()
    time.sleep(_MEASURED)
    return time.process_time() - begun
