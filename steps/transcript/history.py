"""Given, When, Then: a ReAct whose state is its transcript, and the history that its calls expose and go on with."""

import json
from typing import Literal

from parse import with_pattern
from pydantic import JsonValue
from pytest_bdd import given, parsers, then, when

from react_tck.dialects.fields import SUBMIT
from react_tck.dialects.markup import as_text
from react_tck.judges.verdict import Violation, check
from react_tck.model.base import JsonObject
from react_tck.model.episode import mark_value
from react_tck.model.intent import Answer, Calls, CallTool, Submit
from react_tck.model.outcome import Outcome
from react_tck.model.record import Changed
from react_tck.model.signature import Form
from react_tck.record.difference import find_difference
from react_tck.record.turns import split_turns
from react_tck.record.visibility import hides_value, text_shows
from react_tck.steps.arrange import arrange_react, lm_answers, lm_finishes, react_with_fields
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
def transcript_react(world: World, form: Form | None, arrow: str, tools: tuple[str, ...]) -> None:
    """The system of S2, in a subject that offers several."""
    world.needs("transcript")
    arrange_react(world, form, arrow, tools)
    world.arrangement.set_options(system="transcript")


@given(sentence("a transcript ReAct over the {form:Form} with these fields:"))
def transcript_with_fields(world: World, form: Form, datatable: list[list[str]]) -> None:
    """The same, with fields that no arrow tells; an image is given as a data URL."""
    world.needs("transcript")
    react_with_fields(world, form, datatable)
    if any(field.is_image for field in world.arrangement.signature.inputs):
        world.needs("image-inputs")
    world.arrangement.set_options(system="transcript")


@given(sentence("the LM {keeps:Keeps} {outputs:Object}", Keeps=once_or_for_ever))
def lm_submits(world: World, keeps: bool, outputs: JsonObject) -> None:
    """The call that ends the loop, if the outputs are what the signature declares; texts are marked."""
    step = Submit(outputs=world.marked_outputs(outputs), thought=world.make_thought(), sticky=keeps)
    world.arrangement.steps.append(step)


@given(sentence("the LM ends the run with {outputs:Object}"))
def lm_ends(world: World, outputs: JsonObject) -> None:
    """By a submit in a transcript, else by `finish` and an answer; texts are marked."""
    if world.arrangement.options.system == "transcript":
        lm_submits(world, False, outputs)
    else:
        lm_finishes(world)
        lm_answers(world, outputs)


@given("the LM makes these calls in one turn:")
def lm_calls_at_once(world: World, datatable: list[list[str]]) -> None:
    """A row a call: the tool, its args; the outputs submitted are marked. Who has a transcript takes them there."""
    world.needs("parallel-tool-calls")
    if world.arrangement.options.system is None and "transcript" in world.manifest.capabilities:
        world.arrangement.set_options(system="transcript")
    written = ((tool, json.loads(args)) for tool, args in datatable[1:])
    calls = tuple(
        CallTool(tool=tool, args=world.marked_outputs(args) if tool == SUBMIT else args) for tool, args in written
    )
    world.arrangement.steps.append(Calls(calls=calls, thought=world.make_thought()))


@given(sentence('the LM summarises "{text}"'))
def lm_summarises(world: World, text: str) -> None:
    """The reply to whoever asks for a summary of a history that doesn't fit; it is marked."""
    world.needs("compaction")
    world.arrangement.answers.append(Answer(outputs={"summary": mark_value(text, world.nonce)}))


@when(sentence("it is called with {inputs:Object} and the history of the {which} call"))
def called_with_history(world: World, inputs: JsonObject, which: str) -> None:
    """The history as the object that the call returned."""
    number = world.last_call if which == "last" else _ORDINALS[which]
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


_ONE = "the request, the tool calls, the observations and the answer"
_ALL = "the requests, the tool calls, the observations and the answers of all calls"


