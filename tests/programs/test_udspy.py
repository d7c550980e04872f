"""Programs for `udspy.ReAct` do the same with `reference.UdspyReAct`, but for what docs/DROP_IN.md says."""

import asyncio
import json
import re
import subprocess
import sys
from collections.abc import AsyncIterator
from contextvars import copy_context
from typing import Any

import pytest

pytest.importorskip("udspy")
pytest.importorskip("dspy")

import dspy
import httpx
import openai
import udspy
from dspy.utils.exceptions import LMError
from openai.types.chat import ChatCompletion, ChatCompletionChunk
from udspy.lm.base import LM

from react_tck.model.intent import Answer, CallTool, Finish, Move
from react_tck.model.lm import Ask, LMRequest, Message
from react_tck.reference import UdspyReAct
from react_tck.reference.loop import Policy
from tests.programs import of_udspy, of_udspy_confirmed, of_udspy_streamed
from tests.programs.stage import Heard, Mind, Program, Seen, adds, played, programs
from tests.programs.table import check_program, list_verdicts

PROGRAMS = programs(of_udspy) | programs(of_udspy_confirmed) | programs(of_udspy_streamed)


class UdspyLM(LM):  # type: ignore[misc]  # udspy has no types
    """The LM of the stage as udspy's."""

    def __init__(self, heard: Heard) -> None:
        self._heard = heard
        #: What else each request said.
        self.options: list[dict[str, Any]] = []

    async def acomplete(self, messages: list[dict[str, Any]], **options: Any) -> Any:
        """Answer, piece by piece if that is asked for."""
        self.options.append(options)
        said = (Message(role=message["role"], content=message.get("content")) for message in messages)
        content = self._heard.complete(LMRequest(messages=tuple(said))).content
        if options.get("stream"):
            return _in_pieces(content or "")
        message = {"role": "assistant", "content": content}
        choices = [{"index": 0, "finish_reason": "stop", "message": message}]
        return ChatCompletion(id="1", created=0, model="heard", object="chat.completion", choices=choices)


async def _in_pieces(content: str) -> AsyncIterator[ChatCompletionChunk]:
    """A reply in pieces of seven letters."""
    for piece in re.findall(r"(?s).{1,7}", content):
        choices = [{"index": 0, "delta": {"content": piece}, "finish_reason": None}]
        yield ChatCompletionChunk(id="1", created=0, model="heard", object="chat.completion.chunk", choices=choices)


def by_udspy(program: Program, agent: Any, mind: Mind = adds) -> Seen:
    """The program, run with this class over the LM of `udspy.settings`; dspy has none."""
    heard = Heard(mind)
    with udspy.settings.context(lm=UdspyLM(heard)):
        try:
            # In a context of its own: what a person has said is kept there.
            value = copy_context().run(program, agent)
        except Exception as error:
            value = type(error).__name__
    return Seen(value, tuple(heard.asked))


def test_what_came_out_and_what_the_lm_was_asked(subtests: pytest.Subtests) -> None:
    for program in PROGRAMS.values():
        with subtests.test(program=program):
            theirs, ours = by_udspy(program, udspy.ReAct), by_udspy(program, UdspyReAct)
            check_program("UdspyReAct", program.__name__, theirs, ours)


def test_each_program_is_named_by_a_row_and_each_that_is_named_is_run() -> None:
    assert set(list_verdicts("UdspyReAct")) == set(PROGRAMS)


def test_a_policy_has_the_trajectories_of_udspys_releases() -> None:
    policy = Policy(trajectory_format="list")
    ours = by_udspy(of_udspy.episodes, lambda *task, **rest: UdspyReAct(*task, **rest, policy=policy))
    assert ours == by_udspy(of_udspy.episodes, udspy.ReAct)
    assert [step["tool_name"] for step in ours.value] == ["add", "finish"]


_TOOLS = ("add", "multiply")


def _brings(_: LMRequest, ask: Ask, seen: int) -> Move:
    """A call of `add`, then one of the tool that it has brought."""
    if ask.phase != "step":
        return Answer(outputs={"answer": "6", "reasoning": ""})
    return Finish() if seen == len(_TOOLS) else CallTool(tool=_TOOLS[seen], args={"a": 2, "b": 3})


def test_a_tool_that_a_callback_has_brought_is_run(subtests: pytest.Subtests) -> None:
    cases: list[Any] = [udspy.ReAct, UdspyReAct]
    for agent in cases:
        with subtests.test(agent=agent):
            seen = by_udspy(of_udspy.tools_brought, agent, _brings)
            assert seen.value == (["add", "finish", "multiply"], "6", True)
            assert [phase for phase, *_ in seen.asked] == ["step", "step", "step", "extraction"]


def test_a_tool_that_waits_for_a_person_goes_on_waiting_when_tools_are_given_anew() -> None:
    agent = UdspyReAct(of_udspy.QA, tools=[of_udspy_confirmed.confirming()])
    agent.init_module([*agent.tools.values()])
    assert by_udspy(lambda _: agent(question="2+3?"), agent).value == "UdspyConfirmation"


def test_the_documented_loop_ends_with_an_answer() -> None:
    # The original's raises NotImplementedError.
    assert by_udspy(of_udspy_confirmed.resumed_by_state, UdspyReAct).value == ("5", [(2, 3)])


