"""`reference.ReAct` can be put where `dspy.ReAct` was: made, called and looked at the same way."""

import asyncio
from typing import Any

import pytest

from react_tck.model.intent import Answer, CallTool

pytest.importorskip("dspy")

import dspy

from react_tck.reference import ReAct
from react_tck.reference.loop import STRICT
from tests.support.dspy_stage import ADD, DONE, FIVE, DspyStage, add

TRAJECTORY = {
    "thought_0": "add them",
    "tool_name_0": "add",
    "tool_args_0": {"a": 2, "b": 3},
    "observation_0": 5,
    "thought_1": "that's it",
    "tool_name_1": "finish",
    "tool_args_1": {},
    "observation_1": "Completed.",
}


@pytest.fixture(name="stage")
def _stage() -> DspyStage:
    return DspyStage()


class Solve(dspy.Signature):  # type: ignore[misc]  # dspy has no types
    """Solve the sum."""

    question: str = dspy.InputField()
    answer: int = dspy.OutputField(desc="just the number")


# Made and called as dspy.ReAct is


@pytest.mark.parametrize("react", [ReAct, dspy.ReAct])
def test_it_is_made_called_and_read_as_dspy_react_is(stage: DspyStage, react: Any) -> None:
    agent = react("question -> answer", [add], max_iters=4)
    with stage.says(ADD, DONE):
        prediction = agent(question="2+3?")
    assert isinstance(prediction, dspy.Prediction)
    assert prediction.answer == "5"
    assert prediction.reasoning == "2 and 3 is 5"
    assert prediction.trajectory == TRAJECTORY
    assert set(prediction.keys()) == {"trajectory", "reasoning", "answer"}


@pytest.mark.parametrize("react", [ReAct, dspy.ReAct])
def test_it_can_be_awaited_as_dspy_react_can(stage: DspyStage, react: Any) -> None:
    agent = react("question -> answer", tools=[add])
    with stage.says(ADD, DONE):
        prediction = asyncio.run(agent.acall(question="2+3?"))
    assert prediction.answer == "5"
    assert prediction.trajectory == TRAJECTORY


@pytest.mark.parametrize(
    "make",
    [
        lambda: ReAct("question -> answer", [add], 1),
        lambda: ReAct("question -> answer", [add], max_steps=1),
        lambda: ReAct("question -> answer", [add], max_iters=1),
        lambda: ReAct(signature="question -> answer", tools=(add,), max_steps=1),
    ],
)
def test_limit_may_be_given_by_position_or_by_either_name(stage: DspyStage, make: Any) -> None:
    with stage.says(ADD):
        prediction = make()(question="2+3?")
    assert len(prediction.trajectory) == 4


def test_limit_is_twenty_steps_if_none_is_given(stage: DspyStage) -> None:
    agent = ReAct("question -> answer", [add])
    with stage.says(ADD.model_copy(update={"sticky": True})):
        agent(question="2+3?")
    assert [phase for phase, _ in stage.spoken()] == ["step"] * 20 + ["extraction"]


@pytest.mark.parametrize("name", ["max_steps", "max_iters"])
def test_limit_of_a_call_holds_for_that_call_only(stage: DspyStage, name: str) -> None:
    agent = ReAct("question -> answer", [add], max_steps=2)
    with stage.says(ADD, ADD, ADD, answers=(FIVE, FIVE)):
        assert len(agent(question="2+3?", **{name: 1}).trajectory) == 4
        assert len(agent(question="2+3?").trajectory) == 8


def test_input_called_like_an_option_is_an_input(stage: DspyStage) -> None:
    agent = ReAct("question, max_steps -> answer", [add])
    with stage.says(DONE):
        agent(question="2+3?", max_steps="not a limit")
    assert "not a limit" in stage.requests[0].request.text


def test_class_signature_gives_its_types_and_instructions(stage: DspyStage) -> None:
    with stage.says(ADD, DONE, answers=(Answer(outputs={"answer": 5}),)):
        prediction = ReAct(Solve, [add])(question="2+3?")
    assert prediction.answer == 5
    assert all("Solve the sum." in asked.request.system_text for asked in stage.requests)


def test_outputs_have_an_order_and_types_of_their_own(stage: DspyStage) -> None:
    agent = ReAct("question -> sources: list[str], sure: bool", [add])
    outputs = {"sources": ["a", "b"], "sure": False}
    with stage.says(DONE, answers=(Answer(outputs=outputs),)):
        prediction = agent(question="2+3?")
    assert (prediction.sources, prediction.sure) == (["a", "b"], False)


def test_result_of_a_tool_is_shown_in_the_next_step_and_to_the_extraction(stage: DspyStage) -> None:
    def look_up(name: str) -> str:
        """Looks a name up."""
        return f"{name} lives in Uri"

    with stage.says(CallTool(tool="look_up", args={"name": "Tell"}), DONE):
        ReAct("question -> answer", [look_up])(question="Where does Tell live?")
    shown = ["Tell lives in Uri" in asked.request.text for asked in stage.requests]
    assert shown == [False, True, True]


