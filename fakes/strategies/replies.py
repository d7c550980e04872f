"""What the LM says at one turn: what was asked for, or something that is wrong in one of many ways."""

from typing import get_args

from hypothesis import strategies as st
from pydantic import JsonValue

from react_tck.fakes.strategies.schemas import Kind, kind_of
from react_tck.fakes.strategies.signatures import values_of
from react_tck.fakes.strategies.texts import odd_texts, texts
from react_tck.model.base import JsonObject
from react_tck.model.intent import (
    Answer,
    BadArgs,
    CallTool,
    Empty,
    Fault,
    FaultName,
    Finish,
    Garbled,
    GarbledForm,
    Raw,
    Reply,
)
from react_tck.model.signature import Signature
from react_tck.model.tool import Tool

_UNKNOWN = ("serach", "ADD", "", "finish()", "Finish", " add", "`add`", "submit", "next_tool_name", "7", "add, search")
_BAD_ARGS = (
    "not json",
    "{'a': 1}",
    '{"a": 1,}',
    '{"a": 1',
    "[1, 2]",
    '"text"',
    '"{\\"a\\": 1}"',
    "5",
    "null",
    "true",
    "",
    '{"a": NaN}',
    '{"a": 1, "a": 2}',
    "```json\n{}\n```",
    '{"a": {"a": {"a": {"a": {}}}}}',
)
_FORMS: tuple[GarbledForm, ...] = get_args(GarbledForm)
#: Those that every door can show, the one in process too.
FAULTS: tuple[FaultName, ...] = ("rate-limit", "server-error", "timeout", "context-window")
_CUTS = (0.5, 0.0, 0.1, 0.25, 0.75, 0.9, 0.99, 1.0)
_THOUGHTS = st.one_of(st.just("Let me see."), texts())
_ANYTHING = st.one_of(odd_texts().map(lambda text: Raw(text=text)), st.just(Empty()))
_FAULT = st.sampled_from([Fault(fault=fault) for fault in FAULTS])


def step_replies(tools: tuple[Tool, ...]) -> st.SearchStrategy[Reply]:
    """Steps over these tools, good and faulty."""
    meant = st.one_of(_calls(tools), _calls(tools, faulty=True), finishes()) if tools else finishes()
    good = _calls(tools) if tools else _unknown_calls()
    faulty = _calls(tools, faulty=True) if tools else _unknown_calls()
    return st.one_of(good, good, faulty, _unknown_calls(), _bad_args(tools), _garbled(meant), _ANYTHING, _FAULT)


def answer_replies(signature: Signature) -> st.SearchStrategy[Reply]:
    """Answers for this signature, good and faulty."""
    good = answers(signature)
    return st.one_of(good, good, _partial(signature), _garbled(good), _ANYTHING, _FAULT)


@st.composite
def finishes(draw: st.DrawFn) -> Finish:
    """The end of the loop, now and then with args it doesn't take (LOOP-010)."""
    args: JsonObject = draw(st.sampled_from(({}, {}, {"answer": "Rome"})))
    return Finish(args=args, thought=draw(_THOUGHTS))


@st.composite
def answers(draw: st.DrawFn, signature: Signature) -> Answer:
    """All the outputs, each of its type."""
    outputs = {field.name: draw(values_of(field)) for field in signature.outputs}
    return Answer(outputs=outputs, reasoning=draw(_THOUGHTS))


@st.composite
def _partial(draw: st.DrawFn, signature: Signature) -> Answer:
    """An answer without one of the outputs, or with one of another type."""
    answer = draw(answers(signature))
    field = draw(st.sampled_from(signature.outputs))
    others = {name: value for name, value in answer.outputs.items() if name != field.name}
    wrong: JsonObject = {} if field.is_text else draw(st.sampled_from(({}, {field.name: "?"}, {field.name: None})))
    return answer.model_copy(update={"outputs": {**others, **wrong}})


@st.composite
def _calls(draw: st.DrawFn, tools: tuple[Tool, ...], faulty: bool = False) -> CallTool:
    tool = draw(st.sampled_from(tools))
    args = _fitting(draw, tool)
    return CallTool(tool=tool.name, args=_spoilt(draw, tool, args) if faulty else args, thought=draw(_THOUGHTS))


def _fitting(draw: st.DrawFn, tool: Tool) -> JsonObject:
    """The required args, and some of the others."""
    required = tool.parameters["required"]
    names = tool.parameter_names
    first = len(required) if isinstance(required, list) else 0
    given = names[: draw(st.integers(first, len(names)))]
    return {name: draw(_kind(tool, name).values) for name in given}


def _spoilt(draw: st.DrawFn, tool: Tool, args: JsonObject) -> JsonObject:
    """One arg missing, too many, or of another type (ERR-004)."""
    if not args or draw(st.booleans()):
        return {**args, "extra": 1}
    name = draw(st.sampled_from(list(args)))
    others = {other: value for other, value in args.items() if other != name}
    misfits: tuple[JsonValue, ...] = _kind(tool, name).misfits
    return {**others, name: draw(st.sampled_from(misfits))} if misfits and draw(st.booleans()) else others


def _kind(tool: Tool, name: str) -> Kind:
    properties = tool.parameters["properties"]
    schema = properties[name] if isinstance(properties, dict) else None
    return kind_of(schema if isinstance(schema, dict) else {})


@st.composite
def _unknown_calls(draw: st.DrawFn) -> CallTool:
    args: JsonObject = draw(st.sampled_from(({}, {"a": 1})))
    return CallTool(tool=draw(st.sampled_from(_UNKNOWN)), args=args, thought=draw(_THOUGHTS))


@st.composite
def _bad_args(draw: st.DrawFn, tools: tuple[Tool, ...]) -> BadArgs:
    names = [*(tool.name for tool in tools), "finish"]
    return BadArgs(
        tool=draw(st.sampled_from(names)), text=draw(st.sampled_from(_BAD_ARGS)), thought=draw(_THOUGHTS)
    )


@st.composite
def _garbled(draw: st.DrawFn, meant: st.SearchStrategy[CallTool | Finish | Answer]) -> Garbled:
    form = draw(st.sampled_from(_FORMS))
    cut = draw(st.sampled_from(_CUTS)) if form == "truncated" else 0.5
    return Garbled(form=form, meant=draw(meant), cut=cut)
