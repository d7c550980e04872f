"""What the observers tell of records made by hand."""

import pytest

from react_tck.catalogue.registry import load_registry
from react_tck.fakes.toolbox import TOOLBOX
from react_tck.judges.choices.observers import OBSERVERS, observe_variants
from react_tck.model.case import Options, Resumption
from react_tck.model.intent import BadArgs, CallTool, Empty, Finish, Garbled, Intent, Submit
from react_tck.model.lm import Ask
from react_tck.model.outcome import Failure
from react_tck.model.record import Asked, Called, Event, Resumed
from react_tck.subjects.catalogue import resolve
from tests.support.hand_made import ADD, extraction, played, ran, returned, step

UNKNOWN = CallTool(tool="multiply", args={"a": 2})
NO_JSON = BadArgs(tool="add", text="two and three")
COERCIBLE = CallTool(tool="add", args={"a": "2", "b": 3})
PROSE = Garbled(form="prose", meant=ADD)
ENDED = returned({}, status="error", error=Failure(type="ParseError", message="no"))


def _observed(choice: str, *events: Event) -> set[str]:
    return observe_variants([played(*events)]).get(choice, set())


def _again(asked: Asked, attempt: int) -> Asked:
    return asked.model_copy(update={"attempt": attempt})


@pytest.mark.parametrize(
    ("choice", "fault", "variant"),
    [
        ("unknown-tool", UNKNOWN, "observe and continue"),
        ("malformed-args", NO_JSON, "observe"),
        ("schema-mismatch", COERCIBLE, "observe"),
        ("malformed-reply", PROSE, "retries 0, then observe"),
    ],
)
def test_a_further_step_is_an_observation(choice: str, fault: Intent, variant: str) -> None:
    assert _observed(choice, step(fault), step(Finish()), extraction(), returned()) == {variant}


@pytest.mark.parametrize(
    ("choice", "fault", "variant"),
    [
        ("unknown-tool", UNKNOWN, "extract"),
        ("malformed-args", NO_JSON, "extract"),
        ("schema-mismatch", COERCIBLE, "extract"),
        ("malformed-reply", PROSE, "retries 0, then extract"),
    ],
)
def test_an_extraction_after_it_is_one(choice: str, fault: Intent, variant: str) -> None:
    assert _observed(choice, step(fault), extraction(), returned()) == {variant}


@pytest.mark.parametrize(
    ("choice", "fault", "variant"),
    [
        ("unknown-tool", UNKNOWN, "error"),
        ("malformed-args", NO_JSON, "error"),
        ("schema-mismatch", COERCIBLE, "error"),
        ("malformed-reply", PROSE, "retries 0, then error"),
    ],
)
def test_an_error_after_it_is_one(choice: str, fault: Intent, variant: str) -> None:
    assert _observed(choice, step(fault), ENDED) == {variant}


def test_who_observes_the_first_and_ends_at_the_second_does_both() -> None:
    assert _observed("unknown-tool", step(UNKNOWN), step(UNKNOWN), ENDED) == {"observe and continue", "error"}


def test_attempts_at_one_turn_are_counted() -> None:
    attempts = (step(PROSE), _again(step(PROSE), 1), _again(step(PROSE), 2))
    assert _observed("malformed-reply", *attempts, ENDED) == {"retries 2, then error"}


def test_a_turn_that_recovered_tells_nothing() -> None:
    assert _observed("malformed-reply", step(PROSE), _again(step(ADD), 1), ran(), ENDED) == set()


def test_args_that_were_made_to_fit_are_coerced() -> None:
    events = (step(COERCIBLE), ran(), step(Finish()), extraction(), returned())
    assert _observed("schema-mismatch", *events) == {"coerce when lossless"}


@pytest.mark.parametrize("args", [{"a": "two", "b": 3}, {"a": 2}, {"a": 2, "b": 3}])
def test_args_that_fit_or_cannot_be_made_to_tell_nothing(args: dict[str, object]) -> None:
    call = CallTool.model_validate({"tool": "add", "args": args})
    assert _observed("schema-mismatch", step(call), step(Finish()), extraction(), returned()) == set()


def test_an_extraction_after_the_last_step_tells_nothing() -> None:
    episode, record = played(step(UNKNOWN), extraction(), returned(), max_steps=1)
    assert "unknown-tool" not in observe_variants([(episode, record)])


@pytest.mark.parametrize("name", ["Finish", "'finish'", '"add"'])
def test_a_near_miss_that_may_be_taken_for_what_is_there_tells_nothing(name: str) -> None:
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


@pytest.mark.parametrize(("told", "variant"), [(step(Finish()), "observe"), (ENDED, "error")])
def test_a_call_of_the_turn_that_waits_after_a_failed_one_tells_nothing_yet(told: Event, variant: str) -> None:
    failed = ran().model_copy(update={"result": None, "error": "no"})
    waits = returned({}, status="suspended", suspension={})
    yes = Resumed(invocation=0, resumption=Resumption(response="yes"))
    assert _observed("tool-error", step(ADD), failed, waits) == set()
    assert _observed("tool-error", step(ADD), failed, waits, Called(invocation=1)) == set()
    assert _observed("tool-error", step(ADD), failed, waits, yes, ran(), told) == {variant}
    # Found by fuzzing: what ends the call is a response that is none to it.
    nobodys = Resumed(invocation=0, resumption=Resumption(response="yes", confirmation_id="nobody's"))
    assert _observed("tool-error", step(ADD), failed, waits, nobodys, ENDED) == set()


