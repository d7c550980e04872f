"""The oracle blames the requirement whose own sentence was broken, and no other that only stands beside it."""

from dataclasses import replace
from typing import Any

import pytest

from react_tck.judges.oracle import find_departure
from react_tck.judges.verdict import Violation
from react_tck.model.intent import CallTool, Finish, Garbled
from react_tck.model.manifest import Manifest
from react_tck.model.outcome import Failure
from react_tck.model.record import Event
from react_tck.model.tool import ReturnsOddity
from tests.support.hand_made import ADD, ANSWER, MANIFEST, evidence, extraction, found, ids, ran, returned, scene, step

TWO_PHASES = MANIFEST.model_copy(update={"capabilities": ("extraction",), "retries": 1})
DROWN = returned({}, status="error", error=Failure(type="Drowned", message="in retries"))
END = (step(Finish()), extraction(), returned())


def _depart(*events: Event, manifest: Manifest = TWO_PHASES, **how: Any) -> list[Violation]:
    return list(find_departure(scene(*events, manifest=manifest, **how)))


def test_without_tools_an_answer_may_be_asked_for_in_every_step() -> None:
    """Found with a framework that has no extraction: two requests where three are allowed were unbounded."""
    answers = [extraction(Garbled(form="empty", meant=ANSWER))] * 2
    assert _depart(*answers, extraction(), returned(), manifest=MANIFEST, tools=()) == []
    assert _depart(*answers, DROWN, manifest=MANIFEST, tools=()) == []
    (departure,) = _depart(*answers, returned(), manifest=MANIFEST, tools=())
    assert departure.kind == "answers instead of failing"
    (departure,) = _depart(extraction(), extraction(), returned(), manifest=MANIFEST, tools=())
    assert departure.requirement_id == "EXT-003"


def test_what_one_judge_lets_a_truth_be_the_others_do_too(subtests: pytest.Subtests) -> None:
    cases: list[tuple[str, list[str]]] = [
        ("coerce when lossless", []),
        ("observe", ["ERR-004"]),
        ("error", ["ERR-004"]),
    ]
    for declared, violated in cases:
        with subtests.test(declared=declared, violated=violated):
            manifest = TWO_PHASES.model_copy(update={"choices": {"schema-mismatch": declared}})
            converted = (step(CallTool(tool="add", args={"a": True, "b": 3})), ran(a=1, b=3), *END)
            assert ids(_depart(*converted, manifest=manifest)) == violated
            assert found(*converted, manifest=manifest) - {"SAN-004"} == ({"SAN-002"} if violated else set())


def test_an_object_of_its_own_class_is_returned_to_who_takes_one(subtests: pytest.Subtests) -> None:
    """pydantic-ai says that its tools return "anything that Pydantic can serialize to JSON"."""
    cases: list[tuple[Any, list[str]]] = [(("opaque-results",), ["TOOL-003"]), ((), [])]
    for capabilities, due in cases:
        with subtests.test(capabilities=capabilities, due=due):
            behaviours = {"add": (ReturnsOddity(oddity="object"),)}
            ended = returned({}, status="error", error=Failure(type="SerializationError", message="unknown type"))
            manifest = MANIFEST.model_copy(update={"capabilities": ("extraction", *capabilities)})
            seen = evidence(step(ADD), ran(result="<odd>").model_copy(update={"odd": True}), ended, manifest=manifest)
            played = replace(seen, episode=seen.episode.model_copy(update={"behaviours": behaviours}))
            assert [one.requirement_id for only in played.scenes for one in find_departure(only)] == due
