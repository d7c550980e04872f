"""Confirmation on every class of the reference: suspended, and resumed as JSON by another instance."""

import json
import re
from typing import Any
from unittest.mock import ANY

import pytest

pytest.importorskip("dspy")

import dspy

from react_tck.fakes.lm import EpisodeLM
from react_tck.model.intent import Intent, Submit
from react_tck.reference import ToolCall, UdspyReAct, get_confirmation_status
from react_tck.reference.confirmation import ConfirmationRequired, ResponseRefused
from react_tck.reference.conversation import ConversationReAct
from react_tck.reference.react import ReAct
from react_tck.reference.tools import BoundTool, bind_tool, tool
from react_tck.reference.transcript import TranscriptReAct
from tests.support.dspy_stage import ADD, DONE, FIVE, DspyStage


class AnyStage(DspyStage):
    """A stage whose LM understands every text dialect."""

    def lm(self, *steps: Intent, answers: tuple[Intent, ...] = (), **options: object) -> EpisodeLM:
        """An LM that says these steps and answers."""
        return super().lm(*steps, answers=answers, dialects=("native", "machina", "chat", "xml", "json"))


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


CLASSES: list[type[Any]] = [ReAct, ConversationReAct, TranscriptReAct, UdspyReAct]


@pytest.mark.parametrize("mode", ["sync", "async"])
@pytest.mark.parametrize("react", CLASSES)
def test_a_tool_suspends_the_run_by_raising(react: type[Any], mode: str) -> None:
    def ask(a: int, b: int) -> int:
        raise ConfirmationRequired("Really?", confirmation_id="mine", tool_call=ToolCall(name="ask", args={}))

    async def ask_awaited(a: int, b: int) -> int:
        return ask(a, b)

    tool_given = BoundTool("add", "Adds.", bind_tool(ask).args, ask if mode == "sync" else ask_awaited)
    ends: tuple[Intent, ...] = (SUBMITTED,) if react is TranscriptReAct else (DONE,)
    for said, status in (("the blue one", "feedback"), ("yes", "approved"), ("no", "rejected")):
        stage = AnyStage()
        with stage.says(ADD, *ends, answers=() if react is TranscriptReAct else (FIVE,)):
            with pytest.raises(ConfirmationRequired, match=re.escape("Really?")) as raised:
                react("question -> answer", [tool_given])(question="2+3")
            dumped = json.loads(json.dumps(raised.value.dump()))
            assert dumped["tool_call"] == {"name": "add", "args": {"a": 2, "b": 3}, "call_id": ANY}
            saved = ConfirmationRequired.load(dumped)
            assert react("question -> answer", [tool_given]).resume(said, saved).answer == "5"
        assert get_confirmation_status("mine") == status
        assert {"no": "rejected"}.get(said, said) in stage.requests[1].request.text


def test_a_tool_that_asks_by_udspys_means_runs_once_agreed_to() -> None:
    udspy, brought = pytest.importorskip("udspy"), list[int]()

    @udspy.confirm_first  # type: ignore[untyped-decorator]
    def add(a: int, b: int) -> int:
        brought.append(a + b)
        return a + b

    with AnyStage().says(ADD, ADD, DONE, answers=(FIVE,)):
        with pytest.raises(udspy.ConfirmationRequired) as raised:
            UdspyReAct("question -> answer", [add])(question="2+3")
        saved = ConfirmationRequired.load(json.loads(json.dumps(raised.value.dump())))
        with pytest.raises(udspy.ConfirmationRequired) as again:
            UdspyReAct("question -> answer", [add]).resume("yes", saved)
        assert brought == [5]
        assert UdspyReAct("question -> answer", [add]).resume("yes", again.value).answer == "5"
    assert brought == [5, 5]


def test_a_native_call_keeps_the_providers_id_and_is_asked_for_with_reasoning() -> None:
    stage, (add, brought) = AnyStage(), adding()
    native = dspy.ChatAdapter(use_native_function_calling=True)
    with stage.says(ADD, DONE, answers=(FIVE,), adapter=native):
        agent = UdspyReAct("question -> answer", [add])
        assert [*agent.react_signature.output_fields] == ["reasoning", "tool_calls"]
        with pytest.raises(ConfirmationRequired) as raised:
            agent(question="2+3")
        assert raised.value.tool_call
        # By the number of its step it would be `call_0`.
        assert raised.value.tool_call.call_id == "call_1"
        assert (agent.resume("yes", raised.value).answer, brought) == ("5", [5])


def test_steps_are_asked_for_by_an_adapter_of_their_own() -> None:
    stage, (add, _) = AnyStage(), adding()
    with stage.says(DONE, answers=(FIVE,), adapter=dspy.XMLAdapter()):
        agent = ReAct("question -> answer", [add], step_adapter=dspy.JSONAdapter())
        assert agent(question="2+3").answer == "5"
    assert stage.spoken() == [("step", "json"), ("extraction", "xml")]
