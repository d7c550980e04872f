"""Sentences about calls that end in an error, on hand-made records: what a harness may leave out, what it may not."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from react_tck.fakes.tools import TOOLBOX
from react_tck.judges.verdict import Violation
from react_tck.model.base import JsonObject
from react_tck.model.intent import BadArgs, CallTool
from react_tck.model.outcome import Failure
from react_tck.model.record import Event
from react_tck.steps.core.tool_runs import observes_values, ran_once_with, ran_with_or_not
from react_tck.steps.robustness.recoveries import kept_so_far, nothing_guessed
from react_tck.steps.world import World
from tests.support.hand_made import ADD, MANIFEST, played, ran, returned, step

#: The ways to say that a library tells nothing of its steps where it raises.
NOTHING: list[dict[str, Any]] = [
    {},
    {"trajectory": [], "trajectory_format": "list"},
    {"trajectory": "", "trajectory_format": "text"},
]


def _world(*events: Event, **outcome: Any) -> World:
    episode, record = played(*events, returned(**outcome))
    made = SimpleNamespace(
        needs=lambda *_: None,
        episode=episode,
        record=record,
        outcome=record.outcomes[0],
        manifest=MANIFEST,
        arrangement=SimpleNamespace(tools=TOOLBOX),
    )
    return cast("World", made)


def test_a_step_that_ends_the_call_may_take_the_trajectory_along(subtests: pytest.Subtests) -> None:
    for nothing in NOTHING:
        with subtests.test(nothing=nothing):
            failure = Failure(type="ParseError", message="no step")
            kept_so_far(_world(step(ADD), ran(), step(ADD), status="error", error=failure, **nothing))


def test_what_was_never_consumed_is_told_without_its_address() -> None:
    shown = step(ADD, text="<generator object search at 0x7f8128d83940>")
    with pytest.raises(Violation) as told:
        observes_values(_world(shown))
    assert told.value.actual == "the LM is shown <generator object search>"


def test_what_was_sent_instead_of_an_object_is_not_what_the_lm_gave() -> None:
    sent = ran().model_copy(update={"args": {}, "error": "no object", "refused": "null"})
    world = _world(step(BadArgs(tool="add", text="null")), sent)
    with pytest.raises(Violation, match="or isn't run") as guessed:
        nothing_guessed(world)
    assert guessed.value.actual == "it got null"
    with pytest.raises(Violation, match="or isn't run"):
        ran_with_or_not(world, "add", [{}])
    with pytest.raises(Violation, match="'add' gets"):
        ran_once_with(world, may_refuse=False, name="add", args={}, defaults=False)


def test_a_truth_may_arrive_as_the_number_that_the_declared_variant_lets_it_be() -> None:
    given: JsonObject = {"a": True, "b": 3}
    world = _world(step(CallTool(tool="add", args=given)), ran(a=1, b=3))
    ran_with_or_not(world, "add", [given])
    world.manifest = MANIFEST.model_copy(update={"choices": {"schema-mismatch": "observe"}})
    with pytest.raises(Violation, match="or isn't run"):
        ran_with_or_not(world, "add", [given])
