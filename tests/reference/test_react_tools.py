"""Tools within the reference's run: whatever they are and do, the run goes on and the LM is told."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from react_tck.model.intent import Answer, CallTool, Fault, Raw
from react_tck.model.lm import Completion

pytest.importorskip("dspy")

import dspy

from react_tck.reference import ReAct
from react_tck.reference.drive import EpisodeFailed
from react_tck.reference.loop import Policy
from tests.support.dspy_stage import ADD, DONE, FIVE, DspyStage, add

TAKE = CallTool(tool="take", args={})
GARBLED = Raw(text="no")


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


@pytest.mark.parametrize("make", [dspy.Tool, lambda tool: tool])
def test_functions_and_dspy_tools_serve_alike(stage: DspyStage, make: Any) -> None:
    assert _observed(stage, make(add), ADD) == 5
    assert "Adds two whole numbers." in stage.requests[0].request.system_text


def test_async_tool_serves_a_sync_call(stage: DspyStage) -> None:
    assert _observed(stage, add_later, CallTool(tool="add_later", args={"a": 2, "b": 3})) == 5


def test_async_tool_serves_a_sync_call_within_a_running_event_loop(stage: DspyStage) -> None:
    async def outer() -> Any:
        return _observed(stage, add_later, CallTool(tool="add_later", args={"a": 2, "b": 3}))

    assert asyncio.run(outer()) == 5


@pytest.mark.parametrize("tool", [add, add_later])
def test_sync_and_async_tools_serve_an_awaited_call(stage: DspyStage, tool: Callable[..., Any]) -> None:
    with stage.says(CallTool(tool=tool.__name__, args={"a": 2, "b": 3}), DONE):
        prediction = asyncio.run(ReAct("question -> answer", [tool]).acall(question="2+3?"))
    assert prediction.trajectory["observation_0"] == 5


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


def test_tool_that_raises_is_observed(stage: DspyStage) -> None:
    def take() -> str:
        raise LookupError("no such city")

    assert _observed(stage, take) == "Error executing take: LookupError: no such city"


def test_args_that_do_not_fit_are_observed_and_the_tool_is_not_run(stage: DspyStage) -> None:
    runs: list[int] = []

    def take(number: int) -> None:
        runs.append(number)

    observed = _observed(stage, take, CallTool(tool="take", args={"number": "many"}))
    assert observed.startswith("Error executing take: ")
    assert "number" in observed
    assert runs == []


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


def test_unreadable_reply_is_asked_again_in_json_then_observed(stage: DspyStage) -> None:
    with stage.says(GARBLED, DONE):
        prediction = ReAct("question -> answer", [add])(question="2+3?")
    assert [dialect for _, dialect in stage.spoken()] == ["chat", "json", "chat", "chat"]
    assert prediction.trajectory["observation_0"].startswith("Error: ")
    assert prediction.trajectory["tool_name_1"] == "finish"


def test_policy_may_extract_after_an_unreadable_reply(stage: DspyStage) -> None:
    agent = ReAct("question -> answer", [add], policy=Policy(malformed_reply="extract"))
    with stage.says(GARBLED):
        assert agent(question="2+3?").answer == "5"


def test_policy_may_end_the_run_after_a_tool_error(stage: DspyStage) -> None:
    def take() -> str:
        raise LookupError("no such city")

    agent = ReAct("question -> answer", [take], policy=Policy(tool_error="error"))
    with stage.says(TAKE, answers=()), pytest.raises(EpisodeFailed, match=r"^LookupError: no such city$"):
        agent(question="2+3?")


def test_policy_may_extract_without_reasoning(stage: DspyStage) -> None:
    agent = ReAct("question -> answer", [add], policy=Policy(extraction="predict"))
    with stage.says(DONE):
        assert set(agent(question="2+3?").keys()) == {"trajectory", "answer"}
    assert [name for name, _ in agent.named_predictors()] == ["react", "extract"]


def test_policy_may_leave_finish_out_of_the_trajectory(stage: DspyStage) -> None:
    agent = ReAct("question -> answer", [add], policy=Policy(finish_recorded=False))
    with stage.says(DONE):
        assert agent(question="2+3?").trajectory == {}


# The LM


def test_failure_of_the_provider_is_the_callers(stage: DspyStage) -> None:
    with stage.says(Fault(fault="server-error"), answers=()), pytest.raises(Exception, match="server-error"):
        ReAct("question -> answer", [add])(question="2+3?")


def test_extraction_that_cannot_be_read_is_the_callers(stage: DspyStage) -> None:
    from dspy.utils.exceptions import AdapterParseError

    with stage.says(DONE, answers=(GARBLED,)), pytest.raises(AdapterParseError):
        ReAct("question -> answer", [add])(question="2+3?")
    assert stage.requests[-1].completion == Completion(content="no")
