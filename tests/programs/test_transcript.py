"""Programs for `dspy.ReActV2` do the same with `reference.TranscriptReAct`, but for what docs/DROP_IN.md says."""

import pytest

pytest.importorskip("dspy")

import dspy

from react_tck.reference import TranscriptReAct
from tests.programs import of_dspy_v2, of_dspy_v2_replies
from tests.programs.stage import Program, played, programs, submits
from tests.programs.table import differences

#: Programs that show a difference, by the row that tells of it.
DIFFERENT = {
    "instance_of_the_original": "an agent asked by `isinstance` whether it is a `dspy.ReActV2`",
    "values_read": "the values in a history",
    "history_untouched": "a history that is given",
    "forced_in_words": "how a `submit` is forced",
    "no_tool_called": "a reply that calls no tool",
    "args_under_an_unknown_key": "a call in text with a key that no call has",
}
PROGRAMS = programs(of_dspy_v2) | programs(of_dspy_v2_replies)


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_what_came_out_and_what_the_lm_was_asked(program: Program) -> None:
    theirs, ours = played(program, dspy.ReActV2, submits), played(program, TranscriptReAct, submits)
    if program.__name__ in DIFFERENT:
        assert ours != theirs, f"docs/DROP_IN.md needn't tell of {program.__name__} any more"
    else:
        assert ours == theirs


def test_the_table_tells_of_these_differences_and_no_others() -> None:
    assert differences("TranscriptReAct") == set(DIFFERENT.values())
    assert set(DIFFERENT) <= set(PROGRAMS)