def test_who_goes_on_with_max_steps_0_takes_it_for_no_limit() -> None:
    goes_on = played(step(ADD), ran(), step(ADD), ENDED, max_steps=0)
    assert observe_variants([goes_on])["max-steps-zero"] == {"default"}
    # Who counts one step too many, takes one at least, or knows no end: that is LOOP-004's affair.
    endless = step(ADD).model_copy(update={"refusal": "LM budget spent"})
    assert "max-steps-zero" not in observe_variants([played(step(ADD), ran(), step(ADD), endless, max_steps=0)])
    for events in ((step(ADD), ENDED), (step(ADD), ran(), ENDED), (step(Finish()), extraction(), returned())):
        assert "max-steps-zero" not in observe_variants([played(*events, max_steps=0)])


@pytest.mark.parametrize(("question", "seen"), [("2+3", {"refuse"}), ("2+\ud83d", set()), ("2+\x003", set())])
def test_who_refuses_an_input_may_take_no_step_all_the_same(question: str, seen: set[str]) -> None:
    episode, record = played(ENDED, max_steps=0, inputs={"question": question})
    assert observe_variants([(episode, record)]).get("max-steps-zero", set()) == seen


@pytest.mark.parametrize("said", [Empty(), Submit(outputs={"answer": "5"})])
def test_a_submit_was_forced_whatever_was_said_to_it(said: Intent) -> None:
    ask = Ask(phase="extraction", dialect="chat", fields=("next_thought", "tool_calls"))
    forced = extraction(said).model_copy(update={"ask": ask})
    assert _observed("fallback", forced, ENDED) == {"forced submit"}


@pytest.mark.parametrize(("adapter", "seen"), [(None, {"chat only"}), ("xml", set())])
def test_a_change_of_adapters_tells_nothing_of_where_they_hold(adapter: str | None, seen: set[str]) -> None:
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


def test_steps_that_are_always_asked_for_in_json_are_the_variant_of_that_name() -> None:
    asked = step(Finish())
    assert asked.ask
    in_json = asked.model_copy(update={"ask": asked.ask.model_copy(update={"dialect": "json"})})
    (seen,) = _observed("step-adapter", in_json, extraction(), returned())
    assert load_registry().choices_by_name["step-adapter"].allows_variant(seen)


@pytest.mark.parametrize(
    "subject", ["reference", "reference-transcript", "reference-conversation", "reference-udspy", "dspy", "udspy"]
)
def test_declared_variants_are_those_of_the_registry(subject: str) -> None:
    pytest.importorskip(subject if subject == "udspy" else "dspy")
    choices = load_registry().choices_by_name
    for name, variant in resolve(subject).initialize().choices.items():
        assert choices[name].allows_variant(variant), f"{name}: {variant}"


def test_every_observer_is_of_a_choice() -> None:
    assert set(OBSERVERS) <= set(load_registry().choices_by_name)


@pytest.mark.parametrize(
    ("given", "arrived", "seen"),
    [
        (2**53 + 1, 2**53 + 1, {"any"}),
        (2**53 + 1, 2**53, {"53 bits"}),
        (2**53 + 1, float(2**53), {"53 bits"}),
        (2**53, 2**53, set()),
        (2**54, 2**54, set()),
        (7, 7, set()),
    ],
)
def test_how_large_a_whole_number_may_be(given: int, arrived: float, seen: set[str]) -> None:
    call = CallTool(tool="add", args={"a": given, "b": 3})
    assert _observed("integer-range", step(call), ran(a=arrived, b=3), extraction(), returned()) == seen


@pytest.mark.parametrize(("thought", "seen"), [("enough", {"yes"}), ("think", set())])
def test_a_finish_is_recorded_where_nobody_else_had_its_thought(thought: str, seen: set[str]) -> None:
    finished = step(Finish(thought=thought))
    told = returned(trajectory=[{"thought": "think"}, {"thought": thought}], trajectory_format="list")
    assert _observed("finish-recorded", step(ADD), ran(), finished, extraction(), told) == seen


def test_a_thought_that_an_observation_has_too_shows_no_recorded_finish() -> None:
    unknown = "Error: there is no tool 'serach'"
    told = returned(trajectory=[{"thought": "think", "observation": unknown}], trajectory_format="list")
    finished = step(Finish(thought="no"), unknown)
    assert _observed("finish-recorded", step(UNKNOWN), finished, extraction(), told) == set()


@pytest.mark.parametrize("choice", ["steps-exhausted", "tool-error"])
def test_an_interruption_tells_nothing_of_what_else_ends_a_call(choice: str) -> None:
    interrupted = ran().model_copy(update={"interrupted": True, "result": None})
    failed = ran().model_copy(update={"error": "no connection", "result": None})
    runs, steps = ((failed, interrupted), 2) if choice == "tool-error" else ((interrupted,), 1)
    observed = observe_variants([played(step(ADD), *runs, ENDED, max_steps=steps)])
    assert choice not in observed
