"""What a case offers: a signature with typed fields, in every form a subject takes; and tools with their parameters.

A tool has a name, a description, one of the forms that Python has for it, and what it does when it is run.
"""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

from hypothesis import strategies as st
from pydantic import JsonValue

from react_tck.adapter.declare import Capability
from react_tck.fakes.corpus import LOST_VALUES
from react_tck.fakes.strategies.texts import among, counts, escapable_texts, injections, names, texts, unencodable_texts
from react_tck.model.base import JsonObject
from react_tck.model.manifest import CLARIFY, Manifest
from react_tck.model.signature import Field, Form, Signature, parse_arrow
from react_tck.model.tool import Behaviour, Mutates, Raises, Reports, Returns, ReturnsOddity, Tool


@dataclass(frozen=True)
class Reach:
    """Dialects and capabilities, and the name of the tool that asks the user."""

    dialects: tuple[str, ...]
    capabilities: tuple[Capability, ...]
    clarification_tool: str = CLARIFY

    @classmethod
    def of(cls, manifest: Manifest) -> "Reach":
        """Return the reach that a manifest claims: its dialects, capabilities and clarification tool."""
        return cls(manifest.dialects, manifest.capabilities, manifest.clarification_tool)

    def has(self, *capabilities: Capability) -> bool:
        """Tell whether it claims all of these."""
        return set(capabilities) <= set(self.capabilities)


_INPUTS = ("question", "context", "topic", "day", "query")
_OUTPUTS = ("answer", "summary", "sources", "score", "verdict")
#: By annotation; without any, its values are texts.
_TYPES: dict[str, tuple[JsonValue, ...]] = {
    "str": (),
    "int": (7, 0, -3, 10**20),
    "float": (0.5, -2.0, 1e-7),
    "bool": (True, False),
    "list[str]": (["a", "b c"], [], ["a", " a", "a"], ["one\u2028two", "three\x85"]),
    "list[int]": ([3, 1], []),
    "dict[str, int]": ({"a": 1}, {}),
    "Literal['yes', 'no']": ("yes", "no"),
    "int | None": (None, 7),
    "list[int] | None": ([2, 1], None),
    "dict[str, list[int]]": ({"a": [1, 2], "b": []}, {}),
    "dict[str, int] | list[int]": ([1, 2], {"a": 1}),
}
_STRATEGIES = {name: st.sampled_from(values) if values else texts() for name, values in _TYPES.items()}
_INSTRUCTIONS = ("", "Answer in one word.", "Use the tools.\nThen answer.", "Your output fields are: none.")
_FORMS: dict[Capability, Form] = {
    "arrow-signature": Form.ARROW,
    "class-signature": Form.CLASS,
    "value-signature": Form.VALUE,
}


@st.composite
def signatures(draw: st.DrawFn, capabilities: Collection[str]) -> Signature:
    """One to three inputs, one to three outputs, typed where the subject takes types."""
    return draw_signature(draw, capabilities)


def draw_signature(
    draw: st.DrawFn, capabilities: Collection[str], *, history: str = "", outputs: tuple[str, ...] = ()
) -> Signature:
    """Draw the same in another strategy; with a history of this name among the inputs, and these outputs too."""
    form = draw(among(tuple(form for capability, form in _FORMS.items() if capability in capabilities)))
    # Texts are what most goes wrong with.
    annotations = (*("str",) * 6, *_TYPES) if "typed-fields" in capabilities else ("str",)
    asked = [*_draw_fields(draw, _INPUTS, annotations), *([f"{history}: dspy.History"] if history else [])]
    told = [each for each in _draw_fields(draw, _OUTPUTS, annotations) if each.partition(":")[0] not in outputs]
    made = parse_arrow(f"{', '.join(asked)} -> {', '.join((*told, *outputs))}")
    instructions = "" if form is Form.ARROW else draw(among(_INSTRUCTIONS))
    return made.model_copy(update={"form": form, "instructions": instructions})


def values_of(field: Field) -> st.SearchStrategy[JsonValue]:
    """Values of a field's type."""
    return _STRATEGIES[field.annotation]


def _draw_fields(draw: st.DrawFn, pool: tuple[str, ...], annotations: tuple[str, ...]) -> list[str]:
    typed = ((name, draw(among(annotations))) for name in draw(names(pool, 1, 3)))
    return [name if annotation == "str" else f"{name}: {annotation}" for name, annotation in typed]


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
        """A strategy for values that fit the schema."""
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
    Kind({"type": "array"}, ([], [1, "a", None], [[]], [True, False]), ("[]", {}, None)),
    Kind({"type": "object"}, ({}, {"a": {"b": [1, None]}}, {"a": None, "b": 0}), ("{}", [], None)),
    Kind({"type": "object", "additionalProperties": {"type": "integer"}}, ({}, {"a": 1}), ({"a": "b"}, [1])),
    Kind({"enum": ["red", "green"]}, ("red", "green"), ("blue", "RED", 0, None)),
    Kind({"anyOf": [{"type": "string"}, {"type": "null"}]}, (None, "a", "null"), (1, ["a"])),
    Kind(_PLACE, ({"street": "High Street", "floor": 2},), ({"street": "High Street"}, "High Street", [])),
    Kind({}, (1, "a", True, None, [1], {"a": 1}), ()),
)
# Texts are what most goes wrong with, then whole numbers.
_KINDS = st.sampled_from((*KINDS[:1] * 5, *KINDS[1:2] * 4, *KINDS, *KINDS[10:12]))
_BY_SCHEMA = {str(kind.schema): kind for kind in KINDS}
_PARAMETER_NAMES = ("a", "b", "query", "text", "city", "limit", "title", "default", "tool_name", "answer")


