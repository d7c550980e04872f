"""The oracle follows transcripts, conversations and suspended calls, and names what goes wrong in them."""

from typing import Any

import pytest

from react_tck.fakes.tools import TOOLBOX
from react_tck.judges.oracle import find_departure
from react_tck.judges.verdict import Violation
from react_tck.model.case import Options, Resumption
from react_tck.model.intent import Answer, Calls, CallTool, Fault, Finish, Submit
from react_tck.model.lm import Ask
from react_tck.model.manifest import Manifest
from react_tck.model.outcome import Failure
from react_tck.model.record import Asked, Event, Resumed, Returned
from react_tck.record.evidence import Evidence
from tests.support.hand_made import ADD, MANIFEST, extraction, played, ran, returned, step

ALL = MANIFEST.model_copy(update={"capabilities": ("extraction", "confirmation", "transcript"), "retries": 1})
PING = CallTool(tool="ping", args={}, thought="see")
BOTH = Calls(calls=(ADD, PING))
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


def test_what_a_transcript_may_do_is_as_predicted(subtests: pytest.Subtests) -> None:
    cases: list[tuple[Event, ...]] = [
        (step(ADD), ran(), step(SUBMITTED), returned()),
        (step(BOTH), ran(), ran("ping", x=1).model_copy(update={"args": {}}), step(SUBMITTED), returned()),
        (step(BOTH), ran("ping", x=1).model_copy(update={"args": {}}), ran(), step(SUBMITTED), returned()),
        (step(Calls(calls=(ADD, CallTool(tool="none")))), ran(), step(SUBMITTED), returned()),
        (step(Submit(outputs={})), step(SUBMITTED), returned()),
        (step(ADD), ran(), step(ADD), ran(), step(ADD), ran(), extraction(), returned()),
        (step(Finish()), step(SUBMITTED), returned()),
        (step(Fault(fault="context-window")), _summary(), step(SUBMITTED), returned()),
    ]
    for events in cases:
        with subtests.test(events=events):
            assert _departures(*events, options=Options(system="transcript")) == []


def _submitted_by_count() -> Asked:
    """A request for a step that only the kit's count of steps takes for one of a submit."""
    ask = Ask(phase="extraction", dialect="chat", fields=("next_thought", "tool_calls"))
    return step(SUBMITTED).model_copy(update={"ask": ask})


def test_who_counts_its_steps_otherwise_is_not_blamed(subtests: pytest.Subtests) -> None:
    cases: list[tuple[str, list[tuple[str, str]]]] = [
        ("forced submit", []),
        ("extract", [("asks for the answer too early", "LOOP-006")]),
    ]
    for fallback, told in cases:
        with subtests.test(fallback=fallback, told=told):
            manifest = ALL.model_copy(update={"choices": {"fallback": fallback}})
            events = (_submitted_by_count(), returned())
            assert _departures(*events, options=Options(system="transcript"), manifest=manifest) == told


def test_what_a_suspended_call_may_do_is_as_predicted(subtests: pytest.Subtests) -> None:
    cases: list[tuple[Event, ...]] = [
        (step(ADD), WAITS, _resumed("yes"), ran(), *END),
        (step(ADD), WAITS, _resumed("yes"), _again(step(ADD)), ran(), *END),
        (step(ADD), WAITS, _resumed("no"), *END),
        (step(ADD), WAITS, _resumed("rather not"), *END),
        (step(ADD), WAITS, _resumed(EDIT), ran(a=4, b=5), *END),
        (step(ADD), WAITS, _resumed(REPLACED), ran("ping", x=1).model_copy(update={"args": {}}), *END),
        (step(ADD), WAITS, _resumed("yes", confirmation_id="another"), DROWN, _resumed("y"), ran(), *END),
        (step(ADD), WAITS, _resumed('{"edit": '), DROWN),
        (step(ADD), WAITS, _resumed("yes"), ran(), *END, _resumed("yes"), DROWN),
    ]
    for events in cases:
        with subtests.test(events=events):
            assert _departures(*events, confirm=("add",)) == []


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
    alone = ALL.model_copy(update={"choices": {"finish-from-first-state": "legal"}, "claims": ("conversation",)})
    assert _departures(*END, options=conversation, manifest=alone) == [("asks for the answer too early", "CNV-005")]


def test_what_comes_after_a_fault_is_judged_as_the_recovery_is_declared() -> None:
    down, on = step(Fault(fault="timeout")), (step(ADD), ran(), *END)
    declared = ALL.model_copy(update={"choices": {"lm-fault": "error"}})
    assert _departures(down, *on) == []
    assert _departures(down, DROWN, manifest=declared) == []
    assert _departures(down, *on, manifest=declared) == [("goes on too long", "ERR-012")]


def test_a_fault_of_the_extraction_may_be_an_error_whatever_is_declared_of_steps(subtests: pytest.Subtests) -> None:
    for declared in ["observe", "extract", "retries 1, then error"]:
        with subtests.test(declared=declared):
            manifest = ALL.model_copy(update={"choices": {"lm-fault": declared}})
            assert _departures(step(Finish()), extraction(Fault(fault="timeout")), DROWN, manifest=manifest) == []


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


def test_without_an_extraction_a_typed_answer_is_asked_for_alone_until_it_is_of_its_type() -> None:
    many = Answer(outputs={"answer": "many"})
    alone = extraction(many), extraction(many), extraction(Answer(outputs={"answer": 5})), returned({"answer": 5})
    assert _departures(step(many), *alone, manifest=MANIFEST, arrow="question -> answer: int") == []
