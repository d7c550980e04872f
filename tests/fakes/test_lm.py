"""The scripted LM says what its script says, in the dialect of each request, and refuses everything else on record."""

import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, get_args

import pytest

import react_tck
from react_tck.fakes.lm import LMFault, LMRefusal
from react_tck.model.case import Resumption
from react_tck.model.intent import Answer, Attempts, CallTool, Empty, Fault, Finish, Garbled, Raw
from react_tck.model.lm import Ask, Completion, LMRequest, Message, ToolOffer
from react_tck.model.record import Resumed, ToolRan
from tests.support.texts import ANSWER_REQUEST, NEXT_STEP_REQUEST, STEP_FIELDS, STEP_REQUEST, Stage, request_for

ADD = CallTool(tool="add", args={"a": 2}, thought="add them")
ANSWER = Answer(outputs={"answer": "5"})
SMALL_TALK = LMRequest(messages=(Message(role="user", content="How are you?"),))


@pytest.fixture(name="stage")
def _stage() -> Stage:
    return Stage()


def _said(completion: Completion) -> Any:
    return json.loads(completion.content or "")


def test_who_asks_for_a_turn_again_is_given_the_same_reply(stage: Stage) -> None:
    lm = stage.lm(ADD, Finish())
    assert lm.complete(STEP_REQUEST) == lm.complete(STEP_REQUEST)
    assert _said(lm.complete(NEXT_STEP_REQUEST))["next_tool_name"] == "finish"
    assert [asked.attempt for asked in stage.journal.read_record("a case").requests] == [0, 1, 0]


def test_attempts_are_answered_one_by_one_and_the_last_reply_stays(stage: Stage) -> None:
    lm = stage.lm(Attempts(replies=(Empty(), ADD)), Finish())
    replies = [lm.complete(STEP_REQUEST).content or "" for _ in range(3)]
    assert replies[0] == ""
    assert [json.loads(reply)["next_tool_name"] for reply in replies[1:]] == ["add", "add"]
    assert _said(lm.complete(NEXT_STEP_REQUEST))["next_tool_name"] == "finish"


@pytest.mark.parametrize("fault", get_args(Fault.model_fields["fault"].annotation))
def test_fault_fails_as_a_provider_does_and_is_on_record(stage: Stage, fault: Any) -> None:
    intent = Fault(fault=fault)
    lm = stage.lm(intent, Finish())
    with pytest.raises(LMFault, match=fault) as raised:
        lm.complete(STEP_REQUEST)
    assert raised.value.fault == fault
    (asked,) = stage.journal.read_record("a case").requests
    assert (asked.intent, asked.completion, asked.refusal) == (intent, None, None)
    assert _said(lm.complete(NEXT_STEP_REQUEST))["next_tool_name"] == "finish"


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
    with pytest.raises(LMRefusal, match="script exhausted: no step intent left"):
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


# What is left


def test_every_thread_gets_an_intent_of_its_own(stage: Stage) -> None:
    lm = stage.lm(*(CallTool(tool="add", args={"a": number}) for number in range(50)))
    with ThreadPoolExecutor(max_workers=8) as threads:
        said = list(threads.map(lm.complete, [request_for(*STEP_FIELDS, user=str(n)) for n in range(50)]))
    assert sorted(_said(completion)["next_tool_args"]["a"] for completion in said) == list(range(50))
    assert lm.left_over == ()


# Each request in its own dialect


def test_fallback_from_chat_to_json_within_an_episode_is_answered_in_json(stage: Stage) -> None:
    dspy = pytest.importorskip("dspy")
    from react_tck.subjects.libraries.dspy.bridge import language_model

    lm = stage.lm(answers=(Attempts(replies=(Raw(text="not a chat reply"), ANSWER)),))
    with dspy.context(lm=language_model(react_tck.LM(lm.complete)), adapter=dspy.ChatAdapter()):
        prediction = dspy.Predict("question -> answer")(question="2+3?")
    assert prediction.answer == "5"
    first, second = stage.journal.read_record("a case").requests
    assert first.ask is not None
    assert second.ask is not None
    assert (first.ask.dialect, second.ask.dialect) == ("chat", "json")
    assert second.completion == Completion(content='{"answer": "5"}')


# A subject without an extraction

OFFER = ToolOffer(name="add", parameters={"type": "object"})
ONE_PHASE = LMRequest(messages=(Message(role="user", content="2+3?"),), tools=(OFFER,))
LATER_ONE_PHASE = LMRequest(messages=(Message(role="user", content="2+3? So far: 5."),), tools=(OFFER,))


def test_a_broken_answer_is_one_in_the_form_that_the_request_asks_for(stage: Stage) -> None:
    twice = Garbled(form="contradicted-field", meant=ANSWER)
    lm = stage.lm(Finish(), answers=(twice,), dialects=("native", "json"), has_extraction=False)
    said = lm.complete(ANSWER_REQUEST.model_copy(update={"tools": (OFFER,)}))
    assert said.content == '{"answer": "5", "answer": "finish"}'

    (asked,) = stage.journal.read_record("a case").requests
    assert asked.ask == Ask(phase="step", dialect="json", fields=("answer",))


def test_a_failure_in_place_of_the_answer_does_not_end_the_loop(stage: Stage) -> None:
    failing = (Fault(fault="context-window"), ANSWER)
    lm = stage.lm(Finish(), answers=failing, dialects=("native",), has_extraction=False)
    with pytest.raises(LMFault):
        lm.complete(ONE_PHASE)
    assert lm.complete(LATER_ONE_PHASE) == Completion(content="5")


@pytest.mark.parametrize(
    ("intent", "silent"),
    [
        (Fault(fault="timeout"), True),
        (Fault(fault="timeout", sticky=True), True),
        (Fault(fault="rate-limit"), False),
        (ADD, False),
    ],
)
def test_it_is_known_whether_it_said_nothing(stage: Stage, intent: CallTool | Fault, silent: bool) -> None:
    lm = stage.lm(intent)
    assert not lm.is_silent
    with suppress(LMFault):
        lm.complete(STEP_REQUEST)
    assert lm.is_silent is silent
    stage.journal.invocation = 1
    assert not lm.is_silent


def test_who_begins_anew_behind_a_response_is_told_the_same_again(stage: Stage) -> None:
    """udspy keeps no steps where a call waits: it asks for the first one once more, and for all behind it."""
    lm = stage.lm(ADD, CallTool(tool="search", args={}), Finish())
    first = lm.complete(STEP_REQUEST)
    stage.journal.add_event(ToolRan(invocation=0, tool="add", args={"a": 2}, result=2))
    second = lm.complete(NEXT_STEP_REQUEST)
    stage.journal.add_event(Resumed(invocation=0, resumption=Resumption(response="yes")))
    assert lm.complete(STEP_REQUEST) == first
    stage.journal.add_event(ToolRan(invocation=0, tool="add", args={"a": 2}, result=3))
    assert lm.complete(NEXT_STEP_REQUEST) == second
    stage.journal.add_event(ToolRan(invocation=0, tool="search", args={}, result=4))
    assert _said(lm.complete(NEXT_STEP_REQUEST))["next_tool_name"] == "finish"
    assert [asked.attempt for asked in stage.journal.read_record("a case").requests] == [0, 0, 1, 0, 0]


def test_a_step_that_comes_back_without_a_response_is_another_turn(stage: Stage) -> None:
    lm = stage.lm(ADD, Finish(), Finish())
    lm.complete(STEP_REQUEST)
    lm.complete(NEXT_STEP_REQUEST)
    assert _said(lm.complete(STEP_REQUEST))["next_tool_name"] == "finish"
