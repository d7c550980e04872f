"""Fields: what a request asks for, what an intent says, and how a field's text is read back."""

import json
import math
from collections import Counter
from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import Any

from jsonschema import Draft202012Validator
from pydantic import JsonValue

from react_tck.model.base import JsonObject
from react_tck.model.intent import Answer, Calls, CallTool, Finish, Move, Submit
from react_tck.model.lm import Ask
from react_tck.texts import read_json

THOUGHT, TOOL_NAME, TOOL_ARGS, REASONING = "next_thought", "next_tool_name", "next_tool_args", "reasoning"
#: What a step says to the user, where it says anything (S0).
RESPONSE = "response"
#: The field of a reply that may make several calls (TRN-013), and the key of the list inside it.
TOOL_CALLS = "tool_calls"
#: All outputs as one field, of a dialect that has one mark for them: no user's field has a name with a space in it.
FINAL_ANSWER = "final answer"
#: The names that requests have for thought, tool and args: those of S1, and those of S0.
STEPS = ((THOUGHT, TOOL_NAME, TOOL_ARGS), (REASONING, "tool_name", "tool_args"))
FINISH, SUBMIT = "finish", "submit"
_TYPES: Mapping[str, type[Any]] = {"string": str, "object": dict, "array": list}

#: Each digit a 0, each e a small one, and a plus as good as a digit: so exponents of three digits are the same bytes.
_ALIKE = bytes.maketrans(b"123456789+E", b"0000000000e")
#: A number too large whose exponent has two digits, or none, has 210 digits itself; so few are found faster.
_LONG = b"0" * 90


class NotFinite(ValueError):
    """A number that JSON doesn't have, though many readers take it."""


class ParseError(ValueError):
    """A reply that doesn't carry the fields asked for; the message says what is missing or wrong."""


@lru_cache(maxsize=256)
def make_ask(dialect: str, fields: tuple[str, ...]) -> Ask:
    """Return the ask for these fields: a step if a tool is to be named, by whatever name, else the extraction."""
    is_step = TOOL_NAME in fields or TOOL_CALLS in fields or set(STEPS[1][1:]) <= set(fields)
    return Ask(phase="step" if is_step else "extraction", dialect=dialect, fields=fields)


def step_names(fields: Collection[str]) -> tuple[str, str, str]:
    """Return the names for thought, tool and args among these fields; S1's if there are none."""
    return next((names for names in STEPS if names[1] in fields), STEPS[0])


def fill_fields(intent: Move, ask: Ask) -> JsonObject:
    """Return the fields the intent fills, in the order the request asks for them."""
    values = _collect_values(intent)
    if isinstance(intent, Answer) and FINAL_ANSWER in ask.fields:
        values |= {THOUGHT: intent.reasoning, FINAL_ANSWER: whole_answer(intent.outputs)}
    return {name: values[name] for name in ask.fields if name in values}


def whole_answer(outputs: JsonObject) -> JsonValue:
    """Return the answer as one value: that of the only output, or an object of several."""
    return next(iter(outputs.values())) if len(outputs) == 1 else outputs


def calls_of(intent: CallTool | Calls | Finish | Submit) -> tuple[CallTool, ...]:
    """Return the calls a step makes; `finish` and `submit` are calls like others."""
    match intent:
        case CallTool():
            return (intent,)
        case Calls(calls=calls):
            return calls
        case Finish(args=args, thought=thought):
            return (CallTool(tool=FINISH, args=args, thought=thought),)
        case Submit(outputs=outputs, thought=thought):
            return (CallTool(tool=SUBMIT, args=outputs, thought=thought),)


def _collect_values(intent: Move) -> JsonObject:
    if isinstance(intent, Answer):
        return {REASONING: intent.reasoning, **intent.outputs}
    calls = calls_of(intent)
    values: JsonObject = {THOUGHT: intent.thought, REASONING: intent.thought}
    if len(calls) == 1:  # several don't fit into the fields of one
        values |= _step_of(calls[0])
    return {**values, TOOL_CALLS: {TOOL_CALLS: [{"name": call.tool, "args": call.args} for call in calls]}}


def _step_of(call: CallTool) -> JsonObject:
    step: tuple[JsonValue, ...] = (call.thought, call.tool, call.args)
    named: JsonObject = {key: value for names in STEPS for key, value in zip(names, step, strict=True)}
    return {**named, RESPONSE: f"{call.tool}: {call.thought}"}


