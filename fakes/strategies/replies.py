"""What the LM says at one turn: what was asked for, or something wrong in one of many ways; and texts for parsers."""

import json
from collections.abc import Callable
from math import inf, nan
from random import Random
from typing import Literal, get_args

from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from react_tck.dialects.fields import FINISH, calls_of
from react_tck.fakes.corpus import Schemas, make_fields, near_reply
from react_tck.fakes.strategies.cases import Kind, kind_of, values_of
from react_tck.fakes.strategies.texts import among, counts, odd_texts, texts
from react_tck.model.base import JsonObject
from react_tck.model.intent import (
    Answer,
    BadArgs,
    Calls,
    CallTool,
    Empty,
    Fault,
    FaultName,
    Finish,
    Garbled,
    GarbledForm,
    Raw,
    Reply,
    Submit,
)
from react_tck.model.signature import Field, Signature
from react_tck.model.tool import Tool

_UNKNOWN = ("serach", " ", "finish()", "Finish", "submit", "next_tool_name", "7", "add, search")
#: Ways to get a tool's name wrong.
_MISSPELT: tuple[Callable[[str], str], ...] = (str.upper, "`{}`".format, '"{}"'.format)
_BAD_ARGS = (
    *("not json", "[1, 2]", '"text"', "5", "null", "true", "", '{"a": NaN}', '{"a": 1, "a": 2}'),
    '{"a": {"a": {"a": {"a": {}}}}}',
)


def _key_repeated(text: str) -> str:
    """Return the object with another text under its first key, if it has any."""
    first = next(iter(json.loads(text)), None)
    return text if first is None else f"{text[:-1]}, {json.dumps(first)}: {json.dumps('b')}}}"


def _without_numbers(args: JsonObject, value: float) -> str:
    """Return the object with this in the place of each number, as only who isn't strict writes and reads it."""
    numbers = {name for name, arg in args.items() if isinstance(arg, int | float) and not isinstance(arg, bool)}
    return json.dumps({name: value if name in numbers else arg for name, arg in args.items()})


#: How an object can be written so that it isn't JSON, isn't an object, or can be read in two ways.
_MISWRITTEN: dict[str, Callable[[str], str]] = {
    "in single quotes": lambda text: text.replace('"', "'"),
    "with a comma": lambda text: f"{text[:-1]},}}",
    "cut": lambda text: text[:-1],
    "in a sentence": lambda text: f"Here you are: {text}.",
    "fenced": lambda text: f"```json\n{text}\n```",
    "twice": json.dumps,
    "in a list": lambda text: f"[{text}]",
    "its values": lambda text: json.dumps([*json.loads(text).values()]),
    "its pairs": lambda text: json.dumps([*json.loads(text).items()]),
    "its first value": lambda text: json.dumps(next(iter(json.loads(text).values()), None)),
    "with words after it": lambda text: f"{text} and so on",
    "a key twice": _key_repeated,
    "not a number": lambda text: _without_numbers(json.loads(text), nan),
    "without bound": lambda text: _without_numbers(json.loads(text), -inf),
    "too large": lambda text: _without_numbers(json.loads(text), inf).replace("Infinity", "1e999"),
}
# The value that is all a tool takes invites a guess as nothing else does.
_WAYS = (*_MISWRITTEN, "its first value", "its first value", "not at all")
# Those that invite a guess more often than the others; who loses args that stand elsewhere is seen where none are due.
_FORMS: tuple[GarbledForm, ...] = (
    *get_args(GarbledForm),
    *("contradicted-field", "contradicted-field", "missing-field", "missing-args", "prose"),
    *("truncated",) * 4,
    *("renamed-args", "flat-args") * 4,
)
#: Those that every endpoint can show, the one in process too; the last is one that a call may go on from otherwise.
FAULTS: tuple[FaultName, ...] = (
    *("rate-limit", "server-error", "timeout", "bad-request"),
    *("context-window", "context-window"),
)
# Where values stand, at the end above all: there a reader is most tempted to complete what is missing.
_CUTS = (0.5, 0.0, 0.1, 0.25, 0.7, 0.75, 0.78, 0.8, 0.85, 0.9, 0.95, 0.99, 1.0, 1.0, 1.0)
_THOUGHTS = st.one_of(st.just("Let me see."), texts())
STEPS = ("call",) * 5 + ("unknown", "raw", "empty", "fault") + ("spoilt", "bad-args", "garbled") * 2 + ("spoilt",)
#: Steps as they were asked for.
GOOD_STEPS = ("call",)
#: Steps of which the prompts don't fit any more, now and then.
LONG_STEPS = ("call",) * 5 + ("overflow",) * 3 + ("unknown",)
_MEANT_STEPS = ("call", "spoilt", "finish")
#: What only who keeps a transcript is told (S2): several calls at once, outputs that may be wrong, a keyword.
_TURNS = ("calls",) * 4 + ("submit",) * 4 + ("keyword",)
#: Now and then it doesn't fit any more, which has to be summarised then, several calls of a turn too.
LONG_TURNS = ("overflow",) * 6 + ("calls",) * 4
_MEANT_TURNS = ("call", "spoilt", "submit")
ANSWERS = ("answer",) * 3 + ("partial", "garbled", "garbled", "raw", "empty", "fault")
GOOD_ANSWERS = ("answer",)
LONG_ANSWERS = ("answer", "overflow", "overflow")
_FINISH_ARGS: st.SearchStrategy[JsonObject] = st.sampled_from(({}, {}, {"answer": "Rome"}))
_UNKNOWN_ARGS: st.SearchStrategy[JsonObject] = st.sampled_from(({}, {"a": 1}))


