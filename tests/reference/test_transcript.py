"""`reference.TranscriptReAct`: what its prompts show, and what it makes of odd values, in text and natively."""

import pytest

from react_tck.model.intent import Answer, BadArgs, CallTool, Empty, Fault, Intent, Submit

pytest.importorskip("dspy")

import dspy

from react_tck.reference import TranscriptReAct, tool
from react_tck.reference.loop import STRICT
from tests.reference.test_dropin_reactv2 import FIVE, TEN, TranscriptStage, in_both_dialects
from tests.support.dspy_stage import ADD, add


class Measure(dspy.Signature):  # type: ignore[misc]  # dspy has no types
    """Measure what is asked for."""

    question: str = dspy.InputField(desc="what to measure")
    total: float = dspy.OutputField(desc="in fathoms")


@pytest.fixture(name="stage")
def _stage() -> TranscriptStage:
    return TranscriptStage()


@in_both_dialects
def test_the_lm_is_told_what_inputs_and_outputs_mean(stage: TranscriptStage, dialect: str) -> None:
    with stage.submits(Submit(outputs={"total": 2.5}), dialect=dialect):
        assert TranscriptReAct(Measure, [add])(question="How deep?").total == 2.5
    for said in ("Measure what is asked for.", "what to measure", "in fathoms"):
        assert said in stage.last_messages


@in_both_dialects
@pytest.mark.parametrize(
    "result", ["", None, 0, [], {"a": [None, "ü"]}, b"\x00\xff", object()], ids=lambda result: type(result).__name__
)
def test_whatever_a_tool_returns_is_kept(stage: TranscriptStage, dialect: str, result: object) -> None:
    def look() -> object:
        """Looks."""
        return result

    with stage.submits(CallTool(tool="look"), FIVE, dialect=dialect):
        prediction = TranscriptReAct("question -> answer", [look])(question="What is there?")
    (kept,) = prediction.history.messages[0]["tool_calls"].tool_call_results.tool_call_results
    assert (kept.name, kept.is_error) == ("look", False)


def test_a_reply_without_a_tool_call_is_remarked_upon(stage: TranscriptStage) -> None:
    with stage.submits(Empty(), FIVE, dialect="native"):
        prediction = TranscriptReAct("question -> answer", [add])(question="2+3?")
    (first, _) = prediction.history.messages
    assert first["question"] == "2+3?"
    assert "could not be read" in first["next_thought"]
    assert prediction.answer == "5"


def test_nobody_is_asked_about_a_call_that_cannot_be_read(stage: TranscriptStage) -> None:
    agent = TranscriptReAct("question -> answer", [tool(require_confirmation=True)(add)])
    with stage.submits(BadArgs(tool="add", text="two and three"), FIVE, dialect="native"):
        prediction = agent(question="2+3?")
    assert prediction.answer == "5"
    assert "is not valid JSON" in stage.last_messages


@pytest.mark.parametrize(("dialect", "forced"), [("chat", None), ("native", "submit")])
def test_a_submit_is_forced_in_words_and_by_the_provider(
    stage: TranscriptStage, dialect: str, forced: str | None
) -> None:
    # Who is made to call `submit` is asked for the outputs; in words alone it is asked for a step like any other.
    steps, answers = ((ADD,), (Answer(outputs={"answer": "5"}),)) if forced else ((ADD, FIVE), ())
    with stage.submits(*steps, answers=answers, dialect=dialect):
        prediction = TranscriptReAct("question -> answer", [add], max_iters=1)(question="2+3?")
    assert (prediction.answer, prediction.termination_reason) == ("5", "forced_submit")
    assert stage.requests[-1].request.tool_choice == forced
    assert stage.requests[-1].request.messages[-1].content == "No step is left. Call `submit` now, from what is known."


@pytest.mark.parametrize("said", [ADD, Submit(outputs={})], ids=["another call", "no outputs"])
def test_a_forced_submit_that_is_none_is_an_error(stage: TranscriptStage, said: Intent) -> None:
    agent = TranscriptReAct("question -> answer", [add], max_iters=1)
    with stage.submits(ADD, said), pytest.raises(ValueError, match=r"submit|answer"):
        agent(question="2+3?")


def test_where_the_policy_has_it_so_the_outputs_are_extracted(stage: TranscriptStage) -> None:
    agent = TranscriptReAct("question -> answer", [add], max_iters=1, policy=STRICT)
    with stage.submits(ADD, answers=(Answer(outputs={"answer": "5"}),)):
        prediction = agent(question="2+3?")
    assert prediction.termination_reason == "extract"
    last = prediction.history.messages[-1]
    assert [*last] == ["next_thought", "tool_calls", "answer"]  # as that of a submit
    assert last["tool_calls"].tool_calls[0].args == {"answer": "5"}


def test_history_that_does_not_fit_though_nothing_may_go(stage: TranscriptStage) -> None:
    agent = TranscriptReAct("question -> answer", [add])
    with stage.submits(Fault(fault="context-window"), FIVE):
        prediction = agent(question="2+3?")
    assert (prediction.answer, prediction.termination_reason) == ("5", "forced_submit")


def test_compaction_is_asked_of_the_lm_and_stays_in_the_history(stage: TranscriptStage) -> None:
    agent = TranscriptReAct("question -> answer", [add])
    summary = Answer(outputs={"summary": "they added numbers"})
    with stage.submits(ADD, FIVE, TEN, Fault(fault="context-window"), FIVE, answers=(summary,)):
        first = agent(question="2+3?")
        second = agent(question="Twice that.", history=first.history)
        third = agent(question="And back?", history=second.history)
    assert third.history.messages[0]["next_thought"] == "they added numbers"
    assert "they added numbers" in stage.last_messages
    assert "2+3?" not in stage.last_messages


@pytest.mark.parametrize("history", [{"messages": [{"role": "nobody"}]}, {"messages": "all"}, 7])
def test_what_is_no_history_is_refused(history: object) -> None:
    with pytest.raises(ValueError, match=r"the history has a turn with none of|validation error"):
        TranscriptReAct("question -> answer", [add])(question="2+3?", history=history)


@pytest.mark.parametrize("inputs", [{}, {"question": "2+3?", "colour": "red"}])
def test_missing_and_unknown_inputs_are_refused(inputs: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="input"):
        TranscriptReAct("question -> answer", [add], policy=STRICT)(**inputs)
