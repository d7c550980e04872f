"""Programs for `dspy.ReAct` do the same with `reference.ReAct`, but for what docs/DROP_IN.md says."""

import pytest

pytest.importorskip("dspy")

import dspy

from react_tck.reference import ReAct
from tests.programs import (
    attached,
    of_dspy,
    of_dspy_around,
    of_dspy_documented,
    of_dspy_public,
    of_dspy_values,
    optimised,
)
from tests.programs.stage import played, programs
from tests.programs.table import check_program, list_verdicts

PROGRAMS = (
    programs(of_dspy)
    | programs(of_dspy_around)
    | programs(of_dspy_values)
    | programs(of_dspy_documented)
    | programs(of_dspy_public)
    | programs(attached)
    | programs(optimised)
)


def test_what_came_out_and_what_the_lm_was_asked(subtests: pytest.Subtests) -> None:
    for program in PROGRAMS.values():
        with subtests.test(program=program):
            theirs, ours = played(program, dspy.ReAct), played(program, ReAct)
            check_program("ReAct", program.__name__, theirs, ours)


def test_each_program_is_named_by_a_row_and_each_that_is_named_is_run() -> None:
    assert set(list_verdicts("ReAct")) == set(PROGRAMS)


def test_nobody_but_its_heirs_can_be_an_instance_of_the_original() -> None:
    assert not hasattr(dspy.ReAct, "register"), "dspy.ReAct can be told of ours: docs/DROP_IN.md says it can't"
