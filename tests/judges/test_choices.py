"""What the observers tell of records made by hand."""

import pytest

from react_tck.catalogue.registry import load_registry
from react_tck.fakes.tools import TOOLBOX
from react_tck.judges.choices.observers import observe_variants
from react_tck.model.case import Options, Resumption
from react_tck.model.intent import BadArgs, CallTool, Finish, Garbled
from react_tck.model.outcome import Failure
from react_tck.model.record import Asked, Called, Event, Resumed
from react_tck.subjects.catalogue import resolve
from tests.support.hand_made import ADD, extraction, played, ran, returned, step

UNKNOWN = CallTool(tool="multiply", args={"a": 2})
PROSE = Garbled(form="prose", meant=ADD)
ENDED = returned({}, status="error", error=Failure(type="ParseError", message="no"))


def _observed(choice: str, *events: Event) -> set[str]:
    return observe_variants([played(*events)]).get(choice, set())


def _again(asked: Asked, attempt: int) -> Asked:
    return asked.model_copy(update={"attempt": attempt})


def test_a_turn_that_recovered_tells_nothing() -> None:
    assert _observed("malformed-reply", step(PROSE), _again(step(ADD), 1), ran(), ENDED) == set()


def test_args_that_fit_or_cannot_be_made_to_tell_nothing(subtests: pytest.Subtests) -> None:
    cases: list[dict[str, object]] = [{"a": "two", "b": 3}, {"a": 2}, {"a": 2, "b": 3}]
    for args in cases:
        with subtests.test(args=args):
            call = CallTool.model_validate({"tool": "add", "args": args})
            assert _observed("schema-mismatch", step(call), step(Finish()), extraction(), returned()) == set()


def test_an_extraction_after_the_last_step_tells_nothing() -> None:
    episode, record = played(step(UNKNOWN), extraction(), returned(), max_steps=1)
    assert "unknown-tool" not in observe_variants([(episode, record)])


def test_a_near_miss_that_may_be_taken_for_what_is_there_tells_nothing(subtests: pytest.Subtests) -> None:
    for name in ["Finish", "'finish'", '"add"']:
        with subtests.test(name=name):
            assert _observed("unknown-tool", step(CallTool(tool=name)), extraction(), returned()) == set()


def test_a_tool_whose_name_has_capitals_is_no_unknown_one() -> None:
    capital = TOOLBOX["add"].model_copy(update={"name": "Add"})
    call = step(CallTool(tool="Add", args={}))
    assert "unknown-tool" not in observe_variants(
        [played(call, step(Finish()), extraction(), returned(), tools=(capital,))]
    )


def test_args_that_are_an_object_after_all_tell_nothing() -> None:
    twice = BadArgs(tool="add", text='"{\\"a\\": 2, \\"b\\": 3}"')
    assert _observed("malformed-args", step(twice), step(Finish()), extraction(), returned()) == set()


def test_one_of_two_contradicting_fields_tells_nothing() -> None:
    contradicted = Garbled(form="contradicted-field", meant=ADD)
    assert _observed("malformed-reply", step(contradicted), extraction(), returned()) == set()


def test_a_call_of_the_turn_that_waits_after_a_failed_one_tells_nothing_yet(subtests: pytest.Subtests) -> None:
    cases: list[tuple[Event, str]] = [(step(Finish()), "observe"), (ENDED, "error")]
    for told, variant in cases:
        with subtests.test(told=told, variant=variant):
            failed = ran().model_copy(update={"result": None, "error": "no"})
            waits = returned({}, status="suspended", suspension={})
            yes = Resumed(invocation=0, resumption=Resumption(response="yes"))
            assert _observed("tool-error", step(ADD), failed, waits) == set()
            assert _observed("tool-error", step(ADD), failed, waits, Called(invocation=1)) == set()
            assert _observed("tool-error", step(ADD), failed, waits, yes, ran(), told) == {variant}
            # Found by fuzzing: what ends the call is a response that is none to it.
            nobodys = Resumed(invocation=0, resumption=Resumption(response="yes", confirmation_id="nobody's"))
            assert _observed("tool-error", step(ADD), failed, waits, nobodys, ENDED) == set()


def test_who_refuses_an_input_may_take_no_step_all_the_same(subtests: pytest.Subtests) -> None:
    cases: list[tuple[str, set[str]]] = [("2+3", {"refuse"}), ("2+\ud83d", set()), ("2+\x003", set())]
    for question, seen in cases:
        with subtests.test(question=question, seen=seen):
            episode, record = played(ENDED, max_steps=0, inputs={"question": question})
            assert observe_variants([(episode, record)]).get("max-steps-zero", set()) == seen


def test_a_change_of_adapters_tells_nothing_of_where_they_hold(subtests: pytest.Subtests) -> None:
    cases: list[tuple[str | None, set[str]]] = [(None, {"chat only"}), ("xml", set())]
    for adapter, seen in cases:
        with subtests.test(adapter=adapter, seen=seen):
            asked = extraction()
            assert asked.ask
            elsewhere = asked.model_copy(update={"ask": asked.ask.model_copy(update={"dialect": "xml"})})
            episode, record = played(step(Finish()), elsewhere, returned(), adapter=adapter)
            assert observe_variants([(episode, record)]).get("step-adapter", set()) == seen


def test_an_extraction_in_another_dialect_than_the_configured_one_is_no_variant() -> None:
    """That it is, ADP-001 says; the steps are where they should be."""
    asked = step(Finish())
    assert asked.ask
    in_json = asked.model_copy(update={"ask": asked.ask.model_copy(update={"dialect": "json"})})
    episode, record = played(in_json, extraction(), returned())
    for configured, seen in (("json", set()), ("chat", {"JSON only"})):
        case = episode.case.model_copy(update={"options": Options(adapter=configured)})
        found = observe_variants([(episode.model_copy(update={"case": case}), record)])
        assert found.get("step-adapter", set()) == seen


def test_declared_variants_are_those_of_the_registry(subtests: pytest.Subtests) -> None:
    for subject in ["reference", "reference-transcript", "reference-conversation", "reference-udspy", "dspy", "udspy"]:
        with subtests.test(subject=subject):
            pytest.importorskip(subject if subject == "udspy" else "dspy")
            choices = load_registry().choices_by_name
            for name, variant in resolve(subject).initialize().choices.items():
                assert choices[name].allows_variant(variant), f"{name}: {variant}"


def test_a_thought_that_an_observation_has_too_shows_no_recorded_finish() -> None:
    unknown = "Error: there is no tool 'serach'"
    told = returned(trajectory=[{"thought": "think", "observation": unknown}], trajectory_format="list")
    finished = step(Finish(thought="no"), unknown)
    assert _observed("finish-recorded", step(UNKNOWN), finished, extraction(), told) == set()


def test_an_interruption_tells_nothing_of_what_else_ends_a_call(subtests: pytest.Subtests) -> None:
    for choice in ["steps-exhausted", "tool-error"]:
        with subtests.test(choice=choice):
            interrupted = ran().model_copy(update={"interrupted": True, "result": None})
            failed = ran().model_copy(update={"error": "no connection", "result": None})
            runs, steps = ((failed, interrupted), 2) if choice == "tool-error" else ((interrupted,), 1)
            observed = observe_variants([played(step(ADD), *runs, ENDED, max_steps=steps)])
            assert choice not in observed
