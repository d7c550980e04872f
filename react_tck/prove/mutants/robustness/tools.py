"""Violations of what becomes of tools that raise, and of names without a tool (ERR-001, ERR-007, ERR-015, ERR-028)."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from difflib import get_close_matches
from functools import wraps
from typing import Any

from react_tck.dialects.fields import TOOL_NAME
from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.prompts import by_trajectory
from react_tck.prove.mutants.operators.replies import is_unknown, renamed, without_markers
from react_tck.prove.mutants.operators.runs import (
    Perform,
    Steps,
    after,
    before,
    event_changed,
    on,
    policy,
    then,
    to,
    with_call,
)
from react_tck.prove.mutants.operators.views import steps_shown
from react_tck.reference import loop
from react_tck.reference.drive import Episode
from react_tck.reference.seams import Edit, Prompt, Site
from react_tck.reference.tools import BoundTool


def _failing(instead: Callable[[str], loop.Event]) -> Any:
    """Make another event of a tool's error, given its reason."""
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


def _instead(choice: Callable[[str, list[str]], str | None]) -> Edit[Any]:
    """Take a name that no tool has for another."""

    def named(site: Site, fields: dict[str, Any]) -> str | None:
        known = [*site.state.tools, loop.FINISH]
        return None if fields[TOOL_NAME] in known else choice(fields[TOOL_NAME], known)

    return renamed(named)


def _quotes_moved(_site: Site, event: loop.Event) -> loop.Event:
    if not isinstance(event, loop.StepChosen):
        return event
    call = event.calls[0]
    name = call.name.strip("\"'`*")
    return event if name == call.name else with_call(event, name=name, args={k: f'"{v}"' for k, v in call.args.items()})


def _first_alike(name: str, known: list[str]) -> str | None:
    written = name.strip("\"'`").lower()
    return next((tool for tool in known if tool.lower() == written), None)


def _names_unshown(site: Site, prompt: Prompt) -> Prompt:
    """Return the steps as the LM reads them, without the names that no tool has; what is recorded stays (TRJ-002)."""
    known = (*site.state.tools, loop.FINISH)
    told = {"tool": "", "observation": "Error: there is no such tool."}

    def unnamed(steps: Steps) -> Steps:
        return tuple(step if step.tool in known else step.model_copy(update=told) for step in steps)

    return steps_shown(unnamed)(site, prompt)


def _looked_up(site: Site, event: loop.Event) -> loop.Event:
    if is_unknown(site, event):
        assert isinstance(event, loop.StepChosen)
        raise KeyError(event.calls[0].name)
    return event


def _remembering(site: Site, event: loop.Event) -> loop.Event:
    failed = [step for step in site.state.steps if step.tool not in site.state.tools]
    if not (isinstance(event, loop.StepChosen) and event.calls[0].name in site.state.tools and failed):
        return event
    return with_call(event, args=failed[-1].args)


def _letters_moved(site: Site, event: loop.Event) -> loop.Event:
    if not (isinstance(event, loop.StepChosen) and is_unknown(site, event)):
        return event
    call = event.calls[0]
    name = call.name.strip("\"'`").lower()
    return with_call(event, name=name, args={key: str(value).upper() for key, value in call.args.items()})


MUTANTS = {
    "interruption-observed": mutant(
        "ERR-015", "Takes what interrupts a tool for an error of the tool's, and goes on.", tools=after(_guarded)
    ),
    "tool-error-obeyed": mutant(
        "ERR-007",
        "Drops what looks like a marker from a tool's error.",
        perform=_failing(lambda reason: loop.ToolFailed(reason=without_markers(reason))),
    ),
    "tool-error-ends-the-call": mutant(
        "ERR-007",
        "Ends with a typed error where a tool raises, and declares that it goes on.",
        advance=_diverting(loop.End(error="a tool failed")),
    ),
    "failed-tool-given-up": mutant(
        "ERR-007",
        "Doesn't run a tool again that failed once.",
        begin=before(_given_up_on_none),
        perform=on(loop.RunTool, _giving_up),
    ),
    "nearest-tool-run": mutant(
        "ERR-001",
        "Runs the tool whose name is nearest to the unknown one.",
        adapter=_instead(lambda name, known: next(iter(get_close_matches(name.lower(), known, n=1)), None)),
    ),
    "unknown-name-takes-the-first-tool": mutant(
        "ERR-001", "Runs the first tool for a name that no tool has.", adapter=_instead(lambda _, known: known[0])
    ),
    "quotes-moved-to-the-args": mutant(
        "ERR-001",
        "Takes a name in quotes for the tool, and puts the texts among its args into quotes instead.",
        perform=event_changed(_quotes_moved),
    ),
    "first-of-two-names-alike": mutant(
        "ERR-001",
        "Takes a name in quotes or other letters for the first tool that fits, and declares that it takes none.",
        adapter=_instead(_first_alike),
    ),
    "unknown-name-lost": mutant(
        "ERR-028", "Says that the tool isn't there, but not which.", prompt=by_trajectory(_names_unshown)
    ),
    "unknown-name-breaks-off": mutant(
        "ERR-020", "Looks the tool up without a thought that it may not be there.", advance=before(_looked_up)
    ),
    "unknown-name-remembered": mutant(
        "ERR-001",
        "Keeps the args of a call it couldn't make for the next one it can.",
        perform=event_changed(_remembering),
    ),
    "unknown-name-extracts": mutant(
        "SAN-010",
        "Goes to the extraction after an unknown name, and declares that it goes on.",
        begin=policy(unknown_tool="extract"),
    ),
    "letters-moved-to-the-args": mutant(
        "ERR-001",
        "Takes a name in other letters for the tool, and writes the texts among its args in capitals instead.",
        perform=event_changed(_letters_moved),
    ),
}
