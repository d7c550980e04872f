"""The trajectory that a call returns is held against what happened, and a crash against what it came from."""

from typing import Any

import pytest
from pydantic import JsonValue

from react_tck.dialects.fields import STEPS
from react_tck.dialects.markup import as_text
from react_tck.fakes.tools import TOOLBOX
from react_tck.judges.errors import find_crashes
from react_tck.judges.trajectories import (
    find_misrecorded_values,
    find_trajectory_errors,
)
from react_tck.model.intent import BadArgs, Calls, CallTool, Fault, Finish, Garbled
from react_tck.model.outcome import Failure
from react_tck.model.record import Event, ToolRan
from tests.support.hand_made import (
    ADD,
    MANIFEST,
    OBSERVED,
    TASK,
    evidence,
    extraction,
    ids,
    ran,
    returned,
    scene,
    step,
)

TELLING = MANIFEST.model_copy(update={"capabilities": ("extraction", "trajectory"), "retries": 1})
TOLD: dict[str, JsonValue] = {
    "thought_0": "think",
    "tool_name_0": "add",
    "tool_args_0": {"a": 2, "b": 3},
    "observation_0": "five",
}


def _told(trajectory: JsonValue, *before: Event) -> list[str]:
    ended = returned(trajectory=trajectory, trajectory_format="mapping")
    asked = extraction(text=OBSERVED)
    return ids(find_trajectory_errors(scene(*before, asked, ended, manifest=TELLING, max_steps=1)))


def test_a_thought_that_the_lm_was_not_asked_for_is_not_missed() -> None:
    """That it isn't asked for is STEP-003's affair; it was TRJ-002's in every row."""
    asked = step(ADD)
    assert asked.ask
    unasked = asked.ask.model_copy(update={"fields": STEPS[0][1:]})
    events = (ran(), step(Finish(), OBSERVED))
    without = {**TOLD, "thought_0": ""}
    assert _told(without, asked, *events) == ["TRJ-002"]
    assert _told(without, asked.model_copy(update={"ask": unasked}), *events) == []


def test_args_that_were_given_to_nobody_are_not_missed() -> None:
    ran_otherwise = ran().model_copy(update={"args": {"a": 2, "b": 4}})
    assert _told({**TOLD, "tool_args_0": {"a": 2, "b": 4}}, step(ADD), ran_otherwise, step(Finish())) == []


def test_a_reply_of_several_calls_may_be_told_as_as_many_steps() -> None:
    both = step(Calls(calls=(ADD, ADD), thought="think"))
    second = {key.replace("_0", "_1"): value for key, value in TOLD.items()}
    assert _told({**TOLD, **second}, both, ran(), ran(), step(Finish())) == []
    assert _told({**TOLD, **second, **{f"{key}_2": "" for key in ("thought", "tool_name")}}, both, ran(), ran()) != []


def test_calls_that_run_at_once_are_told_as_the_lm_made_them_or_as_they_began(subtests: pytest.Subtests) -> None:
    cases: list[tuple[str, str]] = [("add", "ping"), ("ping", "add")]
    for first, second in cases:
        with subtests.test(first=first, second=second):
            told: JsonValue = {"tool_name_0": first, "tool_name_1": second}
            both = step(Calls(calls=(ADD, CallTool(tool="ping", args={"x": 1})), thought="think"))
            ended = returned(trajectory=told, trajectory_format="mapping")
            taken = (both, ran("ping", x=1), ran(), step(Finish()), extraction())
            found = find_trajectory_errors(scene(*taken, ended, manifest=TELLING))
            assert not [each for each in found if each.expected.endswith("in this order")]


def _recorded(run: ToolRan, **parts: JsonValue) -> list[str]:
    told = {**TOLD, **{f"{name}_0": value for name, value in parts.items()}}
    ended = returned(trajectory=told, trajectory_format="mapping")
    shown = extraction(text=f"{TASK} {as_text(run.observation)}")
    return ids(find_misrecorded_values(scene(step(ADD), run, shown, ended, manifest=TELLING)))


