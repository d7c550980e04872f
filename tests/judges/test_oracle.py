"""The oracle follows what the loop may do, and names the first thing that it may not."""

from typing import Any

import pytest

from react_tck.judges.choices.declared import find_contradictions
from react_tck.judges.oracle import find_departure
from react_tck.judges.verdict import Violation
from react_tck.model.case import Options
from react_tck.model.intent import Answer, BadArgs, CallTool, Empty, Fault, Finish, Garbled, Submit
from react_tck.model.manifest import Manifest
from react_tck.model.outcome import Failure
from react_tck.model.record import Changed, Event
from react_tck.record.evidence import Evidence
from tests.support.hand_made import (
    ADD,
    ANSWER,
    GOOD,
    MANIFEST,
    evidence,
    extraction,
    found,
    ids,
    played,
    ran,
    returned,
    scene,
    step,
)

TWO_PHASES = MANIFEST.model_copy(update={"capabilities": ("extraction",), "retries": 1})
DROWN = returned({}, status="error", error=Failure(type="Drowned", message="in retries"))
UNKNOWN = CallTool(tool="adds", args={"a": 2, "b": 3})
BROKEN = Garbled(form="missing-field", meant=ADD)
TRUNCATED = Garbled(form="truncated", meant=ADD)
END = (step(Finish()), extraction(), returned())


def _departures(*events: Event, manifest: Manifest = TWO_PHASES, **how: Any) -> list[Violation]:
    return list(find_departure(scene(*events, manifest=manifest, **how)))


def _declaring(**choices: str) -> Manifest:
    declared = {name.replace("_", "-"): variant for name, variant in choices.items()}
    return TWO_PHASES.model_copy(update={"choices": declared})


def test_whatever_the_sources_leave_open_is_as_predicted(subtests: pytest.Subtests) -> None:
    cases: list[tuple[Event, ...]] = [
        GOOD,
        (step(Finish()), extraction(), returned()),
        (step(ADD), ran(), step(ADD), ran(), step(ADD), ran(), extraction(), returned()),
        (step(UNKNOWN), *END),
        (step(UNKNOWN), extraction(), returned()),
        (step(UNKNOWN), DROWN),
        (step(CallTool(tool="Finish", args={})), extraction(), returned()),
        (step(UNKNOWN), step(ADD), ran(), *END),
        (step(BROKEN), step(BROKEN), step(ADD), ran(), *END),
        (step(BROKEN), step(BROKEN), DROWN),
        (step(Garbled(form="reordered", meant=ADD)), ran(), *END),
        (step(Garbled(form="reordered", meant=ADD)), *END),
        (step(BadArgs(tool="add", text="[1]")), *END),
        (step(BadArgs(tool="finish", text="not json")), extraction(), returned()),
        (step(Garbled(form="reordered", meant=CallTool(tool="add", args={"c": 1}))), step(Finish()), *END[1:]),
        (step(Garbled(form="reordered", meant=UNKNOWN)), *END),
        (step(Empty()), *END),
        (step(Fault(fault="timeout")), DROWN),
        (step(Fault(fault="context-window")), step(ADD), ran(), *END),
        (step(ADD), ran(result=None).model_copy(update={"error": "no connection"}), *END),
        (step(Finish()), extraction(Garbled(form="empty", meant=ANSWER)), extraction(), returned()),
        (step(Finish()), extraction(Empty()), DROWN),
    ]
    for events in cases:
        with subtests.test(events=events):
            assert _departures(*events) == []


def test_what_is_declared_is_predicted(subtests: pytest.Subtests) -> None:
    cases: list[tuple[Any, dict[str, str], str]] = [
        (BadArgs(tool="add", text="no"), {"malformed_args": "error"}, "ERR-021"),
        (BadArgs(tool="add", text="[1]"), {"malformed_args": "error"}, "ERR-003"),
        (TRUNCATED, {"malformed_reply": "retries 1, then error"}, "ERR-019"),
    ]
    for intent, declared, requirement_id in cases:
        with subtests.test(intent=intent, declared=declared, requirement_id=requirement_id):
            assert _departures(step(intent), DROWN, manifest=_declaring(**declared)) == []
            (departure,) = _departures(step(intent), extraction(), returned(), manifest=_declaring(**declared))
            assert (departure.kind, departure.requirement_id) == ("asks for the answer too early", requirement_id)


