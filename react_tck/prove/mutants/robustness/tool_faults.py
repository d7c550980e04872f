"""Violations of what becomes of tools that raise (ERR-007), and of those that are interrupted (ERR-015)."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Any

from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.replies import without_markers
from react_tck.prove.mutants.operators.runs import Perform, after, before, event_changed, on, then, to
from react_tck.reference import loop
from react_tck.reference.drive import Episode
from react_tck.reference.seams import Site
from react_tck.reference.tools import BoundTool


def _failing(instead: Callable[[str], loop.Event]) -> Any:
    """Makes another event of a tool's error, given its reason."""
    return event_changed(lambda _, event: instead(event.reason) if isinstance(event, loop.ToolFailed) else event)


def _diverting(action: loop.Action) -> Any:
    """Goes another way after a tool's error."""
    return then(lambda _, event, following: to(following, action) if isinstance(event, loop.ToolFailed) else following)


def _given_up_on_none(site: Site, inputs: dict[str, Any]) -> dict[str, Any]:
    site.memory["given up"] = set()
    return inputs


def _giving_up(site: Site, perform: Perform, action: Any) -> Episode[loop.Event]:
    given_up = site.memory.setdefault("given up", set())
    if action.call.name in given_up:
        return loop.ToolFailed(reason="the tool is out of order")
    event = yield from perform(action)
    if isinstance(event, loop.ToolFailed):
        given_up.add(action.call.name)
    return event


def _guarded(_site: Site, tools: dict[str, BoundTool]) -> dict[str, BoundTool]:
    return {name: replace(tool, function=_failing_instead(tool.function)) for name, tool in tools.items()}


def _failing_instead(function: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(function)
    def called(*args: Any, **named: Any) -> Any:
        try:
            return function(*args, **named)
        except (KeyboardInterrupt, asyncio.CancelledError) as interruption:
            raise RuntimeError(f"the tool was interrupted by {type(interruption).__name__}") from interruption

    return called


MUTANTS = (
    mutant(
        "interruption-observed",
        "ERR-015",
        "Takes what interrupts a tool for an error of the tool's, and goes on.",
        tools=after(_guarded),
    ),
    mutant(
        "tool-error-obeyed",
        "ERR-007",
        "Drops what looks like a marker from a tool's error.",
        perform=_failing(lambda reason: loop.ToolFailed(reason=without_markers(reason))),
    ),
    mutant(
        "tool-error-ends-the-call",
        "ERR-007",
        "Ends with a typed error where a tool raises, and declares that it goes on.",
        advance=_diverting(loop.End(error="a tool failed")),
    ),
    mutant(
        "failed-tool-given-up",
        "ERR-007",
        "Doesn't run a tool again that failed once.",
        begin=before(_given_up_on_none),
        perform=on(loop.RunTool, _giving_up),
    ),
)
