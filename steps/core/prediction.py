"""Then: the prediction and its outputs, and what a subject may do instead of giving one."""

import json
from collections.abc import Callable, Mapping

from jsonschema import Draft202012Validator
from parse import with_pattern
from pydantic import JsonValue
from pytest_bdd import then

from react_tck.judges.verdict import Unsupported, check
from react_tck.model.base import JsonObject
from react_tck.model.record import Asked
from react_tck.record.answers import is_text_answer
from react_tck.record.values import same
from react_tck.steps.core.endings import ends_in_order
from react_tck.steps.language import sentence
from react_tck.steps.world import World


def _failed(world: World) -> bool:
    return world.outcome.status == "error"


def _failed_typed(world: World) -> bool:
    world.needs("extraction")
    if _failed(world):
        ends_in_order(world)
    return _failed(world)


#: What a subject may do instead of giving the outputs, and whether it did.
_WAYS_OUT: Mapping[str, Callable[[World], bool]] = {
    "it refused to be constructed or called": lambda world: world.record.refusal is not None or _failed(world),
    "it refused to be constructed": lambda world: world.record.refusal is not None,
    "the call ended with an error": _failed,
    "the call ended with a typed error": _failed_typed,
}


@with_pattern("|".join(_WAYS_OUT))
def way_out(text: str) -> Callable[[World], bool]:
    """What the sources allow beside a prediction."""
    return _WAYS_OUT[text]


@then(sentence("the prediction has {outputs:Object}"))
def prediction_has(world: World, outputs: JsonObject) -> None:
    """Exactly these outputs, texts marked like the LM's."""
    expected = world.marked_outputs(outputs)
    _succeeds(world)
    actual = world.outcome.outputs
    check(actual == expected, f"the outputs are {expected}", f"they are {actual}")


@then(sentence("{instead:WayOut}, or the prediction has {outputs:Object}", WayOut=way_out))
def prediction_has_unless(world: World, instead: Callable[[World], bool], outputs: JsonObject) -> None:
    """As the LM meant it, or not at all; nothing in between."""
    if not instead(world):
        prediction_has(world, outputs)


@then(sentence("the prediction has exactly {outputs:Object}"))
def prediction_has_exactly(world: World, outputs: JsonObject) -> None:
    """These values, their texts as they stand."""
    if "" in outputs.values() and any(is_text_answer(asked, world.manifest) for asked in world.record.requests):
        raise Unsupported("where any text is an answer, an empty one can't be told from an empty reply")
    _has(world, outputs)


@then(sentence("the prediction has {outputs:Object}, each of its type"))
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


def _succeeds(world: World) -> None:
    outcome = world.outcome
    failure = f"{outcome.error.type}: {outcome.error.message}" if outcome.error else ""
    check(outcome.status == "ok", "the call succeeds", f"it ended with status {outcome.status!r} ({failure})")


def _has(world: World, outputs: JsonObject) -> None:
    _succeeds(world)
    found = world.outcome.outputs
    for name, value in outputs.items():
        actual = f"it is {_typed(found[name])}" if name in found else "there is none"
        holds = name in found and same(value, found[name])
        check(holds, f"the output {name!r} is {_typed(value)}", actual, _last_answer(world))


def _typed(value: JsonValue) -> str:
    return f"{json.dumps(value, ensure_ascii=False)} ({type(value).__name__})"


def _last_answer(world: World) -> Asked | None:
    return next(reversed(world.extraction_requests), None)
