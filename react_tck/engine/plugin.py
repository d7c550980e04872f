"""The pytest plugin that plays the rows of features: the fixture `world`, and what becomes of a row when it has ended.

A run of the kit loads it by itself; in other sessions `react_tck.pytest_steps` does.
"""

import os
import threading
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass

import pytest
from pytest_bdd.parser import Step

from react_tck.catalogue.features import ScenarioRow
from react_tck.engine.examiner import Examiner
from react_tck.steps.language import find_needs
from react_tck.steps.world import World
from react_tck.subjects.api import expecting_exceptions

#: The status of a broken harness (results/exit_status.py).
_BROKEN = 3


@dataclass
class RowPlay:
    """A row that a test plays, and who examines it; nobody before its first sentence of the kit's."""

    row: ScenarioRow
    examiner: Examiner | None = None
    #: The sentence that is carried out now.
    sentence: str = ""
    #: What came out of the row's sentences.
    error: Exception | None = None


#: Where a test keeps the row that it plays.
ROW_PLAY = pytest.StashKey[RowPlay]()


@pytest.fixture
def world(request: pytest.FixtureRequest) -> World:
    """Return the world of the scenario: the episodes that its sentences play, and the records that they judge.

    Raises:
        HarnessBroken: if the subject can't say who it is.
        Unsupported: if the row is about a specification that the subject doesn't claim.
    """
    play: RowPlay = request.node.stash[ROW_PLAY]
    if play.examiner is None:
        play.examiner = request.getfixturevalue("examiner")
        play.examiner.begin_row(play.row)
    return play.examiner.make_world(play.row)


def pytest_bdd_before_step(request: pytest.FixtureRequest, step: Step) -> None:
    """Remember which sentence is carried out."""
    if play := request.node.stash.get(ROW_PLAY, None):
        play.sentence = f"{step.keyword} {step.name}"


def pytest_bdd_before_step_call(step_func: Callable[..., object], step_func_args: Mapping[str, object]) -> None:
    """Ask a sentence only of a subject that declares what it needs.

    Raises:
        Unsupported: if it doesn't.
    """
    world = step_func_args.get("world")
    if isinstance(world, World):
        world.needs(*find_needs(step_func, *step_func_args.values()))


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, object, object]:
    """Play a row, and have its end examined; any other test, and a scenario without our sentences, goes its own way."""
    play = pyfuncitem.stash.get(ROW_PLAY, None)
    if play is None:
        return (yield)
    result: object = True
    # A worker is watched over by others; any other process is the user's own.
    is_own = play.examiner is None or bool(play.examiner.watch.spared)
    try:
        with _end_in_failure() if is_own else nullcontext():
            result = yield from _carry_out_row(play)
    except Exception as error:
        if play.examiner is None:
            raise
        play.error = error
    if play.examiner is not None:
        play.examiner.end_row(play.row, play.error, play.sentence)
    return result


@contextmanager
def _end_in_failure() -> Iterator[None]:
    """Let a subject that ends the process by `os._exit` end its row, or the process in failure."""
    end, process = os._exit, os.getpid()

    def end_process(status: int) -> None:
        if os.getpid() == process and threading.current_thread() is threading.main_thread():
            raise SystemExit(f"os._exit({status})")
        end(status or _BROKEN if os.getpid() == process else status)

    os._exit = end_process  # type: ignore[assignment]
    try:
        yield
    finally:
        os._exit = end


def _carry_out_row(play: RowPlay) -> Generator[None, object, object]:
    try:
        result = yield
    except BaseException:
        with expecting_exceptions(*(play.examiner.watch.spared if play.examiner else (BaseException,))):
            raise
    if play.examiner is not None:
        play.sentence = "the scripted LM's own check"
        play.examiner.check_requests()
    return result
