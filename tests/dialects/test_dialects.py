"""Dialects write intents as replies and read replies back; a reply that lost something is refused, with the reason.

What a dialect can't carry is left out of the round trips, and shown in a test of its own: blank space around a text
(chat, xml, label), a line that looks like a marker (chat, label), control characters (xml).
"""

import re
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from react_tck.dialects import DIALECTS, render_reply
from react_tck.dialects.fields import ParseError
from react_tck.model.base import JsonObject
from react_tck.model.intent import Answer, CallTool
from react_tck.model.lm import Ask, Completion, ToolCall

STEP = ("next_thought", "next_tool_name", "next_tool_args")
STEP_SCHEMAS: Mapping[str, JsonObject] = {
    "next_thought": {"type": "string"},
    "next_tool_name": {"enum": ["add", "search", "finish"]},
    "next_tool_args": {"type": "object"},
}
ANSWER_SCHEMAS: Mapping[str, JsonObject] = {
    "reasoning": {"type": "string"},
    "answer": {"type": "string"},
    "count": {"type": "integer"},
    "score": {"type": "number"},
    "sure": {"type": "boolean"},
    "label": {"enum": ["yes", "no", 3]},
    "sources": {"type": "array", "items": {"type": "string"}},
    "place": {"type": "object"},
    "note": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
}
CONTENT_DIALECTS = ("chat", "json", "xml", "label", "machina", "react-text")

_REACT_LABEL = re.compile(r"^(Thought|Action|Action Input|Observation|Final Answer)\s*:", re.MULTILINE)
_LABEL_LINE = re.compile(r"^\w+:", re.MULTILINE)
_MARKER_LINE = re.compile(r"^\[\[ ## \w+ ## \]\]", re.MULTILINE)
#: What XML 1.0 knows: no control characters but tab and newline, no halves of characters, no non-characters.
_XML_CHARACTERS = st.characters(exclude_categories=("Cc", "Cs"), exclude_characters="\ufffe\uffff") | st.sampled_from(
    "\t\n"
)
TEXTS = {
    "chat": st.text().filter(lambda text: not _MARKER_LINE.search(text)),
    "json": st.text(),
    "machina": st.text().filter(lambda text: not _MARKER_LINE.search(text)),
    "xml": st.text(_XML_CHARACTERS) | st.sampled_from(["<b>", "&amp;", "</answer>", "]]>", "<![CDATA[x]]>", "<!--"]),
    "label": st.text().filter(lambda text: not _LABEL_LINE.search(text)),
    "native": st.text(),
    "react-text": st.text().filter(lambda text: not _REACT_LABEL.search(text)),
}


def _values(texts: st.SearchStrategy[str]) -> st.SearchStrategy[JsonObject]:
    json = st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
        lambda inner: st.lists(inner, max_size=2) | st.dictionaries(texts, inner, max_size=2),
        max_leaves=4,
    )
    return st.dictionaries(texts, json, max_size=3)


def _answers(texts: st.SearchStrategy[str]) -> st.SearchStrategy[JsonObject]:
    return st.fixed_dictionaries(
        {
            "answer": texts,
            "count": st.integers(),
            "score": st.floats(allow_nan=False, allow_infinity=False),
            "sure": st.booleans(),
            "label": st.sampled_from(["yes", "no", 3]),
            "sources": st.lists(texts, max_size=3),
            "place": _values(texts),
            "note": st.none() | st.integers(),
        }
    )


def _kept(dialect: str, text: str) -> str:
    """What a dialect keeps of a text: all of it where there are quotes around it."""
    return text if dialect in ("json", "native") else text.strip()


@pytest.mark.parametrize("dialect", DIALECTS)
@given(data=st.data())
def test_step_reads_back_as_it_was_meant(dialect: str, data: st.DataObject) -> None:
    texts = TEXTS[dialect]
    call = CallTool(tool="add", args=data.draw(_values(texts)), thought=data.draw(texts))
    reply = render_reply(call, Ask(phase="step", dialect=dialect, fields=STEP))
    assert DIALECTS[dialect].parse_reply(reply, STEP_SCHEMAS) == {
        "next_thought": _kept(dialect, call.thought),
        "next_tool_name": "add",
        "next_tool_args": call.args,
    }


