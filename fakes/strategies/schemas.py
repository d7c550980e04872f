"""JSON Schemas of tool parameters, each with values that fit and values that don't."""

from dataclasses import dataclass
from functools import cached_property

from hypothesis import strategies as st
from pydantic import JsonValue

from react_tck.fakes.strategies.picking import counts, names
from react_tck.fakes.strategies.texts import escapable_texts
from react_tck.model.base import JsonObject

_PLACE: JsonObject = {
    "title": "Place",
    "type": "object",
    "properties": {"street": {"type": "string"}, "floor": {"type": "integer"}},
    "required": ["street", "floor"],
}


@dataclass(frozen=True)
class Kind:
    """A kind of parameter; without `fitting` its values are texts."""

    schema: JsonObject
    fitting: tuple[JsonValue, ...]
    #: Of another type; some of them say the same, and may be converted (TOOL-001).
    misfits: tuple[JsonValue, ...]

    @cached_property
    def values(self) -> st.SearchStrategy[JsonValue]:
        """Values that fit."""
        return st.sampled_from(self.fitting) if self.fitting else escapable_texts()

    @cached_property
    def others(self) -> st.SearchStrategy[JsonValue]:
        """Values that don't, if there are any."""
        return st.sampled_from(self.misfits) if self.misfits else st.nothing()


#: Every kind that `react_tck.fakes.annotations` makes a Python type of.
KINDS = (
    Kind({"type": "string"}, (), (5, True, None, ["a"], {"a": 1})),
    Kind({"type": "integer"}, (0, 1, -7, 2**53 + 1, 10**20 + 1), (2.5, "5", 2.0, True, None, "about 5")),
    Kind({"type": "number"}, (0.0, 0.5, -1.25e-7, 3, 1e300), ("0.5", True, None, "about 0.5")),
    Kind({"type": "boolean"}, (True, False), (1, 0, "true", "True", "yes", None)),
    Kind({"type": "array", "items": {"type": "string"}}, ([], ["a"], ["a", "b c"]), ("a", [1], {"0": "a"}, None)),
    Kind({"type": "array", "items": {"type": "integer"}}, ([], [1], [3, 2, 1]), ("[1]", ["1"], [None], 1)),
    Kind({"type": "array"}, ([], [1, "a", None], [[]]), ("[]", {}, None)),
    Kind({"type": "object"}, ({}, {"a": {"b": [1, None]}}), ("{}", [], None)),
    Kind({"type": "object", "additionalProperties": {"type": "integer"}}, ({}, {"a": 1}), ({"a": "b"}, [1])),
    Kind({"enum": ["red", "green"]}, ("red", "green"), ("blue", "RED", 0, None)),
    Kind({"anyOf": [{"type": "string"}, {"type": "null"}]}, (None, "a", "null"), (1, ["a"])),
    Kind(_PLACE, ({"street": "High Street", "floor": 2},), ({"street": "High Street"}, "High Street", [])),
    Kind({}, (1, "a", None, [1], {"a": 1}), ()),
)
# Texts are what most goes wrong with, then whole numbers.
_KINDS = st.sampled_from((*KINDS[:1] * 5, *KINDS[1:2] * 4, *KINDS))
_BY_SCHEMA = {str(kind.schema): kind for kind in KINDS}
_NAMES = ("a", "b", "query", "text", "city", "limit", "title", "default", "tool_name", "answer")


def kind_of(schema: JsonObject) -> Kind:
    """The kind of a parameter, its default apart.

    Raises:
        KeyError: if it is of none of the kinds.
    """
    return _BY_SCHEMA[str({key: value for key, value in schema.items() if key != "default"})]


@st.composite
def parameters(draw: st.DrawFn) -> JsonObject:
    """The JSON Schema of a tool's args: up to three parameters, those with a default last."""
    chosen = draw(names(_NAMES, 0, 3))
    required = chosen[: draw(counts(0, len(chosen)))]
    properties: JsonObject = {name: _parameter(draw, name in required) for name in chosen}
    return {"type": "object", "properties": properties, "required": [*required]}


def _parameter(draw: st.DrawFn, required: bool) -> JsonValue:
    kind = draw(_KINDS)
    return kind.schema if required else {**kind.schema, "default": draw(kind.values)}
