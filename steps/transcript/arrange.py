"""Given, When: a ReAct whose state is its transcript, what its LM submits, and calls that follow earlier ones."""

import json
from typing import Literal

from parse import with_pattern
from pytest_bdd import given, when

from react_tck.judges.verdict import check
from react_tck.model.base import JsonObject
from react_tck.model.episode import mark
from react_tck.model.intent import Answer, Calls, CallTool, Submit
from react_tck.model.signature import Form
from react_tck.steps.arrange import react
from react_tck.steps.language import sentence
from react_tck.steps.world import World

_ORDINALS = {"first": 0, "second": 1, "third": 2}


@with_pattern("submits|keeps submitting")
def once_or_for_ever(text: str) -> bool:
    """Whether it submits the same for ever."""
    return text.startswith("keeps")


@with_pattern("it|a new one")
def called_one(text: str) -> str:
    """The instance there is, or one that has never been called."""
    return text


@given(sentence('a transcript ReAct over {form:InForm}"{arrow:Quoted}"{tools:WithTools}'))
def transcript_react(world: World, form: Form, arrow: str, tools: tuple[str, ...]) -> None:
    """The system of S2, in a subject that offers several."""
    world.needs("transcript")
    react(world, form, arrow, tools)
    world.arrangement.choose(system="transcript")


@given(sentence("the LM {keeps:Keeps} {outputs:Object}", Keeps=once_or_for_ever))
def lm_submits(world: World, keeps: bool, outputs: JsonObject) -> None:
    """The call that ends the loop, if the outputs are what the signature declares; texts are marked."""
    step = Submit(outputs=world.marked_outputs(outputs), thought=world.thought(), sticky=keeps)
    world.arrangement.steps.append(step)


@given("the LM makes these calls in one turn:")
def lm_calls_at_once(world: World, datatable: list[list[str]]) -> None:
    """A row a call: the tool, its args."""
    world.needs("parallel-tool-calls")
    calls = tuple(CallTool(tool=tool, args=json.loads(args)) for tool, args in datatable[1:])
    world.arrangement.steps.append(Calls(calls=calls, thought=world.thought()))


@given(sentence('the LM summarises "{text}"'))
def lm_summarises(world: World, text: str) -> None:
    """The reply to whoever asks for a summary of a history that doesn't fit; it is marked."""
    world.needs("compaction")
    world.arrangement.answers.append(Answer(outputs={"summary": mark(text, world.nonce)}))


@when(sentence("it is called with {inputs:Object} and the history of the {which} call"))
def called_with_history(world: World, inputs: JsonObject, which: str) -> None:
    """The history as the object that the call returned."""
    number = len(world.episode.case.invocations) - 1 if which == "last" else _ORDINALS[which]
    world.call(inputs, follows=number)


@when(sentence("{who:Who} is called with {inputs:Object} and that history as JSON", Who=called_one))
def called_with_json(world: World, who: Literal["it", "a new one"], inputs: JsonObject) -> None:
    """The last call's history, written out and read again; the LM of a new instance goes on in the script."""
    history = history_of_last_call(world)
    if who == "a new one":
        left = world.record.left_over
        world.start_over()
        world.arrangement.steps = list(left)
    world.call(inputs, history=history)


def history_of_last_call(world: World) -> tuple[JsonObject, ...]:
    """As the subject exposes it, written out and read again.

    Raises:
        Violation: if the call failed, or exposed no list of objects.
    """
    outcome = world.outcome
    entries = outcome.history if isinstance(outcome.history, list) else []
    failure = f": {outcome.error.type}: {outcome.error.message}" if outcome.error else f": {outcome.history}"
    expected = "the call succeeds and gives its history, a list of objects"
    check(bool(entries) and all(isinstance(e, dict) for e in entries), expected, f"{outcome.status}{failure}")
    return tuple(json.loads(json.dumps(entries)))
