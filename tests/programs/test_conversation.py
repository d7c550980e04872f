"""Programs for `ReActMachina` do the same with `reference.ConversationReAct`, but for what docs/DROP_IN.md says."""

from functools import partial

import pytest

pytest.importorskip("dspy_react_machina")

from dspy_react_machina import ReActMachina

from react_tck.model.intent import Finish, Move
from react_tck.model.lm import Ask, LMRequest
from react_tck.reference import STRICT, ConversationReAct, Policy, ReAct
from tests.programs import attached, of_machina, of_machina_conversation, optimised
from tests.programs.stage import answers, played, programs
from tests.programs.table import check_program, list_verdicts

PROGRAMS = programs(attached) | programs(of_machina) | programs(of_machina_conversation) | programs(optimised)


def test_what_came_out_and_what_the_lm_was_asked(subtests: pytest.Subtests) -> None:
    for program in PROGRAMS.values():
        with subtests.test(program=program):
            theirs, ours = played(program, ReActMachina), played(program, ConversationReAct)
            check_program("ConversationReAct", program.__name__, theirs, ours)


def test_each_program_is_named_by_a_row_and_each_that_is_named_is_run() -> None:
    assert set(list_verdicts("ConversationReAct")) == set(PROGRAMS)


def _finishes(request: LMRequest, ask: Ask, _: int) -> Move:
    return Finish(thought="done") if ask.phase == "step" else answers(request, ask)


def test_strict_goes_through_a_tools_result_before_it_finishes(subtests: pytest.Subtests) -> None:
    """S0 has it so; by S4, which binds the other classes, `finish` may be the first step."""
    for agent, policy, steps in ((ConversationReAct, STRICT, 2), (ConversationReAct, Policy(), 1), (ReAct, STRICT, 1)):
        with subtests.test(agent=agent, policy=policy):
            seen = played(
                lambda given: given("question -> answer", [])(question="2+3?").answer,
                partial(agent, policy=policy),
                _finishes,
            )
            assert (seen.value, [phase for phase, *_ in seen.asked]) == ("5", ["step"] * steps + ["extraction"])


def test_the_kind_of_program_that_miprov2_ends_with_is_the_same() -> None:
    assert played(optimised.mipro, ConversationReAct).value == played(optimised.mipro, ReActMachina).value


def test_the_kind_of_program_that_bootstrapping_ends_with_is_the_same_and_ours_answers() -> None:
    theirs, ours = (played(optimised.bootstrapped, agent).value for agent in (ReActMachina, ConversationReAct))
    assert ours[:3] == theirs[:3]
    assert (theirs[3], ours[3]) == (["AssertionError", "5"], ["5", "5"])
