"""Programs for `ReActMachina` do the same with `reference.ConversationReAct`, but for what docs/DROP_IN.md says."""

import pytest

pytest.importorskip("dspy_react_machina")

from dspy_react_machina import ReActMachina

from react_tck.reference import ConversationReAct
from tests.programs import documented_machina, of_machina, of_machina_conversation
from tests.programs.stage import Program, played, programs
from tests.programs.table import differences

#: Programs that show a difference, by the row that tells of it.
DIFFERENT = {
    "adapter_set": "another `custom_adapter`, set afterwards",
    "failing_tool": "a tool that fails, or isn't there",
    "errors_read": "a tool that fails, or isn't there",
    "unknown_tool": "a tool that fails, or isn't there",
    "observations": "what was observed",
    "async_tool": "an async tool in a sync call",
    "no_tools": "no tools at all",
    "two_tools_of_a_name": "two tools of one name",
    "all_tools": "the built-in tools",
    "unreadable_reply": "a reply that can't be read",
    "error_of_a_predictor": "a callable for a state that raises `ValueError` or the like",
    "missing_input": "an input left out, or a history that isn't one",
    "conversation_of_another_type": "an input left out, or a history that isn't one",
}
PROGRAMS, DOCUMENTED = programs(of_machina) | programs(of_machina_conversation), programs(documented_machina)


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_what_came_out_and_what_the_lm_was_asked(program: Program) -> None:
    theirs, ours = played(program, ReActMachina), played(program, ConversationReAct)
    if program.__name__ in DIFFERENT:
        assert ours != theirs, f"docs/DROP_IN.md needn't tell of {program.__name__} any more"
    else:
        assert ours == theirs


@pytest.mark.parametrize("program", DOCUMENTED.values(), ids=DOCUMENTED)
def test_as_documented_with_the_class_swapped(program: Program) -> None:
    theirs = played(program, ReActMachina)
    assert "Error" not in str(theirs.value)
    assert played(program, ConversationReAct) == theirs


def test_the_table_tells_of_these_differences_and_no_others() -> None:
    assert differences("ConversationReAct") == set(DIFFERENT.values())
    assert set(DIFFERENT) <= set(PROGRAMS)
