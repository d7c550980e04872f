"""Results come in the order of the tasks; nobody waits for the slowest of them."""

from itertools import count
from threading import Event

from react_tck.processes.workers.workers import Beat, start_thread_workers

#: Many times what two workers are asked for ahead.
MANY = 100


def test_while_the_first_task_takes_long_all_others_are_done() -> None:
    others_are_done, ended = Event(), count(1)

    def work(number: int, _: Beat) -> int | None:
        if number == 0:
            return number if others_are_done.wait(60) else None
        if next(ended) == MANY - 1:
            others_are_done.set()
        return number

    with start_thread_workers(2) as workers:
        assert list(workers.map(work, range(MANY))) == list(range(MANY))
