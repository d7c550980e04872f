"""Programs for `ReActMachina` do the same with `reference.ConversationReAct`, but for what docs/DROP_IN.md says."""

import pytest

pytest.importorskip("dspy_react_machina")

from dspy_react_machina import ReActMachina

from react_tck.reference import ConversationReAct
from tests.programs import of_machina, of_machina_conversation, optimised
from tests.programs.stage import played, programs
from tests.programs.table import check_program, list_verdicts

PROGRAMS = programs(of_machina) | programs(of_machina_conversation) | programs(optimised)


def test_what_came_out_and_what_the_lm_was_asked(subtests: pytest.Subtests) -> None:
    for program in PROGRAMS.values():
        with subtests.test(program=program):
            theirs, ours = played(program, ReActMachina), played(program, ConversationReAct)
            check_program("ConversationReAct", program.__name__, theirs, ours)


def test_each_program_is_named_by_a_row_and_each_that_is_named_is_run() -> None:
    assert set(list_verdicts("ConversationReAct")) == set(PROGRAMS)


def test_the_kind_of_program_that_miprov2_ends_with_is_the_same() -> None:
    assert played(optimised.mipro, ConversationReAct).value == played(optimised.mipro, ReActMachina).value


def test_the_kind_of_program_that_bootstrapping_ends_with_is_the_same_and_ours_answers() -> None:
    theirs, ours = (played(optimised.bootstrapped, agent).value for agent in (ReActMachina, ConversationReAct))
    assert ours[:3] == theirs[:3]
    assert (theirs[3], ours[3]) == (["AssertionError", "5"], ["5", "5"])
