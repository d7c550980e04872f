"""dspy's callbacks hear of our tools' runs as of its own tools'; a list of tools isn't loaded with the rest."""

import asyncio
from itertools import product
from typing import Any

import dspy
import pytest
from dspy.utils.callback import BaseCallback

from react_tck.reference.dspy_tools import as_dspy
from react_tck.reference.effects import UseTool
from react_tck.reference.signatures.react import replace_listing, write_listing
from react_tck.reference.tools import bind_tool


class Noting(BaseCallback):  # type: ignore[misc]
    """Keeps what it is told of tools."""

    def __init__(self) -> None:
        self.told: list[Any] = []

    def on_tool_start(self, call_id: str, instance: Any, inputs: dict[str, Any]) -> None:
        """A tool is run."""
        self.told.append((instance.name, inputs, call_id))

    def on_tool_end(self, call_id: str, outputs: Any, exception: BaseException | None = None) -> None:
        """It is over."""
        self.told.append((outputs, str(exception), call_id))


class Failing(Noting):
    """Fails whenever it is told of something."""

    def on_tool_start(self, call_id: str, instance: Any, inputs: dict[str, Any]) -> None:
        """Fails."""
        raise RuntimeError("a callback's own affair")


def halve(instance: int) -> float:
    """Halves it."""
    if instance % 2:
        raise ValueError("odd")
    return instance / 2


def test_callbacks_hear_of_a_run_and_of_its_end(subtests: pytest.Subtests) -> None:
    cases_1: list[tuple[int, tuple[Any, str]]] = [(4, (2.0, "None")), (3, (None, "odd"))]
    for is_async, (given, told) in product([False, True], cases_1):
        with subtests.test(is_async=is_async, given=given, told=told):
            note, use = Noting(), UseTool(as_dspy(bind_tool(halve)), {"instance": given})
            with dspy.context(callbacks=[Failing(), note]):
                try:
                    result = asyncio.run(use.arun()) if is_async else use.run()
                except ValueError:
                    result = None
            (name, inputs, begun), (*ended, over) = note.told
            assert (name, inputs, begun) == ("halve", {"kwargs": {"instance": given}}, over)
            assert (result, tuple(ended)) == (told[0], told)


def _instructions(*tools: str) -> str:
    return "\n".join(["Answer.", "", *write_listing(tools, "next_tool_args"), "And be brief."])


def test_loaded_instructions_list_the_agents_own_tools() -> None:
    assert replace_listing(_instructions("add: a", "search: b"), _instructions("ping: c")) == _instructions("ping: c")
