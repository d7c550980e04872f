"""SARIF 2.1.0: what is told apart, and that nothing stands there that the format doesn't know."""

import json
import os
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from react_tck.gate.gate import Gate
from react_tck.reports.formats.sarif import render_sarif
from tests.support.gates import everything, gate_of, kit_broken, rows_of, without_errors

#: Names the schema that OASIS has published, which isn't ours to copy.
SCHEMA = "REACT_TCK_SARIF_SCHEMA"


def run_of(gate: Gate) -> Any:
    (run,) = json.loads(render_sarif(gate))["runs"]
    return run


def closed(required: dict[str, Any], **optional: Any) -> dict[str, Any]:
    """An object with these properties and no others."""
    return {
        "type": "object",
        "properties": required | optional,
        "required": list(required),
        "additionalProperties": False,
    }


def listed(*values: str) -> dict[str, Any]:
    return {"enum": list(values)}


def array(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


TEXT = {"type": "string", "minLength": 1}
MESSAGE = closed({"text": TEXT})
LEVEL = listed("none", "note", "warning", "error")
TAGS = closed({"tags": {**array(TEXT), "uniqueItems": True}})
PLACE = closed(
    {
        "artifactLocation": closed({"uri": {"type": "string", "pattern": r"^[A-Za-z0-9._~%/-]+$"}}),
        "region": closed({"startLine": {"type": "integer", "minimum": 1}}),
    }
)
NOTIFICATION = closed({"level": LEVEL, "message": MESSAGE}, associatedRule=closed({"id": TEXT}))
#: The part of the specification that is used here (OASIS, SARIF 2.1.0, sections 3.13 to 3.58).
USED = closed(
    {
        "$schema": TEXT,
        "version": {"const": "2.1.0"},
        "runs": array(
            closed(
                {
                    "tool": closed(
                        {
                            "driver": closed(
                                {
                                    "name": TEXT,
                                    "version": TEXT,
                                    "rules": array(
                                        closed(
                                            {"id": TEXT, "shortDescription": MESSAGE},
                                            defaultConfiguration=closed({"level": LEVEL}),
                                            properties=TAGS,
                                        )
                                    ),
                                }
                            )
                        }
                    ),
                    "results": array(
                        closed(
                            {
                                "ruleId": TEXT,
                                "ruleIndex": {"type": "integer", "minimum": 0},
                                "level": LEVEL,
                                "message": MESSAGE,
                                "locations": array(closed({"physicalLocation": PLACE})),
                                "partialFingerprints": {"type": "object", "additionalProperties": TEXT},
                            },
                            baselineState=listed("new", "unchanged", "updated", "absent"),
                            suppressions=array(
                                closed(
                                    {"kind": listed("inSource", "external")},
                                    status=listed("accepted", "underReview", "rejected"),
                                    justification=TEXT,
                                )
                            ),
                            properties=TAGS,
                        )
                    ),
                    "automationDetails": closed({"id": TEXT}),
                    "invocations": array(
                        closed(
                            {"executionSuccessful": {"type": "boolean"}, "exitCode": {"type": "integer"}},
                            toolExecutionNotifications=array(NOTIFICATION),
                            toolConfigurationNotifications=array(NOTIFICATION),
                        )
                    ),
                    "properties": {"type": "object"},
                }
            )
        ),
    }
)
GATES = {
    "everything": everything(),
    "asked for more": gate_of(everything().report, min_must=9),
    "no error": without_errors(everything(flaky="fail")),
    "no baseline": gate_of(everything().report),
    "a bug of the kit": kit_broken(everything()),
    "nothing": rows_of(),
}


@pytest.mark.parametrize("name", GATES)
def test_nothing_stands_there_that_the_specification_does_not_know(name: str) -> None:
    jsonschema.Draft202012Validator(USED).validate(json.loads(render_sarif(GATES[name])))


@pytest.mark.parametrize("name", GATES)
def test_the_published_schema_holds(name: str) -> None:
    if not (file := os.environ.get(SCHEMA)):
        pytest.skip(f"no schema of SARIF here; name a file that holds it in {SCHEMA}")
    schema = json.loads(Path(file).read_text(encoding="utf-8"))
    jsonschema.validators.validator_for(schema)(schema).validate(json.loads(render_sarif(GATES[name])))


def test_every_state_is_told_apart_by_the_formats_own_means() -> None:
    run = run_of(everything())
    new, stale, flaky, expected = run["results"]
    assert (new["level"], new["baselineState"]) == ("error", "new")
    assert (stale["level"], stale["baselineState"]) == ("warning", "absent")
    assert (flaky["level"], flaky["properties"]) == ("warning", {"tags": ["flaky"]})
    assert (expected["level"], expected["baselineState"]) == ("note", "unchanged")
    assert expected["suppressions"] == [{"kind": "external", "status": "accepted", "justification": "said https://i/1"}]
    assert all("suppressions" not in result for result in (new, stale, flaky))
    (invocation,) = run["invocations"]
    assert (invocation["executionSuccessful"], invocation["exitCode"]) == (False, 3)
    (broken,) = invocation["toolExecutionNotifications"]
    assert broken["message"]["text"].startswith("ERR-001, the harness broke in 1 scenarios: said")
    (unsupported,) = invocation["toolConfigurationNotifications"]
    assert (unsupported["associatedRule"], unsupported["level"]) == ({"id": "ADP-001"}, "note")
    assert run_of(without_errors(everything(flaky="fail")))["results"][1]["level"] == "warning"
    assert run_of(without_errors(everything(flaky="fail")))["results"][2]["level"] == "error"
    assert run_of(without_errors(everything()))["invocations"][0]["executionSuccessful"]


def test_a_result_points_at_its_rule_and_at_a_file_that_the_user_has() -> None:
    for gate in GATES.values():
        run = run_of(gate)
        rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
        assert [rules[each["ruleIndex"]] for each in run["results"]] == [each["ruleId"] for each in run["results"]]
    assert rules_of("asked for more") == ["gate", "LOOP-003"]
    run = run_of(everything())
    places = [each["locations"][0]["physicalLocation"] for each in run["results"]]
    assert [(place["artifactLocation"]["uri"], place["region"]["startLine"]) for place in places] == [
        ("port/harness.mjs", 1),
        ("port/react-tck.baseline.toml", 11),
        ("port/harness.mjs", 1),
        ("port/react-tck.baseline.toml", 7),
    ]


def rules_of(name: str) -> list[str]:
    return [rule["id"] for rule in run_of(GATES[name])["tool"]["driver"]["rules"]]
