"""The kit's tools look like anyone's Python tools, do what they are scripted to, and every run is on record."""

from datetime import date
from typing import Any

import pytest
from pydantic import BaseModel

import react_tck
from react_tck.adapter.tools import CHANGED_BY_TOOL, TaskTool, ToolFailure
from react_tck.fakes.tools import TOOLBOX, KitTool, describe_team_tool
from react_tck.model.record import ToolRan
from react_tck.model.tool import Mutates, Performs, Returns, ReturnsOddity
from tests.support.texts import Stage

ADD, BOOK, SEARCH, PING = (TOOLBOX[name] for name in ("add", "book", "search", "ping"))


@pytest.fixture(name="stage")
def _stage() -> Stage:
    return Stage()


def _runs(stage: Stage) -> tuple[ToolRan, ...]:
    return stage.journal.read_record("a case").tool_runs


# How a tool looks


# Calls


# What it does


def make_task_tool(kit: KitTool) -> TaskTool:
    return TaskTool(kit.tool.model_dump(), kit.answer_run)


def test_result_that_the_subject_changes_is_returned_unchanged_the_next_time(stage: Stage) -> None:
    ping = make_task_tool(stage.tool(PING, Returns(value=[1]))).function
    ping().append(2)
    assert ping() == [1]
    assert [run.result for run in _runs(stage)] == [[1], [1]]


@pytest.mark.parametrize(
    ("oddity", "of_type", "shown"),
    [
        ("bytes", bytes, "b'\\x00\\xff'"),
        ("object", object, "<odd>"),
        ("set", set, "{1}"),
        ("nan", float, "nan"),
    ],
)
def test_oddity_is_returned_as_it_is_and_shown_on_record(stage: Stage, oddity: Any, of_type: type, shown: str) -> None:
    result = make_task_tool(stage.tool(PING, ReturnsOddity(oddity=oddity))).function()
    assert isinstance(result, of_type)
    (run,) = _runs(stage)
    assert (run.result, run.odd) == (shown, True)


def test_tool_that_changes_its_args_is_on_record_with_the_args_as_they_arrived(stage: Stage) -> None:
    translate = make_task_tool(stage.tool(BOOK, Mutates())).function
    dishes = ["soup"]
    translate(guests=2, outdoors=False, budget=9.5, dishes=dishes)
    assert dishes == ["soup", CHANGED_BY_TOOL]
    assert _runs(stage)[0].args["dishes"] == ["soup"]


# Args


class Address(BaseModel):
    town: str


async def deliver(address: Address, when: date = date(2027, 1, 2)) -> dict[str, object]:
    """Delivers."""
    return {"to": address.town, "when": when}


def test_a_function_of_a_teams_own_gets_what_it_declares_and_gives_json(stage: Stage) -> None:
    react_tck.tool(deliver)
    kit = stage.tool(describe_team_tool("deliver"), Performs())
    assert (kit.tool.description, kit.tool.parameter_names) == ("Delivers.", ("address", "when"))
    function = make_task_tool(kit).function
    assert function(address={"town": "Oslo"}) == {"to": "Oslo", "when": "2027-01-02"}
    with pytest.raises(ToolFailure, match="'str' object has no attribute"):
        make_task_tool(stage.tool(kit.tool, Performs())).run({"address": "Oslo", "when": 5})
