"""A thread that a subject leaves running keeps no process of the kit's from ending."""

import subprocess
import sys
from threading import Event, Thread

import pytest

from react_tck.processes.workers.processes import start_process_workers
from react_tck.processes.workers.workers import Beat

LEAVES_ONE = "python:tests.support.subjects_gone_wrong:leaves_a_thread"
#: Seconds: many times what these take.
PATIENCE = 60


def kit(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "react_tck", *words]
    return subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE, check=False
    )


def leave(number: int, _: Beat) -> int:
    Thread(target=Event().wait).start()
    return number


def test_python_itself_would_wait() -> None:
    code = "import threading; threading.Thread(target=threading.Event().wait).start()"
    with pytest.raises(subprocess.TimeoutExpired):
        subprocess.run([sys.executable, "-c", code], timeout=2, check=False)


@pytest.mark.parametrize(
    "words", [("harness",), ("check",), ("run", "-k", "finish"), ("run", "-k", "finish", "--in-process")], ids=" ".join
)
def test_a_command_ends(words: tuple[str, ...]) -> None:
    done = kit(*words, LEAVES_ONE)

    assert done.returncode == 0, done.stdout + done.stderr


def test_a_task_ends_once_its_result_is_there() -> None:
    with start_process_workers(1) as workers:
        assert list(workers.map(leave, [1, 2])) == [1, 2]
