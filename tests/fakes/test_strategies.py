"""Strategies: what they generate can be played to its end by whoever claims what they were told."""

from typing import get_args

import pytest
from hypothesis import given
from jsonschema import Draft202012Validator
from pydantic import TypeAdapter

from react_tck.fakes.annotations import annotation_of
from react_tck.fakes.callables import python_signature
from react_tck.fakes.strategies import (
    KINDS,
    Kind,
    Reach,
    answer_replies,
    behaviours,
    episodes,
    odd_texts,
    signatures,
    step_replies,
)
from react_tck.fakes.strategies.cases import kind_of, values_of
from react_tck.fakes.toolbox import TOOLBOX
from react_tck.fuzz import engine
from react_tck.model.episode import Episode
from react_tck.model.intent import Answer, Attempts, Finish, Intent, Reply
from react_tck.model.manifest import Capability
from react_tck.model.signature import Form, parse_arrow

POOR = Reach(dialects=("json",), capabilities=("arrow-signature",))
RICH = Reach(dialects=("chat", "json", "xml", "native"), capabilities=get_args(Capability))


def generated(reach: Reach, seed: int = 0, examples: int = 150) -> list[Episode]:
    found: list[Episode] = []
    engine.generate(episodes(reach), seed, examples, found.append)
    return found


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


@pytest.mark.parametrize("reach", [POOR, RICH], ids=["poor", "rich"])
def test_an_episode_says_all_that_may_happen(reach: Reach) -> None:
    for episode in generated(reach):
        assert isinstance(episode.script.steps[-1], Finish)
        assert isinstance(episode.script.answers[-1], Answer)
        assert episode.script.steps[-1].sticky
        assert episode.script.answers[-1].sticky
        finishes = [step for step in episode.script.steps if isinstance(step, Finish)]
        assert len(finishes) >= len(episode.case.invocations)


def test_an_episode_asks_for_nothing_that_is_not_claimed() -> None:
    for episode in generated(POOR):
        assert episode.case.signature.form is Form.ARROW
        assert all(field.is_text for field in (*episode.case.signature.inputs, *episode.case.signature.outputs))
        assert episode.case.options.adapter is episode.case.options.module_adapter is None
        assert {tool.callable_form for tool in episode.case.tools} <= {"function"}
        assert not any(tool.is_async for tool in episode.case.tools)
        assert {(call.mode, call.max_steps) for call in episode.case.invocations} == {("sync", None)}


def test_an_adapter_is_one_of_those_that_can_be_chosen() -> None:
    chosen = {episode.case.options.adapter for episode in generated(RICH, examples=300)}
    assert chosen == {None, "chat", "json", "xml"}


def test_all_that_a_rich_subject_claims_is_asked_for() -> None:
    found = generated(RICH, examples=400)
    replies = [reply for e in found for intent in (*e.script.steps, *e.script.answers) for reply in _replies(intent)]
    assert {reply.kind for reply in replies} == {
        *("call", "finish", "answer", "bad-args", "garbled", "raw", "empty", "fault"),
    }
    assert len({reply.form for reply in replies if reply.kind == "garbled"}) > 15
    assert {one.kind for e in found for done in e.behaviours.values() for one in done} == {
        *("returns", "oddity", "raises", "mutates", "reports"),
    }
    assert {e.case.signature.form for e in found} == set(Form)
    assert {call.mode for e in found for call in e.case.invocations} == {"sync", "async"}


def _replies(intent: Intent) -> tuple[Reply, ...]:
    return intent.replies if isinstance(intent, Attempts) else (intent,)


def test_tools_have_python_signatures() -> None:
    for episode in generated(RICH):
        for tool in episode.case.tools:
            Draft202012Validator.check_schema(tool.parameters)
            assert tuple(python_signature(tool).parameters) == tool.parameter_names


def test_an_episode_survives_json() -> None:
    for episode in generated(RICH):
        assert Episode.model_validate_json(episode.model_dump_json()) == episode


def test_the_same_seed_gives_the_same_and_another_one_something_else() -> None:
    assert generated(RICH) == generated(RICH)
    assert generated(RICH) != generated(RICH, seed=1)


@given(signatures(get_args(Capability)))
def test_a_signature_is_what_its_arrow_says(signature) -> None:  # type: ignore[no-untyped-def]
    read = parse_arrow(signature.arrow)
    assert (signature.inputs, signature.outputs) == (read.inputs, read.outputs)


@given(values_of(parse_arrow("a -> b: Literal['yes', 'no']").outputs[0]))
def test_a_value_is_of_the_fields_type(value: object) -> None:
    assert value in ("yes", "no")


@given(step_replies((TOOLBOX["add"],)), answer_replies(parse_arrow("question -> answer")), behaviours())
def test_the_parts_stand_alone(step, answer, done) -> None:  # type: ignore[no-untyped-def]
    assert step.kind != "answer"
    assert answer.kind not in ("call", "finish", "bad-args")
    assert len(done) <= 2


@given(odd_texts())
def test_no_line_of_a_text_begins_with_a_marker(text: str) -> None:
    assert not any(line.startswith("[[ ##") for line in text.splitlines())
