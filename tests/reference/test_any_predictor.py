"""Any callable in the place of a predictor leads where it leads in the original's class: never to an AttributeError."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("dspy")
pytest.importorskip("dspy_react_machina")

import dspy
from dspy.utils.exceptions import ContextWindowExceededError
from dspy_react_machina import ReActMachina

from react_tck.reference import ConversationReAct, ReAct, TranscriptReAct
from tests.support.dspy_stage import add

SUM = "question -> answer"
ARGS = {"a": 1, "b": 2}
CALLS = [{"name": "add", "args": ARGS}]
STEP = {"next_thought": "hm", "next_tool_name": "add", "next_tool_args": ARGS}
TURN = {"next_thought": "hm", "tool_calls": dspy.ToolCalls.from_dict_list(CALLS)}
STATE = {"reasoning": "hm", "tool_name": "add", "tool_args": ARGS, "response": "Wait."}
#: What is no prediction at all.
NONE = {"a mapping": STEP, "nothing": None, "a text": "add"}


def _run(agent: Any, first: Any) -> tuple[list[str], Any]:
    """What was asked for when the first step gave that, or raised it, and how the call ended."""
    asked: list[str] = []

    def say(kind: str, fields: dict[str, Any]) -> Any:
        asked.append(kind)
        if len(asked) > 1 or kind == "answer":
            return dspy.Prediction(**fields)
        if isinstance(first, Exception):
            raise first
        return first

    _put(agent, say)
    try:
        return asked, agent(question="1+2?").answer
    except Exception as error:
        return asked, type(error).__name__


def _put(agent: Any, say: Callable[[str, dict[str, Any]], Any]) -> None:
    """Callables in the place of every predictor; from the second step on they finish."""
    answer = {"answer": "3", "reasoning": ""}
    done = {"next_thought": "", "next_tool_name": "finish", "next_tool_args": {}}
    submit = {"next_thought": "", "tool_calls": [{"name": "submit", "args": {"answer": "3"}}]}
    finish = {"reasoning": "", "tool_name": "finish", "tool_args": {}, "response": ""}
    if hasattr(agent, "state_predictors"):
        for state in agent.state_predictors:
            last = str(state) in ("finish", "interrupted")
            agent.state_predictors[state] = lambda last=last, **_: say(
                *("answer", answer) if last else ("step", finish)
            )
    elif hasattr(agent, "extract"):
        agent.react = lambda **_: say("step", done)
        agent.extract = lambda **_: say("answer", answer)
    else:
        agent.react = lambda **shown: say("forced submit" if "config" in shown else "step", submit)


def _without(fields: dict[str, Any], name: str) -> dspy.Prediction:
    return dspy.Prediction(**{other: value for other, value in fields.items() if other != name})


def _with(fields: dict[str, Any], **changed: Any) -> dspy.Prediction:
    return dspy.Prediction(**{**fields, **changed})


#: What leads to the same requests, and to the same end, with both classes.
OF_REACT = {
    "ValueError": ValueError("no"),
    "ContextWindowExceededError": ContextWindowExceededError(),
    "KeyError": KeyError("no"),
    "RuntimeError": RuntimeError("no"),
    "a thought that is none": _with(STEP, next_thought=None),
    "a number for a thought": _with(STEP, next_thought=7),
    "no name": _with(STEP, next_tool_name=None),
    "a number for a name": _with(STEP, next_tool_name=7),
    "no args": _with(STEP, next_tool_args=None),
    "a number for args": _with(STEP, next_tool_args=7),
    "another object": SimpleNamespace(**STEP),
}
OF_TRANSCRIPTS = {
    "ValueError": ValueError("no"),
    "ContextWindowExceededError": ContextWindowExceededError(),
    "KeyError": KeyError("no"),
    "without next_thought": _without(TURN, "next_thought"),
    "without tool_calls": _without(TURN, "tool_calls"),
    "a thought that is none": _with(TURN, next_thought=None),
    "a number for a thought": _with(TURN, next_thought=7),
    "a number for calls": _with(TURN, tool_calls=7),
    "a list of calls": _with(TURN, tool_calls=CALLS),
    "calls as a mapping": _with(TURN, tool_calls={"tool_calls": CALLS}),
    "one call": _with(TURN, tool_calls=CALLS[0]),
    "another object": SimpleNamespace(**TURN),
    **NONE,
}
OF_CONVERSATIONS = {
    "ContextWindowExceededError": ContextWindowExceededError(),
    "RuntimeError": RuntimeError("no"),
    **{f"without {name}": _without(STATE, name) for name in STATE},
    **{f"{name} that is none": _with(STATE, **{name: None}) for name in STATE},
    "a number for reasoning": _with(STATE, reasoning=7),
    "a number for a response": _with(STATE, response=7),
    "another object": SimpleNamespace(**STATE),
    **NONE,
}
CASES = [
    pytest.param(theirs, ours, first, id=f"{ours.__name__}: {name}")
    for theirs, ours, cases in (
        (dspy.ReAct, ReAct, OF_REACT),
        (dspy.ReActV2, TranscriptReAct, OF_TRANSCRIPTS),
        (ReActMachina, ConversationReAct, OF_CONVERSATIONS),
    )
    for name, first in cases.items()
]


@pytest.mark.parametrize(("theirs", "ours", "first"), CASES)
def test_it_leads_where_the_original_leads(theirs: Any, ours: Any, first: Any) -> None:
    assert _run(ours(SUM, [add]), first) == _run(theirs(SUM, [add]), first)


def test_where_the_original_stumbles_the_run_goes_on(subtests: pytest.Subtests) -> None:
    cases: list[Any] = [*NONE.values(), *(_without(STEP, name) for name in STEP)]
    for first in cases:
        with subtests.test(first=first):
            assert _run(dspy.ReAct(SUM, [add]), first) == (["step"], "AttributeError")
            assert _run(ReAct(SUM, [add]), first) == (["step", "step", "answer"], "3")


@pytest.mark.parametrize("name", ["next_tool_name", "next_tool_args"])
def test_no_tool_runs_on_a_step_that_leaves_a_field_out(name: str) -> None:
    def look(a: int = 0, b: int = 0) -> int:
        return pytest.fail(f"runs with {a} and {b}")

    step = _without({**STEP, "next_tool_name": "look"}, name)
    agent = ReAct(SUM, [look])
    agent.react, agent.extract = (lambda **_: step), (lambda **_: dspy.Prediction(answer="3"))
    told = agent(question="1+2?", max_iters=1).trajectory["observation_0"]
    assert told == f"Error: the reply has no {'tool' if name == 'next_tool_name' else 'args'}"


def test_errors_of_a_conversation_s_predictors_are_the_caller_s_to_know() -> None:
    assert _run(ConversationReAct(SUM, [add]), ValueError("no")) == (["step"], "ValueError")


# Prompts that never fit
