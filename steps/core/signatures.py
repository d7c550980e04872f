"""Given, Then: the signature's forms, instructions and types, and what is refused because of it."""

import json

from jsonschema import Draft202012Validator
from parse import with_pattern
from pydantic import JsonValue
from pytest_bdd import given, parsers, then

from react_tck.judges.verdict import Unsupported, Violation, check
from react_tck.model.base import JsonObject
from react_tck.model.intent import Answer
from react_tck.model.record import Asked
from react_tck.model.signature import Field, Form, Signature, render_arrow
from react_tck.record.answers import is_text_answer
from react_tck.record.shown import shows
from react_tck.record.values import same
from react_tck.steps.arrange import CAPABILITIES
from react_tck.steps.core.request_checks import extraction_request, shows_value
from react_tck.steps.language import TYPES, names
from react_tck.steps.world import World

#: How an arrow string would write the type, for subjects that know no other form.
_ANNOTATIONS: dict[str, str] = {
    "string": "str",
    "integer": "int",
    "number": "float",
    "boolean": "bool",
    "array": "list",
    "object": "dict",
}


@with_pattern(r'"[^"]+"(?:(?:, | or )"[^"]+")*')
def alternatives(text: str) -> tuple[str, ...]:
    """`"output"`, `"output" or "->"`, `"a", "b" or "c"`."""
    found: tuple[str, ...] = names(text)
    return found


_TYPES = {**TYPES, "Alternatives": alternatives}


@given(parsers.parse("a ReAct over the {form:Form} with these fields:", extra_types=TYPES))
def react_with_fields(world: World, form: Form, datatable: list[list[str]]) -> None:
    """A row a field: its name, whether input or output, its JSON Schema, its description."""
    world.needs(CAPABILITIES[form])
    rows = [dict(zip(datatable[0], row, strict=True)) for row in datatable[1:]]
    inputs, outputs = (tuple(_field(row) for row in rows if row["kind"] == kind) for kind in ("input", "output"))
    if not all(field.is_text for field in (*inputs, *outputs)):
        world.needs("typed-fields", "nested-fields")
    arrow = render_arrow(inputs, outputs)
    world.arrangement.signature = Signature(form=form, arrow=arrow, inputs=inputs, outputs=outputs)


@given(parsers.parse('its instructions are "{text}"'))
def instructions(world: World, text: str) -> None:
    """The signature's own instructions, of a class or a value."""
    signature = world.arrangement.signature
    world.arrangement.signature = signature.model_copy(update={"instructions": text})


@given(parsers.parse("the LM answers exactly {outputs:Object}", extra_types=TYPES))
def lm_answers_exactly(world: World, outputs: JsonObject) -> None:
    """The extraction's reply, its texts as they stand."""
    world.arrangement.answers.append(Answer(outputs=outputs, reasoning=f"reasoning ~{world.nonce}"))


@given(parsers.parse("the LM keeps answering {outputs:Object}", extra_types=TYPES))
def lm_keeps_answering(world: World, outputs: JsonObject) -> None:
    """The same reply however often the extraction asks."""
    answer = Answer(outputs=outputs, reasoning=f"reasoning ~{world.nonce}", sticky=True)
    world.arrangement.answers.append(answer)


@then(parsers.parse("the prediction has exactly {outputs:Object}", extra_types=TYPES))
def prediction_has_exactly(world: World, outputs: JsonObject) -> None:
    """These values, their texts as they stand."""
    if "" in outputs.values() and any(is_text_answer(asked, world.manifest) for asked in world.record.requests):
        raise Unsupported("where any text is an answer, an empty one can't be told from an empty reply")
    _has(world, outputs)


@then(parsers.parse("the prediction has {outputs:Object}, each of its type", extra_types=TYPES))
def prediction_has_typed(world: World, outputs: JsonObject) -> None:
    """These values as JSON has them: true is not 1, and 42 is not a text."""
    _has(world, world.marked_outputs(outputs))


@then("every output is of its type, or the call ended with an error")
def typed_or_error(world: World) -> None:
    """What becomes of a value that doesn't fit is the subject's choice, as long as it isn't returned."""
    outcome = world.outcome
    for field in world.arrangement.signature.outputs if outcome.status == "ok" else ():
        value = outcome.outputs.get(field.name)
        fits = Draft202012Validator(field.json_schema).is_valid(value)
        expected = f"the output {field.name!r} is of its type, {field.annotation}, or the call ends with an error"
        check(fits, expected, f"it is {_typed(value)}", _last_answer(world))


@then(parsers.parse('the extraction request shows "{text}"'))
def extraction_shows(world: World, text: str) -> None:
    """Exactly this text."""
    shows_value(extraction_request(world), text)


@then(parsers.parse('the LM is shown "{text}"'))
def lm_is_shown(world: World, text: str) -> None:
    """In one request at least."""
    shown = any(shows(asked.request.text, text) for asked in world.record.requests)
    check(shown, f"the LM is shown {text!r} in some request", f"none of {len(world.record.requests)} shows it")


@then(parsers.parse("it was refused with an error that says {words:Alternatives}", extra_types=_TYPES))
def construction_refused(world: World, words: tuple[str, ...]) -> None:
    """Refused at construction; the error says what is wrong in one of these words."""
    arrow, refusal = world.arrangement.signature.arrow, world.record.refusal
    if refusal is None:
        raise Violation(f"the signature {arrow!r} is refused at construction", "it was accepted")
    _says(refusal.message, words)


@then(
    parsers.parse(
        "the call was refused before any LM request, with an error that says {words:Alternatives}", extra_types=_TYPES
    )
)
def call_refused(world: World, words: tuple[str, ...]) -> None:
    """An error outcome, no request, and the error says what is wrong in one of these words."""
    outcome, requests = world.outcome, world.record.requests
    expected = f"the call is refused because of {' or '.join(map(repr, words))}, before the LM is asked for anything"
    asked = f"the LM was asked {len(requests)} times, and the call ended with status {outcome.status!r}"
    check(not requests, expected, asked, next(iter(requests), None))
    check(outcome.error is not None, expected, f"the call ended with status {outcome.status!r}")
    _says(outcome.error.message if outcome.error else "", words)


def _field(row: dict[str, str]) -> Field:
    schema: JsonObject = json.loads(row["schema"])
    annotation = _ANNOTATIONS.get(str(schema.get("type")), "str")
    return Field(name=row["field"], annotation=annotation, json_schema=schema, description=row["description"])


def _has(world: World, outputs: JsonObject) -> None:
    outcome = world.outcome
    failure = f"{outcome.error.type}: {outcome.error.message}" if outcome.error else ""
    check(outcome.status == "ok", "the call succeeds", f"it ended with status {outcome.status!r} ({failure})")
    for name, value in outputs.items():
        actual = f"it is {_typed(outcome.outputs[name])}" if name in outcome.outputs else "there is none"
        holds = name in outcome.outputs and same(value, outcome.outputs[name])
        check(holds, f"the output {name!r} is {_typed(value)}", actual, _last_answer(world))


def _says(message: str, words: tuple[str, ...]) -> None:
    said = any(word.lower() in message.lower() for word in words)
    check(said, f"the error says what is wrong: {' or '.join(map(repr, words))}", f"it says: {message!r}")


def _typed(value: JsonValue) -> str:
    return f"{json.dumps(value, ensure_ascii=False)} ({type(value).__name__})"


def _last_answer(world: World) -> Asked | None:
    return next(reversed(world.extraction_requests), None)
