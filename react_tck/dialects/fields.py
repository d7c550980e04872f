"""Fields: what a request asks for, what an intent says, and how a field's text is read back."""

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from jsonschema import Draft202012Validator
from pydantic import JsonValue

from react_tck.dialects.strict_json import read_json
from react_tck.model.base import JsonObject
from react_tck.model.intent import Answer, CallTool, Finish
from react_tck.model.lm import Ask

THOUGHT, TOOL_NAME, TOOL_ARGS, REASONING = "next_thought", "next_tool_name", "next_tool_args", "reasoning"
FINISH = "finish"
_TYPES: Mapping[str, type[Any]] = {"string": str, "object": dict, "array": list}

_BLOCK = re.compile(r"^Your output fields are:[^\S\n]*\n", re.MULTILINE)
_ELEMENT = re.compile(r"^<output_fields>$(?P<fields>.*?)^</output_fields>$", re.MULTILINE | re.DOTALL)
_TASK = re.compile(r"^<task_definition>$.*^</task_definition>$", re.MULTILINE | re.DOTALL)
_WIRE_KEY = re.compile(r"^[^\n`]+ \(wire key: `(\w+)`\):", re.MULTILINE)
_ITEM = re.compile(r"^(\d+)\. `(\w+)`", re.MULTILINE)
_SENTENCE = re.compile(
    r"^Given the input fields: .*, produce the output fields: (`\w+`(?:, `\w+`)*)\.\s*\Z", re.MULTILINE
)
_OBJECTIVE = re.compile(r"^In adhering to this structure, your objective is:", re.MULTILINE)


class ParseError(ValueError):
    """A reply that doesn't carry the fields asked for; the message says what is missing or wrong."""


# The same system message comes with every step of an episode.
@lru_cache(maxsize=256)
def output_fields(system: str) -> tuple[str, ...]:
    """The names in the output-fields block of a system message; empty if there is none.

    ax has the block in an element of its own, each name as the field's wire key, before the user's instructions.
    udspy ends its system message with a sentence, DSPy begins it with a numbered block and indents the
    user's own instructions, so what these quote can't be taken for either.
    """
    if sentence := _SENTENCE.search(system):
        return tuple(re.findall(r"`(\w+)`", sentence[1]))
    block, element = _BLOCK.search(system), _ELEMENT.search(system)
    if element and (block is None or element.start() < block.start()):
        return tuple(_WIRE_KEY.findall(element["fields"]))
    return _numbered(system[block.end() :]) if block else ()


def reply_structure(system: str) -> str:
    """Where a system message shows the form of a reply: all but the user's own instructions, which DSPy has last.

    Empty for udspy, which shows the form in the user message.
    """
    return "" if _SENTENCE.search(system) else _OBJECTIVE.split(_TASK.sub("", system), maxsplit=1)[0]


def _numbered(text: str) -> tuple[str, ...]:
    names: list[str] = []
    for item in _ITEM.finditer(text):
        if int(item[1]) != len(names) + 1:
            break
        names.append(item[2])
    return tuple(names)


def ask_for(dialect: str, fields: tuple[str, ...]) -> Ask:
    """The ask for these fields: a step if a tool is to be named, else the extraction."""
    return Ask(phase="step" if TOOL_NAME in fields else "extraction", dialect=dialect, fields=fields)


def said(intent: CallTool | Finish | Answer, ask: Ask) -> JsonObject:
    """The fields the intent fills, in the order the request asks for them."""
    values = _values(intent)
    return {name: values[name] for name in ask.fields if name in values}


def _values(intent: CallTool | Finish | Answer) -> JsonObject:
    if isinstance(intent, Answer):
        return {REASONING: intent.reasoning, **intent.outputs}
    name = FINISH if isinstance(intent, Finish) else intent.tool
    return {THOUGHT: intent.thought, TOOL_NAME: name, TOOL_ARGS: intent.args}


def read(texts: Mapping[str, str], schemas: Mapping[str, JsonObject]) -> JsonObject:
    """The values of the fields from their texts.

    Raises:
        ParseError: if a field is missing, or its text isn't a value of its schema.
    """
    return checked({name: _value(texts[name], schemas[name]) for name in schemas if name in texts}, schemas)


def checked(values: JsonObject, schemas: Mapping[str, JsonObject]) -> JsonObject:
    """The values asked for, if all are there and fit their schemas.

    Raises:
        ParseError: if one is missing or doesn't fit.
    """
    for name, schema in schemas.items():
        if name not in values:
            raise ParseError(f"the reply has no field {name!r}")
        if not _fits(values[name], schema):
            raise ParseError(f"field {name!r} is {json.dumps(values[name])}, which doesn't fit {json.dumps(schema)}")
    return {name: values[name] for name in schemas}


def _value(text: str, schema: JsonObject) -> JsonValue:
    if _fits(text, schema):
        return text
    try:
        return read_json(text)
    except ValueError:
        return text


def _fits(value: JsonValue, schema: JsonObject) -> bool:
    """Whether the value is one of the schema's; the commonest schemas say no more than a type."""
    plain = _TYPES.get(str(schema.get("type"))) if len(schema) == 1 else None
    return isinstance(value, plain) if plain else _validator(json.dumps(schema)).is_valid(value)


# The same few schemas come with every reply.
@lru_cache(maxsize=256)
def _validator(schema: str) -> Draft202012Validator:
    return Draft202012Validator(json.loads(schema))
