"""The oracle follows transcripts, conversations and suspended calls, and names what goes wrong in them."""

from typing import Any

import pytest

from react_tck.fakes.toolbox import TOOLBOX
from react_tck.judges.oracle import find_departure
from react_tck.judges.verdict import Violation
from react_tck.model.case import Options, Resumption
from react_tck.model.intent import Answer, Calls, CallTool, Fault, Finish, Garbled, Submit
from react_tck.model.lm import Ask
from react_tck.model.manifest import Manifest
from react_tck.model.outcome import Failure
from react_tck.model.record import Asked, Event, Resumed, Returned
from react_tck.record.evidence import Evidence
from tests.support.hand_made import ADD, MANIFEST, extraction, played, ran, returned, step

ALL = MANIFEST.model_copy(update={"capabilities": ("extraction", "confirmation", "transcript"), "retries": 1})
PING = CallTool(tool="ping", args={}, thought="see")
BOTH = Calls(calls=(ADD, PING))
RAN_BOTH = (ran(), ran("ping", x=1).model_copy(update={"args": {}}))
SUBMITTED = Submit(outputs={"answer": "5"})
END = (step(Finish()), extraction(), returned())
DROWN = returned({}, status="error", error=Failure(type="Drowned", message="in retries"))
WAITS = returned({}, status="suspended", suspension={"tool_call": {"name": "add", "args": {"a": 2, "b": 3}}})
EDIT = '{"edit": {"name": "add", "args": {"a": 4, "b": 5}}}'
REPLACED = '{"edit": {"name": "ping", "args": {}}}'


def _departures(
    *events: Event,
    options: Options | None = None,
    confirm: tuple[str, ...] = (),
    manifest: Manifest = ALL,
    arrow: str = "question -> answer",
    **invocation: Any,
) -> list[tuple[str, str]]:
    tools = tuple(TOOLBOX[name].model_copy(update={"confirm": name in confirm}) for name in ("add", "ping"))
    episode, record = played(*events, tools=tools, arrow=arrow, **invocation)
    case = episode.case.model_copy(update={"options": options or Options()})
    evidence = Evidence(episode.model_copy(update={"case": case}), manifest, record)
    return [_told(departure) for scene in evidence.scenes for departure in find_departure(scene)]


def test_who_may_refuse_to_take_no_step_may_do_so_late() -> None:
    """What max_steps 0 means is a choice, as long as no step is taken."""
    late = extraction(), returned({}, status="error", error=Failure(type="UnboundLocalError", message="action_step"))
    assert _departures(*late, max_steps=0) == []
    extracts = ALL.model_copy(update={"choices": {**ALL.choices, "max-steps-zero": "extract at once"}})
    assert _departures(*late, max_steps=0, manifest=extracts) == [("fails instead of answering", "EXT-002")]


def _told(departure: Violation) -> tuple[str, str]:
    return departure.kind, departure.requirement_id


def _resumed(response: str, **how: Any) -> Resumed:
    return Resumed(invocation=0, resumption=Resumption(response=response, **how))


def _again(asked: Asked) -> Asked:
    return asked.model_copy(update={"attempt": 1})


def _summary(text: str = "they spoke") -> Asked:
    ask = Ask(phase="extraction", dialect="chat", fields=("summary",))
    return extraction(Answer(outputs={"summary": text})).model_copy(update={"ask": ask})


@pytest.mark.parametrize(
    "events",
    [
        (step(ADD), ran(), step(SUBMITTED), returned()),
        (step(BOTH), ran(), ran("ping", x=1).model_copy(update={"args": {}}), step(SUBMITTED), returned()),
        (step(BOTH), ran("ping", x=1).model_copy(update={"args": {}}), ran(), step(SUBMITTED), returned()),
        (step(Calls(calls=(ADD, CallTool(tool="none")))), ran(), step(SUBMITTED), returned()),
        (step(Submit(outputs={})), step(SUBMITTED), returned()),
        (step(ADD), ran(), step(ADD), ran(), step(ADD), ran(), extraction(), returned()),
        (step(Finish()), step(SUBMITTED), returned()),
        (step(Fault(fault="context-window")), _summary(), step(SUBMITTED), returned()),
    ],
)
def test_what_a_transcript_may_do_is_as_predicted(events: tuple[Event, ...]) -> None:
    assert _departures(*events, options=Options(system="transcript")) == []


