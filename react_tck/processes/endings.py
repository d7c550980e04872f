"""How a worker came to its end, as a person reads it: its status, where it was, what it wrote last."""

import os
import signal
import sysconfig
from collections.abc import Sequence
from pathlib import Path

import react_tck
from react_tck.play import session
from react_tck.play.stacks import StackFrame, as_written, is_of_a_stack, stacks_in
from react_tck.processes import worker

#: Lines, and characters of each, that are shown of what a worker wrote.
_LINES, _CHARACTERS = 8, 300
_NOT_THEIRS = tuple(
    as_written(str(folder)) for folder in (Path(react_tck.__file__).parent, sysconfig.get_paths()["stdlib"], "<frozen")
)
#: Where something of a subject's may begin: an episode; else the worker, which is a copy of the kit's process.
_BEGINNINGS = (as_written(str(Path(session.__file__).parent)), as_written(worker.__file__))
_HINTS = {
    signal.SIGKILL: "as the system does where memory runs out",
    signal.SIGSEGV: "memory was used that isn't the process's",
    signal.SIGABRT: "`abort` was called",
}


def describe_ending(status: int | None) -> str:
    """Return what a wait status says; None if there was nobody left to take it."""
    if status is None:
        return "ended the process that guards it"
    if os.WIFSTOPPED(status):
        number = signal.Signals(os.WSTOPSIG(status))
        return f"stopped the process that plays it, by signal {int(number)} ({number.name}), so that it was ended"
    if not os.WIFSIGNALED(status):
        code = os.waitstatus_to_exitcode(status)
        closed = ": it had closed descriptors that aren't its own, so that nothing was heard of it any more"
        return f"ended its process: exited with status {code}{closed if code == worker.UNHEARD else ''}"
    number = signal.Signals(os.WTERMSIG(status))
    hint = f", {_HINTS[number]}" if number in _HINTS else ""
    return f"ended its process: ended by signal {int(number)} ({number.name}{hint})"


def find_subject_functions(written: str) -> str:
    """Return which functions of the subject's own were under way, by what `faulthandler` wrote; the outermost first."""
    for stack in stacks_in(written):
        theirs = [frame for frame in _drop_inherited_frames(stack.frames) if _is_subject_file(frame.file)]
        if theirs:
            return " > ".join(f"{frame.function} ({Path(frame.file).name})" for frame in theirs[:_LINES])
    return ""


def select_last_lines(written: str) -> str:
    """Return the last lines that were written, without what `faulthandler` did."""
    lines = [line for line in written.splitlines() if not is_of_a_stack(line)]
    shown = [line if len(line) <= _CHARACTERS else f"{line[:_CHARACTERS]}…" for line in lines if line.strip()]
    return "\n".join(f"  {line}" for line in shown[-_LINES:])


def _drop_inherited_frames(frames: Sequence[StackFrame]) -> Sequence[StackFrame]:
    """Drop what the original of a worker was doing, and pytest until it plays; the outermost comes first."""
    outermost_first = frames[::-1]
    for place in _BEGINNINGS:
        began = [number for number, frame in enumerate(outermost_first) if frame.file.startswith(place)]
        if began:
            return outermost_first[began[0] :]
    return outermost_first


def _is_subject_file(file: str) -> bool:
    in_library = file.startswith(_NOT_THEIRS) and "site-packages" not in file
    return not in_library
