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

from react_tck.dialects import DIALECTS
from react_tck.dialects.fields import THOUGHT, TOOL_ARGS, TOOL_NAME, ParseError, strict_json
from react_tck.dialects.markup import as_text
from react_tck.model.base import JsonObject
from react_tck.model.lm import Completion

#: Whose replies are read by which of our parsers. A subclass may read otherwise, and is left to itself.
_READERS: Mapping[type[dspy.Adapter], str] = {
    dspy.ChatAdapter: "chat",
    dspy.JSONAdapter: "json",
    dspy.XMLAdapter: "xml",
}


def strict(adapter: dspy.Adapter) -> dspy.Adapter:
    """A copy of the adapter that reads by the letter, as does its fallback; one of another kind stays as it is."""
    dialect = _READERS.get(type(adapter))
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
    # Unwrapped: the callbacks have been told.
    return {**inspect.unwrap(type(adapter).parse)(adapter, signature, completion), **texts}


def _refuse_retyped(adapter: dspy.Adapter, signature: type[dspy.Signature], completion: str, said: JsonObject) -> None:
    """Of a step, thought and tool name are texts: nothing else is made one (ERR-016). Raises AdapterParseError."""
    for name in (THOUGHT, TOOL_NAME):
        if not isinstance(said[name], str):
            told = f"{name} is {json.dumps(said[name])}, which is no text"
            raise AdapterParseError(type(adapter).__name__, signature, completion, told)


def _said(adapter: dspy.Adapter, dialect: str, signature: type[dspy.Signature], completion: str) -> JsonObject:
    anything: dict[str, JsonObject] = {name: {} for name in signature.output_fields}
    try:
        return DIALECTS[dialect].parse(Completion(content=completion), anything)
    except ParseError as error:
        raise AdapterParseError(type(adapter).__name__, signature, completion, str(error)) from error
