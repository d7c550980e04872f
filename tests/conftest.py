"""What all tests share.

Hypothesis without chance, so that a run is the same everywhere and every time; and signals that are heard: what is
started in the background of a shell or under `nohup` ignores some, and so would all that the tests start.
"""

import gc
import os
import signal
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.support.tree import TreeCheck, is_needed

settings.register_profile("react-tck", derandomize=True, deadline=None, database=None)
settings.load_profile("react-tck")

signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)

#: Files that take long, with few tests each: the processes that share the files out begin with them.
_LONG = (
    "subjects/test_adapters.py",
    "fuzz/test_workers.py",
    "cli/test_same_bytes.py",
    "subjects/test_wire.py",
    "cli/test_templates.py",
    "zoo/test_outputs.py",
    "zoo/test_interrupts.py",
    "zoo/test_stdio.py",
    "zoo/test_in_process.py",
    "cli/test_gate.py",
    "cli/test_in_ci.py",
    "fuzz/test_profiles.py",
    "unit_tests/test_languages.py",
)


def pytest_configure(config: pytest.Config) -> None:
    """Look at the end whether the tests have left the checkout as it was."""
    if is_needed(config):
        config.pluginmanager.register(TreeCheck(Path(__file__).parents[1]))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """What `-n auto` is: half as many again as there are processors, since tests wait for what they start."""
    return max(2, (os.cpu_count() or 1) * 3 // 2)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What collecting makes stays: half the time would go into looking through it for garbage."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The long ones first, all others as they stand."""
    places = {Path(__file__).parent / file: place for place, file in enumerate(_LONG)}
    items.sort(key=lambda item: places.get(item.path, len(places)))
