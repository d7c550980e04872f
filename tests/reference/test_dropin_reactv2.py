"""Code written for `dspy.ReActV2`, or after source 002, runs with `reference.TranscriptReAct` in its place."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import react_tck
from react_tck.fakes.lm import EpisodeLM
from react_tck.model.intent import Answer, Calls, CallTool, Intent, Submit

pytest.importorskip("dspy")

import dspy

from react_tck.reference import TranscriptReAct
from react_tck.subjects.libraries.dspy.bridge import language_model, make_adapter
from tests.support.dspy_stage import ADD, DspyStage, add

FIVE = Submit(outputs={"answer": "5"}, thought="that's it")
TEN = Submit(outputs={"answer": "10"}, thought="twice that")
DIALECTS = ("native", "chat", "xml", "json")

both = pytest.mark.parametrize("react", [dspy.ReActV2, TranscriptReAct], ids=["dspy", "reference"])
in_both_dialects = pytest.mark.parametrize("dialect", ["chat", "native"])


class TranscriptStage(DspyStage):
    """dspy set up to talk to an LM that submits."""

    @contextmanager
    def submits(
        self, *steps: Intent, answers: tuple[Intent, ...] = (), dialect: str = "chat", max_steps: int = 20
    ) -> Iterator[EpisodeLM]:
        """Within, dspy's LM says these steps and answers, and nothing is left over in the end."""
        lm = self.lm(*steps, answers=answers, dialects=DIALECTS)
        lm.allow_steps(max_steps)
        made = language_model(react_tck.LM(lm.complete), dialect == "native")
        with dspy.context(lm=made, adapter=make_adapter(dialect)):
            yield lm
        assert lm.left_over == ()

    @property
    def last_messages(self) -> str:
        """What the LM read last."""
        return self.requests[-1].request.text


@pytest.fixture(name="stage")
def _stage() -> TranscriptStage:
    return TranscriptStage()


@both
@in_both_dialects
def test_made_called_and_read(stage: TranscriptStage, react: Any, dialect: str) -> None:
    agent = react("question -> answer", tools=[add], max_iters=4)
    with stage.submits(ADD, FIVE, dialect=dialect):
        result = agent(question="2+3?")
    assert result.answer == "5"
    assert isinstance(result.history, dspy.History)
    assert result.termination_reason == "submit"


@both
@in_both_dialects
def test_awaited(stage: TranscriptStage, react: Any, dialect: str) -> None:
    agent = react("question -> answer", [add])
    with stage.submits(ADD, FIVE, dialect=dialect):
        result = asyncio.run(agent.acall(question="2+3?"))
    assert result.answer == "5"


@both
@in_both_dialects
def test_follow_up_turn_of_source_002(stage: TranscriptStage, react: Any, dialect: str) -> None:
    agent = react("question -> answer", tools=[add])
    with stage.submits(ADD, FIVE, TEN, dialect=dialect):
        first = agent(question="2+3?")
        second = agent(question="Twice that number.", history=first.history)
    assert second.answer == "10"
    for shown in ("2+3?", "add", "Twice that number."):
        assert shown in stage.last_messages


@both
def test_history_passed_on_as_a_mapping(stage: TranscriptStage, react: Any) -> None:
    agent = react("question -> answer", tools=[add])
    with stage.submits(ADD, FIVE, TEN):
        first = agent(question="2+3?")
        agent(question="Twice that number.", history=first.history.model_dump(mode="json"))
    assert "2+3?" in stage.last_messages


@both
def test_turns_written_by_hand(stage: TranscriptStage, react: Any) -> None:
    turns = dspy.History(messages=[{"question": "What is the capital of France?", "answer": "Paris"}])
    agent = react("question -> answer", tools=[])
    with stage.submits(FIVE):
        agent(question="And of Germany?", history=turns)
    assert "What is the capital of France?" in stage.last_messages


