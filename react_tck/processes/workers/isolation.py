"""A task in a process of its own, forked from one that has imported everything: lost or silent, it is done again."""

import os
import pickle
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from multiprocessing import get_all_start_methods, get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess, current_process
from threading import Lock
from typing import Any

from react_tck import steps
from react_tck.catalogue.step_definitions import modules_of
from react_tck.engine.run import KitBroken
from react_tck.processes.guard import PR_SET_PDEATHSIG, set_process_option
from react_tck.processes.workers.workers import Beat, Result, Task, TaskSilent, Work, WorkersLost, ignore_beat

#: Imported once by the process the others are forked from: whatever a run reads before its first scenario.
_PRELOADED = ("react_tck.engine.run", *modules_of(steps))
_METHOD = "forkserver" if "forkserver" in get_all_start_methods() else "spawn"
#: How often a task is begun whose process is lost, and one that says nothing: it may have been the machine's fault.
_LOSSES, _SILENCES = 3, 2
#: Seconds in which a task that beats at all has to; the longest that a call of a harness may take is less.
SILENCE = 300.0


class IsolatedTasks:
    """Does tasks, each in a process of its own; may be asked by several threads at once."""

    def __init__(self, preloaded: Sequence[str] = (), silence: float | None = None) -> None:
        self._context: Any = get_context(_METHOD)
        if _METHOD == "forkserver":
            self._context.set_forkserver_preload([*_PRELOADED, *preloaded])
        self._silence = silence
        self._living: set[BaseProcess] = set()
        self._lock = Lock()
        self._is_closed = False

    def run_task(
        self, work: Work[Task, Result], task: Task, beat: Beat = ignore_beat, folder: str | None = None
    ) -> Result:
        """Return the result of the work, done where the folder is the current one.

        Raises:
            Exception: what the work raised.
            WorkersLost: if its process was lost again and again.
            Silent: if it said nothing for too long, again and again.
        """
        lost = silent = 0
        while True:
            try:
                return self._run_once(work, task, beat, folder)
            except EOFError as error:
                lost += 1
                if lost == _LOSSES or self._is_closed:
                    raise WorkersLost(f"the process of a task was lost {lost} times; it has been killed") from error
            except TaskSilent:
                silent += 1
                if silent == _SILENCES:
                    raise

    def close(self) -> None:
        """End what is under way."""
        with self._lock:
            self._is_closed = True
            for process in self._living:
                process.kill()

    def _run_once(self, work: Work[Task, Result], task: Task, beat: Beat, folder: str | None) -> Result:
        ours, theirs = self._context.Pipe(duplex=False)
        process = self._context.Process(target=_run_in_process, args=(theirs, work, task, folder), daemon=True)
        self._start_process(process, theirs)
        try:
            return self._receive_result(ours, beat)  # type: ignore[no-any-return]
        finally:
            with self._lock:
                self._living.discard(process)
            process.kill()
            process.join()
            ours.close()

    def _start_process(self, process: BaseProcess, theirs: Connection) -> None:
        with self._lock:
            if self._is_closed:
                raise EOFError
            # A worker of Dask is a daemon, which Python lets start no process; these end with it all the same.
            vars(current_process())["_config"].pop("daemon", None)
            process.start()
            self._living.add(process)
        theirs.close()

    def _receive_result(self, ours: Connection, beat: Beat) -> Any:
        beats = 0
        while ours.poll(self._silence if beats or self._silence is None else max(self._silence, SILENCE)):
            match ours.recv():
                case None:
                    beats += 1
                    beat()
                case (True, result):
                    return result
                case (False, error):
                    raise error
        assert self._silence is not None
        raise TaskSilent(beats, self._silence)


def _run_in_process(theirs: Connection, work: Work[Any, Any], task: Any, folder: str | None) -> None:
    # Whoever it was forked from ends with whom the task is for; who is interrupted ends it himself.
    set_process_option(PR_SET_PDEATHSIG, signal.SIGKILL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):  # what a subject prints is no evidence
        os.dup2(nowhere, stream)
    if folder is not None:
        os.chdir(folder)
    sys.path.insert(0, "")
    try:
        said = (True, work(task, lambda: theirs.send(None)))
    except Exception as error:
        said = (False, make_sendable(error))
    with suppress(OSError):
        theirs.send(said)


def make_sendable(error: Exception) -> Exception:
    """Return the error, if another process can be told of it; one with its words, otherwise."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return KitBroken(f"{type(error).__name__}: {error}")
    return error
