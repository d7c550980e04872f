"""Suspensions in records made by hand: what the agent asks, what it had done by then, and what it is told."""

import pytest

from react_tck.fakes.tools import TOOLBOX
from react_tck.judges.suspensions import find_bad_suspensions, find_unasked_offers
from react_tck.model.case import Options, Resumption
from react_tck.model.intent import CallTool
from react_tck.model.lm import ToolOffer
from react_tck.model.record import Event, Resumed, Returned
from tests.support.hand_made import ADD, TASK, evidence, extraction, ids, of, returned, scene, step

CONFIRMED = TOOLBOX["add"].model_copy(update={"confirm": True})


def _waiting() -> Returned:
    question = f"Confirm execution of add with args: {ADD.args}? (yes/no)".replace("'", '"')
    told = {"tool_call": {"name": "add", "args": ADD.args}, "confirmation_id": "c1", "question": question}
    return returned({}, status="suspended", suspension=told)


def _after(response: str, *events: Event) -> list[str]:
    resumed = Resumed(invocation=0, resumption=Resumption(response=response))
    return ids(find_bad_suspensions(evidence(step(ADD), _waiting(), resumed, *events, tools=(CONFIRMED,))))


def test_what_is_no_feedback_need_not_be_shown(subtests: pytest.Subtests) -> None:
    for response in ["yes", "no", '{"edit": {"name": "add"}}', '{"edit": {}}', ""]:
        with subtests.test(response=response):
            assert _after(response, step(ADD), extraction()) == []


ASKED = CallTool(tool="user_clarification", args={"question": "Which one?"})


def _asking(question: str) -> Returned:
    told = {"tool_call": {"name": ASKED.tool, "args": ASKED.args}, "confirmation_id": "c1", "question": question}
    return returned({}, status="suspended", suspension=told)


def test_the_agents_own_question_is_put_as_it_is() -> None:
    assert ids(find_bad_suspensions(evidence(step(ASKED), _asking("Which one?")))) == []
    assert ids(find_bad_suspensions(evidence(step(ASKED), _asking("Do you agree to: Which one?")))) == ["CNF-011"]
    # Where there is none, anything may be put to the user.
    blank = CallTool(tool="user_clarification", args={"question": ""})
    assert ids(find_bad_suspensions(evidence(step(blank), _asking("{}")))) == []


def test_what_the_lm_calls_is_not_offered_by_being_told_of() -> None:
    called = step(CallTool(tool="user_clarification", args={"question": "Which?"}))
    told = step(ADD, f"{TASK} there is no tool user_clarification")
    (call,) = of(Options(clarification=False), called, told).scenes
    assert ids(find_unasked_offers(call)) == []


def test_no_finish_is_offered_beside_submit() -> None:
    asked = step(ADD)
    offering = asked.request.model_copy(update={"tools": (ToolOffer(name="submit"), ToolOffer(name="finish"))})
    asked = asked.model_copy(update={"request": offering})
    (of_transcript,) = of(Options(system="transcript"), asked).scenes
    assert ids(find_unasked_offers(of_transcript)) == ["TRN-002"]
    assert ids(find_unasked_offers(scene(asked))) == []