def test_an_observation_that_the_lm_was_not_shown_is_missed_once() -> None:
    """One change of a result was SAN-004's, EXT-001's, TRJ-002's and TRJ-007's."""
    ended = returned(trajectory={**TOLD, "observation_0": "six"}, trajectory_format="mapping")
    for shown, violated in ((OBSERVED, ["TRJ-007"]), (TASK, [])):
        events = (step(ADD), ran(), step(Finish(), shown), extraction(text=shown), ended)
        assert ids(find_misrecorded_values(scene(*events, manifest=TELLING))) == violated


def test_an_observation_that_is_recorded_as_it_was(subtests: pytest.Subtests) -> None:
    cases: list[tuple[JsonValue, JsonValue]] = [
        ("five", "five"),
        (5, "5"),
        (5, 5.0),
        (None, "None"),
        (None, "nil"),
        ({"a": [0]}, "{'a': [0]}"),
        ({"a": "x"}, "map[a:x]"),
        ("", ""),
        # Behind a mark of the call that it is of.
        ("five", "[add(a=2, b=3)] five"),
        (" [add()] five", "[add(a=2, b=3)]  [add()] five"),
        ({"a": [0]}, "[add(a=2, b=3)] {'a': [0]}"),
        ("", "[add(a=2, b=3)] "),
    ]
    for result, told in cases:
        with subtests.test(result=result, told=told):
            assert _recorded(ran(result=result), observation=told) == []


def test_blank_space_around_a_recorded_result_is_a_question_of_its_own(subtests: pytest.Subtests) -> None:
    cases: list[tuple[JsonValue, JsonValue]] = [
        ("five", "five "),
        (" five\n", "five"),
        ([" a"], ["a"]),
        ("five", "[add(a=2, b=3)] five "),
    ]
    for result, told in cases:
        with subtests.test(result=result, told=told):
            assert _recorded(ran(result=result), observation=told) == ["ERR-022"]
            assert _recorded(ran(result=result), observation=told, tool_args={"a": 9}) == ["TRJ-007"]


def test_a_result_may_be_recorded_inside_a_wrapping_of_the_librarys(subtests: pytest.Subtests) -> None:
    cases: list[JsonValue] = ["five", 0, "", [], {"a": [1]}]
    for result in cases:
        with subtests.test(result=result):
            assert _recorded(ran(result=result), observation={"status": "done", "result": result}) == []
            assert _recorded(ran(result=result), observation={"status": "done", "result": "six"}) == ["TRJ-007"]


def test_args_are_recorded_as_the_tool_got_them_or_as_the_lm_gave_them() -> None:
    converted = ran(a=2, b=3.5)
    assert _recorded(converted, tool_args={"a": 2, "b": 3}) == []
    assert _recorded(converted, tool_args='{"a": 2, "b": 3.5}') == []
    assert _recorded(converted, tool_args={"a": "2", "b": "3"}) == ["TRJ-007"]
    assert _recorded(converted, tool_args={"a": 2}) == ["TRJ-007"]


def test_args_that_were_empty_are_recorded_as_the_lm_gave_them(subtests: pytest.Subtests) -> None:
    cases: list[JsonValue] = ["", "null", None, {}]
    for told in cases:
        with subtests.test(told=told):
            empty = ran().model_copy(update={"args": {}})
            assert _recorded(empty, tool_args=told) == []
            assert _recorded(ran(), tool_args=told) == ["TRJ-007"]
            # The LM wrote nothing, and the tool has both by itself.
            wrote_nothing, run = step(BadArgs(tool="add", text="")), ran()
            properties = {name: {"type": "integer", "default": value} for name, value in run.args.items()}
            add = TOOLBOX["add"].model_copy(update={"parameters": {"type": "object", "properties": properties}})
            ended = returned(trajectory={**TOLD, "tool_args_0": told}, trajectory_format="mapping")
            played = scene(wrote_nothing, run, extraction(), ended, manifest=TELLING, tools=(add,))
            assert ids(find_misrecorded_values(played)) == []


def test_args_that_a_tool_has_by_itself_need_not_be_recorded() -> None:
    """Found by fuzzing: where the LM's own words aren't known, as of a reply that says two things."""
    unsaid = step(Garbled(form="contradicted-field", meant=ADD))
    ended = returned(trajectory={**TOLD, "tool_args_0": {"a": 2}}, trajectory_format="mapping")

    def judged(default: int) -> list[str]:
        properties = {"a": {"type": "integer"}, "b": {"type": "integer", "default": default}}
        add = TOOLBOX["add"].model_copy(update={"parameters": {"type": "object", "properties": properties}})
        return ids(find_misrecorded_values(scene(unsaid, ran(), extraction(), ended, manifest=TELLING, tools=(add,))))

    assert judged(default=3) == []
    assert judged(default=4) == ["TRJ-007"]


