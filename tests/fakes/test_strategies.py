"""Strategies: what they generate can be played to its end by whoever claims what they were told."""

from functools import cache
from typing import get_args

import pytest
from jsonschema import Draft202012Validator
from pydantic import TypeAdapter

from react_tck.adapter.declare import Capability
from react_tck.adapter.functions import annotation_of
from react_tck.fakes.strategies import (
    KINDS,
    Kind,
    Reach,
    episodes,
)
from react_tck.fakes.strategies.cases import kind_of
from react_tck.fuzz import engine
from react_tck.model.episode import Episode
from react_tck.model.intent import Attempts, Intent, Reply
from react_tck.model.signature import Form

RICH = Reach(dialects=("chat", "json", "xml", "native"), capabilities=get_args(Capability))


#: The profiles of the loop that finishes, which nobody is asked about.
PLAIN = ("core", "robustness")


@cache
def generated(
    reach: Reach, seed: int = 0, examples: int = 100, profiles: tuple[str, ...] = PLAIN
) -> tuple[Episode, ...]:
    found: list[Episode] = []
    engine.generate_examples(episodes(reach, profiles), seed, examples, found.append)
    return tuple(found)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: str(kind.schema))
def test_a_kind_knows_what_fits_it(kind: Kind) -> None:
    validator = Draft202012Validator(kind.schema)
    read = TypeAdapter(annotation_of(kind.schema))
    for value in kind.fitting:
        assert validator.is_valid(value)
        read.validate_python(value)
    # 2.0 is a whole number to JSON Schema, and a float to Python.
    assert [value for value in kind.misfits if validator.is_valid(value)] in ([], [2.0])
    assert kind_of({**kind.schema, "default": 1}) is kind


def test_all_that_a_rich_subject_claims_is_asked_for() -> None:
    found = generated(RICH, examples=400)
    replies = [reply for e in found for intent in (*e.script.steps, *e.script.answers) for reply in _replies(intent)]
    assert {reply.kind for reply in replies} == {
        *("call", "finish", "answer", "bad-args", "garbled", "raw", "empty", "fault"),
    }
    assert len({reply.form for reply in replies if reply.kind == "garbled"}) > 15
    assert "bad-request" in {reply.fault for reply in replies if reply.kind == "fault"}
    assert {one.kind for e in found for done in e.behaviours.values() for one in done} == {
        *("returns", "oddity", "raises", "interrupts", "mutates", "reads", "reports"),
    }
    assert {e.case.signature.form for e in found} == set(Form)
    assert {call.mode for e in found for call in e.case.invocations} == {"sync", "async"}


def _replies(intent: Intent) -> tuple[Reply, ...]:
    return intent.replies if isinstance(intent, Attempts) else (intent,)


def test_the_same_seed_gives_the_same_and_another_one_something_else() -> None:
    assert generated(RICH) == generated.__wrapped__(RICH)
    assert generated(RICH) != generated(RICH, seed=1)
