"""Programs for `dspy.ReActV2` do the same with `reference.TranscriptReAct`, but for what docs/DROP_IN.md says."""

from typing import Any

import pytest

pytest.importorskip("dspy")

import dspy

from react_tck.reference import TranscriptReAct
from tests.programs import attached, of_dspy_v2, of_dspy_v2_documented, of_dspy_v2_replies, optimised
from tests.programs.adding import SUM, add
from tests.programs.stage import Program, played, programs, submits
from tests.programs.table import check_program, list_verdicts

PROGRAMS = (
    programs(attached)
    | programs(of_dspy_v2)
    | programs(of_dspy_v2_replies)
    | programs(of_dspy_v2_documented)
    | programs(optimised)
)


def test_what_came_out_and_what_the_lm_was_asked(subtests: pytest.Subtests) -> None:
    for program in PROGRAMS.values():
        with subtests.test(program=program):
            theirs, ours = played(program, dspy.ReActV2, submits), played(program, TranscriptReAct, submits)
            check_program("TranscriptReAct", program.__name__, theirs, ours)


def test_each_program_is_named_by_a_row_and_each_that_is_named_is_run() -> None:
    assert set(list_verdicts("TranscriptReAct")) == set(PROGRAMS)


def test_optimisers_that_fail_with_the_original_end_with_a_program(subtests: pytest.Subtests) -> None:
    cases: list[tuple[Program, bool]] = [(optimised.bootstrapped, True), (optimised.mipro, False)]
    for program, has_learnt in cases:
        with subtests.test(program=program, has_learnt=has_learnt):
            assert played(program, dspy.ReActV2, submits).value == "AttributeError"
            seen = played(program, TranscriptReAct, submits)
            assert seen.value == (True, [("react", has_learnt)], True, ["5", "5"])


def test_the_error_says_why_no_further_step_was_taken() -> None:
    """One of twenty was: it is no lack of steps."""
    raised = [ValueError("the provider's words"), ValueError()]

    def react(**shown: Any) -> Any:
        if "config" not in shown:
            raise raised[-1]
        return dspy.Prediction(tool_calls=[{"name": "add", "args": {"a": 1, "b": 1}}])

    program = TranscriptReAct(SUM, [add])
    program.react = react
    for told in ("ValueError", "the provider's words"):
        with pytest.raises(ValueError, match=rf"no further step was taken \({told}\), and the LM did not call"):
            program(question="2+3?")
        raised.pop()
