"""Each sanitizer finds a hand-made violation, and lets the nearest right record pass.

Those that compare values, SAN-002 and SAN-007, have a file of their own, and so have those of what a request shows.
"""

from typing import Any

import pytest

from react_tck.fakes.tools import TOOLBOX, make_tool
from react_tck.judges.sanitizers import find_excess_requests, run_sanitizers
from react_tck.model.base import JsonObject
from react_tck.model.case import Case, Invocation, Resumption
from react_tck.model.episode import Episode
from react_tck.model.intent import BadArgs, Calls, CallTool, Fault, Finish, Raw, Script
from react_tck.model.lm import Ask
from react_tck.model.manifest import Manifest
from react_tck.model.outcome import Failure
from react_tck.model.record import Called, Event, Record, Resumed, ToolRan
from react_tck.model.signature import parse_arrow
from react_tck.record.evidence import Evidence
from tests.support.hand_made import (
    ADD,
    GOOD,
    MANIFEST,
    OBSERVED,
    extraction,
    found,
    ids,
    ran,
    returned,
    scene,
    step,
)


def test_nothing_is_found_in_a_good_run() -> None:
    assert found(*GOOD) == set()


# SAN-001


def test_a_tool_that_a_person_puts_in_the_place_of_another_was_asked_for() -> None:
    """Found by fuzzing: of args that are a text, only the LM's own name was looked at."""
    tools = (TOOLBOX["add"], TOOLBOX["ping"])
    waiting = returned(status="suspended", suspension={"tool_call": {"name": "ping", "args": {}}})
    asked = step(BadArgs(tool="ping", text="{}"))

    def judged(response: str) -> set[str]:
        resumed = Resumed(invocation=0, resumption=Resumption(response=response))
        return found(asked, waiting, resumed, ran(), *GOOD[2:], tools=tools)

    assert "SAN-001" not in judged('{"edit": {"name": "add", "args": {"a": 2, "b": 3}}}')
    assert "SAN-001" in judged("yes")


def test_a_raw_text_that_is_a_call_asks_for_the_tool() -> None:
    text = (
        "[[ ## next_thought ## ]]\nt\n\n[[ ## next_tool_name ## ]]\nadd\n\n"
        '[[ ## next_tool_args ## ]]\n{"a": 2, "b": 3}\n\n[[ ## completed ## ]]'
    )
    assert found(step(Raw(text=text), content=text), ran(), *GOOD[2:]) == set()


def test_a_raw_text_is_read_under_the_names_that_were_asked_for(subtests: pytest.Subtests) -> None:
    for thought in ["", "[[ ## reasoning ## ]]\nt\n\n"]:
        with subtests.test(thought=thought):
            args = '[[ ## tool_args ## ]]\n{"a": 2, "b": 3}'
            text = f"{thought}[[ ## tool_name ## ]]\nadd\n\n{args}\n\n[[ ## completed ## ]]"
            fields = (*(["reasoning"] if thought else []), "tool_name", "tool_args", "response")
            asked = step(Raw(text=text), content=text)
            of_machine = asked.model_copy(update={"ask": Ask(phase="step", dialect="machina", fields=fields)})
            assert found(of_machine, ran(), *GOOD[2:]) == set()


def test_a_users_tool_named_finish_was_asked_for() -> None:
    tools = (make_tool("finish", "Ends it.", {}),)
    run = ToolRan(invocation=0, tool="finish", args={}, result="five")
    assert found(step(Finish()), run, extraction(text=OBSERVED), returned(), tools=tools) == set()


# SAN-003


def test_a_call_whose_args_do_not_fit_need_not_run(subtests: pytest.Subtests) -> None:
    cases: list[JsonObject] = [{"a": "two", "b": 3}, {"a": 2}, {"a": 2, "b": 3, "c": 4}]
    for args in cases:
        with subtests.test(args=args):
            assert found(step(CallTool(tool="add", args=args)), *GOOD[2:]) == set()


def test_a_call_beside_one_that_is_interrupted_need_not_run() -> None:
    """The fuzzer accused TranscriptReAct: of three calls of one turn the first was interrupted."""
    twice = Calls(calls=(ADD, ADD))
    interrupted = ran().model_copy(update={"result": None, "interrupted": True})
    ended = returned({}, status="error", error=Failure(type="KeyboardInterrupt", message=""))
    assert found(step(twice), interrupted, ended) == set()
    assert found(step(twice), ran(), ended) == {"SAN-003"}


def test_a_call_of_an_unknown_tool_need_not_run() -> None:
    assert found(step(CallTool(tool="subtract", args={})), *GOOD[2:]) == set()


