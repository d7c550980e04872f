"""SAN-002 and SAN-007: what arrives is what the LM gave, lossless conversions apart."""

from itertools import product
from typing import Any

import pytest

from react_tck.fakes.tools import make_tool
from react_tck.judges.errors import find_rewritten_outputs
from react_tck.judges.oracle import find_departure
from react_tck.judges.tool_args import arrives_but_for_line_ends, find_rewritten_args
from react_tck.model.base import JsonObject
from react_tck.model.intent import Answer, BadArgs, CallTool, Garbled
from react_tck.model.lm import Ask, Completion
from react_tck.model.record import ToolRan
from tests.support.hand_made import ADD, GOOD, MANIFEST, OBSERVED, extraction, found, ids, ran, returned, scene, step

_STORE = {"title": "Place", "type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}


_TEXTS = make_tool("add", "Adds two whole numbers.", {"value": {"type": "string"}})


# SAN-002


def test_args_that_arrived(subtests: pytest.Subtests) -> None:
    cases: list[tuple[Any, Any, Any]] = [
        ({"type": "integer"}, "2", 2),
        ({"type": "integer"}, 2.0, 2),
        ({"type": "string"}, 2, "2"),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, "2", 2),
        ({"type": "array", "items": {"type": "integer"}}, ["1", 2], [1, 2]),
        (_STORE, {"city": "Oslo"}, {"city": "Oslo"}),
        ({}, {"a": [None]}, {"a": [None]}),
    ]
    for schema, given, ran_with in cases:
        with subtests.test(schema=schema, given=given, ran_with=ran_with):
            assert _arg(schema, given, ran_with) == set()


def test_a_truth_is_a_number_where_the_declared_variant_makes_args_fit(subtests: pytest.Subtests) -> None:
    cases_0: list[tuple[str | None, set[str]]] = [
        (None, set()),  # what isn't declared is free
        ("coerce when lossless", set()),
        ("coerce when lossless, or error", set()),
        ("observe", {"SAN-002"}),
        ("passed as given", {"SAN-002"}),
    ]
    cases_1: list[tuple[JsonObject, Any, Any]] = [
        ({"type": "integer"}, True, 1),
        ({"type": "boolean"}, 1, True),
        ({"type": "array", "items": {"type": "integer"}}, [1, True], [1, 1]),
    ]
    for (declared, due), (schema, given, ran_with) in product(cases_0, cases_1):
        with subtests.test(declared=declared, due=due, schema=schema, given=given, ran_with=ran_with):
            assert _arg(schema, given, ran_with, declared) == due


def _arg(schema: JsonObject, given: Any, ran_with: Any, declared: str | None = None) -> set[str]:
    tool = make_tool("add", "Adds two whole numbers.", {"value": schema})
    call = CallTool(tool="add", args={"value": given})
    choices = {"schema-mismatch": declared} if declared else {}
    manifest = MANIFEST.model_copy(update={"choices": choices})
    return found(step(call), ran(value=ran_with), *GOOD[2:], tools=(tool,), manifest=manifest)


# SAN-007


def test_blank_space_around_an_answer_is_a_question_of_its_own(subtests: pytest.Subtests) -> None:
    """No source speaks of it: SAN-007, a MUST, leaves it alone, in whatever form; ERR-023 asks for it in JSON."""
    cases_0: list[tuple[str, list[str]]] = [("[[ ## answer ## ]]", []), ('{"answer": " 5\\n"}', ["ERR-023"])]
    for (content, ids_), dialect in product(cases_0, ["chat", "json", "native"]):
        with subtests.test(content=content, ids_=ids_, dialect=dialect):
            asked = extraction(Answer(outputs={"answer": " 5\n"}), OBSERVED)
            ask = Ask(phase="extraction", dialect=dialect, fields=("answer",))
            asked = asked.model_copy(update={"ask": ask, "completion": Completion(content=content)})
            assert found(*GOOD[:3], asked, returned()) == set()
            assert found(*GOOD[:3], asked, returned({"answer": "6"})) == {"SAN-007"}
            assert ids(find_rewritten_outputs(scene(*GOOD[:3], asked, returned()))) == ids_
            assert ids(find_rewritten_outputs(scene(*GOOD[:3], asked, returned({"answer": " 5\n"})))) == []


def test_blank_space_around_the_texts_in_a_list_is_a_question_of_its_own() -> None:
    asked = extraction(Answer(outputs={"parts": [" 5", "6"]}), OBSERVED)
    asked = asked.model_copy(update={"completion": Completion(content="{}")})
    trimmed, merged = returned({"parts": ["5", "6"]}), returned({"parts": ["5 6"]})
    assert found(*GOOD[:3], asked, trimmed, arrow="question -> parts: list[str]") == set()
    assert found(*GOOD[:3], asked, merged, arrow="question -> parts: list[str]") == {"SAN-007"}
    assert ids(find_rewritten_outputs(scene(*GOOD[:3], asked, trimmed))) == ["ERR-023"]