@st.composite
def step_replies(draw: st.DrawFn, tools: tuple[Tool, ...], kinds: tuple[str, ...] = STEPS) -> Reply:
    """Draw steps over these tools, good and faulty."""
    match draw(among(kinds)):
        case "bad-args":
            return _bad_args(draw, tools)
        case "garbled":
            return _draw_garbled(draw, _meant_step(draw, tools, draw(among(_MEANT_STEPS))))
        case "raw" | "empty" | "fault" | "overflow" as kind:
            return _draw_any_reply(draw, kind)
        case kind:
            return _meant_step(draw, tools, kind)


@st.composite
def parallel_calls(draw: st.DrawFn, tools: tuple[Tool, ...]) -> Calls:
    """Draw several calls in one reply, some of them faulty; now and then two are equal (TOOL-007, TRN-013)."""
    kinds = draw(st.lists(among(("call", "call", "call", "spoilt", "unknown")), min_size=2, max_size=3))
    # Whether a near miss names a tool is free for each of them, and a native loop may have no `finish`.
    unknown = CallTool(tool=draw(among(("serach", "7"))), args=draw(_UNKNOWN_ARGS))
    drawn = (unknown if kind == "unknown" else _meant_step(draw, tools, kind) for kind in kinds)
    calls = tuple(call for call in drawn if isinstance(call, CallTool))
    return Calls(calls=(*calls, *calls[: draw(among((0, 0, 0, 1)))]), thought=draw(_THOUGHTS))


