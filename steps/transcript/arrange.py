"""Given, When: a ReAct whose state is its transcript, what its LM submits, and calls that follow earlier ones."""

import json

from pytest_bdd import given, parsers, when

from react_tck.judges.verdict import check
from react_tck.model.base import JsonObject
from react_tck.model.intent import Answer, Attempts, Calls, CallTool, Raw, Submit
from react_tck.model.nonce import mark
from react_tck.model.signature import Form
from react_tck.steps.arrange import CAPABILITIES, react
from react_tck.steps.language import TYPES
from react_tck.steps.world import World

_ORDINALS = {"first": 0, "second": 1, "third": 2}
_UNREADABLE = "Well, let me see. There is a lot to be said about this."


@given(parsers.parse('a transcript ReAct over "{arrow:Quoted}"', extra_types=TYPES))
@given(parsers.parse('a transcript ReAct over "{arrow:Quoted}" with the tool {tools:Names}', extra_types=TYPES))
@given(parsers.parse('a transcript ReAct over "{arrow:Quoted}" with the tools {tools:Names}', extra_types=TYPES))
def transcript_react(world: World, arrow: str, tools: tuple[str, ...] = ()) -> None:
    """The system of S2, in a subject that offers several."""
    world.needs("transcript")
    react(world, arrow, tools)
    world.arrangement.options = world.arrangement.options.model_copy(update={"system": "transcript"})


@given(
    parsers.parse(
        'a transcript ReAct over the {form:Form} "{arrow:Quoted}" with the tool {tools:Names}', extra_types=TYPES
    )
)
def transcript_react_in_form(world: World, form: Form, arrow: str, tools: tuple[str, ...]) -> None:
    """The same, with the signature in one of its forms."""
    transcript_react(world, arrow, tools)
    world.needs(CAPABILITIES[form])
    world.arrangement.signature = world.arrangement.signature.model_copy(update={"form": form})


@given(parsers.parse('the tool "{tool}" is called "{name}"'))
def tool_called(world: World, tool: str, name: str) -> None:
    """The same tool by another name."""
    tools = world.arrangement.tools
    world.arrangement.tools = {name: tools[tool].model_copy(update={"name": name})}


@when(
    parsers.parse(
        'the LM now keeps calling "{tool}" with {args:Object}, and answers {outputs:Object}', extra_types=TYPES
    )
)
def lm_now_keeps_calling(world: World, tool: str, args: JsonObject, outputs: JsonObject) -> None:
    """A script of its own for the next instance, in which nothing is submitted."""
    world.arrangement.steps = [CallTool(tool=tool, args=args, thought=world.thought(), sticky=True)]
    world.arrangement.answers = [Answer(outputs=world.marked_outputs(outputs), reasoning=world.thought())]


@given(parsers.parse("the LM submits {outputs:Object}", extra_types=TYPES))
def lm_submits(world: World, outputs: JsonObject) -> None:
    """The call that ends the loop, if the outputs are what the signature declares; texts are marked."""
    world.arrangement.steps.append(Submit(outputs=world.marked_outputs(outputs), thought=world.thought()))


@given(parsers.parse("the LM keeps submitting {outputs:Object}", extra_types=TYPES))
def lm_keeps_submitting(world: World, outputs: JsonObject) -> None:
    """The same call for ever."""
    step = Submit(outputs=world.marked_outputs(outputs), thought=world.thought(), sticky=True)
    world.arrangement.steps.append(step)


@given("the LM makes these calls in one turn:")
def lm_calls_at_once(world: World, datatable: list[list[str]]) -> None:
    """A row a call: the tool, its args."""
    world.needs("parallel-tool-calls")
    calls = tuple(CallTool(tool=tool, args=json.loads(args)) for tool, args in datatable[1:])
    world.arrangement.steps.append(Calls(calls=calls, thought=world.thought()))


@given(
    parsers.parse("the LM says nothing readable twice, and asked once more submits {outputs:Object}", extra_types=TYPES)
)
def lm_unreadable(world: World, outputs: JsonObject) -> None:
    """Whether it is asked for the same turn again, or for the next one."""
    submit = Submit(outputs=world.marked_outputs(outputs), thought=world.thought())
    unreadable = Raw(text=_UNREADABLE)
    world.arrangement.steps += [Attempts(replies=(unreadable, unreadable, submit)), submit]


@given(parsers.parse('the LM summarises "{text}"'))
def lm_summarises(world: World, text: str) -> None:
    """The reply to whoever asks for a summary of a history that doesn't fit; it is marked."""
    world.needs("compaction")
    world.arrangement.answers.append(Answer(outputs={"summary": mark(text, world.nonce)}))


@when(parsers.parse("it is called with {inputs:Object} and the history of the {which} call", extra_types=TYPES))
def called_with_history(world: World, inputs: JsonObject, which: str) -> None:
    """The history as the object that the call returned."""
    number = len(world.episode.case.invocations) - 1 if which == "last" else _ORDINALS[which]
    world.call(inputs, follows=number)


@when(parsers.parse("it is called with {inputs:Object} and that history as JSON", extra_types=TYPES))
def called_with_json(world: World, inputs: JsonObject) -> None:
    """The last call's history, written out and read again."""
    world.call(inputs, history=history_of_last_call(world))


@when(parsers.parse("a new one is called with {inputs:Object} and that history as JSON", extra_types=TYPES))
def new_one_called_with_json(world: World, inputs: JsonObject) -> None:
    """An instance that has never been called; its LM goes on in the script."""
    history, left = history_of_last_call(world), world.record.left_over
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
