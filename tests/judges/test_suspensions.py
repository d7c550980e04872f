"""What is made of a person's response, in records made by hand: feedback is told to the agent (CNF-005)."""

import pytest

from react_tck.fakes.toolbox import TOOLBOX
from react_tck.judges.suspensions import misput
from react_tck.model.case import Resumption
from react_tck.model.record import Event, Resumed, Returned
from tests.support.hand_made import ADD, TASK, evidence, extraction, ids, returned, step

CONFIRMED = TOOLBOX["add"].model_copy(update={"confirm": True})
SAID = "Not before noon."


def _waiting() -> Returned:
    question = f"Confirm execution of add with args: {ADD.args}? (yes/no)".replace("'", '"')
    told = {"tool_call": {"name": "add", "args": ADD.args}, "confirmation_id": "c1", "question": question}
    return returned({}, status="suspended", suspension=told)


def _after(response: str, *events: Event) -> list[str]:
    resumed = Resumed(invocation=0, resumption=Resumption(response=response))
    return ids(misput(evidence(step(ADD), _waiting(), resumed, *events, tools=(CONFIRMED,))))


@pytest.mark.parametrize(("shown", "violated"), [(SAID, []), ("It was not run.", ["CNF-005"])])
def test_feedback_is_told_to_the_agent(shown: str, violated: list[str]) -> None:
    assert _after(SAID, step(ADD, f"{TASK} {shown}"), extraction(text=f"{TASK} {shown}")) == violated


def test_who_asks_for_the_same_step_again_tells_it_behind_that() -> None:
    assert _after(SAID, step(ADD), extraction(text=f"{TASK} {SAID}")) == []
    assert _after(SAID, step(ADD)) == []


@pytest.mark.parametrize("response", ["yes", "no", '{"edit": {"name": "add"}}', '{"edit": {}}', ""])
def test_what_is_no_feedback_need_not_be_shown(response: str) -> None:
    assert _after(response, step(ADD), extraction()) == []
