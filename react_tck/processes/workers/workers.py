"""What all workers have in common: tasks are done in whatever order, their results come in the order of the tasks."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from itertools import islice
from typing import Protocol, TypeVar

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
