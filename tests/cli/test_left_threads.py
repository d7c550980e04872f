"""A thread that a subject leaves running keeps no process of the kit's from ending, and is its library's failure."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GONE_WRONG = "python:tests.support.subjects_gone_wrong"
#: Python waits for threads in this function, for ever. Here a timer that is set to end the process goes off at once;
#: without one it ends with a status of its own. So nobody waits, and nothing depends on how long something takes.
WAITS = 99
_STOPS_THERE = f"""
import os, sys, threading
def wait_for_threads(end=threading._shutdown):
    others = [thread for thread in threading.enumerate() if thread is not threading.main_thread()]
    for timer in others:
        if isinstance(timer, threading.Timer) and timer.function is os._exit:
            timer.function(*timer.args)
    end() if all(thread.daemon for thread in others) else os._exit({WAITS})
threading._shutdown = wait_for_threads
"""


WHERE = ((), *(pytest.param(each, marks=pytest.mark.all) for each in (("--in-process",), ("-n", "2"))))


def run_python(code: str, *words: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-c", f"{_STOPS_THERE}\n{code}", *words]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(command, stdin=subprocess.DEVNULL, env=env, capture_output=True, text=True, check=False)


def run_kit(*words: str) -> "subprocess.CompletedProcess[str]":
    return run_python("from react_tck.__main__ import main\nsys.exit(main())", *words)


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (("harness",), 0),
        pytest.param(("check",), 0, marks=pytest.mark.all),
        pytest.param(("run", "-k", "finish"), 1, marks=pytest.mark.all),
        pytest.param(("run", "-k", "finish", "--in-process"), 1, marks=pytest.mark.all),
    ],
)
def test_a_command_ends(words: tuple[str, ...], status: int) -> None:
    done = run_kit(*words, f"{GONE_WRONG}:leaves_a_thread")

    assert done.returncode == status, done.stdout + done.stderr


@pytest.mark.parametrize("where", WHERE, ids=" ".join)
def test_a_call_that_leaves_a_thread_is_a_failure_of_its_library(where: tuple[str, ...]) -> None:
    done = run_kit("run", "-vv", *where, "-k", "Selecting finish", f"{GONE_WRONG}:leaves_a_thread_behind_each_call")

    assert done.returncode == 1, done.stdout + done.stderr
    assert "SAN-012 (practice, critical)" in done.stdout
    assert "1 still runs: one in wait_for_more (subjects_gone_wrong.py)" in done.stdout
    assert " + 0 errors + " in done.stdout


@pytest.mark.all
@pytest.mark.parametrize("where", [(), ("--in-process",), ("-n", "2")], ids=" ".join)
@pytest.mark.parametrize("left", ["leaves_a_thread", "leaves_threads_when_imported"])
def test_a_thread_that_is_left_before_the_first_row_is_one_too(left: str, where: tuple[str, ...]) -> None:
    done = run_kit("run", "-vv", *where, "-k", "Selecting finish", f"{GONE_WRONG}:{left}")

    assert done.returncode == 1, done.stdout + done.stderr
    assert "SAN-012 (practice, critical)" in done.stdout
    assert "1 still runs: one" in done.stdout
    assert " + 0 errors + " in done.stdout