def strict_json(text: str) -> JsonValue:
    """Return the value of a JSON text to the letter of RFC 8259, in which no object has a key twice.

    Raises:
        ValueError: if it isn't one; Python's `NaN` and `Infinity` aren't, nor is what nests too deep to be read, nor a
            number too large to be held.
    """
    return _decode_json(_DECODER, text)


def finite_json(text: str) -> JsonValue:
    """Return the value of a JSON text, of which a key that stands twice has the last one; `NaN` and `Infinity` are no
    JSON.

    Raises:
        ValueError: if it isn't one.
    """
    return _decode_json(_LENIENT, text)


def _decode_json(decoder: json.JSONDecoder, text: str) -> JsonValue:
    try:
        value: JsonValue = decoder.decode(text)
    except RecursionError as error:
        raise ValueError("it nests too deep") from error
    return value


def check_finite(text: bytes) -> None:
    """Whatever other readers of JSON accept.

    Raises:
        NotFinite: if there is a `NaN` or an `Infinity` among the values, or a number too large to be held.
    """
    if not may_be_not_finite(text):
        return
    try:
        finite_json(text.decode(errors="replace"))
    except NotFinite:
        raise
    except ValueError:
        return  # no JSON for another reason, which whoever reads it tells


def may_be_not_finite(text: bytes) -> bool:
    """Tell whether there is what such a number looks like: texts may look like it too, and are read more closely."""
    return b"NaN" in text or b"Infinity" in text or may_be_too_large(text)


def may_be_too_large(text: bytes) -> bool:
    """Tell whether there is what a number looks like that can't be held.

    Every body and every line is searched: a pattern for it all takes twenty times as long.
    """
    alike = text.translate(_ALIKE)
    return b"0e000" in alike or _LONG in alike


def is_json(text: str) -> bool:
    """Tell whether the text is JSON as Python reads it, which takes more than the letter allows."""
    try:
        read_json(text)
    except ValueError:
        return False
    return True


def _refuse_repeated_keys(members: list[tuple[str, JsonValue]]) -> JsonObject:
    made = dict(members)
    if len(made) < len(members):
        twice = Counter(name for name, _ in members).most_common(1)[0][0]
        raise ValueError(f"the key {twice!r} stands twice in one object")
    return made


def _parse_finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise NotFinite(f"the number {text[:20]} is too large")
    return value


def _refuse_constant(constant: str) -> JsonValue:
    raise NotFinite(f"{constant} is no JSON")


_DECODER = json.JSONDecoder(
    object_pairs_hook=_refuse_repeated_keys, parse_float=_parse_finite, parse_constant=_refuse_constant
)
_LENIENT = json.JSONDecoder(parse_float=_parse_finite, parse_constant=_refuse_constant)


def read_fields(texts: Mapping[str, str], schemas: Mapping[str, JsonObject]) -> JsonObject:
    """Return the values of the fields from their texts.

    Raises:
        ParseError: if a field is missing, or its text isn't a value of its schema.
    """
    return check_fields({name: _read_value(texts[name], schemas[name]) for name in schemas if name in texts}, schemas)


def check_fields(values: JsonObject, schemas: Mapping[str, JsonObject]) -> JsonObject:
    """Return the values asked for, if all are there and fit their schemas.

    Raises:
        ParseError: if one is missing or doesn't fit.
    """
    for name, schema in schemas.items():
        if name not in values:
            raise ParseError(f"the reply has no field {name!r}")
        if not _fits_schema(values[name], schema):
            raise ParseError(f"field {name!r} is {json.dumps(values[name])}, which doesn't fit {json.dumps(schema)}")
    return {name: values[name] for name in schemas}


def _read_value(text: str, schema: JsonObject) -> JsonValue:
    if _fits_schema(text, schema):
        return text
    try:
        return strict_json(text)
    except ValueError:
        return text


def _fits_schema(value: JsonValue, schema: JsonObject) -> bool:
    """Tell whether the value is one of the schema's; the commonest schemas say no more than a type."""
    plain = _TYPES.get(str(schema.get("type"))) if len(schema) == 1 else None
    return isinstance(value, plain) if plain else _build_validator(json.dumps(schema)).is_valid(value)


# The same few schemas come with every reply.
@lru_cache(maxsize=256)
def _build_validator(schema: str) -> Draft202012Validator:
    return Draft202012Validator(json.loads(schema))
