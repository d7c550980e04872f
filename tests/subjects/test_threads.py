"""A thread that a subject leaves running keeps no process of the kit's from ending."""

import subprocess
import sys

import pytest

_LEAVES_ONE = "import threading; threading.Thread(target=threading.Event().wait).start()"


def test_a_process_ends_whatever_runs_in_it() -> None:
    code = f"from react_tck.subjects.threads import abandon; abandon(); {_LEAVES_ONE}"
    assert subprocess.run([sys.executable, "-c", code], timeout=60, check=False).returncode == 0


def test_without_that_it_would_wait() -> None:
    with pytest.raises(subprocess.TimeoutExpired):
        subprocess.run([sys.executable, "-c", _LEAVES_ONE], timeout=2, check=False)