@pytest.mark.parametrize(
    ("events", "told"),
    [
        ((step(SUBMITTED), extraction(), returned()), ("goes on too long", "TRN-003")),
        ((step(SUBMITTED), step(ADD), ran(), returned()), ("goes on too long", "TRN-003")),
        ((step(BOTH), ran(), step(SUBMITTED), returned()), ("leaves out a call", "TRN-013")),
        ((step(BOTH), ran(), ran(), step(SUBMITTED), returned()), ("runs a call again", "TRN-013")),
        ((step(Submit(outputs={})), DROWN), ("ends too early", "TRN-005")),
        ((step(Submit(outputs={})), returned({"answer": ""})), ("ends too early", "TRN-005")),
        ((step(ADD), ran(), step(ADD), ran(), step(ADD), ran(), DROWN), ("ends too early", "LOOP-004")),
        ((step(ADD), ran(), step(ADD), ran(), step(ADD), ran(), step(ADD)), ("goes on too long", "LOOP-004")),
        ((step(SUBMITTED), returned({"answer": "six"})), ("answers otherwise", "SAN-007")),
    ],
)
def test_what_a_transcript_may_not_do_is_named(events: tuple[Event, ...], told: tuple[str, str]) -> None:
    assert _departures(*events, options=Options(system="transcript")) == [told]


@pytest.mark.parametrize(
    ("events", "confirm"),
    [((step(BOTH), RAN_BOTH[0], RAN_BOTH[1], RAN_BOTH[1]), ()), ((step(BOTH), RAN_BOTH[0], RAN_BOTH[0]), ("ping",))],
)
@pytest.mark.parametrize(("system", "requirement_id"), [("transcript", "TRN-013"), (None, "TOOL-007")])
def test_each_call_of_a_turn_runs_once_whatever_is_due_next(
    events: tuple[Event, ...], confirm: tuple[str, ...], system: Any, requirement_id: str
) -> None:
    """One fault was told as SAN-003 behind the last call, CNF-001 where a person is to be asked, and SAN-002."""
    told = _departures(*events, options=Options(system=system), confirm=confirm)
    assert told == [("runs a call again", requirement_id)]


def test_a_call_that_runs_again_in_the_place_of_another_of_its_tool_runs_again() -> None:
    other = CallTool(tool="add", args={"a": 4, "b": 5})
    two = step(Calls(calls=(ADD, other)))
    assert _departures(two, ran(), ran(), ran(a=4, b=5)) == [("runs a call again", "TOOL-007")]
    never_made = _departures(two, ran(a=6, b=7), options=Options(system="transcript"))
    assert never_made == [("runs with other args", "SAN-002")]


def _submitted_by_count() -> Asked:
    """A request for a step that only the kit's count of steps takes for one of a submit."""
    ask = Ask(phase="extraction", dialect="chat", fields=("next_thought", "tool_calls"))
    return step(SUBMITTED).model_copy(update={"ask": ask})


@pytest.mark.parametrize(
    ("fallback", "told"),
    [("forced submit", []), ("extract", [("asks for the answer too early", "LOOP-006")])],
)
def test_who_counts_its_steps_otherwise_is_not_blamed(fallback: str, told: list[tuple[str, str]]) -> None:
    manifest = ALL.model_copy(update={"choices": {"fallback": fallback}})
    events = (_submitted_by_count(), returned())
    assert _departures(*events, options=Options(system="transcript"), manifest=manifest) == told


def test_a_submit_of_another_type_is_refused() -> None:
    many, five = step(Submit(outputs={"count": "many"})), step(Submit(outputs={"count": 5}))
    how: dict[str, Any] = {"options": Options(system="transcript"), "arrow": "question -> count: int"}
    assert _departures(many, five, returned({"count": 5}), **how) == []
    assert _departures(many, returned({"count": "many"}), **how) == [("ends too early", "TRN-005")]
    assert _departures(five, DROWN, **how) == [("fails instead of answering", "TRN-003")]


@pytest.mark.parametrize(
    "events",
    [
        (step(ADD), WAITS, _resumed("yes"), ran(), *END),
        (step(ADD), WAITS, _resumed("yes"), _again(step(ADD)), ran(), *END),
        (step(ADD), WAITS, _resumed("no"), *END),
        (step(ADD), WAITS, _resumed("rather not"), *END),
        (step(ADD), WAITS, _resumed(EDIT), ran(a=4, b=5), *END),
        (step(ADD), WAITS, _resumed(REPLACED), ran("ping", x=1).model_copy(update={"args": {}}), *END),
        (step(ADD), WAITS, _resumed("yes", confirmation_id="another"), DROWN, _resumed("y"), ran(), *END),
        (step(ADD), WAITS, _resumed('{"edit": '), DROWN),
        (step(ADD), WAITS, _resumed("yes"), ran(), *END, _resumed("yes"), DROWN),
    ],
)
def test_what_a_suspended_call_may_do_is_as_predicted(events: tuple[Event, ...]) -> None:
    assert _departures(*events, confirm=("add",)) == []