def test_what_becomes_of_an_unknown_name_breaks_no_requirement_but_the_declaration() -> None:
    """ERR-001 says only that no tool runs that wasn't named."""
    erring, observing = _declaring(unknown_tool="error"), _declaring(unknown_tool="observe and continue")
    for events, manifest in (
        ((extraction(), returned()), erring),
        (END, erring),
        ((extraction(), returned()), observing),
        ((DROWN,), observing),
    ):
        assert _departures(step(UNKNOWN), *events, manifest=manifest) == []
        assert ids(find_contradictions(evidence(step(UNKNOWN), *events, manifest=manifest))) == ["SAN-010"]


def test_what_is_declared_of_args_that_can_be_made_to_fit_says_nothing_of_others() -> None:
    misfit = ADD.model_copy(update={"args": {"a": 2}})
    passed_on = ran().model_copy(update={"args": {"a": 2}})
    manifest = _declaring(schema_mismatch="observe")
    assert _departures(step(misfit), passed_on, step(Finish()), extraction(), returned(), manifest=manifest) == []


def test_a_tool_error_ends_the_run_only_where_that_is_declared() -> None:
    failing = (step(ADD), ran(result=None).model_copy(update={"error": "no connection"}), DROWN)
    assert _departures(*failing) == []
    (departure,) = _departures(*failing, manifest=_declaring(tool_error="observe"))
    assert departure.requirement_id == "ERR-007"


def test_to_go_on_after_the_last_retry_is_to_guess_and_to_ask_once_more_is_undeclared() -> None:
    declared = _declaring(malformed_reply="retries 1, then error").model_copy(update={"retries": 1})
    first, again, once_more = (step(TRUNCATED).model_copy(update={"attempt": number}) for number in range(3))
    assert _departures(first, again, DROWN, manifest=declared) == []
    guessed, undeclared = ("goes on too long", "ERR-019"), ("asks again unasked", "ERR-019")
    for following, departed in ((extraction(), guessed), (once_more, undeclared)):
        (departure,) = _departures(first, again, following, DROWN, manifest=declared)
        assert (departure.kind, departure.requirement_id) == departed


def test_no_retries_are_owed_by_an_adapter_of_the_callers_choice() -> None:
    episode, record = played(step(Garbled(form="prose", meant=ADD)), DROWN)
    case = episode.case.model_copy(update={"options": Options(adapter="json")})
    (own_adapter,) = Evidence(episode.model_copy(update={"case": case}), TWO_PHASES, record).scenes
    assert list(find_departure(own_adapter)) == []


def test_fields_of_the_loops_own_names_are_not_predicted() -> None:
    assert _departures(step(ADD), returned(), arrow="question -> trajectory") == []


def test_a_subject_without_an_extraction_ends_with_its_answer() -> None:
    assert _departures(step(ADD), ran(), step(Answer(outputs={"answer": "5"})), returned(), manifest=MANIFEST) == []


def test_who_asks_for_no_answer_by_itself_may_end_with_an_error_when_the_steps_run_out() -> None:
    steps = (step(ADD), ran(), step(ADD), ran(), step(ADD), ran())
    assert _departures(*steps, DROWN, manifest=MANIFEST) == []
    assert [departure.requirement_id for departure in _departures(*steps, DROWN)] == ["LOOP-004"]


def test_a_broken_submission_that_can_be_read_may_be_taken() -> None:
    submitted = step(Garbled(form="no-end", meant=Submit(outputs={"answer": "5"})))
    assert _departures(submitted, returned(), manifest=MANIFEST) == []


def test_a_whole_number_written_as_a_fraction_may_be_refused() -> None:
    fraction = step(CallTool(tool="add", args={"a": 2.0, "b": 3}))
    assert _departures(fraction, *END) == []
    assert _departures(fraction, ran(), *END) == []
    assert "SAN-003" not in found(fraction, *END)


def test_without_tools_the_answer_may_be_asked_for_at_once() -> None:
    assert _departures(extraction(), returned(), manifest=MANIFEST, tools=()) == []
    assert [departure.kind for departure in _departures(extraction(), returned(), tools=())] == [
        "asks for the answer too early"
    ]


def test_an_answer_that_does_not_fit_may_be_asked_for_again_or_end_the_call() -> None:
    misfit = step(Answer(outputs={"count": "many"}))
    ends = (DROWN, misfit)
    for end in ends:
        assert _departures(misfit, end, manifest=MANIFEST, arrow="question -> count: int") == []