def test_a_step_may_be_answered_where_there_is_no_extraction() -> None:
    """ax has one phase, and asks for an answer in lines with labels beside native calls."""
    other = step(Garbled(form="other-phase", meant=ADD), content="reasoning: That is all.\nanswer: something else")
    native = other.model_copy(update={"ask": Ask(phase="step", dialect="native", fields=())})
    assert found(native, returned({"answer": "something else"})) == set()
    assert found(native, returned({"answer": "5"})) == {"SAN-007"}
    two_phases = MANIFEST.model_copy(update={"capabilities": ("extraction",)})
    assert found(native, returned({"answer": "something else"}), manifest=two_phases) == {"SAN-007"}


def test_what_a_form_begins_lines_with_may_be_taken_for_a_part_of_them(subtests: pytest.Subtests) -> None:
    cases: list[tuple[Any, str]] = [
        ("quoted", "> five\n> and a half\n>"),
        ("indented", "five\n    and a half"),
        ("mid-line", "five and a half"),
    ]
    for form, reported in cases:
        with subtests.test(form=form, reported=reported):
            asked = extraction(Garbled(form=form, meant=Answer(outputs={"answer": "five\nand a half"})), OBSERVED)
            assert found(*GOOD[:3], asked, returned({"answer": reported})) == set()
            assert found(*GOOD[:3], asked, returned({"answer": "> five"})) == {"SAN-007"}


def test_of_two_answers_in_one_reply_either_may_be_returned() -> None:
    twice = extraction(Garbled(form="two-replies", meant=Answer(outputs={"answer": "5"})), OBSERVED)
    assert twice.ask is not None
    twice = twice.model_copy(update={"ask": twice.ask.model_copy(update={"fields": ("reasoning", "answer")})})
    for reported, violated in (("5", set()), ("finish", set()), ("six", {"SAN-007"})):
        assert found(*GOOD[:3], twice, returned({"answer": reported})) == violated


@pytest.mark.parametrize("end", ["\r\n", "\r", "\x85", "\u2028", "\f"])
@pytest.mark.parametrize(("got", "whole"), [("one\ntwo", True), ("one two", False)])
def test_other_line_ends_are_no_other_value(end: str, got: str, whole: bool) -> None:
    """CR LF that became LF was told as a value which nobody gave, by two MUSTs."""
    given = f"one{end}two"
    assert _arg({"type": "string"}, given, got) == (set() if whole else {"SAN-002"})
    one = scene(step(CallTool(tool="add", args={"value": given})), ran(value=got), *GOOD[2:], tools=(_TEXTS,))
    assert ids(find_rewritten_args(one)) == (["ERR-010"] if whole else [])
    assert ids(find_departure(one)) == ([] if whole else ["SAN-002"])
    answered = *GOOD[:3], extraction(Answer(outputs={"answer": given}), OBSERVED), returned({"answer": got})
    assert found(*answered) == (set() if whole else {"SAN-007"})
    assert ids(find_rewritten_outputs(scene(*answered))) == (["ERR-023"] if whole else [])


@pytest.mark.parametrize(("text", "due"), [("{'value': 'a, }'}", "ERR-010"), (r'"{\"value\": \"a, }\"}"', "ERR-003")])
def test_what_args_that_are_no_json_object_say_is_a_practice_s_affair(text: str, due: str) -> None:
    one = scene(step(BadArgs(tool="add", text=text)), ran(value="a}"), *GOOD[2:], tools=(_TEXTS,))
    assert ids(find_departure(one)) == ids(find_rewritten_args(one)) == [due]


@pytest.mark.parametrize(("declared", "due"), [("empty object", []), ("observe", ["ERR-003"])])
@pytest.mark.parametrize("text", ["[]", "0", "false"])
def test_json_next_to_nothing_may_stand_for_no_args(text: str, declared: str, due: list[str]) -> None:
    manifest, tool = MANIFEST.model_copy(update={"choices": {"empty-args": declared}}), make_tool("add", "Pings.", {})
    events = step(BadArgs(tool="add", text=text)), ToolRan(invocation=0, tool="add", args={}, result="five"), *GOOD[2:]
    assert ids(find_departure(scene(*events, tools=(tool,), manifest=manifest))) == due


def test_a_default_with_a_line_end_of_its_own_is_no_arg_that_nobody_gave() -> None:
    schema: JsonObject = {"properties": {"b": {"type": "string", "default": "a\u2028z"}}}
    assert arrives_but_for_line_ends({}, {"b": "a\u2028z"}, schema)
    assert not arrives_but_for_line_ends({}, {"b": "az"}, schema)
