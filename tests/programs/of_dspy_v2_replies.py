"""Programs for `dspy.ReActV2` and what takes its place: what is made of an LM's words, and of another predictor's."""

from typing import Any

import dspy
from dspy.utils import DummyLM
from dspy.utils.exceptions import ContextWindowExceededError

from tests.programs.adding import made
from tests.programs.of_dspy_v2 import said

SUBMITTED = {"tool_calls": [{"name": "submit", "args": {"answer": "5"}}]}


def _told(agent: Any, *written: Any) -> Any:
    """What a tool was run with, when an LM writes such calls."""
    runs: list[str] = []

    def wipe(path: str = "/") -> str:
        runs.append(path)
        return "wiped"

    replies = [{"next_thought": "hm", "tool_calls": calls} for calls in (*written, SUBMITTED)]
    with dspy.context(lm=DummyLM(replies), adapter=dspy.ChatAdapter(use_json_adapter_fallback=False)):
        answer = agent("question -> answer", tools=[wipe])(question="Clean up.").answer
    return runs, answer


def calls_in_other_forms(agent: Any) -> Any:
    """Calls as OpenAI writes them, one alone, and one without args."""
    args = {"path": "/x"}
    return _told(
        agent,
        {"tool_calls": [{"name": "wipe", "arguments": args}]},
        [{"name": "wipe", "args": args}],
        {"name": "wipe", "args": args},
        {"id": "c1", "type": "function", "function": {"name": "wipe", "arguments": '{"path": "/x"}'}},
        {"tool_calls": [{"name": "wipe"}]},
    )


def args_under_an_unknown_key(agent: Any) -> Any:
    """Args where nobody looks for them."""
    return _told(agent, {"tool_calls": [{"name": "wipe", "input": {"path": "/x"}}]})


def no_prediction(agent: Any) -> Any:
    """A callable for the predictor of steps that gives none, until it is made to submit."""

    def react(**shown: Any) -> Any:
        return dspy.Prediction(**SUBMITTED) if "config" in shown else {"tool_calls": []}

    program = made(agent)
    program.react = react
    return said(program(question="2+3?"))


def never_fits(agent: Any) -> Any:
    """No prompt of a step fits."""

    def react(**shown: Any) -> Any:
        if "config" not in shown:
            raise ContextWindowExceededError
        return dspy.Prediction(**SUBMITTED)

    program = made(agent)
    program.react = react
    return said(program(question="2+3?"))
