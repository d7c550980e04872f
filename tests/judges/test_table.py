"""Every judge of the table can be red, and lets the nearest innocent record pass."""

from dataclasses import replace

import pytest

from react_tck.judges.table import JUDGES, violations
from react_tck.model.intent import BadArgs, CallTool, Finish
from react_tck.model.outcome import Failure
from react_tck.model.record import Changed, Record
from react_tck.record.evidence import Evidence
from tests.support.hand_made import ADD, GOOD, MANIFEST, TASK, evidence, extraction, ids, ran, returned, step

BY_NAME = {judge.name: judge for judge in JUDGES}
CAPABLE = MANIFEST.model_copy(update={"capabilities": ("extraction", "trajectory", "global-adapter")})
CRASHED = returned({}, status="error", error=Failure(type="KeyError", message="'[1]'"))
UNTOLD = returned(trajectory={"tool_name_0": "add"}, trajectory_format="mapping")
ADDED = Changed(invocation=0, what="the tools", before=[], after=["add"])
PLAYED = evidence(*GOOD)


@pytest.mark.parametrize(
    ("judge", "seen", "violated"),
    [
        ("sanitizers", evidence(step(ADD), ran(), ran(), *GOOD[2:]), "SAN-003"),
        ("manifest", evidence(*GOOD, manifest=CAPABLE), "SAN-010"),
        ("oracle", evidence(step(Finish()), step(ADD), ran(), *GOOD[2:]), "LOOP-003"),
        ("trajectories", evidence(*GOOD[:-1], UNTOLD, manifest=CAPABLE), "TRJ-002"),
        ("adapters", evidence(*GOOD, manifest=CAPABLE.model_copy(update={"default_dialect": "json"})), "ADP-003"),
        ("tool names", evidence(step(CallTool(tool="multiply", args={})), extraction(text=TASK)), "ERR-001"),
        ("errors", evidence(step(BadArgs(tool="add", text="[1]")), CRASHED), "ERR-002"),
        (
            "caller's objects",
            evidence(*GOOD, ADDED),
            "ISO-003",
        ),
        ("determinism", replace(PLAYED, replayed=Record(case_id="c", events=PLAYED.record.events[:-1])), "SAN-009"),
    ],
)
def test_a_judge_finds_what_it_is_there_for(judge: str, seen: Evidence, violated: str) -> None:
    assert violated in ids(BY_NAME[judge].violations(seen))
    assert list(BY_NAME[judge].violations(replace(PLAYED, replayed=PLAYED.record))) == []


def test_no_judge_is_left_out_above_and_no_two_have_one_name() -> None:
    (marks,) = test_a_judge_finds_what_it_is_there_for.pytestmark  # type: ignore[attr-defined]
    assert [row[0] for row in marks.args[1]] == [judge.name for judge in JUDGES] == list(BY_NAME)


def test_of_each_requirement_the_first_violation_counts() -> None:
    twice = evidence(step(ADD), ran(), ran(), ran(), *GOOD[2:])
    found = violations(twice)
    assert list(found) == list(dict.fromkeys(ids(v for judge in JUDGES for v in judge.violations(twice))))
    assert str(found["SAN-003"]) == str(next(iter(BY_NAME["sanitizers"].violations(twice))))


def test_what_was_not_played_again_may_be_anything() -> None:
    assert violations(PLAYED) == {}
