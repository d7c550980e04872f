"""A native subject may take its answer by the call of a tool, or ask for it when no tools are offered any more."""

import json
from typing import Any

import pytest

from react_tck.dialects import render_reply
from react_tck.dialects.reading import classify_answer
from react_tck.fakes.lm import CUT_TEXT
from react_tck.judges.choices.observers import observe_variants
from react_tck.judges.oracle import find_departure
from react_tck.model.base import JsonObject
from react_tck.model.intent import Answer, BadArgs, CallTool, Fault, Finish, Garbled, Intent, Raw
from react_tck.model.lm import Ask, Completion, LMRequest, Message, ToolCall, ToolOffer
from react_tck.model.manifest import Manifest
from react_tck.model.record import Asked
from tests.support.hand_made import found, ids, played, returned, scene, step
from tests.support.texts import Stage

ADD = CallTool(tool="add", args={"a": 2, "b": 3})
ANSWER = Answer(outputs={"answer": "5"})


def request(*names: str, choice: str | None = "required", turns: int = 0, **parameters: Any) -> LMRequest:
    """A request that offers these tools; the last of them has the parameters."""
    schemas: list[JsonObject] = [{}] * (len(names) - 1) + [{"type": "object", "properties": parameters}]
    tools = tuple(ToolOffer(name=n, parameters=s) for n, s in zip(names, schemas, strict=False))
    said = tuple(Message(role="user", content=f"turn {number}") for number in range(turns + 1))
    return LMRequest(messages=said, tools=tools, tool_choice=choice if tools else None)


def call(completion: Completion) -> tuple[str, Any]:
    (only,) = completion.tool_calls
    return only.name, json.loads(only.arguments)


def test_the_answer_is_what_the_tool_takes(subtests: pytest.Subtests) -> None:
    cases: list[tuple[dict[str, Any], JsonObject, JsonObject]] = [
        ({"answer": {}}, {"answer": "5"}, {"answer": "5"}),
        ({"result": {}}, {"answer": "5"}, {"result": "5"}),
        ({"result": {}}, {"count": 5}, {"result": 5}),
        ({"answer": {}}, {"sum": 5, "remark": "so"}, {"answer": {"sum": 5, "remark": "so"}}),
        ({"sum": {}, "remark": {}}, {"sum": 5, "remark": "so"}, {"sum": 5, "remark": "so"}),
    ]
    for parameters, outputs, args in cases:
        with subtests.test(parameters=parameters, outputs=outputs, args=args):
            ask = classify_answer(request("add", "give", **parameters), ["native"], "give")
            assert ask is not None
            assert call(render_reply(Answer(outputs=outputs), ask)) == ("give", args)


def test_when_no_tools_are_offered_any_more_the_answer_is_asked_for() -> None:
    lm = Stage().lm(ADD, answers=(ANSWER,), dialects=("native",), has_extraction=False)
    lm.complete(request("add"))
    assert lm.complete(request(turns=1)).content == "5"


def test_an_answer_given_again_and_again_is_given_to_who_asks_again() -> None:
    sticky = ANSWER.model_copy(update={"sticky": True})
    lm = Stage().lm(Finish(), answers=(sticky,), dialects=("native",), has_extraction=False, answer_tool="give")
    for turn in range(3):
        assert call(lm.complete(request("give", turns=turn, answer={}))) == ("give", {"answer": "5"})


def test_where_any_text_is_an_answer_prose_is_one(subtests: pytest.Subtests) -> None:
    """SAN-007: nobody made it up."""
    cases: list[tuple[dict[str, Any], bool]] = [
        ({}, True),
        ({"answer_tool": "add"}, False),
        ({"dialects": ("native", "json")}, True),
        ({"dialects": ()}, True),
    ]
    for declared, is_answer in cases:
        with subtests.test(declared=declared, is_answer=is_answer):
            one_phase = Manifest(
                **{
                    "name": "x",
                    "version": "0",
                    "dialects": ("native",),
                    "default_dialect": "native",
                    "default_max_steps": 3,
                }
                | declared
            )
            asked = step(Raw(text="Rome."), content="Rome.")
            natively = asked.model_copy(
                update={"ask": Ask(phase="step", dialect="native", fields=()), "request": request("add", choice=None)}
            )
            assert ("SAN-007" not in found(natively, returned({"answer": "Rome."}), manifest=one_phase)) is is_answer


NATIVE = Manifest(name="x", version="0", dialects=("native",), default_dialect="native", default_max_steps=3)


def told(intent: Intent, text: str, *calls: ToolCall) -> Asked:
    """What the LM said where it could call `add` or answer."""
    said = Completion(content=text, tool_calls=calls)
    ask = Ask(phase="step", dialect="native", fields=())
    return step(intent).model_copy(update={"ask": ask, "request": request("add", choice=None), "completion": said})


def departures(*events: Any) -> list[str]:
    """What the oracle holds against them."""
    return ids(find_departure(scene(*events, manifest=NATIVE)))


def test_an_answer_without_the_output_is_a_text_like_any_other(subtests: pytest.Subtests) -> None:
    cases: list[tuple[str, bool]] = [("{}", True), ("5", False)]
    for value, is_given in cases:
        with subtests.test(value=value, is_given=is_given):
            asked = told(Answer(outputs={}), "{}")
            assert ("SAN-007" not in found(asked, returned({"answer": value}), manifest=NATIVE)) is is_given


def test_prose_may_be_taken_for_the_answer_where_any_text_is_one() -> None:
    prose = told(Garbled(form="prose", meant=ADD), "Let me think.")
    assert departures(prose, returned({"answer": "Let me think."})) == []


def test_what_is_said_beside_a_broken_call_is_no_answer() -> None:
    broken = told(BadArgs(tool="add", text="{"), "I add them.", ToolCall(id="call_0", name="add", arguments="{"))
    assert departures(broken, returned({"answer": "I add them."})) == ["ERR-021"]
    garbled = told(Garbled(form="no-end", meant=ADD), "I add them.", ToolCall(id="call_0", name="add", arguments="{"))
    assert "SAN-007" in found(garbled, returned({"answer": "I add them."}), manifest=NATIVE)


def test_a_text_that_is_cut_off_is_an_answer_where_that_is_declared() -> None:
    cut = told(Fault(fault="finish-length"), "").model_copy(update={"completion": None})
    ended = returned({"answer": CUT_TEXT})
    refusing = NATIVE.model_copy(update={"choices": {"cut-off-answer": "refused"}})
    assert departures(cut, ended) == []
    assert "SAN-007" not in found(cut, ended, manifest=NATIVE)
    assert ids(find_departure(scene(cut, ended, manifest=refusing))) == ["ERR-012"]
    assert "SAN-007" in found(cut, ended, manifest=refusing)
    assert departures(cut, returned({"answer": "5"})) != []
    assert observe_variants([played(cut, ended)])["cut-off-answer"] == {"returned"}


def test_a_text_that_is_cut_off_in_an_extraction_of_its_own_is_no_answer() -> None:
    cut = told(Fault(fault="finish-length"), "").model_copy(update={"completion": None})
    extracting = NATIVE.model_copy(update={"capabilities": ("extraction",)})
    assert "SAN-007" in found(cut, returned({"answer": CUT_TEXT}), manifest=extracting)


def test_an_empty_text_may_be_no_answer_where_any_text_is_one() -> None:
    again = told(ANSWER, "5")
    assert departures(told(Answer(outputs={"answer": ""}), ""), again, returned({"answer": "5"})) == []
    assert departures(told(ANSWER, "5"), again, returned({"answer": "5"})) != []