@both
def test_limit_given_to_a_call(stage: TranscriptStage, react: Any) -> None:
    agent = react("question -> answer", [add], max_iters=7)
    answer = Answer(outputs={"answer": "5"})
    with stage.submits(ADD, answers=(answer,), max_steps=1):
        result = agent(question="2+3?", max_iters=1)
    assert result.answer == "5"
    assert result.termination_reason in ("forced_submit", "extract")


@both
@in_both_dialects
def test_several_calls_in_one_turn(stage: TranscriptStage, react: Any, dialect: str) -> None:
    more = CallTool(tool="add", args={"a": 30, "b": 4})
    agent = react("question -> answer", [add])
    with stage.submits(Calls(calls=(ADD, more), thought="both"), FIVE, dialect=dialect):
        agent(question="2+3, 30+4?")
    assert "34" in stage.last_messages


class Solve(dspy.Signature):  # type: ignore[misc]  # dspy has no types
    """Solve the sum."""

    question: str = dspy.InputField()
    total: int = dspy.OutputField()
    parts: list[int] = dspy.OutputField()


@both
def test_typed_outputs_of_a_class(stage: TranscriptStage, react: Any) -> None:
    agent = react(Solve, [add])
    with stage.submits(Submit(outputs={"total": 5, "parts": [2, 3]})):
        result = agent(question="2+3?")
    assert (result.total, result.parts) == (5, [2, 3])


@both
@pytest.mark.parametrize("signature", ["question -> history", "history -> answer", "question -> termination_reason"])
def test_reserved_fields(react: Any, signature: str) -> None:
    with pytest.raises(ValueError, match="reserved"):
        react(signature, [add])


@both
def test_reserved_tool(react: Any) -> None:
    def submit(text: str) -> str:
        """Hands something in."""
        return text

    with pytest.raises(ValueError, match="submit"):
        react("question -> answer", [submit])


@both
def test_saved_and_loaded(stage: TranscriptStage, react: Any, tmp_path: Path) -> None:
    taught, bare = react(Solve, [add]), react("question -> total: int, parts: list[int]", [add])
    taught.save(tmp_path / "program.json")
    bare.load(tmp_path / "program.json")
    with stage.submits(Submit(outputs={"total": 5, "parts": [2, 3]})):
        bare(question="2+3?")
    assert "Solve the sum." in stage.last_messages


@both
def test_part_of_a_larger_program(stage: TranscriptStage, react: Any) -> None:
    class Program(dspy.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.agent = react("question -> answer", [dspy.Tool(add, name="plus")])

        def forward(self, question: str) -> dspy.Prediction:
            return self.agent(question=question)

    program = Program().deepcopy()
    assert "agent.react" in dict(program.named_predictors())
    with stage.submits(CallTool(tool="plus", args={"a": 2, "b": 3}), FIVE):
        assert program(question="2+3?").answer == "5"


@in_both_dialects
@pytest.mark.parametrize("as_json", [False, True], ids=["object", "json"])
def test_a_history_of_dspy_s_own_is_continued(stage: TranscriptStage, dialect: str, as_json: bool) -> None:
    with stage.submits(ADD, FIVE, TEN, dialect=dialect):
        first = dspy.ReActV2("question -> answer", [add])(question="2+3?")
        history = first.history.model_dump(mode="json") if as_json else first.history
        TranscriptReAct("question -> answer", [add])(question="Twice that number.", history=history)
    messages = [m for m in stage.requests[-1].request.messages if m.role != "system"]
    roles = [message.role for message in messages]
    seen = "tool" if dialect == "native" else "user"
    assert roles == ["user", "assistant", seen, "assistant", seen, "assistant", "user"]


def test_the_callers_history_is_left_alone(stage: TranscriptStage) -> None:
    agent = TranscriptReAct("question -> answer", [add])
    with stage.submits(ADD, FIVE, TEN):
        first = agent(question="2+3?")
        before = first.history.model_copy(deep=True)
        agent(question="Twice that number.", history=first.history)
    assert first.history == before
