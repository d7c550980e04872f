"""SAN-010: what the manifest declares is what is observed."""

import pytest

from react_tck.judges.choices.declared import find_contradictions, observe_evidence
from react_tck.model.intent import BadArgs, Calls, CallTool, Garbled
from react_tck.model.lm import Completion
from react_tck.model.outcome import Failure
from react_tck.model.record import Event
from tests.support.hand_made import ADD, MANIFEST, evidence, ran, returned, step


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
