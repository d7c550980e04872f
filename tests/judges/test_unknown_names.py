"""A name that no tool has must be told of, to the LM or to the caller (ERR-001)."""

import pytest

from react_tck.judges.unknown_names import concealed
from react_tck.model.intent import CallTool, Fault
from react_tck.model.outcome import Failure
from react_tck.model.record import Event
from tests.support.hand_made import ADD, MANIFEST, TASK, extraction, played, ran, returned, step

UNKNOWN = step(CallTool(tool="multiply", args={}))


def _concealed(*events: Event) -> list[str]:
    episode, record = played(*events)
    return [requirement_id for requirement_id, _ in concealed(episode, MANIFEST, record)]


def _failed(message: str) -> Event:
    return returned({}, status="error", error=Failure(type="library.UnknownTool", message=message))


@pytest.mark.parametrize(
    ("told", "untold"),
    [
        (step(ADD, f"{TASK} there is no multiply"), step(ADD, f"{TASK} there is no such tool")),
        (extraction(text=f"{TASK} there is no multiply"), extraction(text=f"{TASK} multiplying is not known")),
        (_failed("no tool 'multiply'"), _failed("no such tool")),
    ],
)
def test_the_next_request_or_the_error_tells_of_it(told: Event, untold: Event) -> None:
    assert _concealed(UNKNOWN, told) == []
    assert _concealed(UNKNOWN, untold) == ["ERR-001"]


@pytest.mark.parametrize("name", ["`add`", "ADD", "", "Finish", "finish()"])
def test_a_near_miss_may_be_taken_for_what_was_meant(name: str) -> None:
    assert _concealed(step(CallTool(tool=name, args={})), ran(), extraction(text="nothing")) == []
    assert _concealed(step(CallTool(tool=name, args={})), extraction(text="nothing")) == []


def test_what_a_faulty_lm_leaves_of_the_prompt_is_not_judged() -> None:
    assert _concealed(UNKNOWN, step(Fault(fault="context-window"), "nothing"), extraction(text="nothing")) == []
