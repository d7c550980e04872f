"""Violations of what becomes of tool names that aren't there (ERR-001, ERR-020, ERR-028, SAN-010)."""

from collections.abc import Callable
from difflib import get_close_matches
from typing import Any

from react_tck.dialects.fields import TOOL_NAME
from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.prompts import by_trajectory
from react_tck.prove.mutants.operators.replies import is_unknown, renamed
from react_tck.prove.mutants.operators.runs import Steps, before, event_changed, policy, with_call
from react_tck.prove.mutants.operators.views import steps_shown
from react_tck.reference import loop
from react_tck.reference.seams import Edit, Prompt, Site


def _instead(choice: Callable[[str, list[str]], str | None]) -> Edit[Any]:
    """Takes a name that no tool has for another."""

    def named(site: Site, fields: dict[str, Any]) -> str | None:
        known = [*site.state.tools, loop.FINISH]
        return None if fields[TOOL_NAME] in known else choice(fields[TOOL_NAME], known)

    return renamed(named)


def _nearest(name: str, known: list[str]) -> str | None:
    return next(iter(get_close_matches(name.lower(), known, n=1)), None)


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
    """The steps as the LM reads them, without the names that no tool has; what is recorded stays (TRJ-002)."""
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


MUTANTS = (
    mutant(
        "nearest-tool-run",
        "ERR-001",
        "Runs the tool whose name is nearest to the unknown one.",
        adapter=_instead(_nearest),
    ),
    mutant(
        "unknown-name-takes-the-first-tool",
        "ERR-001",
        "Runs the first tool for a name that no tool has.",
        adapter=_instead(lambda _, known: known[0]),
    ),
    mutant(
        "quotes-moved-to-the-args",
        "ERR-001",
        "Takes a name in quotes for the tool, and puts the texts among its args into quotes instead.",
        perform=event_changed(_quotes_moved),
    ),
    mutant(
        "first-of-two-names-alike",
        "ERR-001",
        "Takes a name in quotes or other letters for the first tool that fits, and declares that it takes none.",
        adapter=_instead(_first_alike),
    ),
    mutant(
        "unknown-name-lost",
        "ERR-028",
        "Says that the tool isn't there, but not which.",
        prompt=by_trajectory(_names_unshown),
    ),
    mutant(
        "unknown-name-breaks-off",
        "ERR-020",
        "Looks the tool up without a thought that it may not be there.",
        advance=before(_looked_up),
    ),
    mutant(
        "unknown-name-remembered",
        "ERR-001",
        "Keeps the args of a call it couldn't make for the next one it can.",
        perform=event_changed(_remembering),
    ),
    mutant(
        "unknown-name-extracts",
        "SAN-010",
        "Goes to the extraction after an unknown name, and declares that it goes on.",
        begin=policy(unknown_tool="extract"),
    ),
    mutant(
        "letters-moved-to-the-args",
        "ERR-001",
        "Takes a name in other letters for the tool, and writes the texts among its args in capitals instead.",
        perform=event_changed(_letters_moved),
    ),
)
