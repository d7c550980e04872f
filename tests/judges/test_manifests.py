"""SAN-010: what the manifest declares is what is observed."""

import pytest

from react_tck.judges.choices.declared import find_contradictions, observe_evidence
from react_tck.model.intent import BadArgs, Calls, CallTool, Finish, Garbled
from react_tck.model.lm import Completion
from react_tck.model.outcome import Failure
from react_tck.model.record import Event
from tests.support.hand_made import ADD, MANIFEST, evidence, extraction, ran, returned, step

UNKNOWN = (step(CallTool(tool="multiply")), step(Finish()), extraction(), returned())


def _kinds(**choices: str) -> list[str]:
    declared = {name.replace("_", "-"): variant for name, variant in choices.items()}
    manifest = MANIFEST.model_copy(update={"choices": declared})
    found = list(find_contradictions(evidence(*UNKNOWN, manifest=manifest)))
    assert {violation.requirement_id for violation in found} <= {"SAN-010"}
    return [violation.kind for violation in found]


def test_a_choice_that_is_not_as_declared_is_a_failure_of_its_own() -> None:
    assert _kinds(unknown_tool="error") == ["unknown-tool is not as declared"]
    assert _kinds(unknown_tool="observe and continue") == []
    assert _kinds(unknown_tool="error, or observe and continue") == []
    assert _kinds() == []


def test_a_crash_is_no_variant_of_a_choice(subtests: pytest.Subtests) -> None:
    cases: list[tuple[str, set[str]]] = [("ParseError", {"SAN-010"}), ("AttributeError", set())]
    for error, ids in cases:
        with subtests.test(error=error, ids=ids):
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


#: What leaves a choice, and no variant of it.
NO_TOOL, NO_ARGS = step(CallTool(tool="multiply")), step(BadArgs(tool="add", text="two"))
FAILED = ran(result=None).model_copy(update={"error": "no connection"})


def test_a_success_without_an_answer_is_no_variant_of_a_choice(subtests: pytest.Subtests) -> None:
    """An agent that ends with None isn't `unknown-tool: error`: it was held to be as declared, for nothing was seen."""
    cases: list[tuple[str, tuple[Event, ...]]] = [
        ("unknown-tool", (NO_TOOL,)),
        ("malformed-args", (NO_ARGS,)),
        ("tool-error", (step(ADD), FAILED)),
    ]
    for choice, events in cases:
        with subtests.test(choice=choice, events=events):
            manifest = MANIFEST.model_copy(update={"choices": {choice: "error"}})
            ended = returned({"answer": None})
            (found,) = find_contradictions(evidence(*events, ended, manifest=manifest))
            assert (found.requirement_id, found.kind, found.at) == ("SAN-010", f"{choice} is not as declared", None)
            assert found.actual == "no variant of it: the call succeeded there, with the outputs {'answer': None}"
            crashed = returned({}, status="error", error=Failure(type="Oops", message="no"))
            assert list(find_contradictions(evidence(*events, crashed, manifest=manifest))) == []
            # What was seen last may be the answer.
            assert list(find_contradictions(evidence(*events, ended, manifest=manifest, max_steps=1))) == []


def test_a_text_beside_the_call_may_be_the_answer() -> None:
    """langchain ends with it; `check --choices` writes the variants of other replies, and contradicts nothing."""
    manifest = MANIFEST.model_copy(update={"choices": {"malformed-args": "error"}})
    said = NO_ARGS.model_copy(update={"completion": Completion(content="It is five.")})
    assert list(find_contradictions(evidence(said, returned({"answer": "It is five."}), manifest=manifest))) == []
    assert len(list(find_contradictions(evidence(said, returned({"answer": "six"}), manifest=manifest)))) == 1


def test_what_was_submitted_beside_a_tool_that_failed_is_an_answer() -> None:
    manifest = MANIFEST.model_copy(update={"choices": {"tool-error": "error"}})
    beside = step(Calls(calls=(ADD, CallTool(tool="submit", args={"answer": "5"}))))
    assert list(find_contradictions(evidence(beside, FAILED, returned(), manifest=manifest))) == []


def test_the_event_that_leaves_how_a_call_goes_on_is_told(subtests: pytest.Subtests) -> None:
    """What comes after it isn't what was due any more; the form of a request makes nothing else fail."""
    cases: list[tuple[str, bool]] = [("unknown-tool", True), ("extraction", False)]
    for choice, has_moment in cases:
        with subtests.test(choice=choice, has_moment=has_moment):
            manifest = MANIFEST.model_copy(update={"choices": {choice: "other"}})
            (found,) = find_contradictions(evidence(*UNKNOWN, manifest=manifest))
            assert found.at is (UNKNOWN[0] if has_moment else None)


def test_of_several_such_events_it_is_the_one_that_is_not_as_declared() -> None:
    manifest = MANIFEST.model_copy(update={"choices": {"unknown-tool": "observe and continue"}})
    drowned = returned({}, status="error", error=Failure(type="Drowned", message="no"))
    again = step(CallTool(tool="subtract"))
    (found,) = find_contradictions(evidence(NO_TOOL, again, drowned, manifest=manifest))
    assert found.at is again
