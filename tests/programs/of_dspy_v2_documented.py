"""Programs for `dspy.ReActV2` and what takes its place: what the documentation says, and no other program shows."""

from contextlib import suppress
from itertools import groupby
from typing import Any

import dspy
from dspy.utils.exceptions import ContextWindowExceededError

from tests.programs.adding import asked, made
from tests.programs.of_dspy_v2 import said
from tests.programs.of_dspy_v2_replies import SUBMITTED
from tests.programs.stage import heard, submits


def limit_by_default(agent: Any) -> Any:
    """The limit where none is given."""
    return made(agent).max_iters


def messages_shown(agent: Any) -> Any:
    """Who speaks in turn in the last request, how often it has the question, and whether its beginning stayed."""
    asked(agent)
    first, last = (request["messages"] for request in dspy.settings.lm.history[-2:])
    asks = sum("2+3?" in str(message["content"]) for message in last)
    return [role for role, _ in groupby(message["role"] for message in last)], asks, last[0] == first[0]


def stops_fitting(agent: Any) -> Any:
    """A history that doesn't fit any more."""
    program, calls = made(agent), []

    def react(**shown: Any) -> Any:
        calls.append(1)
        if len(calls) == 3:
            raise ContextWindowExceededError
        if len(calls) > 3:
            return dspy.Prediction(**SUBMITTED)
        return dspy.Prediction(tool_calls=[{"name": "add", "args": {"a": 2, "b": 3}}])

    program.react = react
    return said(program(question="2+3?"))


def traced(agent: Any) -> Any:
    """What a trace has of the history that each request showed."""
    with dspy.context(trace=[]):
        asked(agent)
        return [len(inputs["history"].messages) for _, inputs, _ in dspy.settings.trace]


def offered_natively(agent: Any) -> Any:
    """Under which adapters the tools are offered natively, and several calls asked for at once."""
    adapters = (
        dspy.JSONAdapter(),
        dspy.ChatAdapter(),
        dspy.ChatAdapter(use_native_function_calling=True, parallel_tool_calls=True),
    )
    seen = []
    for adapter in adapters:
        with heard(submits, native=True) as lm, dspy.context(adapter=adapter):
            with suppress(ValueError):  # under JSON the original can't read a call with a text beside it
                asked(agent)
            seen.append((bool(lm.requests[0].tools), dspy.settings.lm.history[0]["kwargs"].get("parallel_tool_calls")))
    return seen


def batched(agent: Any) -> Any:
    """A batch, and the parts of the program by their names."""
    program = made(agent)
    pairs = [dspy.Example(question="2+3?").with_inputs("question")]
    names = [name for name, _ in program.named_parameters()]
    return [said(each) for each in program.batch(pairs, num_threads=1, disable_progress_bar=True)], names