@st.composite
def turn_replies(
    draw: st.DrawFn, tools: tuple[Tool, ...], signature: Signature, *, at_once: bool, more: tuple[str, ...] = ()
) -> Reply:
    """Draw turns of a transcript, good and faulty, and of `more` kinds; `at_once`, with several calls in one."""
    match draw(among(STEPS + _TURNS + more)):
        case "calls" if at_once and tools:
            calls = draw(parallel_calls(tools))
            # No call runs behind a submit of all the outputs (TRN-015).
            answered = draw(among((None,) * 4 + (_draw_partial, draw_answer)))
            ends = calls_of(_make_submit(draw, answered(draw, signature))) if answered else ()
            return calls.model_copy(update={"calls": (*ends, *calls.calls)})
        case "submit":
            return _make_submit(draw, _draw_partial(draw, signature))
        case "keyword":
            return CallTool(tool=FINISH, thought=draw(_THOUGHTS))
        case "bad-args":
            return _bad_args(draw, tools)
        case "garbled":
            kind = draw(among(_MEANT_TURNS))
            is_submit = kind == "submit"
            return _draw_garbled(draw, draw_submit(draw, signature) if is_submit else _meant_step(draw, tools, kind))
        case "raw" | "empty" | "fault" | "overflow" as kind:
            return _draw_any_reply(draw, kind)
        case kind:
            return _meant_step(draw, tools, kind if kind in STEPS else "call")


@st.composite
def answer_replies(draw: st.DrawFn, signature: Signature, kinds: tuple[str, ...] = ANSWERS) -> Reply:
    """Answers for this signature, good and faulty."""
    match draw(among(kinds)):
        case "partial":
            return _draw_partial(draw, signature)
        case "garbled":
            return _draw_garbled_answer(draw, signature)
        case "raw" | "empty" | "fault" | "overflow" as kind:
            return _draw_any_reply(draw, kind)
    return draw_answer(draw, signature)


@st.composite
def asking_replies(draw: st.DrawFn, tool: str) -> Reply:
    """Questions to the user, by the tool there is for them."""
    return CallTool(tool=tool, args={"question": draw(texts())}, thought=draw(_THOUGHTS))


def draw_finish(draw: st.DrawFn) -> Finish:
    """Return the end of the loop, now and then with args it doesn't take (LOOP-010)."""
    return Finish(args=draw(_FINISH_ARGS), thought=draw(_THOUGHTS))


def draw_answer(draw: st.DrawFn, signature: Signature) -> Answer:
    """Return all the outputs, each of its type."""
    outputs = {field.name: draw(values_of(field)) for field in signature.outputs}
    return Answer(outputs=outputs, reasoning=draw(_THOUGHTS))


def draw_submit(draw: st.DrawFn, signature: Signature) -> Submit:
    """Return all the outputs, committed by a call (TRN-002)."""
    return _make_submit(draw, draw_answer(draw, signature))


def _make_submit(draw: st.DrawFn, answered: Answer) -> Submit:
    return Submit(outputs=answered.outputs, thought=draw(_THOUGHTS))


def _draw_any_reply(draw: st.DrawFn, kind: Literal["raw", "empty", "fault", "overflow"]) -> Reply:
    match kind:
        case "raw":
            return Raw(text=draw(odd_texts()))
        case "empty":
            return Empty()
        case "fault":
            return Fault(fault=draw(among(FAULTS)))
        case "overflow":
            return Fault(fault="context-window")


def _draw_partial(draw: st.DrawFn, signature: Signature) -> Answer:
    """Return an answer without one of the outputs that can't be null, or with one of another type."""
    whole, owed = draw_answer(draw, signature), [field for field in signature.outputs if not _may_be_null(field)]
    if not owed:
        return whole
    field = draw(st.sampled_from(owed))
    others = {name: value for name, value in whole.outputs.items() if name != field.name}
    # Whatever stands for a text is one; and in XML a lone item reads like a list of one.
    is_open = field.is_text or field.json_schema.get("type") == "array"
    wrong: JsonObject = {} if is_open else draw(st.sampled_from(({}, {field.name: "?"}, {field.name: None})))
    return whole.model_copy(update={"outputs": {**others, **wrong}})