@then(parsers.re(f"its history holds (?P<turns>{_ONE}|{_ALL}), in order"))
def history_holds_turns(world: World, turns: str) -> None:
    """Of the last call, or of those before it too; in what form is the subject's affair."""
    text, start = as_text(list(history_of_last_call(world))), 0
    first = 0 if turns == _ALL else world.last_call
    for what, value in [
        each for number in range(first, world.last_call + 1) for each in _list_expected_values(world, number)
    ]:
        check(not hides_value(text, value), f"the history holds {what}: {value!r}", f"it is {text}")
        at = _find_value(text, value, start)
        check(at >= 0, f"the history holds {what} after what came before: {value!r}", f"it is {text}")
        start = at


def _find_value(text: str, value: JsonValue, start: int) -> int:
    """Where the value stands behind the start, as it is or within a JSON text; below 0 if nowhere."""
    told = as_text(value)
    found = [text.find(form, start) for form in (told, json.dumps(told, ensure_ascii=False)[1:-1])]
    return min((at for at in found if at >= 0), default=-1)


@then(parsers.re('its history holds the (?:answer|summary "(?P<summary>[^"]+)")'))
def history_holds(world: World, summary: str | None) -> None:
    """Every output of the last call, or the LM's summary as an entry: whoever reads it sees that something is gone."""
    entries = history_of_last_call(world)
    if summary:
        found = any(text_shows(as_text(entry), world.mark_text(summary)) for entry in entries)
        check(found, f"an entry of the history is the summary: {summary!r}", f"the entries are {entries}")
        return
    text = as_text(list(entries))
    for name, value in world.outcome.outputs.items():
        check(not hides_value(text, value), f"the history holds the output {name!r}: {value!r}", f"it is {text}")


@then("both histories end in the same shape")
def end_in_one_shape(world: World) -> None:
    """Of the last two calls: the same keys with the same kinds of values."""
    outcomes = [outcome for record in world.records for outcome in record.outcomes][-2:]
    one, other = map(_last_entry, outcomes)
    expected = "the history ends in one shape, however the outputs came"
    check(
        _describe_shape(one) == _describe_shape(other),
        expected,
        f"it ended with\n  {as_text(one)}\n  and with {as_text(other)}",
    )


@then("both follow-up calls made the same requests and had the same outcome")
def went_the_same(world: World) -> None:
    """The last calls of the last two episodes, one continuing from an object, one from its JSON."""
    calls = [record.of_call(record.call_count - 1) for record in world.records[-2:]]
    # That the caller's own object is changed is ISO-003's affair.
    kept = [tuple(event for event in call.events if not isinstance(event, Changed)) for call in calls]
    first, second = (call.model_copy(update={"events": events}) for call, events in zip(calls, kept, strict=True))
    if found := find_difference(first, second, world.manifest.varies):
        world.require_settled(world.episode)
        raise Violation("who continues from the JSON goes on as who continues from the object", found.actual, found.at)


def _list_expected_values(world: World, number: int) -> list[tuple[str, JsonValue]]:
    call, case = world.record.of_call(number), world.episode.case
    given = case.signature.leave_out_images(case.invocations[number].inputs)
    found: list[tuple[str, JsonValue]] = [("the request", value) for value in given.values()]
    for turn in split_turns(call):
        ran = [(call, run) for call, run in turn.pair_runs() if run]
        found += [("the tool call", value) for call, _ in ran for value in (call.tool, *call.args.values())]
        found += [("the observation", run.result) for _, run in ran]
    return [*found, *(("the answer", value) for value in call.outcomes[-1].outputs.values())]


def _last_entry(outcome: Outcome) -> JsonValue:
    check(outcome.status == "ok", "the call succeeds", f"it ended with {outcome}")
    history = outcome.history
    if not isinstance(history, list) or not history:
        raise Violation("the history is a list of entries", f"it is {as_text(history)}")
    return history[-1]


def _describe_shape(value: JsonValue) -> JsonValue:
    if isinstance(value, dict):
        return {key: _describe_shape(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_describe_shape(inner) for inner in value]
    return type(value).__name__