def test_what_only_a_should_makes_run_need_not_run(subtests: pytest.Subtests) -> None:
    cases: list[JsonObject] = [{"is_async": True}, {"callable_form": "method"}, {"callable_form": "object"}]
    for update in cases:
        with subtests.test(update=update):
            tool = TOOLBOX["add"].model_copy(update=update)
            assert found(step(ADD), *GOOD[2:], tools=(tool,)) == set()


def test_a_call_that_the_last_step_leaves_no_room_for() -> None:
    steps = (step(ADD), ran(), step(ADD, OBSERVED), ran(), step(ADD, OBSERVED))
    failed = returned({}, status="error", error=Failure(type="TooManySteps", message="no step is left"))
    with_extraction = MANIFEST.model_copy(update={"capabilities": ("extraction",)})
    assert found(*steps, failed) == set()
    assert found(*steps, failed, manifest=with_extraction) == {"SAN-003"}
    assert found(*steps, returned()) >= {"SAN-003"}
    assert found(*steps[:3], failed) == {"SAN-003"}
    assert found(ran(), failed, max_steps=0) == {"SAN-001"}


def test_a_call_in_the_place_of_the_submit_that_is_forced_where_a_prompt_did_not_fit() -> None:
    """dspy.ReActV2 asks for it in the words of a step, and ends with an error on any other call."""
    calls = Ask(phase="step", dialect="chat", fields=("next_thought", "tool_calls"))
    good, broken, last = (
        step(intent, OBSERVED).model_copy(update={"ask": calls}) for intent in (ADD, Fault(fault="context-window"), ADD)
    )
    failed = returned({}, status="error", error=Failure(type="ValueError", message="no submit call"))
    without_fallback = MANIFEST.model_copy(update={"choices": {**MANIFEST.choices, "fallback": "extract"}})

    def judged(*events: Event, manifest: Manifest = MANIFEST) -> set[str]:
        return found(*events, manifest=manifest, max_steps=9)

    assert judged(good, ran(), broken, last, failed) == set()
    assert judged(good, ran(), broken, last, failed, manifest=without_fallback) == {"SAN-003"}
    assert judged(good, ran(), broken, last, returned()) >= {"SAN-003"}
    assert judged(broken, good, last, failed) == {"SAN-003"}
    assert judged(good, ran(), broken, step(ADD, OBSERVED), failed) == {"SAN-003"}


def test_a_whole_number_that_not_every_language_has_may_be_refused(subtests: pytest.Subtests) -> None:
    for number in [2**53, -(2**53)]:
        with subtests.test(number=number):
            assert found(step(CallTool(tool="add", args={"a": number, "b": 3})), *GOOD[2:]) == set()
            assert found(step(CallTool(tool="add", args={"a": number // 2, "b": 3})), *GOOD[2:]) == {"SAN-003"}


# SAN-006


def test_calls_are_looked_at_one_by_one() -> None:
    again = tuple(event.model_copy(update={"invocation": 1}) for event in (Called(invocation=0), *GOOD[:1], *GOOD[2:]))
    call = Invocation(inputs={"question": "2+3"})
    case = Case(id="c", signature=parse_arrow("question -> answer"), tools=(TOOLBOX["add"],), invocations=(call, call))
    record = Record(case_id="c", events=(Called(invocation=0), *GOOD, *again))
    evidence = Evidence(Episode(case=case, script=Script(), nonce="n"), MANIFEST, record)
    (violation,) = (violation for scene in evidence.scenes for violation in run_sanitizers(scene))
    assert (violation.requirement_id, violation.at) == ("SAN-003", again[2])


# ERR-008


def excessive(*events: Event, **how: Any) -> list[str]:
    """What the judge of the requests finds in a call with these events."""
    return ids(find_excess_requests(scene(*events, **how)))


def _steps(number: int) -> list[Event]:
    return [event for _ in range(number) for event in (step(ADD, OBSERVED), ran())]


def test_as_many_requests_as_the_bound() -> None:
    assert excessive(*_steps(3), extraction(text=OBSERVED), returned()) == []


def test_declared_retries_widen_the_bound() -> None:
    retrying = MANIFEST.model_copy(update={"retries": 1})
    assert excessive(*_steps(4), extraction(text=OBSERVED), returned(), manifest=retrying) == []


def _asked_again(fault: str, times: int) -> list[Event]:
    """A step that is asked for again as often as this, for the provider fails."""
    failed = step(Fault(fault=fault))
    return [failed.model_copy(update={"attempt": attempt}) for attempt in range(times + 1)]


def test_how_often_a_provider_that_fails_is_asked_again_is_a_choice() -> None:
    """Found with strands, whose client and loop ask a busy provider eighteen times."""
    given_up = returned({}, status="error")
    assert excessive(*_asked_again("rate-limit", 17), given_up) == []
    assert excessive(*_asked_again("unauthorized", 17), given_up) == ["ERR-008"]
    assert excessive(*_asked_again("rate-limit", 17), *_steps(4), given_up) == ["ERR-008"]
