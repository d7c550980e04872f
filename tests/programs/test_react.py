"""Programs for `dspy.ReAct` do the same with `reference.ReAct`, but for what docs/DROP_IN.md says."""

import pytest

pytest.importorskip("dspy")

import dspy

from react_tck.reference import ReAct
from tests.programs import of_dspy, of_dspy_around, of_dspy_values
from tests.programs.stage import Program, played, programs
from tests.programs.table import differences

#: Programs that show a difference, by the row that tells of it.
DIFFERENT = {
    "missing_input": "an input left out",
    "option_of_a_call": "options of dspy's predictors in a call, such as `lm=`",
    "two_tools_of_a_name": "two tools of one name",
    "async_tool_unconverted": "an async tool in a sync call",
    "listened": "callbacks hear of `finish`",
    "error_of_a_tool": "what the LM is told of a tool's error",
    "args_that_do_not_fit": "args that don't fit the tool",
    "steps_left_out": "steps that were left out of prompts",
    "objects_of_a_tool": "objects that tools give",
    "instance_of_the_original": "an agent asked by `isinstance` whether it is a `dspy.ReAct`",
    "unreadable_reply": "a reply that can't be read",
    "field_left_out": "a callable for `react` that leaves a field out, or gives no prediction",
}
PROGRAMS = programs(of_dspy) | programs(of_dspy_around) | programs(of_dspy_values)


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_what_came_out_and_what_the_lm_was_asked(program: Program) -> None:
    theirs, ours = played(program, dspy.ReAct), played(program, ReAct)
    if program.__name__ in DIFFERENT:
        assert ours != theirs, f"docs/DROP_IN.md needn't tell of {program.__name__} any more"
    else:
        assert ours == theirs


def test_the_table_tells_of_these_differences_and_no_others() -> None:
    assert differences("ReAct") == set(DIFFERENT.values())
    assert set(DIFFERENT) <= set(PROGRAMS)


def test_nobody_but_its_heirs_can_be_an_instance_of_the_original() -> None:
    assert not hasattr(dspy.ReAct, "register"), "dspy.ReAct can be told of ours: docs/DROP_IN.md says it can't"