@pytest.mark.parametrize("dialect", CONTENT_DIALECTS)
@given(data=st.data())
def test_answer_reads_back_as_it_was_meant(dialect: str, data: st.DataObject) -> None:
    texts = TEXTS[dialect]
    answer = Answer(outputs=data.draw(_answers(texts)), reasoning=data.draw(texts))
    reply = render_reply(answer, Ask(phase="extraction", dialect=dialect, fields=tuple(ANSWER_SCHEMAS)))
    fields: JsonObject = {
        **answer.outputs,
        "reasoning": _kept(dialect, answer.reasoning),
        "answer": _kept("json" if dialect == "react-text" else dialect, str(answer.outputs["answer"])),
    }
    assert DIALECTS[dialect].parse_reply(reply, ANSWER_SCHEMAS) == fields


# What can't be carried


# Replies that lost something

TWO: Mapping[str, JsonObject] = {"answer": {"type": "string"}, "count": {"type": "integer"}}


def test_reply_that_lost_something_is_refused_with_the_reason(subtests: pytest.Subtests) -> None:
    cases: list[tuple[str, str, str]] = [
        ("chat", "", "no field 'answer'"),
        ("chat", "It is 5.", "no field 'answer'"),
        ("chat", "[[ ## answer ## ]]\n5", "no field 'count'"),
        ("chat", "[[ ## answer ## ]]\n5\n[[ ## answer ## ]]\n6", "the field 'answer' twice"),
        ("chat", "[[ ## answer ## ]]\n5\n[[ ## count ## ]]\nfive", "'count' is \"five\", which doesn't fit"),
        ("chat", "see [[ ## answer ## ]]\n5", "no field 'answer'"),
        ("chat", "[[ ## answer ## ]]\n5\n[[ ## count ## ]]\n1", "doesn't end with [[ ## completed ## ]]"),
        ("json", "", "not JSON"),
        ("json", '{"answer": "5", "count": 1', "not JSON"),
        ("json", "[1]", "a JSON list, not an object"),
        ("json", '{"answer": "5"}', "no field 'count'"),
        ("json", '{"answer": 5, "count": 1}', "'answer' is 5, which doesn't fit"),
        ("label", "It is 5.", "no field 'answer'"),
        ("label", "answer: 5", "no field 'count'"),
        ("label", "answer: 5\nanswer: 6\ncount: 1", "the field 'answer' twice"),
        ("label", "answer: 5\ncount: five", "'count' is \"five\", which doesn't fit"),
        ("xml", "<answer>5", "not well-formed XML"),
        ("xml", "It is 5.", "no field 'answer'"),
        ("xml", "<answer>5</answer><answer>6</answer>", "the field 'answer' twice"),
        ("xml", "<answer>5</answer><count>1.5</count>", "'count' is 1.5, which doesn't fit"),
    ]
    for dialect, content, problem in cases:
        with (
            subtests.test(dialect=dialect, content=content, problem=problem),
            pytest.raises(ParseError, match=re.escape(problem)),
        ):
            DIALECTS[dialect].parse_reply(Completion(content=content), TWO)


def _call(name: str = "add", arguments: str = "{}") -> ToolCall:
    return ToolCall(id="call_0", name=name, arguments=arguments)


def test_native_reply_without_exactly_one_readable_call_is_refused(subtests: pytest.Subtests) -> None:
    cases: list[tuple[tuple[ToolCall, ...], str]] = [
        ((), "0 tool calls, not one"),
        ((_call(), _call()), "2 tool calls, not one"),
        ((_call(arguments="{"),), "the arguments of 'add' are not JSON"),
        ((_call(arguments="[1]"),), "doesn't fit"),
        ((_call(name="divide"),), "doesn't fit"),
    ]
    for calls, problem in cases:
        with subtests.test(calls=calls, problem=problem), pytest.raises(ParseError, match=problem):
            DIALECTS["native"].parse_reply(Completion(tool_calls=calls), STEP_SCHEMAS)
