"""The trajectory that a call returns is held against what happened, and a crash against what it came from."""

from typing import Any

import pytest
from pydantic import JsonValue

from react_tck.judges.errors import crashes
from react_tck.judges.trajectories import mistold
from react_tck.model.intent import BadArgs, CallTool, Empty, Fault, Finish, Garbled
from react_tck.model.outcome import Failure
from react_tck.model.record import Event
from tests.support.hand_made import ADD, ANSWER, MANIFEST, evidence, extraction, ids, ran, returned, scene, step

TELLING = MANIFEST.model_copy(update={"capabilities": ("extraction", "trajectory"), "retries": 1})
TOLD: dict[str, JsonValue] = {
    "thought_0": "think",
    "tool_name_0": "add",
    "tool_args_0": {"a": 2, "b": 3},
    "observation_0": "five",
}
FINISHED: dict[str, JsonValue] = {"thought_1": "", "tool_name_1": "finish", "tool_args_1": {}, "observation_1": "Done"}


def _told(trajectory: JsonValue, *before: Event) -> list[str]:
    ended = returned(trajectory=trajectory, trajectory_format="mapping")
    return ids(mistold(scene(*before, extraction(), ended, manifest=TELLING)))


@pytest.mark.parametrize("left_out", list(TOLD))
def test_every_part_of_a_step_is_told(left_out: str) -> None:
    without = {**TOLD, left_out: ""}
    assert _told(TOLD, step(ADD), ran()) == []
    assert _told(without, step(ADD), ran()) == ["ERR-013"]
    assert _told(without, step(ADD), ran(), step(Finish())) == ["TRJ-002"]


def test_no_more_steps_are_told_than_were_asked_for() -> None:
    assert _told({**TOLD, **FINISHED}, step(ADD), ran(), step(Finish())) == []
    again = step(ADD).model_copy(update={"attempt": 1})
    assert _told({**TOLD, **FINISHED}, step(Empty()), again, ran()) == ["ERR-013"]


def test_what_a_faulty_lm_leaves_of_the_trajectory_is_not_judged() -> None:
    assert _told({}, step(ADD), ran(), step(Fault(fault="context-window"))) == []


def test_subjects_without_a_trajectory_tell_nothing() -> None:
    assert list(mistold(scene(step(ADD), ran(), extraction(), returned()))) == []


@pytest.mark.parametrize(
    ("asked", "requirement_id"),
    [
        (step(BadArgs(tool="add", text="[1]")), "ERR-002"),
        (step(CallTool(tool="adds", args={})), "ERR-001"),
        (step(CallTool(tool="`add`", args={})), "ERR-001"),
        (step(Garbled(form="prose", meant=ADD)), "ERR-005"),
        (extraction(Garbled(form="prose", meant=ANSWER)), "ERR-011"),
        (extraction(ANSWER), None),
        (step(Garbled(form="reordered", meant=ADD)), None),
    ],
)
def test_a_faulty_reply_ends_in_an_error_that_says_so(asked: Event, requirement_id: str | None) -> None:
    assert _crashed(asked, "KeyError") == ([requirement_id] if requirement_id else [])
    assert _crashed(asked, "library.ParseError") == []


def _crashed(asked: Event, error: str) -> list[Any]:
    ended = returned({}, status="error", error=Failure(type=error, message="next_tool_name"))
    return ids(crashes(evidence(asked, ended)))
