"""dspy's adapters made to read by the letter: what isn't in the form that was asked for is refused, never repaired.

dspy's own parsing takes the first of two contradicting fields, does without the end of a reply, and repairs what isn't
JSON: each a guess at what to do with a user's tools (ERR-002, ERR-003, ERR-005, ERR-011).
"""

import copy
import inspect
import json
from collections.abc import Mapping
from functools import partial
from typing import Any

import dspy
from dspy.utils.callback import with_callbacks
from dspy.utils.exceptions import AdapterParseError
from pydantic import BaseModel

from react_tck.dialects import DIALECTS
from react_tck.dialects.fields import STEPS, THOUGHT, TOOL_ARGS, TOOL_CALLS, TOOL_NAME, ParseError, strict_json
from react_tck.dialects.markup import as_text
from react_tck.model.base import JsonObject
from react_tck.model.lm import Completion

#: Whose replies are read by which of our parsers. A subclass may read otherwise, and is left to itself.
_READERS: Mapping[type[dspy.Adapter], str] = {
    dspy.ChatAdapter: "chat",
    dspy.JSONAdapter: "json",
    dspy.XMLAdapter: "xml",
}
#: The args of a step of a conversation.
S0_ARGS = STEPS[1][2]
#: What dspy takes for the end of a line inside a value, as JSON can write it too.
_BREAKS = str.maketrans({character: f"\\u{ord(character):04x}" for character in "\x85\u2028\u2029"})


def strict(adapter: dspy.Adapter, dialect: str | None = None) -> dspy.Adapter:
    """A copy of the adapter that reads by the letter, as does its fallback.

    One of another kind than dspy's stays as it is, unless it is said by which of our parsers it is to read.
    """
    dialect = dialect or _READERS.get(type(adapter))
    if dialect is None:
        return adapter
    made = copy.copy(adapter)
    made.parse = partial(_heard, adapter, dialect)
    made._make_json_adapter_fallback = lambda: strict(adapter._make_json_adapter_fallback())
    return made


def read_args(text: str) -> JsonObject:
    """The args of a step from their JSON text.

    Raises:
        ValueError: if it isn't JSON, or no object.
    """
    try:
        args = strict_json(text)
    except ValueError as error:
        raise ValueError(f"next_tool_args is not valid JSON: {error}") from error
    if not isinstance(args, dict):
        raise ValueError(f"next_tool_args is not a JSON object, but {text}")
    return args


def _heard(adapter: dspy.Adapter, dialect: str, signature: type[dspy.Signature], completion: str) -> dict[str, Any]:
    """What dspy's callbacks hear of is this reading, whichever of the two readers it ends with."""

    @with_callbacks  # type: ignore[untyped-decorator]
    def parse(instance: dspy.Adapter, signature: type[dspy.Signature], completion: str) -> dict[str, Any]:
        return _parse(instance, dialect, signature, completion)

    fields: dict[str, Any] = parse(adapter, signature, completion)
    return fields


def _parse(adapter: dspy.Adapter, dialect: str, signature: type[dspy.Signature], completion: str) -> dict[str, Any]:
    """The fields. Of a step all are texts: which tools there are, and what args they take, is the loop's to judge."""
    said = _said(adapter, dialect, signature, completion)
    if TOOL_NAME in said:
        _refuse_retyped(adapter, signature, completion, said)
        # JSON alone tells an object from a text that reads like one.
        quoted = (TOOL_ARGS,) if dialect == "json" else ()
        return {name: json.dumps(value) if name in quoted else as_text(value) for name, value in said.items()}
    texts = {n: said[n] for n, f in signature.output_fields.items() if f.annotation is str and isinstance(said[n], str)}
    rest = signature
    if S0_ARGS in said:
        # The loop's to judge, as those of any step.
        texts, rest = {**texts, S0_ARGS: said[S0_ARGS]}, rest.delete(S0_ARGS)
    if TOOL_CALLS in said:
        read = _calls(adapter, signature, completion, said[TOOL_CALLS])
        texts, rest = {**texts, TOOL_CALLS: read}, rest.delete(TOOL_CALLS)
    # Unwrapped: the callbacks have been told.
    return {**inspect.unwrap(type(adapter).parse)(adapter, rest, completion.translate(_BREAKS)), **texts}


def _refuse_retyped(adapter: dspy.Adapter, signature: type[dspy.Signature], completion: str, said: JsonObject) -> None:
    """Of a step, thought and tool name are texts: nothing else is made one (ERR-016). Raises AdapterParseError."""
    for name in (THOUGHT, TOOL_NAME):
        if not isinstance(said[name], str):
            told = f"{name} is {json.dumps(said[name])}, which is no text"
            raise AdapterParseError(type(adapter).__name__, signature, completion, told)


def _calls(adapter: dspy.Adapter, signature: type[dspy.Signature], completion: str, said: Any) -> dspy.ToolCalls:
    """The calls of a turn: all of them, or none."""
    try:
        made: Any = strict_json(said) if isinstance(said, str) else said
        calls = made[TOOL_CALLS] if isinstance(made, dict) else made
        return dspy.ToolCalls.from_dict_list([_Call.model_validate(call).model_dump() for call in calls])
    except (ValueError, LookupError, TypeError) as error:
        raise AdapterParseError(type(adapter).__name__, signature, completion, f"{TOOL_CALLS}: {error}") from error


class _Call(BaseModel):
    name: str
    args: JsonObject


def _said(adapter: dspy.Adapter, dialect: str, signature: type[dspy.Signature], completion: str) -> JsonObject:
    anything: dict[str, JsonObject] = {name: {} for name in signature.output_fields}
    try:
        return DIALECTS[dialect].parse(Completion(content=completion), anything)
    except ParseError as error:
        raise AdapterParseError(type(adapter).__name__, signature, completion, str(error)) from error
