"""Code written for `dspy.ReActV2`, or after source 002, runs with `reference.TranscriptReAct` in its place."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from typing import Any

import pytest

import react_tck
from react_tck.fakes.lm import EpisodeLM
from react_tck.model.intent import Intent, Submit

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
def test_history_passed_on_as_a_mapping(stage: TranscriptStage, react: Any) -> None:
    agent = react("question -> answer", tools=[add])
    with stage.submits(ADD, FIVE, TEN):
        first = agent(question="2+3?")
        agent(question="Twice that number.", history=first.history.model_dump(mode="json"))
    assert "2+3?" in stage.last_messages


def test_reserved_fields(subtests: pytest.Subtests) -> None:
    cases_0: list[Any] = [dspy.ReActV2, TranscriptReAct]
    for react, signature in product(
        cases_0, ["question -> history", "history -> answer", "question -> termination_reason"]
    ):
        with subtests.test(react=react, signature=signature), pytest.raises(ValueError, match="reserved"):
            react(signature, [add])


@both
def test_reserved_tool(react: Any) -> None:
    def submit(text: str) -> str:
        """Hands something in."""
        return text

    with pytest.raises(ValueError, match="submit"):
        react("question -> answer", [submit])


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
