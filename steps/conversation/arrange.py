"""Given, When: a ReAct that keeps its whole conversation (S0), and calls that go on with one."""

from typing import Literal

from pytest_bdd import given, parsers, when

from react_tck.judges.verdict import Violation
from react_tck.model.base import JsonObject
from react_tck.model.intent import Finish, Intent, Raw
from react_tck.model.signature import Form
from react_tck.steps import arrange
from react_tck.steps.language import TYPES
from react_tck.steps.world import World

#: Replies that nobody can read a step from (CNV-010), by what is wrong with them.
_UNREADABLE = {
    "without markers": "I would rather look that up first.",
    "with broken markers": '[[ ## tool_name ]]\nsearch\n\n[[ ## tool_args ]]\n{"query": "x"}\n',
    "with unclosed markers": '[[ ## tool_name\nsearch\n\n[[ ## tool_args\n{"query": "x"}\n',
    "without a tool": "[[ ## reasoning ## ]]\nLet me see.\n\n[[ ## response ## ]]\nOn it.\n\n[[ ## completed ## ]]\n",
}


@given(parsers.parse('a conversation over "{arrow:Quoted}" with the tool {tools:Names}', extra_types=TYPES))
@given(parsers.parse('a conversation over "{arrow:Quoted}" with the tools {tools:Names}', extra_types=TYPES))
def conversation(world: World, arrow: str, tools: tuple[str, ...]) -> None:
    """A ReAct of the append-only kind."""
    world.needs("conversation")
    arrange.react(world, arrow, tools)
    arranged = world.arrangement
    arranged.options = arranged.options.model_copy(update={"system": "conversation"})


@given(
    parsers.parse('a conversation over the {form:Form} "{arrow:Quoted}" with the tool {tools:Names}', extra_types=TYPES)
)
def conversation_in_form(world: World, form: Form, arrow: str, tools: tuple[str, ...]) -> None:
    """A ReAct of the append-only kind, its signature in one of its forms."""
    conversation(world, arrow, tools)
    arrange.react_in_form(world, form, arrow)


@given(parsers.parse('its predictor is "{predictor}"'))
def predictor(world: World, predictor: Literal["predict", "chain-of-thought"]) -> None:
    """`predict` or `chain-of-thought`."""
    arranged = world.arrangement
    arranged.options = arranged.options.model_copy(update={"predictor": predictor})


@given(parsers.parse("the LM takes {steps:d} steps"))
def lm_takes_steps(world: World, steps: int) -> None:
    """Searches, one after another."""
    for number in range(steps):
        arrange.lm_calls(world, "search", {"query": f"phrase {number + 1}"})


@given("the LM keeps finishing")
def lm_keeps_finishing(world: World) -> None:
    """However often it is asked for a step."""
    world.arrangement.steps.append(Finish(thought=world.thought(), sticky=True))


@given(parsers.parse("the LM replies {how}"))
def lm_replies_unreadably(world: World, how: str) -> None:
    """A step in none of the forms that were asked for."""
    world.arrangement.steps.append(_unreadable(how))


@when(parsers.parse("it is called with {inputs:Object} and the history so far", extra_types=TYPES))
def called_with_history(world: World, inputs: JsonObject) -> None:
    """The next turn of the conversation."""
    world.call(inputs, history=_history(world))


@when(parsers.parse("it is called asynchronously with {inputs:Object} and the history so far", extra_types=TYPES))
def called_asynchronously_with_history(world: World, inputs: JsonObject) -> None:
    """The next turn, through the async entry point."""
    world.needs("async")
    world.call(inputs, mode="async", history=_history(world))


@when(parsers.parse("another one is called asynchronously with {inputs:Object}", extra_types=TYPES))
def another_called_asynchronously(world: World, inputs: JsonObject) -> None:
    """A new instance of the same arrangement, through its async entry point."""
    world.needs("async")
    world.start_over()
    world.call(inputs, mode="async")


def _unreadable(how: str) -> Intent:
    return Raw(text=_UNREADABLE[how])


def _history(world: World) -> tuple[JsonObject, ...]:
    """What the last call gave back to be given again.

    Raises:
        Violation: if it isn't a list of objects.
    """
    history = world.outcome.history
    if not isinstance(history, list) or not all(isinstance(entry, dict) for entry in history):
        raise Violation("the call gives back its history, a list of entries", f"it gave {history!r}")
    return tuple(entry for entry in history if isinstance(entry, dict))