def _meant_step(draw: st.DrawFn, tools: tuple[Tool, ...], kind: str) -> CallTool | Finish:
    if kind == "finish":
        return draw_finish(draw)
    if not tools or (kind == "unknown" and draw(among((True, False)))):
        return CallTool(tool=draw(among(_UNKNOWN)), args=draw(_UNKNOWN_ARGS), thought=draw(_THOUGHTS))
    tool = tools[draw(counts(0, len(tools) - 1))]
    name, args = tool.name, draw_args(draw, tool)
    match kind:
        case "unknown":
            name = draw(among(_MISSPELT))(name)
        case "spoilt":
            args = _spoil_args(draw, tool, args)
    return CallTool(tool=name, args=args, thought=draw(_THOUGHTS))


def draw_args(draw: st.DrawFn, tool: Tool, *, is_sparing: bool = False) -> JsonObject:
    """Return the required args, and, unless it is sparing, some of the others."""
    required, offered = tool.parameters["required"], tool.parameter_names
    first = len(required) if isinstance(required, list) else 0
    given = offered[: first if is_sparing else draw(counts(first, len(offered)))]
    return {name: draw(_find_kind(tool, name).values) for name in given}


def _spoil_args(draw: st.DrawFn, tool: Tool, args: JsonObject) -> JsonObject:
    """One arg missing, too many, of another type, or under another name (ERR-004)."""
    way = draw(among(("extra", "missing", "misnamed", *("misfit",) * 4)))
    if not args or way == "extra":
        return {**args, "extra": 1}
    name = draw(among(tuple(args)))
    others = {other: value for other, value in args.items() if other != name}
    kind = _find_kind(tool, name)
    if way == "misnamed":
        return {**others, name.upper(): args[name]}
    return {**others, name: draw(kind.others)} if way == "misfit" and kind.misfits else others


def _find_kind(tool: Tool, name: str) -> Kind:
    properties = tool.parameters["properties"]
    schema = properties[name] if isinstance(properties, dict) else None
    return kind_of(schema if isinstance(schema, dict) else {})


def _bad_args(draw: st.DrawFn, tools: tuple[Tool, ...]) -> BadArgs:
    is_call = tools and draw(among((True, True, True, False)))
    called = tools[draw(counts(0, len(tools) - 1))] if is_call else None
    way = draw(among(_WAYS))
    args = draw_args(draw, called) if called else {}
    text = _MISWRITTEN[way](json.dumps(args)) if way in _MISWRITTEN else draw(among(_BAD_ARGS))
    return BadArgs(tool=called.name if called else FINISH, text=text, thought=draw(_THOUGHTS))


def _may_be_null(field: Field) -> bool:
    """Tell whether the output may be null; whether a reply may leave it out then is open."""
    return Draft202012Validator(field.json_schema).is_valid(None)


def _draw_garbled_answer(draw: st.DrawFn, signature: Signature) -> Garbled:
    """Return an answer in a broken form; the output that one lacks, which is the last, can't be null."""
    is_owed = not _may_be_null(signature.outputs[-1])
    forms = _FORMS if is_owed else tuple(form for form in _FORMS if form != "missing-field")
    return _draw_garbled(draw, draw_answer(draw, signature), forms)


def _draw_garbled(
    draw: st.DrawFn, meant: CallTool | Finish | Submit | Answer, forms: tuple[GarbledForm, ...] = _FORMS
) -> Garbled:
    form = draw(among(forms))
    cut = draw(among(_CUTS)) if form == "truncated" else 0.5
    return Garbled(form=form, meant=meant, cut=cut)


_SEEDS = st.integers(min_value=0, max_value=2**64 - 1)


def odd_fields(dialect: str, schemas: Schemas) -> st.SearchStrategy[JsonObject]:
    """Return a value for every field, all of which the dialect can carry (PRS-001)."""
    return _SEEDS.map(lambda seed: make_fields(Random(seed), dialect, schemas))


def near_replies(dialect: str, schemas: Schemas) -> st.SearchStrategy[str]:
    """Return replies as they should be, broken in form, cut, spliced, repeated, and soups of marks (PRS-002)."""
    return _SEEDS.map(lambda seed: near_reply(Random(seed), dialect, schemas))
