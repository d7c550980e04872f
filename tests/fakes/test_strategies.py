"""Strategies: what they generate can be played to its end by whoever claims what they were told."""

from functools import cache
from typing import get_args

import pytest
from jsonschema import Draft202012Validator
from pydantic import TypeAdapter

from react_tck.dialects.markup import is_encodable
from react_tck.fakes.annotations import annotation_of
from react_tck.fakes.strategies import (
    KINDS,
    PROFILES,
    Kind,
    Reach,
    episodes,
    list_claimed,
)
from react_tck.fakes.strategies.cases import kind_of
from react_tck.fuzz import engine
from react_tck.model.episode import Episode
from react_tck.model.intent import Answer, Attempts, Finish, Intent, Reply
from react_tck.model.manifest import Capability
from react_tck.model.signature import Form

POOR = Reach(dialects=("json",), capabilities=("arrow-signature",))
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


def test_an_episode_says_all_that_may_happen(subtests: pytest.Subtests) -> None:
    cases: list[Reach] = [POOR, RICH]
    for reach in cases:
        with subtests.test(reach=reach):
            for episode in generated(reach):
                assert isinstance(episode.script.steps[-1], Finish)
                assert isinstance(episode.script.answers[-1], Answer)
                assert episode.script.steps[-1].sticky
                assert episode.script.answers[-1].sticky
                finishes = [step for step in episode.script.steps if isinstance(step, Finish)]
                assert len(finishes) >= len(episode.case.invocations)


def test_a_profile_is_drawn_from_only_if_it_is_claimed() -> None:
    assert list_claimed(POOR) == PLAIN
    assert list_claimed(RICH) == PROFILES
    poor = generated(POOR, profiles=PROFILES)
    assert {episode.case.options.system for episode in poor} == {None}
    assert not any(tool.confirm for episode in poor for tool in episode.case.tools)


def test_an_episode_asks_for_nothing_that_is_not_claimed() -> None:
    for episode in generated(POOR):
        assert episode.case.signature.form is Form.ARROW
        assert all(field.is_text for field in (*episode.case.signature.inputs, *episode.case.signature.outputs))
        assert episode.case.options.adapter is episode.case.options.module_adapter is None
        assert {tool.callable_form for tool in episode.case.tools} <= {"function"}
        assert not any(one.kind == "interrupts" for done in episode.behaviours.values() for one in done)
        assert not any(tool.is_async for tool in episode.case.tools)
        assert {(call.mode, call.max_steps) for call in episode.case.invocations} == {("sync", None)}


def test_texts_that_no_encoding_can_carry_are_among_inputs_and_results() -> None:
    for reach, halves in ((RICH, True), (POOR, False)):
        found = generated(reach, examples=300, profiles=("robustness",))
        inputs = [str(value) for e in found for call in e.case.invocations for value in call.inputs.values()]
        results = [str(one) for e in found for done in e.behaviours.values() for one in done]
        assert any("\x00" in text for text in inputs)
        # On a wire half a pair is its library's affair.
        assert any("\ud83d" in text for text in inputs) is halves
        assert any("\\ud83d" in text for text in results)
    assert all(is_encodable(call.inputs) for e in generated(RICH, profiles=("core",)) for call in e.case.invocations)


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