def test_dspys_lm_is_asked_where_there_is_one() -> None:
    theirs = Heard(adds)
    with udspy.settings.context(lm=UdspyLM(theirs)):
        ours = played(of_udspy.call, UdspyReAct)
    assert (ours.value, len(ours.asked), theirs.asked) == ("5", 3, [])


_SAID = (
    {"next_thought": "add them", "next_tool_name": "add", "next_tool_args": {"a": 2, "b": 3}},
    {"next_thought": "that's it", "next_tool_name": "finish", "next_tool_args": {}},
    {"reasoning": "2 and 3 is 5", "answer": "5"},
)


class _SpeakingJson(UdspyLM):
    """One that has learnt to answer udspy: in JSON, however it is asked."""

    async def acomplete(self, messages: list[dict[str, Any]], **options: Any) -> Any:
        """Say what comes next."""
        made = await super().acomplete(messages, **options)
        made.choices[0].message.content = json.dumps(_SAID[len(self.options) - 1])
        return made


def test_an_lm_that_answers_in_json_is_asked_once_a_step(subtests: pytest.Subtests) -> None:
    cases: list[Any] = [udspy.ReAct, UdspyReAct]
    for agent in cases:
        with subtests.test(agent=agent):
            lm = _SpeakingJson(Heard(adds))
            with udspy.settings.context(lm=lm):
                made = agent(of_udspy.QA, tools=[of_udspy.add])(question="2+3?")
            assert (made.answer, len(lm.options)) == ("5", len(_SAID))
            assert "Error" not in str(made.trajectory)


class _Calling(_SpeakingJson):
    """One that calls the tools that it is offered."""

    async def acomplete(self, messages: list[dict[str, Any]], **options: Any) -> Any:
        """Say what comes next, by a call where that can be."""
        made = await super().acomplete(messages, **options)
        message = made.choices[0].message
        if options.get("tools"):
            said = json.loads(message.content)
            function = {"name": said["next_tool_name"], "arguments": json.dumps(said["next_tool_args"])}
            call = {"id": "call_abc", "type": "function", "function": function}
            made.choices[0].message = message.model_copy(update={"content": said["next_thought"], "tool_calls": [call]})
        return made


def test_an_adapter_has_tools_called_natively_by_a_lm_of_udspys() -> None:
    lm = _Calling(Heard(adds))
    with udspy.settings.context(lm=lm):
        agent = UdspyReAct(of_udspy.QA, tools=[of_udspy.add], adapter=dspy.JSONAdapter())
        made = agent(question="2+3?")
        assert [*agent.react_signature.output_fields] == ["reasoning", "tool_calls"]
    offered = [[tool["function"]["name"] for tool in asked.get("tools") or []] for asked in lm.options]
    assert offered == [["add", "finish"], ["add", "finish"], []]
    steps = {"reasoning_0": "add them", "observation_0": "5", "tool_name_1": "finish"}
    assert (made.answer, made.trajectory | steps) == ("5", made.trajectory)


def test_a_call_that_is_resumed_is_not_run_again_by_udspys_own_response() -> None:
    calls: list[Any] = []
    agent = UdspyReAct(of_udspy.QA, tools=[of_udspy_confirmed.confirming(calls)])

    def program(_: Any) -> Any:
        with pytest.raises(udspy.ConfirmationRequired) as first:
            agent(question="2+3?")
        udspy.respond_to_confirmation(first.value.confirmation_id, approved=True)
        agent.resume("yes", first.value)
        with pytest.raises(udspy.ConfirmationRequired):
            agent(question="2+3?")
        return calls

    assert by_udspy(program, agent).value == [(2, 3)]


class _Failing(UdspyLM):
    """One that can't be reached."""

    async def acomplete(self, messages: list[dict[str, Any]], **options: Any) -> Any:
        """Fail."""
        await super().acomplete(messages, **options)
        raise openai.BadRequestError("no", response=httpx.Response(400, request=_NOWHERE), body=None)


_NOWHERE = httpx.Request("POST", "http://nowhere.invalid")


def test_an_lm_of_udspys_that_fails_fails_as_dspys_do() -> None:
    heard = Heard(adds)
    with udspy.settings.context(lm=_Failing(heard)), pytest.raises(LMError, match="no"):
        UdspyReAct(of_udspy.QA, tools=[of_udspy.add])(question="2+3?")
    assert len(heard.asked) == 1


class _InALoop(UdspyLM):
    """One that tells in which event loop it is asked."""

    async def acomplete(self, messages: list[dict[str, Any]], **options: Any) -> Any:
        """Answer."""
        return await super().acomplete(messages, loop=asyncio.get_running_loop(), **options)


def test_a_call_has_one_event_loop_for_its_lm_and_its_tools(subtests: pytest.Subtests) -> None:
    async def add(a: int, b: int) -> int:
        """Add."""
        seen.append(asyncio.get_running_loop())
        return a + b

    cases: list[Any] = [udspy.ReAct, UdspyReAct]
    for agent in cases:
        with subtests.test(agent=agent):
            lm, seen = _InALoop(Heard(adds)), list[Any]()
            with udspy.settings.context(lm=lm):
                assert agent(of_udspy.QA, tools=[udspy.Tool(add)])(question="2+3?").answer == "5"
            assert {*seen} == {options["loop"] for options in lm.options}
            assert (len(lm.options), len({*seen})) == (3, 1)


def test_udspy_is_imported_by_nobody_but_the_user() -> None:
    made = "from react_tck.reference import UdspyReAct; UdspyReAct('q -> a', [])"
    code = f"import sys; {made}; sys.exit('udspy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
