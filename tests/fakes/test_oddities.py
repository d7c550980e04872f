"""What tools hand back that has to be consumed or awaited comes to the results it was made of, behind a wire too."""

from typing import Any

import pytest

from react_tck.fakes.callables import python_tool
from react_tck.fakes.tools import TOOLBOX, settle_result
from react_tck.model.tool import ReturnsOddity
from tests.support.texts import NONCE, Stage

RESULTS = [f"ping result 1 ~{NONCE}"]
DEFERRED = ("generator", "iterator", "async generator", "coroutine")


def test_the_record_has_what_it_comes_to(subtests: pytest.Subtests) -> None:
    for oddity in DEFERRED:
        with subtests.test(oddity=oddity):
            stage = Stage()
            result = python_tool(stage.tool(TOOLBOX["ping"], ReturnsOddity(oddity=oddity)))()
            (run,) = stage.journal.read_record("a case").tool_runs
            assert (run.result, run.odd) == (RESULTS, True)
            assert settle_result(result) == RESULTS


def test_what_is_a_value_already_stays_as_it_is(subtests: pytest.Subtests) -> None:
    cases: list[Any] = [None, 1, "text", [1], {"a": 1}, b"x"]
    for value in cases:
        with subtests.test(value=value):
            assert settle_result(value) is value
