"""Violations of how tools are run and named (TOOL-003 to TOOL-007, TOOL-014 to TOOL-016)."""

import inspect
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import dspy

from react_tck.dialects.fields import THOUGHT
from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.prompts import by_trajectory
from react_tck.prove.mutants.operators.replies import where_finish_ends
from react_tck.prove.mutants.operators.runs import (
    Proceed,
    before,
    event_changed,
    is_async,
    used,
    when,
)
from react_tck.prove.mutants.operators.signatures import is_arrow, read_as
from react_tck.prove.mutants.operators.views import outputs_changed
from react_tck.reference import loop
from react_tck.reference.drive import Episode, EpisodeFailed
from react_tck.reference.dspy_tools import as_dspy, bound_of
from react_tck.reference.effects import UseTool
from react_tck.reference.loop.views.trajectory import as_mapping
from react_tck.reference.seams import Around, Site
from react_tck.reference.signatures.react import TRAJECTORY, checked_signature
from react_tck.reference.tools import bind_tool


def _not_nothing(_site: Site, event: loop.Event) -> loop.Event:
    if isinstance(event, loop.ToolReturned) and event.observation is None:
        raise EpisodeFailed("the tool returned nothing")
    return event


def _looked_at(look: Callable[[Any], Any]) -> Around[Any, Any]:
    """Results are made something else before they are shown; where that fails, `_crashing` breaks off."""

    def shown(site: Site, proceed: Proceed, result: Any) -> Any:
        try:
            return proceed(look(result))
        except Exception as error:
            site.memory["crash"] = error
            raise

    return shown


def _break_off(site: Site, event: loop.Event) -> loop.Event:
    if "crash" in site.memory:
        raise site.memory.pop("crash")
    return event


_crashing = event_changed(_break_off)


def _undeclared_only(_site: Site, tools: Iterable[Any]) -> list[Any]:
    given = list(tools)
    if any(isinstance(tool, dspy.Tool) for tool in given):
        raise TypeError("a tool must be a function")
    return given


def _resulting_in(seen: Callable[[Any], Any]) -> Around[loop.Action, Episode[loop.Event]]:
    """Something else is a function's result, before it is awaited or consumed."""

    def changed(use: UseTool) -> UseTool:
        bound = bound_of(use.tool)
        return replace(use, tool=as_dspy(replace(bound, function=lambda **args: seen(bound.function(**args)))))

    return used(changed)


def _not_awaited(result: Any, text: Callable[[Any], str] = lambda _: "a coroutine") -> Any:
    if not inspect.iscoroutine(result):
        return result
    result.close()
    return text(result)


def _args_of_the_first(_site: Site, event: loop.Event) -> loop.Event:
    if not isinstance(event, loop.StepChosen):
        return event
    return event.model_copy(
        update={"calls": tuple(call.model_copy(update={"args": event.calls[0].args}) for call in event.calls)}
    )


def _own_fields(site: Site, outputs: dict[str, Any]) -> dict[str, Any]:
    own: dict[str, Any] = {TRAJECTORY: as_mapping(site.state.steps)}
    if site.state.steps:
        own[THOUGHT] = site.state.steps[-1].thought
    return {name: own.get(name, value) for name, value in outputs.items()}


def _taken_for_options(site: Site, inputs: dict[str, Any]) -> dict[str, Any]:
    named = site.agent.signature.input_fields.keys() & {"max_steps", "max_iters"}
    return inputs | dict.fromkeys(named, "(an option)")


def _own_reasoning(_site: Site, outputs: dict[str, Any]) -> dict[str, Any]:
    return outputs | dict.fromkeys(outputs.keys() & {"reasoning"}, "The steps say it all.")


MUTANTS = {
    "async-null-result-ends-the-run": mutant(
        "TOOL-003",
        "Takes a result of nothing for a failure of the run, in async calls only.",
        perform=when(is_async, event_changed(_not_nothing)),
    ),
    "bytes-crash": mutant(
        "TOOL-003",
        "Takes all bytes for UTF-8.",
        observation=_looked_at(lambda result: result.decode() if isinstance(result, bytes) else result),
        perform=_crashing,
    ),
    "declared-tools-refused": mutant(
        "TOOL-004", "Takes no tool whose args are declared beside its function.", tools=before(_undeclared_only)
    ),
    "async-tool-not-awaited": mutant(
        "TOOL-004",
        "Takes the coroutine of an async tool for its result, in sync calls.",
        perform=when(lambda site: not is_async(site), _resulting_in(_not_awaited)),
    ),
    "async-tool-not-awaited-in-async-calls": mutant(
        "TOOL-004",
        "Takes the coroutine of an async tool for its result, in async calls.",
        perform=when(is_async, _resulting_in(_not_awaited)),
    ),
    "coroutine-observed": mutant(
        "TOOL-006",
        "Shows the LM the coroutine of an async tool, as Python writes it.",
        perform=_resulting_in(partial(_not_awaited, text=str)),
    ),
    "iterator-observed": mutant(
        "TOOL-006",
        "Shows the LM what a tool yields its results by, as Python writes it.",
        perform=_resulting_in(lambda result: str(result) if isinstance(result, Iterator | AsyncIterator) else result),
    ),
    "all-calls-run-with-the-args-of-the-first": mutant(
        "TOOL-007",
        "Runs every call of a reply with the args of its first one.",
        perform=event_changed(_args_of_the_first),
    ),
    "duplicate-tool-replaced": mutant(
        "TOOL-005",
        "Keeps the last of several tools of one name.",
        tools=before(lambda _site, tools: [*{tool.name: tool for tool in map(bind_tool, tools)}.values()]),
    ),
    "finish-tool-replaced": mutant(
        "TOOL-014",
        "Puts its own `finish` in the place of the user's tool of that name.",
        tools=where_finish_ends(
            before(lambda _site, tools: [tool for tool in tools if bind_tool(tool).name != loop.FINISH])
        ),
    ),
    "inputs-taken-for-options": mutant(
        "TOOL-016",
        "Takes an input that is named like an option of the call for that option.",
        begin=before(_taken_for_options),
    ),
    "reserved-field-overwritten": mutant(
        "TOOL-015",
        "Takes any field names, and puts its own fields in the place of the user's.",
        signature=by_trajectory(lambda _site, _proceed, given: checked_signature(given)),
        prediction=by_trajectory(outputs_changed(_own_fields)),
    ),
    "inputs-for-the-predictor-taken": mutant(
        "TOOL-016",
        "Takes an input that is named like an option of dspy's predictors, which take it for that option.",
        signature=by_trajectory(lambda _site, _proceed, given: dspy.ensure_signature(given)),
    ),
    "reasoning-overwritten": mutant(
        "TOOL-015",
        "Gives its own words for an output that is named `reasoning`.",
        prediction=by_trajectory(outputs_changed(_own_reasoning)),
    ),
    "input-for-the-constructor-left-out": mutant(
        "TOOL-016",
        "Leaves out an input that is named `signature`.",
        signature=read_as(is_arrow, lambda given: given.replace("signature, ", "")),
        begin=before(lambda _, given: {name: value for name, value in given.items() if name != "signature"}),
    ),
}
