"""The badge: what it says, and that it is green for nobody who doesn't conform."""

import json
from xml.etree import ElementTree

import pytest

from react_tck.gate.baseline import Section
from react_tck.gate.gate import Gate
from react_tck.model.report import Ledger, Verdict
from react_tck.reports.formats.badge import render_endpoint, render_svg
from tests.support.gates import ended, everything, flake, gate_of, kit_broken
from tests.support.reports import make_report, result

GOOD = make_report(
    result("LOOP-003", Verdict.PASSED, scenarios=(ended("r", Verdict.PASSED),)),
    result("ERR-001", Verdict.PASSED, level="SHOULD"),
    ledger=Ledger(registered=1, passed=1),
)
LACKS = GOOD.model_copy(update={"requirements": (*GOOD.requirements, result("ADP-001", Verdict.UNSUPPORTED))})
FAILS = GOOD.model_copy(update={"requirements": (*GOOD.requirements, result("ADP-001", Verdict.FAILED))})
FLAKY = make_report(
    result("LOOP-003", Verdict.FAILED, scenarios=(ended("r", Verdict.FAILED),)),
    result("ERR-001", Verdict.PASSED),
    ledger=Ledger(registered=2, failed=1, passed=1),
    flakes=(flake("r"),),
)


@pytest.mark.parametrize(
    ("gate", "message", "colour"),
    [
        (gate_of(GOOD), "core: 1 of 1 MUST", "brightgreen"),
        (gate_of(LACKS), "core: 1 of 1 MUST, 1 unsupported", "brightgreen"),
        (gate_of(FAILS), "core: 1 of 2 MUST", "red"),
        (gate_of(FLAKY, Section("core")), "core: 1 of 2 MUST, 1 flaky", "yellow"),
        (gate_of(FLAKY, Section("core"), flaky="fail"), "core: 1 of 2 MUST, 1 flaky", "red"),
        (gate_of(GOOD.model_copy(update={"is_whole_profile": False})), "core in part: 1 of 1 MUST", "lightgrey"),
        (gate_of(GOOD.model_copy(update={"interrupted": "SIGINT"})), "interrupted", "lightgrey"),
        (everything(), "the harness broke", "lightgrey"),
        (kit_broken(everything()), "the kit failed", "lightgrey"),
    ],
)
def test_what_it_says(gate: Gate, message: str, colour: str) -> None:
    shown = json.loads(render_endpoint(gate))
    assert shown == {"schemaVersion": 1, "label": "react-tck", "message": message, "color": colour}
    picture = ElementTree.fromstring(render_svg(gate))
    said = [text.text for text in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert said == ["react-tck", message]
    assert picture.get("aria-label") == f"react-tck: {message}"
    assert int(picture.get("width", "0")) > 6 * len("".join(map(str, said)))