@pytest.mark.parametrize(
    ("events", "told"),
    [
        ((step(ADD), ran(), *END), ("doesn't wait", "CNF-001")),
        ((step(ADD), *END), ("doesn't wait", "CNF-001")),
        ((step(PING), returned({}, status="suspended", suspension={})), ("waits unasked", "CNF-001")),
        ((step(ADD), WAITS, _resumed("yes"), *END), ("leaves out a call", "CNF-003")),
        ((step(ADD), WAITS, _resumed("yes"), ran(), ran(), *END), ("runs a call again", "CNF-003")),
        ((step(ADD), WAITS, _resumed("yes"), ran(), extraction()), ("asks for the answer too early", "CNF-003")),
        ((step(ADD), WAITS, _resumed("no"), ran(), *END), ("runs another call", "CNF-004")),
        ((step(ADD), WAITS, _resumed("no"), extraction()), ("asks for the answer too early", "CNF-004")),
        ((step(ADD), WAITS, _resumed("yes, but"), ran(), *END), ("runs another call", "CNF-005")),
        ((step(ADD), WAITS, _resumed(EDIT), ran(), *END), ("runs with other args", "CNF-006")),
        ((step(ADD), WAITS, _resumed(EDIT), ran(a=4, b=5), extraction()), ("asks for the answer too early", "CNF-003")),
        ((step(ADD), WAITS, _resumed(REPLACED), ran(), *END), ("runs another call", "CNF-013")),
        ((step(ADD), WAITS, _resumed('{"edit": '), ran(), *END), ("runs another call", "CNF-012")),
        ((step(ADD), WAITS, _resumed("y", confirmation_id="no"), ran(), *END), ("runs another call", "CNF-012")),
        ((step(ADD), WAITS, _resumed("yes"), ran(), *END, _resumed("yes"), ran()), ("runs a call again", "CNF-012")),
        ((step(ADD), WAITS, step(Finish())), ("goes on too long", "CNF-001")),
        ((step(ADD), WAITS, _resumed("yes"), ran(), step(ADD), ran(), *END), ("doesn't wait", "CNF-015")),
        ((step(ADD), WAITS, _resumed("no"), step(ADD), ran(), *END), ("doesn't wait", "CNF-001")),
    ],
)
def test_what_a_suspended_call_may_not_do_is_named(events: tuple[Event, ...], told: tuple[str, str]) -> None:
    assert _departures(*events, confirm=("add",)) == [told]


def test_a_call_that_ran_before_the_response_does_not_run_again() -> None:
    ping = ran("ping", x=1).model_copy(update={"args": {}})
    assert _departures(step(PING), ping, step(ADD), WAITS, _resumed("yes"), ping, ran(), *END, confirm=("add",)) == [
        ("runs a call again", "CNF-009")
    ]


@pytest.mark.parametrize("response", ["yes", "no", "rather not", EDIT])
def test_a_call_that_begins_anew_runs_again_what_has_run(response: str) -> None:
    """udspy asks for its first step once more, and the LM says again what it said then."""
    ping = ran("ping", x=1).model_copy(update={"args": {}})
    begun = (step(PING), ping, step(ADD, "anew"), WAITS, _resumed(response))
    again = (_again(step(PING)), ping, step(ADD, "anew"), ran(), *END)
    assert _departures(*begun, *again, confirm=("add",)) == [("runs a call again", "CNF-009")]


def test_each_call_of_a_turn_waits_for_itself() -> None:
    waits = WAITS.model_copy(update={"outcome": WAITS.outcome.model_copy(update={"suspension": {}})})
    one, other = ran(), ran("ping", x=1).model_copy(update={"args": {}})
    how: dict[str, Any] = {"options": Options(system="transcript"), "confirm": ("add", "ping")}
    begun = (step(BOTH), WAITS, _resumed("yes"), one)
    assert _departures(*begun, waits, _resumed("yes"), other, step(SUBMITTED), returned(), **how) == []
    assert _departures(*begun, other, step(SUBMITTED), returned(), **how) == [("doesn't wait", "CNF-001")]
    assert _departures(*begun, step(SUBMITTED), returned(), **how) == [("doesn't wait", "CNF-003")]
    rejected = (step(BOTH), WAITS, _resumed("no"), step(SUBMITTED), returned())
    assert _departures(*rejected, **how) == [("doesn't wait", "CNF-004")]


@pytest.mark.parametrize("is_first", [True, False])
def test_a_call_that_is_to_wait_waits_wherever_it_stands_in_its_turn(is_first: bool) -> None:
    """Who ran the tool before asking was said to run another call (TRN-013) where the turn begins with one."""
    how: dict[str, Any] = {"options": Options(system="transcript"), "confirm": ("add",)}
    ping = ran("ping", x=1).model_copy(update={"args": {}})
    runs = (ran(), ping) if is_first else (ping, ran())
    turn = step(Calls(calls=(PING, ADD)))
    assert _departures(turn, *runs, WAITS, **how) == [("doesn't wait", "CNF-001")]


