"""Given, When: a ReAct that keeps its whole conversation (S0), and calls that go on with one."""

from typing import Literal

from pytest_bdd import given, when

from react_tck.judges.verdict import Violation
from react_tck.model.base import JsonObject
from react_tck.model.case import Mode
from react_tck.model.intent import Finish, Raw
from react_tck.model.signature import Form
from react_tck.steps.act import entry_point
from react_tck.steps.arrange import react
from react_tck.steps.language import sentence
from react_tck.steps.world import World

#: Replies that nobody can read a step from (CNV-010), by what is wrong with them.
_UNREADABLE = {
    "without markers": "I would rather look that up first.",
    "with broken markers": '[[ ## tool_name ]]\nsearch\n\n[[ ## tool_args ]]\n{"query": "x"}\n',
    "with unclosed markers": '[[ ## tool_name\nsearch\n\n[[ ## tool_args\n{"query": "x"}\n',
    "without a tool": "[[ ## reasoning ## ]]\nLet me see.\n\n[[ ## response ## ]]\nOn it.\n\n[[ ## completed ## ]]\n",
}


@given(sentence('a conversation over {form:InForm}"{arrow:Quoted}"{tools:WithTools}'))
def conversation(world: World, form: Form, arrow: str, tools: tuple[str, ...]) -> None:
    """A ReAct of the append-only kind."""
    world.needs("conversation")
    react(world, form, arrow, tools)
    world.arrangement.choose(system="conversation")


@given(sentence('its predictor is "{predictor}"'))
def predictor(world: World, predictor: Literal["predict", "chain-of-thought"]) -> None:
    """`predict` or `chain-of-thought`."""
    world.arrangement.choose(predictor=predictor)


@given("the LM keeps finishing")
def lm_keeps_finishing(world: World) -> None:
    """However often it is asked for a step."""
    world.arrangement.steps.append(Finish(thought=world.thought(), sticky=True))


@given(sentence("the LM replies {how}"))
def lm_replies_unreadably(world: World, how: str) -> None:
    """A step in none of the forms that were asked for."""
    world.arrangement.steps.append(Raw(text=_UNREADABLE[how]))


@when(sentence("it is called {how:How}with {inputs:Object} and the history so far", How=entry_point))
def called_with_history(world: World, how: Mode, inputs: JsonObject) -> None:
    """The next turn of the conversation."""
    if how == "async":
        world.needs("async")
    world.call(inputs, mode=how, history=_history(world))


def _history(world: World) -> tuple[JsonObject, ...]:
    """What the last call gave back to be given again.

    Raises:
        Violation: if it isn't a list of objects.
    """
    history = world.outcome.history
    if not isinstance(history, list) or not all(isinstance(entry, dict) for entry in history):
        raise Violation("the call gives back its history, a list of entries", f"it gave {history!r}")
    return tuple(entry for entry in history if isinstance(entry, dict))
