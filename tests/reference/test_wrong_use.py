"""What a user gets wrong is refused before the LM is asked, in words of what was written, the class among them."""

import asyncio
import logging
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

pytest.importorskip("dspy")

import dspy

from react_tck.reference import ConversationReAct, ReAct, TranscriptReAct, UdspyReAct
from react_tck.reference.loop import STRICT, Policy
from tests.support.dspy_stage import add

SUM = "question -> answer"
CLASSES = (ReAct, TranscriptReAct, ConversationReAct, UdspyReAct)

for_each_class = pytest.mark.parametrize("react", CLASSES)
#: What is given wrongly, and what is said of it beside the class's name.
MADE_WRONGLY: dict[str, tuple[tuple[Any, ...], dict[str, Any], str]] = {
    "a number for a signature": ((5, [add]), {}, 'an arrow string such as "question -> answer", .* not 5'),
    "no signature": ((None, [add]), {}, "a signature class, not None"),
    "a tool alone": ((SUM, add), {}, r"a list of tools: \[add\]"),
    "a tool's name": ((SUM, "add"), {}, "a list of tools, not 'add'"),
    "tools by name": ((SUM, {"add": add}), {}, "a list of tools, not {'add'"),
    "a number for a tool": ((SUM, [add, 5]), {}, "5 is no tool: .* a function"),
    "a tool's name in a list": ((SUM, ["add"]), {}, "'add' is no tool"),
    "a policy's name": ((SUM, [add]), {"policy": "strict"}, "policy=.*STRICT.*not 'strict'"),
    "too few steps": ((SUM, [add]), {"max_iters": -1}, "steps.* not -1"),
    "a text for steps": ((SUM, [add]), {"max_iters": "x"}, "a whole number of steps.* not 'x'"),
    "a part of a step": ((SUM, [add]), {"max_iters": 2.5}, "a whole number of steps.* not 2.5"),
}


