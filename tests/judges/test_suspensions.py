"""Suspensions in records made by hand: what the agent asks, what it had done by then, and what it is told."""

import pytest

from react_tck.fakes.toolbox import TOOLBOX
from react_tck.judges.suspensions import find_bad_suspensions, find_unasked_offers
from react_tck.model.base import JsonObject
from react_tck.model.case import Options, Resumption
from react_tck.model.intent import CallTool, Fault, Finish
from react_tck.model.lm import ToolOffer
from react_tck.model.record import Event, Resumed, Returned
from tests.support.hand_made import ADD, TASK, evidence, extraction, ids, of, ran, returned, scene, step

CONFIRMED = TOOLBOX["add"].model_copy(update={"confirm": True})
SAID = "Not before noon."


def _waiting() -> Returned:
    question = f"Confirm execution of add with args: {ADD.args}? (yes/no)".replace("'", '"')
    told = {"tool_call": {"name": "add", "args": ADD.args}, "confirmation_id": "c1", "question": question}
    return returned({}, status="suspended", suspension=told)


def _after(response: str, *events: Event) -> list[str]:
    resumed = Resumed(invocation=0, resumption=Resumption(response=response))
    return ids(find_bad_suspensions(evidence(step(ADD), _waiting(), resumed, *events, tools=(CONFIRMED,))))


@pytest.mark.parametrize(("shown", "violated"), [(SAID, []), ("It was not run.", ["CNF-005"])])
def test_feedback_is_told_to_the_agent(shown: str, violated: list[str]) -> None:
    assert _after(SAID, step(ADD, f"{TASK} {shown}"), extraction(text=f"{TASK} {shown}")) == violated


def test_who_asks_for_the_same_step_again_tells_it_behind_that() -> None:
    assert _after(SAID, step(ADD), extraction(text=f"{TASK} {SAID}")) == []
    assert _after(SAID, step(ADD)) == []


@pytest.mark.parametrize("response", ["yes", "no", '{"edit": {"name": "add"}}', '{"edit": {}}', ""])
def test_what_is_no_feedback_need_not_be_shown(response: str) -> None:
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


@pytest.mark.parametrize("answer", ["yes", "The old one."])
def test_whatever_answers_the_agents_question_is_told(answer: str) -> None:
    resumed = Resumed(invocation=0, resumption=Resumption(response=answer))
    for shown, violated in ((answer, []), ("It was answered.", ["CNF-011"])):
        later = (step(Finish(), f"{TASK} {shown}"), extraction(text=f"{TASK} {shown}"))
        assert ids(find_bad_suspensions(evidence(step(ASKED), _asking("Which one?"), resumed, *later))) == violated


def test_who_may_not_ask_the_user_is_not_offered_it() -> None:
    asked = step(ADD, f"{TASK} user_clarification")
    for may_ask, violated in ((False, ["CNF-011"]), (True, []), (None, [])):
        (call,) = of(Options(clarification=may_ask), asked).scenes
        assert ids(find_unasked_offers(call)) == violated


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


@pytest.mark.parametrize(
    ("trajectory", "violated"),
    [
        ({"tool_name_0": "search", "observation_0": "five"}, []),
        ({"tool_name_0": "search", "observation_0": "six"}, ["CNF-001"]),
        ({"observation_0": "five"}, ["CNF-001"]),
        ({}, ["CNF-001"]),
    ],
)
def test_the_context_of_a_suspension_has_the_steps_before_it(trajectory: JsonObject, violated: list[str]) -> None:
    waiting = _waiting()
    suspension = {**(waiting.outcome.suspension or {}), "context": {"trajectory": trajectory}}
    told = waiting.model_copy(update={"outcome": waiting.outcome.model_copy(update={"suspension": suspension})})
    before = (step(CallTool(tool="search", args={"query": "Rome"})), ran("search", query="Rome"))
    tools = (CONFIRMED, TOOLBOX["search"])
    assert ids(find_bad_suspensions(evidence(*before, step(ADD), told, tools=tools))) == violated
    # What a prompt has no room for is still of the full record.
    cut = evidence(*before, step(Fault(fault="context-window")), step(ADD), told, tools=tools)
    assert ids(find_bad_suspensions(cut)) == ["TRJ-005" for _ in violated]
    # What ran in the turn of the call that waits may be recorded when the turn is over.
    assert ids(find_bad_suspensions(evidence(step(ADD), *before[1:], told, tools=tools))) == []