def test_of_errors_refusals_and_odd_results_less_is_asked() -> None:
    failed = ran().model_copy(update={"result": None, "error": "the archive is closed"})
    assert _recorded(failed, observation="Error in add: the archive is closed") == []
    assert _recorded(failed, observation="Error in add") == ["ERR-007"]
    assert _recorded(failed, observation="the archive is closed", tool_args={"a": 9, "b": 3}) == ["TRJ-007"]
    assert _recorded(failed, observation="Error in add", tool_args={"a": 9, "b": 3}) == ["TRJ-007"]
    assert _recorded(ran(result="nan").model_copy(update={"odd": True}), observation="not a number") == []
    refused = ran().model_copy(update={"args": {}, "error": "no object", "refused": "[2]"})
    assert _recorded(refused, observation="HTTP 400") == []


def test_how_many_steps_there_are_is_another_requirement_s_affair() -> None:
    assert _recorded(ran(), tool_name="search", observation="six") == []


def test_what_a_faulty_lm_leaves_of_the_trajectory_is_not_judged() -> None:
    assert _told({}, step(ADD), ran(), step(Fault(fault="context-window"))) == []


def test_that_there_is_no_trajectory_is_another_requirement_s_affair() -> None:
    bare = scene(step(ADD), ran(), step(Finish()), extraction(), returned(), manifest=TELLING)
    assert ids(find_trajectory_errors(bare)) == []


def test_subjects_without_a_trajectory_tell_nothing() -> None:
    assert list(find_trajectory_errors(scene(step(ADD), ran(), extraction(), returned()))) == []


def test_an_odd_tool_may_be_what_a_call_with_other_args_fails_by(subtests: pytest.Subtests) -> None:
    cases: list[dict[str, Any]] = [{"is_async": True}, {"callable_form": "object"}]
    for odd in cases:
        with subtests.test(odd=odd):
            ended = returned({}, status="error", error=Failure(type="TypeError", message="no function"))
            tools = (TOOLBOX["add"].model_copy(update=odd),)
            assert ids(find_crashes(evidence(step(CallTool(tool="add", args={"a": 2})), ended, tools=tools))) == []


def test_crashes_of_each_language_are_known_and_can_be_declared(subtests: pytest.Subtests) -> None:
    crashes = {"Elixir": "UndefinedFunctionError", "Go": "runtime.boundsError", "Rust": "panic", "ruby": "KeyError"}
    typed = {
        "elixir": "Jason.DecodeError",
        "go": "*errors.errorString",
        "ruby": "JSON::ParserError",
        "rust": "KeyError",
    }
    fault = step(CallTool(tool="nothing", args={}))
    for language, kind in (*crashes.items(), *typed.items(), ("typescript", "TypeError"), ("cobol", "TypeError")):
        with subtests.test(language=language, kind=kind):
            manifest = TELLING.model_copy(update={"language": language})
            ended = returned({}, status="error", error=Failure(type=kind, message="no field"))
            found = [str(each) for each in find_crashes(evidence(fault, ended, manifest=manifest))]
            assert bool(found) == (typed.get(language) != kind)
            assert all("parse_errors" in each and kind in each for each in found)
            declared = manifest.model_copy(update={"parse_errors": (kind,)})
            assert not list(find_crashes(evidence(fault, ended, manifest=declared)))


def test_what_the_endpoint_says_to_a_body_that_is_no_object_is_no_part_of_the_trajectory() -> None:
    refused = ran(result=None).model_copy(update={"refused": "[2, 3]", "error": "the args are not a JSON object"})
    told = {**TOLD, "observation_0": "Error executing add: 400"}
    assert _told(told, step(ADD), refused, step(Finish())) == []


def test_what_no_encoding_can_carry_is_told_in_any_form() -> None:
    told = {**TOLD, "observation_0": "half a pair \ufffd"}
    assert _told(told, step(ADD), ran(result="half a pair \ud83d"), step(Finish())) == []
    assert _recorded(ran(result="half a pair \ud83d"), observation="half a pair \ufffd") == []
