"""A trajectory in any of its forms reads as the same steps."""

import pytest
from pydantic import JsonValue

from react_tck.model.base import JsonObject
from react_tck.model.outcome import Outcome, TraceStep, TrajectoryFormat, UnreadableTrace, read_trace

_STEPS = (
    {"thought": "look", "tool": "search", "args": {"query": "x"}, "observation": "found"},
    {"thought": "done", "tool": "finish", "args": {}, "observation": "Completed."},
)


def _outcome(trajectory: JsonValue, format_: TrajectoryFormat) -> Outcome:
    return Outcome(status="ok", trajectory=trajectory, trajectory_format=format_)


def _steps(trajectory: JsonValue, format_: TrajectoryFormat) -> list[JsonObject]:
    return [step.parts for step in read_trace(_outcome(trajectory, format_)).steps]


def test_a_mapping_as_dspy_writes_it() -> None:
    mapping: JsonObject = {
        "thought_0": "look",
        "tool_name_0": "search",
        "tool_args_0": {"query": "x"},
        "observation_0": "found",
        "thought_1": "done",
        "tool_name_1": "finish",
        "tool_args_1": {},
        "observation_1": "Completed.",
    }
    assert _steps(mapping, "mapping") == list(_STEPS)


def test_a_mapping_as_udspy_documents_it() -> None:
    mapping: JsonObject = {"reasoning_0": "look", "tool_name_0": "search", "tool_args_0": {}, "observation_0": "found"}
    assert _steps(mapping, "mapping") == [{**_STEPS[0], "args": {}}]


def test_numbers_may_begin_with_one_and_lack_an_underscore() -> None:
    assert _steps({"thought1": "a", "thought2": "b"}, "mapping") == [{"thought": "a"}, {"thought": "b"}]


def test_what_is_no_part_of_a_step_is_left_alone() -> None:
    assert _steps([{"thought": "a", "seconds": 3}], "list") == [{"thought": "a"}]


def test_args_are_read_from_their_json_text(subtests: pytest.Subtests) -> None:
    cases: list[tuple[JsonValue, JsonValue]] = [
        ({"a": 1}, {"a": 1}),
        ('{"a": 1}', {"a": 1}),
        ("no JSON", "no JSON"),
        (None, None),
    ]
    for args, read in cases:
        with subtests.test(args=args, read=read):
            assert TraceStep(parts={"args": args}).args == read


def test_what_cannot_be_read_is_said(subtests: pytest.Subtests) -> None:
    cases: list[tuple[JsonValue, TrajectoryFormat, str]] = [
        (None, "none", "there is no trajectory"),
        ({"thought": "a"}, "mapping", "'thought' has no number"),
        ({"thought_0": "a", "thought_2": "b"}, "mapping", "numbered 0, 2"),
        ({"thought_3": "a"}, "mapping", "numbered 3"),
        ([{"thought": "a"}, "b"], "list", "one of its episodes is a str"),
        ([], "mapping", "called a mapping, and is a list"),
        ({}, "text", "called a text, and is a dict"),
    ]
    for trajectory, format_, reason in cases:
        with (
            subtests.test(trajectory=trajectory, format_=format_, reason=reason),
            pytest.raises(UnreadableTrace, match=reason),
        ):
            read_trace(_outcome(trajectory, format_))
