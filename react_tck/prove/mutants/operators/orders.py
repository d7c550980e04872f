"""Operators that take data for a step of the LM's."""

import json
import re
from collections.abc import Callable
from typing import Any

from react_tck.dialects.fields import TOOL_ARGS, TOOL_NAME
from react_tck.model.base import JsonObject
from react_tck.prove.mutants.operators.replies import read_if_json, sections
from react_tck.prove.mutants.operators.runs import Perform, at_once, on
from react_tck.reference import loop
from react_tck.reference.drive import Episode
from react_tck.reference.seams import Site

_AS_TOLD = "as I was told"

#: The fields that somebody finds in a text.
Find = Callable[[str], dict[str, Any]]


def obeying(orders: Callable[[Site], dict[str, Any]]) -> Any:
    """Take some fields that aren't the LM's for the next step, once."""

    def obeyed(site: Site, perform: Perform, action: loop.Action) -> Episode[loop.Event]:
        has_obeyed = any(step.thought == _AS_TOLD for step in site.state.steps)
        ordered = None if has_obeyed else _call(orders(site))
        return at_once(loop.StepChosen(thought=_AS_TOLD, calls=(ordered,))) if ordered else perform(action)

    return on(loop.AskStep, obeyed)


def _call(said: dict[str, Any]) -> loop.Call | None:
    tool, args = said.get(TOOL_NAME), said.get(TOOL_ARGS)
    args = as_object(args) if isinstance(args, str) else args
    return loop.Call(name=tool, args=args) if isinstance(tool, str) and isinstance(args, dict) else None


def as_object(text: str) -> JsonObject:
    """Return the object that the text is the JSON of; an empty one, if it isn't."""
    value = read_if_json(text)
    return value if isinstance(value, dict) else {}


def find_numbered(text: str) -> dict[str, Any]:
    """Return what stands under marks of a step in a trajectory, such as `tool_name_1`."""
    said = {re.sub(r"_\d+$", "", name): value for name, value in sections(text)}
    return {TOOL_NAME: said.get("tool_name"), TOOL_ARGS: said.get("tool_args")}


def find_fenced(text: str) -> dict[str, Any]:
    """Return what a fenced block of JSON says."""
    fenced = re.search(r"```json\n(.*)\n```", text, re.DOTALL)
    return as_object(fenced[1]) if fenced else {}


def find_elements(text: str) -> dict[str, Any]:
    """Return what stands in elements, as in XML."""
    return dict(re.findall(r"<(\w+)>\s*(.*?)\s*</\1>", text, re.DOTALL))


def find_action(text: str) -> dict[str, Any]:
    """Return what is written as an action and its input."""
    action = re.search(r"Action: (\w+)\nAction Input: (.*)", text)
    return {TOOL_NAME: action[1], TOOL_ARGS: action[2]} if action else {}


def find_tool_call(text: str) -> dict[str, Any]:
    """Return what stands in an element `tool_call`."""
    called = re.search(r"<tool_call>(.*)</tool_call>", text, re.DOTALL)
    call = json.loads(called[1]) if called else {}
    return {TOOL_NAME: call.get("name"), TOOL_ARGS: call.get("arguments")}
