"""What optimizers and users keep of a `reference.ReAct`: predictors by name, demos, instructions, files."""

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("dspy")

import dspy

from react_tck.reference import ReAct
from tests.support.dspy_stage import DONE, DspyStage, add

NAMES = ["react", "extract.predict"]


@pytest.fixture(name="stage")
def _stage() -> DspyStage:
    return DspyStage()


def _taught(react: type[Any]) -> Any:
    """An agent with a demo and new instructions for each predictor, as an optimizer leaves it."""
    agent = react("question -> answer", [add])
    for name, predictor in agent.named_predictors():
        outputs: dict[str, Any] = {field: f"{name} shows {field}" for field in predictor.signature.output_fields}
        if "next_tool_name" in outputs:
            outputs |= {"next_tool_name": "finish", "next_tool_args": {}}
        predictor.demos = [dspy.Example(question=f"{name} asks", trajectory="nothing yet", **outputs)]
        predictor.signature = predictor.signature.with_instructions(f"{name} is told this")
    return agent


def _check_taught(agent: Any, stage: DspyStage) -> None:
    """The LM gets to read the demo and the instructions of each predictor."""
    with stage.says(DONE):
        agent(question="2+3?")
    for name, asked in zip(NAMES, stage.requests, strict=True):
        assert f"{name} is told this" in asked.request.system_text
        assert f"{name} asks" in asked.request.text


def test_predictors_have_the_fields_that_dspy_react_has() -> None:
    ours, theirs = (
        {name: list(predictor.signature.fields) for name, predictor in react(Ask, [add]).named_predictors()}
        for react in (ReAct, dspy.ReAct)
    )
    assert ours == theirs


class Ask(dspy.Signature):  # type: ignore[misc]  # dspy has no types
    """Answer with sources."""

    context: list[str] = dspy.InputField()
    question: str = dspy.InputField()
    answer: str = dspy.OutputField()
    sources: list[str] = dspy.OutputField()


def test_saved_file_brings_demos_and_instructions_back(stage: DspyStage, tmp_path: Path) -> None:
    path = tmp_path / "agent.json"
    _taught(ReAct).save(path)
    agent = ReAct("question -> answer", [add])
    agent.load(path)
    _check_taught(agent, stage)


def test_file_that_dspy_react_saved_is_loaded(stage: DspyStage, tmp_path: Path) -> None:
    path = tmp_path / "agent.json"
    _taught(dspy.ReAct).save(path)
    agent = ReAct("question -> answer", [add])
    agent.load(path)
    _check_taught(agent, stage)


def test_file_is_loaded_by_dspy_react(stage: DspyStage, tmp_path: Path) -> None:
    path = tmp_path / "agent.json"
    _taught(ReAct).save(path)
    agent = dspy.ReAct("question -> answer", [add])
    agent.load(path)
    _check_taught(agent, stage)


def test_copy_shares_nothing_and_works(stage: DspyStage, subtests: pytest.Subtests) -> None:
    for copy in ["deepcopy", "reset_copy"]:
        with subtests.test(copy=copy):
            original = _taught(ReAct)
            twin = getattr(original, copy)()
            for predictor in twin.predictors():
                predictor.demos = []
            assert all(predictor.demos for predictor in original.predictors())
            with stage.says(DONE):
                assert twin(question="2+3?").answer == "5"
