"""What a subject is said to have used up in its process."""

import functools
import gc
import os
import resource
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from react_tck.processes.monitor import ProcessMonitor

TOO_FEW = "it left too few descriptors to open a file"


@pytest.fixture
def monitor() -> Iterator[ProcessMonitor]:
    """Of a process that may have few descriptors, and collects no garbage unasked: none is left of earlier tests."""
    gc.collect()
    (allowed, most), often = resource.getrlimit(resource.RLIMIT_NOFILE), gc.get_threshold()
    resource.setrlimit(resource.RLIMIT_NOFILE, (200, most))
    gc.set_threshold(1_000_000)
    monitor = ProcessMonitor(report=2, memory=None, has_subject=False)
    monitor.take_snapshot()
    yield monitor
    gc.set_threshold(*often)
    resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, most))


def opened() -> list[int]:
    """As many descriptors as there may be."""
    descriptors: list[int] = []
    while True:
        try:
            descriptors.append(os.dup(2))
        except OSError:
            return descriptors


def test_as_many_have_to_be_left_as_before_and_no_look_uses_one_up(monitor: ProcessMonitor) -> None:
    held = opened()
    *many, last = held[-32:]
    for descriptor in many:
        os.close(descriptor)

    assert TOO_FEW in monitor.find_damage()
    assert TOO_FEW in monitor.find_damage()
    os.close(last)
    assert monitor.find_damage() == ""
    for descriptor in held[:-32]:
        os.close(descriptor)


@pytest.mark.parametrize("wraps", [functools.wraps, lambda _: lambda function: function], ids=["wrapper", "function"])
def test_a_thread_may_begin_as_a_library_has_it(wraps: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    begin = threading.Thread.start
    watching = ProcessMonitor(report=2, memory=None, has_subject=True)
    watching.take_snapshot()

    monkeypatch.setattr(threading.Thread, "start", wraps(begin)(lambda thread: begin(thread)))
    assert watching.find_damage() == ""

    monkeypatch.setattr(threading.Thread, "start", lambda thread: None)
    said = watching.find_damage()
    assert "threads can be started and waited for: False" in said
    # The two ways out.
    assert "--in-process, or in a process of its own (--python)" in said
    assert threading.Thread.start is begin
