"""The fields that parsers are asked for, and how the kit writes them."""

from collections.abc import Mapping

from react_tck.dialects import native
from react_tck.dialects.fields import REASONING, THOUGHT, TOOL_ARGS, TOOL_NAME
from react_tck.dialects.markup import MARKUPS
from react_tck.model.base import JsonObject
from react_tck.model.intent import CallTool
from react_tck.model.lm import Ask, Completion
from react_tck.model.manifest import Manifest

Schemas = Mapping[str, JsonObject]

_TEXT: JsonObject = {"type": "string"}
_STEP: Schemas = {THOUGHT: _TEXT, TOOL_NAME: _TEXT, TOOL_ARGS: {"type": "object"}}
_ANSWER: Schemas = {REASONING: _TEXT, "answer": _TEXT}
_TYPED: Schemas = {
    REASONING: _TEXT,
    "answer": _TEXT,
    "count": {"type": "integer"},
    "score": {"type": "number"},
    "sure": {"type": "boolean"},
    "sources": {"type": "array", "items": _TEXT},
}


def field_sets(manifest: Manifest, dialect: str) -> tuple[Schemas, ...]:
    """The sets of fields that the subject can be asked for in a dialect."""
    if dialect == "native":
        return (_STEP,)
    return (_ANSWER, _STEP, _TYPED) if "typed-fields" in manifest.capabilities else (_ANSWER,)


def encode(dialect: str, values: JsonObject) -> Completion:
    """The reply of these fields."""
    if dialect == "native":
        step = CallTool.model_validate(
            {"tool": values[TOOL_NAME], "args": values[TOOL_ARGS], "thought": values[THOUGHT]}
        )
        return native.render(step, Ask(phase="step", dialect=dialect, fields=tuple(_STEP)))
    markup = MARKUPS[dialect]
    return Completion(content=markup.reply(markup.pieces(values)))
