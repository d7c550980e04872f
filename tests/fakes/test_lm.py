"""The scripted LM says what its script says, in the dialect of each request, and refuses everything else on record."""

from contextlib import suppress

import pytest

from react_tck.adapter.lm import LMRefusal
from react_tck.model.base import JsonObject
from react_tck.model.intent import CallTool, Finish
from react_tck.model.lm import LMRequest, Message, ToolOffer
from tests.support.texts import NEXT_STEP_REQUEST, STEP_REQUEST, Stage

SMALL_TALK = LMRequest(messages=(Message(role="user", content="How are you?"),))


@pytest.fixture(name="stage")
def _stage() -> Stage:
    return Stage()


# Refusals


def test_request_that_asks_for_nothing_known_is_refused_and_takes_no_intent(stage: Stage) -> None:
    lm = stage.lm(Finish())
    with pytest.raises(LMRefusal, match="unexpected request: it asks for nothing known in chat, xml, json"):
        lm.complete(SMALL_TALK)
    assert lm.left_over == (Finish(),)


def test_request_in_a_dialect_the_subject_does_not_claim_is_refused(stage: Stage) -> None:
    with pytest.raises(LMRefusal, match="nothing known in native"):
        stage.lm(Finish(), dialects=("native",)).complete(STEP_REQUEST)


def test_request_after_the_last_intent_is_refused(stage: Stage) -> None:
    lm = stage.lm(Finish())
    lm.complete(STEP_REQUEST)
    with pytest.raises(LMRefusal, match=r"script exhausted: no step intent left .*is `the LM finishes …` missing"):
        lm.complete(NEXT_STEP_REQUEST)


def test_subject_that_never_stops_is_cut_off(stage: Stage) -> None:
    lm = stage.lm(Finish(sticky=True), budget=2)
    lm.complete(STEP_REQUEST)
    lm.complete(STEP_REQUEST)
    for _ in range(2):
        with pytest.raises(LMRefusal, match="LM budget spent: more than 2 requests"):
            lm.complete(STEP_REQUEST)


def test_refusals_are_on_record_even_if_the_subject_swallows_them(stage: Stage) -> None:
    lm = stage.lm(budget=2)
    for request in (SMALL_TALK, STEP_REQUEST, STEP_REQUEST):
        with suppress(LMRefusal):
            lm.complete(request)
    refusals = [asked.refusal or "" for asked in stage.journal.read_record("a case").requests]
    assert [refusal.partition(":")[0] for refusal in refusals] == [
        "unexpected request",
        "script exhausted",
        "LM budget spent",
    ]
    assert {asked.completion for asked in stage.journal.read_record("a case").requests} == {None}


# Each request in its own dialect


def test_a_call_has_no_thought_where_text_has_to_be_json_of_the_answer(stage: Stage) -> None:
    schema: JsonObject = {"type": "object", "properties": {"answer": {"type": "integer"}}}
    request = LMRequest(messages=STEP_REQUEST.messages, tools=(ToolOffer(name="add"),), answer_schema=schema)
    lm = stage.lm(CallTool(tool="add", thought="add them"), CallTool(tool="add"), dialects=("native",))
    assert lm.complete(request).content is None
    assert [asked.intent for asked in stage.journal.read_record("a case").requests] == [CallTool(tool="add")]
