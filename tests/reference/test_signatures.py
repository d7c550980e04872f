"""The reference's two signatures are made from the user's; signatures that can't work are refused with the reason."""

import pytest

pytest.importorskip("dspy")

import dspy

from react_tck.reference import ReAct
from react_tck.reference.signatures.react import user_signature


def ping() -> str:
    """Checks that the service is up."""
    return "up"


def test_signature_that_cannot_work_is_refused_with_the_reason(subtests: pytest.Subtests) -> None:
    cases: list[tuple[str, str]] = [
        ("question", "->"),
        ("question ->", "no output fields"),
        ("question, question -> answer", "two fields named 'question'"),
        ("question -> answer, answer", "two fields named 'answer'"),
        ("question -> question", "two fields named 'question'"),
        ("trajectory -> answer", "'trajectory', a name that ReAct uses itself"),
        ("question -> next_tool_name", "'next_tool_name', a name that ReAct uses itself"),
    ]
    for arrow, problem in cases:
        with subtests.test(arrow=arrow, problem=problem), pytest.raises(ValueError, match=problem):
            ReAct(arrow, [ping])


def test_names_inside_annotations_are_no_fields(subtests: pytest.Subtests) -> None:
    for arrow in [
        "question -> box: tuple[float, float, float, float]",
        "question -> label: Literal['a', 'b'], scores: dict[str, list[int]]",
        "a: list[str], b: dict[str, int] -> c: dict[str, str]",
    ]:
        with subtests.test(arrow=arrow):
            assert list(user_signature(arrow).fields) == list(dspy.Signature(arrow).fields)


def test_users_own_signature_is_left_as_it_was() -> None:
    signature = dspy.Signature("question -> answer", "Be brief.")
    before = signature.dump_state()
    ReAct(signature, [ping])
    assert signature.dump_state() == before
    assert list(signature.fields) == ["question", "answer"]
