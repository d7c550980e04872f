"""Confirmation on every class of the reference: suspended, resumed as JSON, or refused where it can't be."""

import json

import pytest

pytest.importorskip("dspy")

from react_tck.fakes.lm import ScriptedLM
from react_tck.model.intent import Intent
from react_tck.reference.confirmation import ConfirmationRequired
from react_tck.reference.conversation import ConversationReAct
from react_tck.reference.react import ReAct
from react_tck.reference.tools import BoundTool, tool
from react_tck.reference.transcript import TranscriptReAct
from react_tck.reference.udspy import UdspyReAct
from tests.dspy_stage import ADD, DONE, FIVE, DspyStage


class AnyStage(DspyStage):
    """A stage whose LM understands every text dialect."""

    def lm(self, *steps: Intent, answers: tuple[Intent, ...] = (), **options: object) -> ScriptedLM:
        """An LM that says these steps and answers."""
        return super().lm(*steps, answers=answers, dialects=("machina", "chat", "xml", "json"))


def adding() -> tuple[BoundTool, list[int]]:
    """A tool that needs confirmation, and what it has brought."""
    brought: list[int] = []

    @tool(require_confirmation=True)
    def add(a: int, b: int) -> int:
        """Adds two whole numbers."""
        brought.append(a + b)
        return a + b

    return add, brought


@pytest.mark.parametrize("react", [ReAct, UdspyReAct, ConversationReAct])
@pytest.mark.parametrize(
    ("response", "runs"), [("yes", [5]), ("no", []), ('{"edit": {"args": {"a": 1, "b": 1}}}', [2])]
)
def test_every_class_suspends_and_another_instance_resumes(react: type[ReAct], response: str, runs: list[int]) -> None:
    add, brought = adding()
    with AnyStage().says(ADD, DONE, answers=(FIVE,)):
        with pytest.raises(ConfirmationRequired) as raised:
            react("question -> answer", [add])(question="2+3")
        assert brought == []
        saved = json.loads(json.dumps(raised.value.dump()))
        result = react("question -> answer", [add]).resume(response, ConfirmationRequired.load(saved))
    assert (result.answer, brought) == ("5", runs)


def test_a_transcript_refuses_what_it_cannot_wait_for() -> None:
    with pytest.raises(ValueError, match="'add' requires confirmation"):
        TranscriptReAct("question -> answer", [adding()[0]])
