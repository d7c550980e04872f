"""What all workers have in common: tasks are done in whatever order, their results come in the order of the tasks."""

import os
import pickle
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from itertools import islice
from multiprocessing import get_all_start_methods, get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess, current_process
from pathlib import Path
from threading import Lock
from typing import Any, Protocol, TypeVar

from react_tck import steps
from react_tck.catalogue.sentences import modules_of
from react_tck.engine.run import KitBroken
from react_tck.processes.guard import PR_SET_PDEATHSIG, set_process_option

Task = TypeVar("Task")
Result = TypeVar("Result")
#: Called by a task now and then, to say that it goes on.
Beat = Callable[[], None]
#: What is done, at the top of a module, so that other processes find it: of a task its result and nothing else.
Work = Callable[[Task, Beat], Result]
#: Told of each result as soon as it is there, in no order, perhaps by another thread.
Done = Callable[[Result], None]

#: Tasks asked of each worker that aren't done, so that none waits for the next one to be asked.
_AHEAD = 4


class Workers(Protocol):
    """Does tasks, several at once."""

    @property
    def count(self) -> int:
        """How many tasks at once."""

    def map(
        self, work: Work[Task, Result], tasks: Iterable[Task], beat: Beat = ..., done: Done[Result] = ...
    ) -> Iterator[Result]:
        """Return the results, in the order of the tasks, which are taken when there is somebody to do them.

        Whoever does no longer want the rest closes the iterator. `beat` is called for every beat that can be heard.

        Raises:
            Exception: what the work raised.
            WorkersLost: if a task couldn't be done, by whomever.
            Silent: if a task said nothing for too long.
        """


class WorkersLost(Exception):
    """Tasks can't be done: the workers can't be had, are lost, or can't be used; the message says why."""


class TaskSilent(Exception):
    """A task said nothing for too long: after so many beats, and so many seconds more."""

    def __init__(self, beats: int, seconds: float) -> None:
        super().__init__(beats, seconds)
        self.beats = beats
        self.seconds = seconds

    def __str__(self) -> str:
        return f"a task said nothing for {self.seconds:g} seconds, twice"


def ignore_beat() -> None:
    """Do nothing at a beat: for tasks whose beats nobody hears."""


def ignore_result(_: object) -> None:
    """Do nothing with a result: for tasks whose single results nobody waits for."""


class Serial:
    """This process does the tasks, one after the other, each when its result is wanted."""

    count = 1

    def map(
        self,
        work: Work[Task, Result],
        tasks: Iterable[Task],
        beat: Beat = ignore_beat,
        done: Done[Result] = ignore_result,
    ) -> Iterator[Result]:
        """Yield the results, in the order of the tasks; raises what the work raises."""
        for task in tasks:
            result = work(task, beat)
            done(result)
            yield result


def yield_in_order(
    submit: Callable[[Task], Future[Result]], tasks: Iterable[Task], workers: int, done: Done[Result]
) -> Iterator[Result]:
    """Yield the results of tasks that somebody has been asked to do, in their order; those not wanted are cancelled.

    While the next one takes long, others are asked for and kept: nobody waits for the slowest.
    """
    asked: deque[Future[Result]] = deque()
    left = iter(tasks)
    try:
        while True:
            undone = sum(not future.done() for future in asked)
            for task in islice(left, max(0, _AHEAD * workers - undone)):
                asked.append(submit(task))
                asked[-1].add_done_callback(lambda future: _report_result(future, done))
            if not asked:
                return
            if asked[0].done():
                yield asked.popleft().result()
            else:
                wait([future for future in asked if not future.done()], return_when=FIRST_COMPLETED)
    finally:
        for future in asked:
            future.cancel()


def _report_result(future: Future[Result], done: Done[Result]) -> None:
    if not future.cancelled() and future.exception() is None:
        done(future.result())


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


class ThreadWorkers:
    """So many tasks at once."""

    def __init__(self, threads: ThreadPoolExecutor, count: int) -> None:
        self.count = count
        self._threads = threads

    def map(
        self,
        work: Work[Task, Result],
        tasks: Iterable[Task],
        beat: Beat = ignore_beat,
        done: Done[Result] = ignore_result,
    ) -> Iterator[Result]:
        """Return the results, in the order of the tasks."""
        return yield_in_order(lambda task: self._threads.submit(work, task, beat), tasks, self.count, done)


@contextmanager
def start_thread_workers(count: int) -> Iterator[ThreadWorkers]:
    """So many at once; what is under way at the end is waited for: an interruption is heard by the tasks themselves."""
    threads = ThreadPoolExecutor(count)
    try:
        yield ThreadWorkers(threads, count)
    finally:
        threads.shutdown(cancel_futures=True)


class ProcessWorkers:
    """So many processes at once, each for one task."""

    def __init__(self, isolated: IsolatedTasks, threads: ThreadPoolExecutor, count: int) -> None:
        self.count = count
        self._isolated = isolated
        self._threads = threads

    def map(
        self,
        work: Work[Task, Result],
        tasks: Iterable[Task],
        beat: Beat = ignore_beat,
        done: Done[Result] = ignore_result,
    ) -> Iterator[Result]:
        """Return the results, in the order of the tasks."""
        here = str(Path.cwd())
        return yield_in_order(
            lambda task: self._threads.submit(self._isolated.run_task, work, task, beat, here), tasks, self.count, done
        )


@contextmanager
def start_process_workers(
    count: int | None = None, preloaded: Sequence[str] = (), silence: float | None = None
) -> Iterator[ProcessWorkers]:
    """So many processes, as many as there are processors if None; what is under way at the end is ended.

    `preloaded` are modules that all need; a task that is silent for so many seconds is begun anew.
    """
    count = count or os.cpu_count() or 1
    isolated = IsolatedTasks(preloaded, silence)
    threads = ThreadPoolExecutor(count)
    try:
        yield ProcessWorkers(isolated, threads, count)
    finally:
        isolated.close()
        threads.shutdown(cancel_futures=True)
