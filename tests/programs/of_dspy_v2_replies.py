"""Programs for `dspy.ReActV2` and what takes its place: what is made of an LM's words, and of another predictor's."""

from typing import Any

import dspy
from dspy.utils import DummyLM

from tests.programs.adding import SUM, add, made
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


def types_of_args(agent: Any) -> Any:
    """What the args of each tool are, and their types."""
    return {name: (tool.arg_types, tool.args) for name, tool in made(agent).tools.items()}


def instance_of_the_original(agent: Any) -> Any:
    """Whether the agent is one of dspy's."""
    return isinstance(made(agent), dspy.ReActV2)


def tool_held_as_given(agent: Any) -> Any:
    """Whether the agent holds the very tool that it was given, and runs it."""
    plus = dspy.Tool(add, name="add")
    program = agent(SUM, tools=[plus])
    return program.tools["add"] is plus, said(program(question="2+3?"))


def ids_of_calls(agent: Any) -> Any:
    """The ids of calls that come without, several in a turn and at the end."""
    twice = dspy.Prediction(tool_calls=[{"name": "add", "args": {"a": 1, "b": 2}}] * 2)
    program = made(agent, max_iters=2)
    program.react = lambda **shown: dspy.Prediction(**SUBMITTED) if "config" in shown else twice
    turns = program(question="2+3?").history.messages
    return [[call.id for call in turn["tool_calls"].tool_calls] for turn in turns]


def keys(agent: Any) -> Any:
    """What a prediction has."""
    return sorted(made(agent)(question="2+3?").keys())


def no_prediction(agent: Any) -> Any:
    """A callable for the predictor of steps that gives none, until it is made to submit."""

    def react(**shown: Any) -> Any:
        return dspy.Prediction(**SUBMITTED) if "config" in shown else {"tool_calls": []}

    program = made(agent)
    program.react = react
    return said(program(question="2+3?"))


def error_of_a_predictor(agent: Any) -> Any:
    """A callable for the predictor of steps that refuses what it is given, until it is made to submit."""

    def react(**shown: Any) -> Any:
        if "config" not in shown:
            raise ValueError
        return dspy.Prediction(**SUBMITTED)

    program = made(agent)
    program.react = react
    return said(program(question="2+3?"))


def field_left_out(agent: Any) -> Any:
    """A callable for the predictor of steps that gives a thought alone, until it is made to submit."""
    program = made(agent)
    program.react = lambda **shown: dspy.Prediction(**SUBMITTED if "config" in shown else {"next_thought": "hm"})
    return said(program(question="2+3?"))


def inputs_of_steps(agent: Any) -> Any:
    """What a predictor of the user's own is given, turn by turn."""
    program, given = made(agent), []

    def react(**inputs: Any) -> dspy.Prediction:
        given.append(sorted(inputs))
        calls = [("add", {"a": 2, "b": 3}), ("submit", {"answer": "5"})]
        call = dict(zip(("name", "args"), calls[len(given) - 1], strict=True))
        return dspy.Prediction(next_thought="", tool_calls=dspy.ToolCalls.from_dict_list([call]))

    program.react = react
    return program(question="2+3?").answer, given
