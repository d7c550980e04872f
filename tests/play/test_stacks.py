"""Where threads are, as `faulthandler` tells it."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from react_tck.play.left_over import (
    StackFrame,
    as_written,
    current_stacks,
    find_left_over_threads,
    is_of_a_stack,
    stacks_in,
)

WRITTEN = """before
Thread 0x00007f2a (most recent call first):
  File "/a/b.py", line 3 in inner
  File "/a/c.py", line 9 in outer
said in between
Current thread 0x000000ff [name] (most recent call first):
  File "/a/d.py", line 1 in main
after
"""


@pytest.fixture(name="go_on")
def _go_on() -> Iterator[threading.Event]:
    """What lets all threads of a test end."""
    event = threading.Event()
    yield event
    event.set()


def waiting(event: threading.Event, folder: Path) -> threading.Thread:
    """A thread in a function of a file there."""
    names: dict[str, object] = {"event": event}
    exec(compile("def linger():\n    event.wait()", str(folder / "theirs.py"), "exec"), names)
    thread = threading.Thread(target=names["linger"])  # type: ignore[arg-type]
    thread.start()
    return thread


def test_stacks_are_found_among_other_lines() -> None:
    inner, outer, main = StackFrame("/a/b.py", "inner"), StackFrame("/a/c.py", "outer"), StackFrame("/a/d.py", "main")

    assert list(stacks_in(WRITTEN)) == [(0x7F2A, (inner, outer)), (0xFF, (main,))]
    assert [line for line in WRITTEN.splitlines() if not is_of_a_stack(line)] == ["before", "said in between", "after"]


def test_a_thread_is_known_by_where_it_began(go_on: threading.Event) -> None:
    known = threading.enumerate()
    thread = waiting(go_on, Path("/theirs"))

    (left,) = find_left_over_threads(known)

    assert (left.thread, str(left), left.keeps_alive) == (thread, "one in linger (theirs.py)", True)


def test_what_is_in_the_kit_is_the_kits_wherever_it_is_installed(
    go_on: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = threading.enumerate()
    monkeypatch.setattr("react_tck.play.left_over._KIT", as_written("/home/Jörg/猫"))
    waiting(go_on, Path("/home/Jörg/猫"))

    assert find_left_over_threads(known) == []


def test_nothing_is_said_of_threads_that_cannot_be_seen(
    go_on: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = threading.enumerate()
    waiting(go_on, Path("/theirs"))
    monkeypatch.setattr("tempfile.tempdir", "/nowhere")

    assert current_stacks() == {}
    assert [left.keeps_alive for left in find_left_over_threads(known)] == [False]