def test_what_becomes_of_the_callers_objects_is_not_the_loops_affair() -> None:
    assert _departures(*END, Changed(invocation=0, what="the tools", before=["add"], after=[])) == []


def test_only_a_near_miss_may_run(subtests: pytest.Subtests) -> None:
    cases: list[tuple[str, list[str]]] = [("`add`", []), ("ADD", []), ("adds", ["ERR-001"])]
    for name, due in cases:
        with subtests.test(name=name, due=due):
            near = step(CallTool(tool=name, args=ADD.args))
            assert [departure.requirement_id for departure in _departures(near, ran(), *END)] == due
            assert _departures(near, *END) == []


def test_who_declares_to_observe_unknown_names_may_finish_at_a_capital() -> None:
    finished = step(CallTool(tool="Finish", args={}))
    declared = _declaring(unknown_tool="observe")
    assert _departures(finished, extraction(), returned(), manifest=declared) == []
    assert _departures(finished, *END, manifest=declared) == []


def test_who_takes_the_last_of_two_names_may_be_told_of_another_tool_than_finish() -> None:
    """Found by fuzzing init go's toy: only the first reading of a `finish` that stands twice was known."""
    twice = step(Garbled(form="contradicted-field", meant=Finish()))
    courses = {"malformed_reply": "retries 0, then error", "unknown_tool": "observe and continue"}
    last, refused = (
        _declaring(repeated_field=variant, **courses).model_copy(update={"retries": 0})
        for variant in ("last", "refused")
    )
    assert _departures(twice, *END, manifest=last) == []
    assert _departures(twice, *END[1:], manifest=last) == []
    assert [each.requirement_id for each in _departures(twice, *END, manifest=refused)] == ["ERR-019"]


def test_who_takes_the_last_of_two_values_may_take_the_second_of_two_replies() -> None:
    """A covering policy of the reference was accused: it read a `finish` behind a call."""
    twice = step(Garbled(form="two-replies", meant=ADD))
    last, first = (
        _declaring(repeated_field=variant, malformed_reply="retries 0, then error").model_copy(update={"retries": 0})
        for variant in ("last in chat", "first in chat, or last in json")
    )
    assert _departures(twice, extraction(), returned(), manifest=last) == []
    assert [each.requirement_id for each in _departures(twice, extraction(), manifest=first)] == ["ERR-019"]
    for manifest in (last, first, _declaring(repeated_field="refused")):
        assert _departures(twice, ran(), *END, manifest=manifest) == []


def test_a_key_that_stands_twice_in_another_notation_is_two_choices() -> None:
    """dspy reads bare keys, and the last of two values: it declares both, and neither is a guess."""
    twice = step(BadArgs(tool="add", text="{a: 2, 'a': 4, b: 3}"))
    read, refused = "repaired when certain", "JSON only"
    for number in (2, 4):
        events = (twice, ran(a=number, b=3), *END)
        assert _departures(*events, manifest=_declaring(args_notation=read, repeated_field="last")) == []
        for choices in ({"args_notation": refused}, {"args_notation": read, "repeated_field": "refused"}):
            (departure,) = _departures(*events, manifest=_declaring(**choices))
            assert (departure.kind, departure.requirement_id) == ("runs another call", "ERR-002")
    (departure,) = _departures(twice, ran(a=6, b=3), *END)
    assert departure.kind == "runs with other args"


def test_steps_that_run_out_are_the_limits_affair_whatever_the_last_one_was() -> None:
    failing = ran(result=None).model_copy(update={"error": "no connection"})
    steps = (step(ADD), ran(), step(ADD), ran(), step(ADD), failing)
    (departure,) = _departures(*steps, DROWN, manifest=_declaring(tool_error="observe"))
    assert (departure.kind, departure.requirement_id) == ("ends too early", "LOOP-004")


def test_an_empty_input_may_be_refused_by_its_name_before_the_lm_is_asked() -> None:
    named, unnamed = (Failure(type="Refused", message=said) for said in ("question is required", "no"))
    for inputs, failure, violated in (("", named, False), ("", unnamed, True), ("2+3", named, True)):
        refused = returned({}, status="error", error=failure)
        assert bool(_departures(refused, inputs={"question": inputs})) is violated
