"""The oracle blames the requirement whose own sentence was broken, and no other that only stands beside it."""

from dataclasses import replace
from typing import Any

import pytest

from react_tck.dialects.fields import STEPS
from react_tck.fakes.toolbox import TOOLBOX
from react_tck.judges.oracle import find_departure
from react_tck.judges.sanitizers import find_excess_requests
from react_tck.judges.verdict import Violation
from react_tck.model.intent import BadArgs, CallTool, Finish, Garbled
from react_tck.model.lm import Ask, Completion, ToolCall
from react_tck.model.manifest import Manifest
from react_tck.model.outcome import Failure
from react_tck.model.record import Event
from react_tck.model.tool import ReturnsOddity
from tests.support.hand_made import ADD, ANSWER, MANIFEST, evidence, extraction, found, ids, ran, returned, scene, step

TWO_PHASES = MANIFEST.model_copy(update={"capabilities": ("extraction",), "retries": 1})
BOTH = (TOOLBOX["add"], TOOLBOX["ping"])
DROWN = returned({}, status="error", error=Failure(type="Drowned", message="in retries"))
UNKNOWN = CallTool(tool="adds", args={"a": 2, "b": 3})
END = (step(Finish()), extraction(), returned())


def _depart(*events: Event, manifest: Manifest = TWO_PHASES, **how: Any) -> list[Violation]:
    return list(find_departure(scene(*events, manifest=manifest, **how)))


def test_only_more_requests_than_are_allowed_are_unbounded() -> None:
    """ERR-008 says how many requests a call may make; within that, one retry more than is declared is ERR-019's."""
    eight = [step(Finish()), *[extraction(Garbled(form="empty", meant=ANSWER))] * 7]
    assert ids(_depart(*eight, DROWN)) == ["ERR-019"]
    assert ids(_depart(*eight, extraction(), DROWN)) == ["ERR-008"]
    assert ids(find_excess_requests(scene(*eight, manifest=TWO_PHASES))) == []
    assert ids(find_excess_requests(scene(*eight, extraction(), manifest=TWO_PHASES))) == ["ERR-008"]


def test_without_tools_an_answer_may_be_asked_for_in_every_step() -> None:
    """Found with a framework that has no extraction: two requests where three are allowed were unbounded."""
    answers = [extraction(Garbled(form="empty", meant=ANSWER))] * 2
    assert _depart(*answers, extraction(), returned(), manifest=MANIFEST, tools=()) == []
    assert _depart(*answers, DROWN, manifest=MANIFEST, tools=()) == []
    (departure,) = _depart(*answers, returned(), manifest=MANIFEST, tools=())
    assert departure.kind == "answers instead of failing"
    (departure,) = _depart(extraction(), extraction(), returned(), manifest=MANIFEST, tools=())
    assert departure.requirement_id == "EXT-003"


def test_an_extraction_is_asked_for_once_where_its_reply_is_well_formed() -> None:
    """EXT-003 says nothing of an answer that can be read though it is broken: asking again is a retry."""
    manifest = TWO_PHASES.model_copy(update={"retries": 0})
    for said, requirement_id in ((ANSWER, "EXT-003"), (Garbled(form="reordered", meant=ANSWER), "ERR-019")):
        (departure,) = _depart(step(Finish()), extraction(said), extraction(), returned(), manifest=manifest)
        assert (departure.kind, departure.requirement_id) == ("goes on too long", requirement_id)
        (departure,) = _depart(step(Finish()), extraction(said), returned({"answer": "6"}), manifest=manifest)
        assert (departure.kind, departure.requirement_id) == ("answers otherwise", "SAN-007")


