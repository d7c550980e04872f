"""Confirmation on every class of the reference: suspended, and resumed as JSON by another instance."""

import json
from typing import Any

import pytest

pytest.importorskip("dspy")

import dspy

from react_tck.fakes.lm import EpisodeLM
from react_tck.model.intent import Intent, Submit
from react_tck.reference.confirmation import ConfirmationRequired, ResponseRefused
from react_tck.reference.conversation import ConversationReAct
from react_tck.reference.react import ReAct
from react_tck.reference.tools import BoundTool, tool
from react_tck.reference.transcript import TranscriptReAct
from tests.support.dspy_stage import ADD, DONE, FIVE, DspyStage


class AnyStage(DspyStage):
    """A stage whose LM understands every text dialect."""

    def lm(self, *steps: Intent, answers: tuple[Intent, ...] = (), **options: object) -> EpisodeLM:
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


SUBMITTED = Submit(outputs={"answer": "5"})


PIXEL = "data:image/png;base64,iVBORw0KGgo="


def test_what_is_no_suspended_call_of_the_agent_is_refused_with_the_reason(subtests: pytest.Subtests) -> None:
    add, brought = adding()
    with AnyStage().says(ADD, answers=()), pytest.raises(ConfirmationRequired) as raised:
        ReAct("question -> answer", [add])(question="2+3")
    saved: dict[str, Any] = raised.value.dump()
    state = saved["context"]["state"]
    mine, transcript = ReAct("question -> answer", [add]), TranscriptReAct("question -> answer", [add])
    cases: list[tuple[ReAct | TranscriptReAct, dict[str, Any], str]] = [
        (mine, {}, "is unknown"),
        (mine, {"state": {**state, "confirmation_id": "another"}}, "is unknown"),
        (mine, {"state": {**state, "loop": {"steps": 5}}}, "can't be read"),
        (transcript, {"state": state}, "its run ends by 'finish', not by 'submit'"),
        (ReAct("question -> answer", []), {"state": state}, "not of an agent with the tools"),
    ]
    for agent, context, told in cases:
        with subtests.test(told=told), pytest.raises(ResponseRefused, match=told):
            agent.resume("yes", ConfirmationRequired.load({**saved, "context": context}))
    assert brought == []


def test_an_image_is_shown_as_an_image_after_another_instance_resumed(subtests: pytest.Subtests) -> None:
    cases: list[type[ReAct | TranscriptReAct]] = [ReAct, ConversationReAct, TranscriptReAct]
    for react in cases:
        with subtests.test(react=react):
            look = dspy.Signature("picture: dspy.Image -> answer")
            add, _ = adding()
            ends: tuple[Intent, ...] = (DONE,) if issubclass(react, ReAct) else (SUBMITTED,)
            stage = AnyStage()
            with stage.says(ADD, *ends, answers=(FIVE,) if issubclass(react, ReAct) else ()):
                with pytest.raises(ConfirmationRequired) as raised:
                    react(look, [add])(picture=dspy.Image(url=PIXEL))
                saved = ConfirmationRequired.load(json.loads(json.dumps(raised.value.dump())))
                assert react(look, [add]).resume("yes", saved).answer == "5"
            images = [
                [image for message in asked.request.messages for image in message.images] for asked in stage.requests
            ]
            assert all(PIXEL in shown for shown in images)
