"""SAN-010: what the manifest declares is what is observed."""

import pytest

from react_tck.judges.choices import find_contradictions, observe_evidence
from react_tck.model.intent import CallTool, Finish, Garbled
from react_tck.model.manifest import Capability
from react_tck.model.outcome import Failure
from tests.support.hand_made import ADD, MANIFEST, evidence, extraction, returned, step

UNKNOWN = (step(CallTool(tool="multiply")), step(Finish()), extraction(), returned())


def _kinds(*capabilities: Capability, **choices: str) -> list[str]:
    declared = {name.replace("_", "-"): variant for name, variant in choices.items()}
    manifest = MANIFEST.model_copy(update={"choices": declared, "capabilities": capabilities})
    found = list(find_contradictions(evidence(*UNKNOWN, manifest=manifest)))
    assert {violation.requirement_id for violation in found} <= {"SAN-010"}
    return [violation.kind for violation in found]


def test_a_choice_that_is_not_as_declared_is_a_failure_of_its_own() -> None:
    assert _kinds(unknown_tool="error") == ["unknown-tool is not as declared"]
    assert _kinds(unknown_tool="observe and continue") == []
    assert _kinds(unknown_tool="error, or observe and continue") == []
    assert _kinds() == []


@pytest.mark.parametrize(
    ("capability", "kinds"), [("trajectory", ["trajectory is not as declared"]), ("extraction", [])]
)
def test_a_success_shows_that_there_is_no_trajectory(capability: Capability, kinds: list[str]) -> None:
    assert _kinds(capability) == kinds


@pytest.mark.parametrize(("error", "ids"), [("ParseError", {"SAN-010"}), ("AttributeError", set())])
def test_a_crash_is_no_variant_of_a_choice(error: str, ids: set[str]) -> None:
    manifest = MANIFEST.model_copy(update={"choices": {"malformed-reply": "retries 2, then error"}})
    ended = returned({}, status="error", error=Failure(type=error, message="no"))
    garbled = step(Garbled(form="null-thought", meant=ADD))
    judged = evidence(garbled, ended, manifest=manifest)
    assert {violation.requirement_id for violation in find_contradictions(judged)} == ids
    assert bool(observe_evidence(judged)) is bool(ids)


def test_what_was_seen_is_given_as_the_line_to_declare() -> None:
    manifest = MANIFEST.model_copy(update={"choices": {"unknown-tool": "error"}})
    (found,) = find_contradictions(evidence(*UNKNOWN, manifest=manifest))
    assert found.actual.endswith('if that is right, declare unknown-tool = "observe and continue"')
