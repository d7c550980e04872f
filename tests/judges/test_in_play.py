"""Which requirements an episode puts to the test, each rule shown to say yes and no."""

import re
from pathlib import Path
from typing import Any

import pytest

from react_tck import judges
from react_tck.catalogue.registry import load_registry
from react_tck.judges.in_play import RULES, find_tested_requirements
from react_tck.model.case import Invocation
from react_tck.model.intent import BadArgs, CallTool, Fault, Finish, Garbled, Raw
from react_tck.model.record import Called, Event
from react_tck.model.requirement import DECLARED_OTHERWISE
from react_tck.record.evidence import Evidence
from tests.support.hand_made import ADD, MANIFEST, evidence, extraction, ran, returned, step

_ID = re.compile(r'"([A-Z]{3,4}-\d{3})"')
CAPABLE = MANIFEST.model_copy(update={"capabilities": ("extraction", "trajectory", "truncation")})


def played(*events: Event) -> frozenset[str]:
    return find_tested_requirements(evidence(*events, manifest=CAPABLE))


def test_a_requirement_is_in_play_if_its_occasion_came(subtests: pytest.Subtests) -> None:
    cases: list[tuple[str, Event]] = [
        ("LOOP-003", step(Finish())),
        ("SAN-003", step(ADD)),
        ("SAN-001", step(ADD)),
        ("ERR-001", step(CallTool(tool="subtract"))),
        ("ERR-020", step(CallTool(tool="subtract"))),
        ("ERR-002", step(BadArgs(tool="add", text="five"))),
        ("ERR-004", step(CallTool(tool="add", args={"a": 2}))),
        ("ERR-005", step(Raw(text="Let me see."))),
        ("ERR-007", ran().model_copy(update={"error": "no"})),
        ("ERR-011", extraction(Raw(text="Let me see."))),
        ("ERR-012", step(Fault(fault="timeout"))),
        ("ERR-026", step(Fault(fault="unauthorized"))),
        ("CTX-001", step(Fault(fault="context-window"))),
        ("EXT-002", extraction()),
        ("SAN-002", ran()),
        ("SAN-006", returned()),
        ("SAN-007", returned()),
        ("SAN-011", step(ADD)),
        ("ERR-016", step(Garbled(form="null-thought", meant=ADD))),
        ("ERR-017", ran(result="half a pair \ud83d")),
    ]
    for requirement_id, event in cases:
        with subtests.test(requirement_id=requirement_id, event=event):
            assert requirement_id in played(event)
            assert requirement_id not in played()


def test_steps_run_out_only_at_the_limit() -> None:
    steps = [event for _ in range(3) for event in (step(ADD), ran())]
    assert "LOOP-004" in played(*steps, extraction(), returned())
    assert "LOOP-004" not in played(*steps[:4], extraction(), returned())


def test_what_a_judge_names_has_a_rule_and_the_other_way_round() -> None:
    """All that the judges name stands in their modules as a text; a rule for anything else could never fail."""
    folder = Path(judges.__file__).parent
    texts = (path.read_text(encoding="utf-8") for path in folder.rglob("*.py") if path.name != "in_play.py")
    named = {DECLARED_OTHERWISE, *(id_ for text in texts for id_ in _ID.findall(text))}
    assert named == set(RULES)
    assert named <= load_registry().by_id.keys()


def test_a_call_begins_anew_unless_it_is_given_a_history(subtests: pytest.Subtests) -> None:
    cases: list[tuple[dict[str, Any], bool]] = [({}, True), ({"follows": 0}, False), ({"history": ()}, False)]
    for given, is_tested in cases:
        with subtests.test(given=given, is_tested=is_tested):
            one = evidence(step(ADD), ran())
            later = (Called(invocation=1), step(ADD).model_copy(update={"invocation": 1}))
            calls = (*one.episode.case.invocations, Invocation(inputs={}, **given))
            case = one.episode.case.model_copy(update={"invocations": calls})
            record = one.record.model_copy(update={"events": (*one.record.events, *later)})
            both = Evidence(one.episode.model_copy(update={"case": case}), CAPABLE, record)
            assert ("ISO-001" in find_tested_requirements(both)) is is_tested
