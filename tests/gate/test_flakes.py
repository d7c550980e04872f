"""Which of the failures came to another end the second time, and where both plays part."""

import json
from dataclasses import replace

import pytest

from react_tck.gate.flakes import find_flakes
from react_tck.judges.table import Account
from react_tck.model.report import ScenarioResult, Verdict
from react_tck.results.ledger import Results
from tests.support.gates import ended
from tests.support.hand_made import ADD, played, ran, returned, step

FAILED = ended("row", Verdict.FAILED, "failed", "goes on")
PASSED = ended("row", Verdict.PASSED)


def results(own: ScenarioResult | None, seen: str = "", account: Account = "departures", **more: list[str]) -> Results:
    """What was found in a play: the row's own end, and the requirement that a judge saw violated."""
    found = Results(records=more)
    if own:
        found.add_result("LOOP-003", own)
    if seen:
        found.add_violation(account, seen, FAILED)
    return found


def found(now: Results, requirement: str = "LOOP-003", was: ScenarioResult = FAILED) -> list[tuple[str, str]]:
    return [(flake.first, flake.second) for flake in find_flakes([(requirement, was)], results(was), now)]


def test_another_verdict_is_a_flake_and_the_same_is_none() -> None:
    assert found(results(PASSED)) == [("failed", "passed")]
    assert found(results(FAILED)) == []
    assert found(results(ended("row", Verdict.FAILED, fault="another"))) == []
    assert found(results(ended("row", Verdict.ERROR))) == [("failed", "error")]
    assert found(results(PASSED), was=ended("row", Verdict.ERROR)) == [("error", "passed")]


def test_what_judges_see_again_is_none_even_if_the_row_passes() -> None:
    assert found(results(PASSED, "LOOP-003")) == []


@pytest.mark.parametrize(("requirement", "account"), [("TOOL-003", "departures"), ("SAN-004", "sanitizers")])
def test_what_judges_saw_is_looked_for_again(requirement: str, account: Account) -> None:
    assert found(results(PASSED, requirement, account), requirement) == []
    assert found(results(FAILED), requirement) == [("failed", "passed")]
    assert found(results(PASSED), requirement) == [("failed", "passed")]
    # Where the row broke, no judge could see anything.
    assert found(results(ended("row", Verdict.ERROR)), requirement) == [("failed", "error")]


def difference(first: list[str], second: list[str], *varies: str) -> str:
    now = replace(results(PASSED, row=second), varies=varies)
    (flake,) = find_flakes([("LOOP-003", FAILED)], results(FAILED, row=first), now)
    return flake.parting.place + flake.parting.difference_text


def record(text: str, thought: str = "think") -> str:
    _, made = played(step(ADD.model_copy(update={"thought": thought})), ran(result=text), returned())
    return json.dumps(made.model_dump(mode="json"))


def test_the_first_event_in_which_both_plays_differ_is_named() -> None:
    told = difference(
        [record("same"), record("x" * 500 + "one" + "y" * 900)], [record("same"), record("x" * 500 + "two")]
    )
    assert told.startswith("episode 2, event 3: …xxx")
    assert "xone" in told
    assert "became …xxx" in told
    assert len(told) < 600
    assert difference([record("a", "one")], [record("b", "two")]).startswith("episode 1, event 2: ")
