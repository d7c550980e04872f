"""Where threads are, as `faulthandler` writes it: of a process that hangs or is lost, and of this one."""

import faulthandler
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from tempfile import TemporaryFile
from typing import NamedTuple

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