def kind_of(schema: JsonObject) -> Kind:
    """Return the kind of a parameter, its default apart.

    Raises:
        KeyError: if it is of none of the kinds.
    """
    return _BY_SCHEMA[str({key: value for key, value in schema.items() if key != "default"})]


@st.composite
def parameters(draw: st.DrawFn) -> JsonObject:
    """Draw the JSON Schema of a tool's args: up to three parameters, those with a default last."""
    chosen = draw(names(_PARAMETER_NAMES, 0, 3))
    required = chosen[: draw(counts(0, len(chosen)))]
    properties: JsonObject = {}
    for name in chosen:
        kind = draw(_KINDS)
        properties[name] = kind.schema if name in required else {**kind.schema, "default": draw(kind.values)}
    return {"type": "object", "properties": properties, "required": [*required]}


_TOOL_NAMES = ("add", "search", "look_up", "finish_order", "Add", "answer", "run2")
_DESCRIPTIONS = ("Adds.", "Finds things in the archive.", "Says `finish`, then waits.", "Takes {braces} & <marks>.")

_PARAMETERS = parameters()


@st.composite
def tools(draw: st.DrawFn, capabilities: Collection[str], most: int = 3) -> tuple[Tool, ...]:
    """Up to `most` tools of different names."""
    fewest = draw(among((1, 1, 1, 0)))
    return tuple(_draw_tool(draw, name, capabilities) for name in draw(names(_TOOL_NAMES, min(fewest, most), most)))


def _draw_tool(draw: st.DrawFn, name: str, capabilities: Collection[str]) -> Tool:
    forms = ("function", "function", "method", "object") if "callable-tools" in capabilities else ("function",)
    return Tool(
        name=name,
        description=draw(among(_DESCRIPTIONS)),
        parameters=draw(_PARAMETERS),
        is_async="async-tools" in capabilities and draw(among((False, False, False, True))),
        callable_form=draw(among(forms)),
    )


_RESULTS: tuple[JsonValue, ...] = (
    None,
    0,
    828,
    0.125,
    True,
    False,
    "",
    [],
    {},
    ["Dubai", 828, None],
    {"a": {"b": 1}},
    " blank space around ",
    *(value for value, _ in LOST_VALUES.values()),
    {"found": 0, "next": None},
    "e\u0301 is not \u00e9",
)


def behaviours(*more: st.SearchStrategy[Behaviour]) -> st.SearchStrategy[tuple[Behaviour, ...]]:
    """Up to two runs' behaviour, of these kinds too; none is the default one."""
    return st.lists(st.one_of(_ONE, *more), max_size=2).map(tuple)


_ONE: st.SearchStrategy[Behaviour] = st.one_of(
    st.just(Reports()),
    st.sampled_from(_RESULTS).map(lambda value: Returns(value=value)),
    escapable_texts().map(lambda text: Returns(value=text)),
    injections().map(lambda text: Returns(value=text)),
    injections().map(lambda text: Returns(value=text)),
    texts().map(lambda message: Raises(message=message)),
    st.sampled_from([ReturnsOddity(oddity=oddity) for oddity in ("bytes", "object", "set", "nan")]),
    st.just(Mutates()),
)


def gets_models(tool: Tool) -> bool:
    """Tell whether the tool has a parameter that is a model, and of none a default, which is a mapping."""
    properties = tool.parameters.get("properties")
    schemas = properties.values() if isinstance(properties, dict) else ()
    models = [schema for schema in schemas if isinstance(schema, dict) and "properties" in schema]
    return bool(models) and not any("default" in schema for schema in models)


_NEXT_TO_NOTHING: tuple[JsonValue, ...] = (0, False, "", [], {})
#: Results that are lost where it is asked whether there is any.
SMALL: st.SearchStrategy[Behaviour] = st.sampled_from([Returns(value=value) for value in _NEXT_TO_NOTHING])
#: Texts that no encoding can carry.
UNENCODABLE: st.SearchStrategy[Behaviour] = st.one_of(
    unencodable_texts(halves=True).map(lambda text: Returns(value=text)),
    unencodable_texts(halves=True).map(lambda text: Returns(value={"note": text})),
)
