"""The programs of the originals' documentation, with the class swapped: what came out is the same."""

import pytest

pytest.importorskip("dspy")

import dspy

from react_tck.model.intent import Move
from react_tck.model.lm import Ask, LMRequest
from react_tck.reference import ReAct, TranscriptReAct
from tests.programs import documented
from tests.programs.stage import Mind, adds, played, programs, submits

PROGRAMS = programs(documented)


def _of_any_question(mind: Mind) -> Mind:
    """The same mind, for programs whose input isn't named `question`: what counts is whether `add` has run."""

    def says(request: LMRequest, ask: Ask, _seen: int) -> Move:
        texts = [message.content or "" for message in request.messages if message.role != "system"]
        seen = sum(text.count("observation_") + text.count("call_id") for text in texts)
        return mind(request, ask, seen)

    return says


def test_dspy_react(subtests: pytest.Subtests) -> None:
    for program in PROGRAMS.values():
        with subtests.test(program=program):
            mind = _of_any_question(adds)
            theirs, ours = played(program, dspy.ReAct, mind), played(program, ReAct, mind)
            assert "Error" not in str(theirs.value)
            assert ours == theirs


def test_dspy_react_v2(subtests: pytest.Subtests) -> None:
    for program in [p for name, p in PROGRAMS.items() if name != "conversation_held"]:
        with subtests.test(program=program):
            mind = _of_any_question(submits)
            theirs, ours = played(program, dspy.ReActV2, mind), played(program, TranscriptReAct, mind)
            assert "Error" not in str(theirs.value)
            assert ours == theirs
