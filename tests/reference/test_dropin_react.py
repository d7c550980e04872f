"""Code written for `dspy.ReAct` runs with `reference.ReAct` in its place."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from react_tck.model.intent import Answer, CallTool

pytest.importorskip("dspy")

import dspy

from react_tck.reference import ReAct
from tests.support.dspy_stage import ADD, DONE, DspyStage, add

both = pytest.mark.parametrize("react", [dspy.ReAct, ReAct], ids=["dspy", "reference"])

PLUS = CallTool(tool="plus", args={"a": 2, "b": 3}, thought="add them")
FIVE = Answer(outputs={"total": 5}, reasoning="2 and 3 is 5")


class Solve(dspy.Signature):  # type: ignore[misc]  # dspy has no types
    """Solve the sum."""

    question: str = dspy.InputField()
    total: int = dspy.OutputField(desc="just the number")


class Calculator:
    """A class with tools for methods, as many have them."""

    def __init__(self) -> None:
        self.sums: list[int] = []

    def add(self, a: int, b: int) -> int:
        """Adds two whole numbers."""
        self.sums.append(a + b)
        return self.sums[-1]


@pytest.fixture(name="stage")
def _stage() -> DspyStage:
    return DspyStage()


@both
def test_a_signature_class_a_method_and_keywords(stage: DspyStage, react: Any) -> None:
    calculator = Calculator()
    agent = react(signature=Solve, tools=[calculator.add], max_iters=5)
    with stage.says(ADD, DONE, answers=(FIVE,)):
        result = agent(question="2+3?")
    assert result.total == 5
    assert calculator.sums == [5]
    assert result.trajectory["observation_0"] == 5


@both
def test_a_tool_object_with_a_name_and_a_description_of_its_own(stage: DspyStage, react: Any) -> None:
    agent = react("question -> answer", tools=[dspy.Tool(add, name="plus", desc="Puts numbers together.")])
    with stage.says(PLUS, DONE):
        result = agent(question="2+3?")
    assert result.trajectory["tool_name_0"] == "plus"
    assert "Puts numbers together." in stage.requests[0].request.text


@both
def test_async_tools_in_an_async_call(stage: DspyStage, react: Any) -> None:
    async def plus(a: int, b: int) -> int:
        """Adds two whole numbers."""
        await asyncio.sleep(0)
        return a + b

    agent = react("question -> answer", tools=[plus])
    with stage.says(PLUS, DONE):
        result = asyncio.run(agent.acall(question="2+3?"))
    assert result.trajectory["observation_0"] == 5


@both
def test_a_program_of_its_own_with_predictors_by_name(stage: DspyStage, react: Any) -> None:
    class Program(dspy.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.agent = react("question -> answer", tools=[add])

        def forward(self, question: str) -> dspy.Prediction:
            return self.agent(question=question)

    program = Program().deepcopy()
    assert list(dict(program.named_predictors())) == ["agent.react", "agent.extract.predict"]
    with stage.says(ADD, DONE):
        assert program(question="2+3?").answer == "5"


@both
def test_demos_survive_save_and_load(stage: DspyStage, react: Any, tmp_path: Path) -> None:
    taught, bare = react(Solve, tools=[add]), react(Solve, tools=[add])
    taught.extract.predict.demos = [dspy.Example(question="1+1?", trajectory="none", reasoning="easy", total=2)]
    taught.save(tmp_path / "program.json")
    bare.load(tmp_path / "program.json")
    with stage.says(DONE, answers=(FIVE,)):
        bare(question="2+3?")
    assert "1+1?" in stage.requests[-1].request.text


@both
def test_a_failing_tool_is_there_to_be_read(stage: DspyStage, react: Any) -> None:
    def add(a: int, b: int) -> int:
        """Adds two whole numbers."""
        raise RuntimeError("out of fingers")

    agent = react("question -> answer", tools=[add])
    with stage.says(ADD, DONE):
        result = agent(question="2+3?")
    assert "out of fingers" in result.trajectory["observation_0"]


@both
def test_a_history_among_the_inputs(stage: DspyStage, react: Any) -> None:
    agent = react("question, history: dspy.History -> answer", tools=[add])
    turns = dspy.History(messages=[{"question": "Who are you?", "answer": "a calculator"}])
    with stage.says(DONE):
        agent(question="2+3?", history=turns)
    assert "a calculator" in stage.requests[-1].request.text
