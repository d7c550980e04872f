"""A tool's name, as the LM wrote it, is read in one place."""

import pytest

from react_tck.fakes.tools import TOOLBOX
from react_tck.model.case import Case
from react_tck.model.intent import CallTool
from react_tck.model.lm import LMRequest, ToolOffer
from react_tck.model.signature import parse_arrow
from react_tck.record.turns import Turn
from react_tck.record.visibility import Match, read_case_name, read_name
from tests.support.hand_made import step

CASE = Case(id="c", signature=parse_arrow("question -> answer"), tools=(TOOLBOX["add"], TOOLBOX["search"]))


def test_a_name_is_a_tools_own_or_nearly_so_or_no_tools(subtests: pytest.Subtests) -> None:
    cases: list[tuple[str, Match, str | None]] = [
        ("add", "exact", "add"),
        ("finish", "exact", "finish"),
        ('"add"', "near miss", "add"),
        ("'search'", "near miss", "search"),
        ("`add`", "near miss", "add"),
        ("**add**", "near miss", "add"),
        (" add\n", "near miss", "add"),
        ('" add "', "near miss", "add"),
        ("`finish`", "near miss", "finish"),
        ("ADD", "other letters", "add"),
        ("`Add`", "other letters", "add"),
        ("Finish", "other letters", "finish"),
        ("`FINISH`", "other letters", "finish"),
        ("finish()", "unknown", None),
        ("adds", "unknown", None),
        ("ad", "unknown", None),
        ("add search", "unknown", None),
        ("add(2, 3)", "unknown", None),
        ("tools.add", "unknown", None),
        ("submit", "unknown", None),
        ("", "unknown", None),
        ("``", "unknown", None),
    ]
    for written, match, tool in cases:
        with subtests.test(written=written, match=match, tool=tool):
            name = read_case_name(written, CASE)
            assert (name.match, name.tool) == (match, tool)


def test_a_name_in_other_letters_is_that_tools_where_exactly_one_fits() -> None:
    turn = Turn(step(CallTool(tool="ADD", args={})), ())
    assert turn.names_tool("add", ["search"])
    assert not turn.names_tool("add", ["Add"])
    assert not Turn(step(CallTool(tool="Add", args={})), ()).names_tool("add", ["Add"])
    assert read_name("ADD", ("add", "Add")).match == "unknown"
    offering = LMRequest(messages=(), tools=(ToolOffer(name="add"), ToolOffer(name="add_2")))
    asked = step(CallTool(tool="ADD", args={})).model_copy(update={"request": offering})
    assert Turn(asked, ()).names_tool("add", ["Add"])