@pytest.mark.parametrize("inputs", [{}, {"question": "2+3?", "hint": "add"}])
def test_missing_or_unknown_input_is_refused_before_the_lm_is_asked(stage: DspyStage, inputs: dict[str, Any]) -> None:
    with stage.says(answers=()), pytest.raises(ValueError, match="the inputs are: question"):
        ReAct("question -> answer", [add], policy=STRICT)(**inputs)
    assert stage.requests == ()


def test_one_agent_can_be_called_again_and_again(stage: DspyStage) -> None:
    agent = ReAct("question -> answer", [add])
    with stage.says(ADD, DONE, ADD, DONE, answers=(FIVE, FIVE)):
        first, second = agent(question="2+3?"), agent(question="2+3?")
    assert first.trajectory == second.trajectory == TRAJECTORY
    assert first.trajectory is not second.trajectory
    assert stage.requests[0].request == stage.requests[3].request


# Adapters

CHAT_JSON_XML = {"chat": dspy.ChatAdapter, "json": dspy.JSONAdapter, "xml": dspy.XMLAdapter}


@pytest.mark.parametrize("dialect", CHAT_JSON_XML)
def test_globally_configured_adapter_is_used_for_both_calls(stage: DspyStage, dialect: str) -> None:
    with stage.says(ADD, DONE, adapter=CHAT_JSON_XML[dialect]()):
        prediction = ReAct("question -> answer", [add])(question="2+3?")
    assert prediction.trajectory == TRAJECTORY
    assert stage.spoken() == [("step", dialect), ("step", dialect), ("extraction", dialect)]


@pytest.mark.parametrize("call", ["sync", "async"])
def test_adapter_of_the_module_wins_over_the_global_one_and_does_not_leak(stage: DspyStage, call: str) -> None:
    agent = ReAct("question -> answer", [add], adapter=dspy.JSONAdapter())
    with stage.says(DONE, answers=(FIVE, FIVE), adapter=dspy.XMLAdapter()):
        if call == "async":
            asyncio.run(agent.acall(question="2+3?"))
        else:
            agent(question="2+3?")
        dspy.Predict("question -> answer")(question="2+3?")
    assert stage.spoken() == [("step", "json"), ("extraction", "json"), ("extraction", "xml")]


def test_without_any_adapter_chat_is_spoken(stage: DspyStage) -> None:
    with stage.says(DONE):
        ReAct("question -> answer", [add])(question="2+3?")
    assert stage.spoken() == [("step", "chat"), ("extraction", "chat")]


# Inside dspy


def test_history_can_be_inspected(stage: DspyStage, capsys: pytest.CaptureFixture[str]) -> None:
    agent = ReAct("question -> answer", [add])
    with stage.says(ADD, DONE):
        agent(question="2+3?")
    assert len(agent.history) == 3
    agent.inspect_history(n=1)
    assert "2 and 3 is 5" in capsys.readouterr().out


def test_agents_run_in_parallel_each_with_its_own_trajectory(stage: DspyStage) -> None:
    agent = ReAct("question -> answer", [add], max_steps=1)
    examples = [dspy.Example(question=f"question {number}").with_inputs("question") for number in range(8)]
    with stage.says(ADD.model_copy(update={"sticky": True}), answers=(FIVE,) * 8):
        parallel = dspy.Parallel(num_threads=4, disable_progress_bar=True)
        predictions = parallel([(agent, example) for example in examples])
    assert [prediction.trajectory["observation_0"] for prediction in predictions] == [5] * 8
    assert len(stage.requests) == 16


def test_agent_is_a_module_inside_a_module(stage: DspyStage) -> None:
    class Program(dspy.Module):  # type: ignore[misc]  # the same
        def __init__(self) -> None:
            super().__init__()
            self.agent = ReAct("question -> answer", [add])

        def forward(self, question: str) -> Any:
            return self.agent(question=question)

    program = Program()
    assert [name for name, _ in program.named_predictors()] == ["agent.react", "agent.extract.predict"]
    with stage.says(DONE):
        assert program(question="2+3?").answer == "5"


def test_agent_is_a_tool_of_another_agent(stage: DspyStage) -> None:
    inner = ReAct("question -> answer", [add], max_steps=1)

    def ask(question: str) -> str:
        """Asks the other agent."""
        return str(inner(question=question).answer)

    outer = ReAct("question -> answer", [ask])
    with stage.says(CallTool(tool="ask", args={"question": "2+3?"}), ADD, DONE, answers=(FIVE, FIVE)):
        prediction = outer(question="2+3?")
    assert prediction.trajectory["observation_0"] == "5"
