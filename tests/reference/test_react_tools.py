"""Tools within the reference's run: whatever they are and do, the run goes on and the LM is told."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from react_tck.model.intent import Answer, CallTool

pytest.importorskip("dspy")

import dspy

from react_tck.reference import ReAct
from tests.support.dspy_stage import DONE, FIVE, DspyStage

TAKE = CallTool(tool="take", args={})


@pytest.fixture(name="stage")
def _stage() -> DspyStage:
    return DspyStage()


async def add_later(a: int, b: int) -> int:
    """Adds two whole numbers, later."""
    await asyncio.sleep(0)
    return a + b


class Ring:
    """Contains itself, and can't be shown as text."""

    def __str__(self) -> str:
        raise RuntimeError("no words")


def _ring() -> list[Any]:
    ring: list[Any] = []
    ring.append(ring)
    return ring


def _observed(stage: DspyStage, tool: Callable[..., Any], call: CallTool = TAKE) -> Any:
    with stage.says(call, DONE):
        return ReAct("question -> answer", [tool])(question="2+3?").trajectory["observation_0"]


# Forms


def test_async_tool_serves_a_sync_call_within_a_running_event_loop(stage: DspyStage) -> None:
    async def outer() -> Any:
        return _observed(stage, add_later, CallTool(tool="add_later", args={"a": 2, "b": 3}))

    assert asyncio.run(outer()) == 5


def test_awaited_call_runs_async_tools_in_the_callers_event_loop(stage: DspyStage) -> None:
    loops: list[asyncio.AbstractEventLoop] = []

    async def take() -> None:
        loops.append(asyncio.get_running_loop())

    async def outer() -> asyncio.AbstractEventLoop:
        await ReAct("question -> answer", [take]).acall(question="2+3?")
        return asyncio.get_running_loop()

    with stage.says(TAKE, DONE):
        callers = asyncio.run(outer())
    assert loops == [callers]


def test_async_tool_asks_the_callers_lm_within_a_running_event_loop(stage: DspyStage) -> None:
    async def take() -> str:
        """Asks an expert."""
        return str((await dspy.Predict("question -> answer").acall(question="2+3?")).answer)

    async def outer() -> Any:
        with stage.says(TAKE, DONE, answers=(Answer(outputs={"answer": "asked"}), FIVE)):
            return ReAct("question -> answer", [take])(question="2+3?")

    assert asyncio.run(outer()).trajectory["observation_0"] == "asked"


# Failures


@pytest.mark.parametrize("result", [_ring(), Ring()], ids=["contains itself", "can't be shown"])
def test_result_that_cannot_be_shown_does_not_end_the_run(stage: DspyStage, result: Any) -> None:
    def take() -> Any:
        return result

    assert _observed(stage, take).startswith("Error executing take: ")


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
def test_interruption_is_not_the_agents_to_observe(stage: DspyStage, error: type[BaseException]) -> None:
    def take() -> str:
        raise error

    agent = ReAct("question -> answer", [take])
    with stage.says(TAKE, answers=()), pytest.raises(error):
        agent(question="2+3?")


# Policies


# The LM