@pytest.fixture(autouse=True)
def _nobody_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever asks a LM fails."""
    monkeypatch.setattr(dspy.Predict, "forward", lambda *_, **__: pytest.fail("the LM is asked"))


def _refuses(react: type[Any], pattern: str, call: Callable[[], Any]) -> None:
    with pytest.raises((TypeError, ValueError), match=f"(?s){react.__name__}.*{pattern}"):
        call()


@for_each_class
@pytest.mark.parametrize(("given", "options", "told"), MADE_WRONGLY.values(), ids=MADE_WRONGLY)
def test_an_agent_that_is_made_wrongly(
    react: type[Any], given: tuple[Any, ...], options: dict[str, Any], told: str
) -> None:
    _refuses(react, told, lambda: react(*given, **options))


@pytest.mark.parametrize("react", [ReAct, TranscriptReAct, ConversationReAct])
def test_no_tools(react: type[Any]) -> None:
    _refuses(react, r"a list of tools, not None; without any it is \[\]", lambda: react(SUM, None))


def test_no_tools_are_none_for_udspy_s_agents() -> None:
    assert [*UdspyReAct(SUM, None).tools] == ["finish"]  # as udspy's own has it


@pytest.mark.parametrize("react", [ReAct, TranscriptReAct, UdspyReAct])
def test_an_adapter_s_name(react: type[Any]) -> None:
    _refuses(react, r"adapter=dspy.JSONAdapter\(\).*not 'json'", lambda: react(SUM, [add], adapter="json"))
    if react is ReAct:
        _refuses(react, r"adapter=dspy.JSONAdapter\(\).*not 'json'", lambda: react(SUM, [add], step_adapter="json"))


@pytest.mark.parametrize("react", [ReAct, TranscriptReAct, ConversationReAct])
def test_an_option_that_is_not_there(react: type[Any]) -> None:
    _refuses(react, "'colour'", lambda: react(SUM, [add], colour="red"))


@pytest.mark.parametrize("kind", [str, "predict", dict, lambda _: "a text"])
def test_a_predictor_class_that_makes_none(kind: Any) -> None:
    _refuses(
        ConversationReAct, "predictor_class=dspy.Predict", lambda: ConversationReAct(SUM, [add], predictor_class=kind)
    )


@for_each_class
@pytest.mark.parametrize("is_awaited", [False, True], ids=["called", "awaited"])
def test_an_input_by_position(react: type[Any], is_awaited: bool) -> None:
    agent = react(SUM, [add])

    def call() -> Any:
        return asyncio.run(agent.acall("2+3?")) if is_awaited else agent("2+3?")

    _refuses(react, r"by name: question=", call)


@for_each_class
@pytest.mark.parametrize("name", ["max_iters", "max_steps"])
@pytest.mark.parametrize("steps", [-1, "x", 2.5, None])
def test_a_limit_of_a_call(react: type[Any], name: str, steps: Any) -> None:
    _refuses(react, "a whole number of steps", lambda: react(SUM, [add])(question="2+3?", **{name: steps}))


@for_each_class
def test_a_limit_that_is_set_afterwards(react: type[Any]) -> None:
    agent = react(SUM, [add])
    agent.max_iters = "x"
    _refuses(react, "a whole number of steps", lambda: agent(question="2+3?"))


@for_each_class
def test_the_class_that_the_user_wrote_is_named(react: type[Any]) -> None:
    mine = type("Mine", (react,), {})
    _refuses(mine, "a signature", lambda: mine(5, [add]))


def test_what_is_right_is_taken(subtests: pytest.Subtests) -> None:
    for react in CLASSES:
        with subtests.test(react=react):
            react(
                dspy.Signature(SUM), (tool for tool in [add, dspy.Tool(add, name="plus")]), max_iters=1, policy=Policy()
            )


@pytest.mark.parametrize(
    ("react", "signature", "problem"),
    [
        (ReAct, "question", "->"),
        (ReAct, "question ->", "no output fields"),
        (ReAct, "question, question -> answer", "two fields named 'question'"),
        (ReAct, "question -> question", "two fields named 'question'"),
        (ReAct, "trajectory -> answer", "'trajectory', a name that ReAct uses itself"),
        (ReAct, "question -> next_tool_name", "'next_tool_name', a name that ReAct uses itself"),
        (ConversationReAct, "machine_state -> answer", "a name that the conversation uses itself"),
        (ConversationReAct, "question -> history", "a name that the conversation uses itself"),
        (TranscriptReAct, "question -> history", "reserved"),
        (TranscriptReAct, "history -> answer", "reserved"),
        (TranscriptReAct, "question -> termination_reason", "reserved"),
    ],
)
def test_a_signature_that_cannot_work(react: type[Any], signature: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        react(signature, [add])


@pytest.mark.parametrize(
    ("react", "names", "problem"),
    [(TranscriptReAct, ["submit"], "submit"), (ReAct, ["add", "add"], "two tools are named 'add'")],
)
def test_a_tool_named_as_the_agents_own(react: type[Any], names: list[str], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        react(SUM, [dspy.Tool(add, name=name) for name in names])


@pytest.mark.parametrize("steps", [0, -1])
def test_a_conversation_takes_at_least_one_step(steps: int) -> None:
    with pytest.raises(ValueError, match="at least 1"):
        ConversationReAct(SUM, [add], steps)


@pytest.mark.parametrize("history", [{"messages": [{"role": "nobody"}]}, {"messages": "all"}, 7])
def test_what_is_no_history(history: object) -> None:
    with pytest.raises(ValueError, match=r"the history has a turn with none of|validation error"):
        TranscriptReAct(SUM, [add])(question="2+3?", history=history)


MOOD = {"question": "2+3?", "mood": "good"}


@for_each_class
def test_an_input_too_many_is_a_warning(react: type[Any], caplog: pytest.LogCaptureFixture) -> None:
    class Asked(Exception):
        """The LM is asked."""

    agent = react(SUM, [add])
    agent._make_prompt = _raise(Asked)
    # Other tests may have switched warnings off, as `prove` does.
    caplog.set_level(logging.WARNING)
    with pytest.raises(Asked):
        agent(**MOOD)
    assert [record.getMessage() for record in caplog.records if "mood" in record.getMessage()] == [
        f"{react.__name__} leaves out 'mood'; its inputs are: {', '.join(agent.signature.input_fields)}"
    ]


def test_an_input_too_many_is_refused_by_strict_agents(subtests: pytest.Subtests) -> None:
    for react in CLASSES:
        with subtests.test(react=react), pytest.raises(ValueError, match="'mood'"):
            react(SUM, [add], policy=STRICT)(**MOOD)


def test_an_option_of_predictors_is_not_left_out(subtests: pytest.Subtests) -> None:
    for react, name in product(CLASSES, ["lm", "config", "demos"]):
        with subtests.test(react=react, name=name), pytest.raises(ValueError, match=name):
            react(SUM, [add])(question="2+3?", **{name: {}})


def _raise(error: type[Exception]) -> Callable[..., Any]:
    def fail(*_: Any) -> Any:
        raise error

    return fail