def test_a_like_call_that_is_left_out_behind_an_edit_is_no_agreement_taken_too_far() -> None:
    """The loop continues with the rest of the turn (CNF-003): CNF-015, on agreements, was blamed for a request."""
    how: dict[str, Any] = {"options": Options(system="transcript"), "confirm": ("add",)}
    begun = (step(Calls(calls=(ADD, ADD))), WAITS, _resumed(EDIT), ran(a=4, b=5))
    assert _departures(*begun, step(SUBMITTED), returned(), **how) == [("doesn't wait", "CNF-003")]
    assert _departures(*begun, ran(), step(SUBMITTED), returned(), **how) == [("doesn't wait", "CNF-015")]


def test_the_users_answer_is_an_observation_whatever_it_says() -> None:
    asks = step(CallTool(tool="user_clarification", args={"question": "Which?"}))
    waits = returned({}, status="suspended", suspension={})
    how: dict[str, Any] = {"options": Options(clarification=True)}
    assert _departures(asks, waits, _resumed("yes"), *END, **how) == []
    assert _departures(asks, *END, **how) == [("doesn't wait", "CNF-011")]
    assert _departures(asks, waits, _resumed("yes"), DROWN, **how) == [("ends too early", "CNF-011")]


def test_a_conversation_may_finish_at_once_where_that_is_legal() -> None:
    conversation = Options(system="conversation")
    for declared, departures in (("legal", []), ("illegal", [("asks for the answer too early", "CNV-005")])):
        manifest = ALL.model_copy(update={"choices": {"finish-from-first-state": declared}})
        assert _departures(*END, options=conversation, manifest=manifest) == departures


def test_what_comes_after_a_fault_is_judged_as_the_recovery_is_declared() -> None:
    down, on = step(Fault(fault="timeout")), (step(ADD), ran(), *END)
    declared = ALL.model_copy(update={"choices": {"lm-fault": "error"}})
    assert _departures(down, *on) == []
    assert _departures(down, DROWN, manifest=declared) == []
    assert _departures(down, *on, manifest=declared) == [("goes on too long", "ERR-012")]


@pytest.mark.parametrize("declared", ["observe", "extract", "retries 1, then error"])
def test_a_fault_of_the_extraction_may_be_an_error_whatever_is_declared_of_steps(declared: str) -> None:
    manifest = ALL.model_copy(update={"choices": {"lm-fault": declared}})
    assert _departures(step(Finish()), extraction(Fault(fault="timeout")), DROWN, manifest=manifest) == []


def test_what_no_repetition_mends_is_asked_for_once_whatever_is_declared() -> None:
    refused, on = step(Fault(fault="unauthorized")), (step(ADD), ran(), *END)
    again = refused.model_copy(update={"attempt": 1})
    declared = ALL.model_copy(update={"choices": {"lm-fault": "retries 2, then error"}})
    assert _departures(refused, DROWN, manifest=declared) == []
    assert _departures(refused, again, DROWN, manifest=declared) == [("asks again unasked", "ERR-026")]
    assert _departures(refused, *on, manifest=declared) == []


def test_the_limit_of_a_call_is_its_own() -> None:
    once = (step(ADD), ran(), extraction(), returned())
    assert _departures(*once, max_steps=1) == []
    assert _departures(*once, max_steps=2) == [("asks for the answer too early", "LOOP-009")]
    assert _departures(*once, options=Options(max_steps=2)) == [("asks for the answer too early", "LOOP-004")]


def test_a_call_without_all_its_inputs_is_not_predicted() -> None:
    assert _departures(step(ADD), returned(), inputs={}) == []


def test_who_returns_the_last_observation_has_declared_it() -> None:
    steps: tuple[Event | Returned, ...] = (
        step(ADD),
        ran(),
        step(ADD),
        ran(),
        step(ADD),
        ran(),
        returned({"answer": "five"}),
    )
    declared = ALL.model_copy(update={"choices": {"steps-exhausted": "last observation"}})
    assert _departures(*steps, manifest=declared) == []
    assert _departures(*steps) == [("ends too early", "LOOP-004")]


def test_a_broken_answer_among_the_steps_may_be_refused() -> None:
    broken = step(Garbled(form="fenced", meant=Answer(outputs={"answer": "5"})))
    choices = {"malformed-reply": "retries 0, then observe"}
    textual = MANIFEST.model_copy(update={"capabilities": (), "choices": choices})
    assert _departures(broken, DROWN, manifest=textual) == []
    assert _departures(step(ADD), DROWN, manifest=textual) != []
