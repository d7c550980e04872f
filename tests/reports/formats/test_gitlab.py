"""GitLab's Code Quality report: what its documentation asks of an issue."""

import json
from dataclasses import replace
from typing import Any

from react_tck.gate.gate import Gate
from react_tck.gate.places import Places
from react_tck.model.report import Parting
from react_tck.reports.formats.gitlab import render_gitlab
from tests.support.gates import everything, gate_of, kit_broken


def issues(gate: Gate) -> list[Any]:
    found: list[Any] = json.loads(render_gitlab(gate))
    return found


def test_an_issue_has_what_gitlab_asks_for() -> None:
    found = issues(kit_broken(everything()))
    assert [each["severity"] for each in found] == ["blocker", "blocker", "critical", "minor", "minor", "info"]
    assert [each["check_name"] for each in found] == ["gate", "ERR-001", *["LOOP-003"] * 4]
    assert [each["description"].split()[0] for each in found] == [
        "broken:",
        "broken:",
        "LOOP-003",
        "stale:",
        "flaky:",
        "expected:",
    ]
    assert [each["location"]["lines"]["begin"] for each in found] == [1, 1, 1, 11, 1, 7]
    assert {each["location"]["path"] for each in found} == {"port/harness.mjs", "port/react-tck.baseline.toml"}
    assert len({each["fingerprint"] for each in found}) == len(found)
    assert issues(everything(flaky="fail"))[3]["severity"] == "major"


def test_a_fingerprint_is_the_same_wherever_the_line_and_the_plays_part() -> None:
    gate = everything()
    again = gate.report.flakes[0].model_copy(update={"parting": Parting(place="elsewhere")})
    moved = replace(gate, report=gate.report.model_copy(update={"flakes": (again,)}), places=Places())
    assert [each["fingerprint"] for each in issues(moved)] == [each["fingerprint"] for each in issues(gate)]
    assert issues(moved)[-1]["location"] == {"path": "react-tck.baseline.toml", "lines": {"begin": 7}}


def test_without_a_baseline_each_cause_is_one() -> None:
    cause = issues(gate_of(everything().report))[1]
    assert cause["description"] == "LOOP-003, goes on said"