@pytest.mark.parametrize(
    ("intent", "events", "requirement_id"),
    [
        (BadArgs(tool="add", text="no"), (ran(),), "ERR-002"),
        (BadArgs(tool="add", text="[1]"), (ran(),), "ERR-003"),
        (ADD.model_copy(update={"args": {"a": 2}}), (ran(a=2, b=0),), "ERR-004"),
        (Garbled(form="prose", meant=ADD), (ran(),), "ERR-005"),
        (UNKNOWN, (ran(),), "ERR-001"),
        (ADD, (ran(), ran()), "SAN-003"),
        (ADD, (ran(), ran("ping")), "SAN-001"),
        (ADD, (ran(), step(ADD)), "LOOP-004"),
    ],
)
def test_what_is_made_of_the_last_step_is_blamed_as_in_any_other(
    intent: Any, events: tuple[Event, ...], requirement_id: str
) -> None:
    """It was LOOP-004's or SAN-001's, which only say what comes after it."""
    (departure,) = _depart(step(intent), *events, *END[1:], tools=BOTH, max_steps=1)
    assert departure.requirement_id == requirement_id


def test_an_answer_that_is_said_as_a_step_is_no_reply_to_an_extraction() -> None:
    """ERR-011 failed for who has no extraction, so that each of its own rows was unsupported."""
    empty, asking_once = Garbled(form="empty", meant=ANSWER), TWO_PHASES.model_copy(update={"retries": 0})
    in_step, in_extraction = (step(empty),), (step(Finish()), extraction(empty))
    for events, manifest, requirement_id in ((in_step, MANIFEST, "SAN-007"), (in_extraction, asking_once, "ERR-011")):
        (departure,) = _depart(*events, returned(), manifest=manifest)
        assert (departure.kind, departure.requirement_id) == ("answers instead of failing", requirement_id)


@pytest.mark.parametrize(
    ("declared", "violated"), [("coerce when lossless", []), ("observe", ["ERR-004"]), ("error", ["ERR-004"])]
)
def test_what_one_judge_lets_a_truth_be_the_others_do_too(declared: str, violated: list[str]) -> None:
    manifest = TWO_PHASES.model_copy(update={"choices": {"schema-mismatch": declared}})
    converted = (step(CallTool(tool="add", args={"a": True, "b": 3})), ran(a=1, b=3), *END)
    assert ids(_depart(*converted, manifest=manifest)) == violated
    assert found(*converted, manifest=manifest) - {"SAN-004"} == ({"SAN-002"} if violated else set())


@pytest.mark.parametrize(("capabilities", "due"), [(("opaque-results",), ["TOOL-003"]), ((), [])])
def test_an_object_of_its_own_class_is_returned_to_who_takes_one(capabilities: Any, due: list[str]) -> None:
    """pydantic-ai says that its tools return "anything that Pydantic can serialize to JSON"."""
    behaviours = {"add": (ReturnsOddity(oddity="object"),)}
    ended = returned({}, status="error", error=Failure(type="SerializationError", message="unknown type"))
    manifest = MANIFEST.model_copy(update={"capabilities": ("extraction", *capabilities)})
    seen = evidence(step(ADD), ran(result="<odd>").model_copy(update={"odd": True}), ended, manifest=manifest)
    played = replace(seen, episode=seen.episode.model_copy(update={"behaviours": behaviours}))
    assert [one.requirement_id for only in played.scenes for one in find_departure(only)] == due


@pytest.mark.parametrize("choice", ["malformed-args", "malformed-reply"])
def test_native_args_that_are_no_json_are_malformed_args_in_a_broken_reply_too(choice: str) -> None:
    """Found with openai-agents: it observes such args, and ends with an error where it knows no tool of the name."""
    call = ToolCall(id="call_0", name="add", arguments='Well, {"a": 2, "b": 3}')
    as_sent = {
        "ask": Ask(phase="step", dialect="native", fields=STEPS[0]),
        "completion": Completion(tool_calls=(call,)),
    }
    broken = step(Garbled(form="nested", meant=ADD)).model_copy(update=as_sent)
    refused = {"malformed-args": "error", "malformed-reply": "retries 0, then error"}
    once = TWO_PHASES.model_copy(update={"retries": 0, "choices": refused})
    assert _depart(broken, *END, manifest=once) != []
    observed = refused | {choice: "retries 0, then observe"}
    assert _depart(broken, *END, manifest=once.model_copy(update={"choices": observed})) == []
