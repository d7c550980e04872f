"""Violations that no scenario need be about: the sanitizers find them in any episode (SAN-…)."""

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from typing import Any

from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.prompts import by_trajectory, shared
from react_tck.prove.mutants.operators.replies import args_changed
from react_tck.prove.mutants.operators.runs import (
    Perform,
    after,
    before,
    begun_with,
    observed,
    on,
    on_request,
    policy,
    results_remembered,
)
from react_tck.prove.mutants.operators.views import inputs, outputs_changed, steps_shown
from react_tck.reference import loop
from react_tck.reference.drive import Episode
from react_tck.reference.seams import Edit, Prompt, Site
from react_tck.reference.signatures.react import TRAJECTORY
from react_tck.reference.tools import BoundTool


def _run_again(site: Site, steps: tuple[loop.Step, ...]) -> None:
    if steps and (tool := site.agent.bound.get(steps[-1].tool)):
        tool.function(**steps[-1].args)


def _checked_again(site: Site, perform: Perform, action: loop.Action) -> Episode[loop.Event]:
    _run_again(site, tuple(step for step in site.state.steps if step.tool != loop.FINISH))
    return (yield from perform(action))


def _again_if_empty(_site: Site, perform: Perform, action: loop.RunTool) -> Episode[loop.Event]:
    event = yield from perform(action)
    if isinstance(event, loop.ToolReturned) and event.observation:
        return event
    return (yield from perform(action))


def _latest_hidden(steps: tuple[loop.Step, ...]) -> tuple[loop.Step, ...]:
    return (*steps[:-1], *(observed(step, "...") for step in steps[-1:]))


def _small_hidden(steps: tuple[loop.Step, ...]) -> tuple[loop.Step, ...]:
    return tuple(step if step.observation else observed(step, "(nothing)") for step in steps)


def _run_late(site: Site, prediction: Any) -> Any:
    used = tuple(step for step in site.state.steps if step.tool in site.state.tools)

    def late() -> None:
        time.sleep(0.01)
        _run_again(site, used)

    threading.Thread(target=late).start()
    return prediction


def _leave_waiting_thread(_site: Site, prediction: Any) -> Any:
    threading.Thread(target=threading.Event().wait).start()
    return prediction


def _answered(output: Callable[[Any, str], Any]) -> Edit[Any]:
    """Outputs of its own, given the prediction and the name of each."""

    def edited(site: Site, prediction: Any) -> Any:
        for name in site.agent.signature.output_fields:
            prediction[name] = output(prediction, name)
        return prediction

    return edited


def _without_the_last(_site: Site, outputs: dict[str, Any]) -> dict[str, Any]:
    return dict(list(outputs.items())[:-1])


def _first_hidden(site: Site, shown: dict[str, Any]) -> dict[str, Any]:
    first = next(iter(site.state.inputs), None)
    return shown if site.state.steps or first is None else shown | {first: "..."}


def _undescribed(_site: Site, tools: dict[str, BoundTool]) -> dict[str, BoundTool]:
    return {name: replace(tool, description="a tool") for name, tool in tools.items()}


def _nameless(_site: Site, tools: dict[str, BoundTool]) -> dict[str, BoundTool]:
    return {name: _Nameless(**vars(tool)) for name, tool in tools.items()}


class _Nameless(BoundTool):
    """A tool that is described by the types it takes."""

    def describe_tool(self) -> str:
        """Its parameters by their types."""
        types = [schema.get("type", "any") for schema in self.args.values() if isinstance(schema, dict)]
        return f"{self.name}: {self.description}\n  Takes: {', '.join(map(str, types))}"


def _noting(note: Callable[[Site, str], str]) -> dict[str, Any]:
    """A note of its own above the trajectory in every request for a step, made when the call begins."""

    def noted(site: Site, given: dict[str, Any]) -> dict[str, Any]:
        site.memory["note"] = note(site, str(given))
        return given

    def shown(site: Site, asked: dict[str, Any]) -> dict[str, Any]:
        return asked | {TRAJECTORY: f"({site.memory['note']})\n{asked[TRAJECTORY]}"}

    shows: Edit[Prompt] = on_request("step", inputs(shown))
    return {"begin": before(noted), "prompt": by_trajectory(shows)}


def _numbered(site: Site, _given: str) -> str:
    return f"run {next(shared(site).setdefault('runs', count(1)))}"


def _remembered(site: Site, given: str) -> str:
    asked: list[str] = shared(site).setdefault("asked", [])
    if given not in asked[-1:]:
        asked.append(given)
    return f"asked before: {' '.join(asked[-2:-1])}"


MUTANTS = (
    mutant(
        "extra-tool-run",
        "SAN-001",
        "Runs the last tool once more, to be sure, when the LM finishes.",
        perform=by_trajectory(on(loop.AskExtraction, _checked_again)),
    ),
    mutant(
        "args-coerced-to-strings",
        "SAN-002",
        "Makes texts of all args.",
        args=args_changed(str),
    ),
    mutant(
        "asked-call-skipped",
        "SAN-003",
        "Doesn't run a tool again that it has run with the same args: it gives the result it knows.",
        # Of this call only: what is known of another one isn't asked for.
        perform=results_remembered(lambda site: vars(site).setdefault("known", {})),
    ),
    mutant(
        "call-repeated",
        "SAN-003",
        "Runs a tool again that returned an empty result or raised.",
        perform=by_trajectory(on(loop.RunTool, _again_if_empty)),
    ),
    mutant(
        "observation-hidden",
        "SAN-004",
        "Shows the LM every observation but the latest.",
        prompt=by_trajectory(steps_shown(_latest_hidden)),
    ),
    mutant(
        "small-observations-hidden",
        "SAN-004",
        "Shows the LM nothing of a result that is false in Python.",
        prompt=by_trajectory(steps_shown(_small_hidden)),
    ),
    mutant(
        "unbounded-requests",
        "ERR-008",
        "Asks for steps for as long as the LM doesn't finish.",
        begin=begun_with(max_steps=10_000),
    ),
    mutant(
        "late-tool-run",
        "SAN-006",
        "Leaves a thread behind that runs the last tool after the call has come back.",
        prediction=_run_late,
        is_timed=True,
    ),
    mutant(
        "thread-left-waiting",
        "SAN-012",
        "Leaves a thread behind, for which its process waits, after each call.",
        prediction=_leave_waiting_thread,
    ),
    mutant(
        "answer-made-up",
        "SAN-007",
        "Reports success with an answer of its own.",
        prediction=_answered(lambda _prediction, _name: "All done."),
    ),
    mutant(
        "none-as-success",
        "SAN-007",
        "Reports success with outputs of None.",
        prediction=_answered(lambda _prediction, _name: None),
    ),
    mutant(
        "prose-as-success",
        "SAN-007",
        "Reports the LM's reasoning for its answer.",
        prediction=_answered(lambda prediction, name: prediction.get("reasoning", prediction[name])),
    ),
    mutant(
        "output-left-out",
        "SAN-007",
        "Reports success without the last output.",
        prediction=outputs_changed(_without_the_last),
    ),
    mutant(
        "input-hidden",
        "SAN-008",
        "Shows the LM the first input only after the first step.",
        prompt=by_trajectory(on_request("step", inputs(_first_hidden))),
    ),
    mutant(
        "tool-descriptions-hidden",
        "SAN-008",
        "Tells the LM the tools' names and parameters, and not what they are for.",
        tools=after(_undescribed),
    ),
    mutant(
        "tool-error-not-as-declared",
        "SAN-010",
        "Ends the call where a tool raises, and declares that it observes it.",
        begin=policy(tool_error="error"),
    ),
    mutant(
        "finish-silently-left-out",
        "SAN-010",
        "Leaves the step that chose `finish` out of the trajectory, and declares that it is there.",
        begin=policy(finish_recorded=False),
    ),
    mutant(
        "parameter-names-hidden",
        "SAN-011",
        "Tells the LM what types a tool takes, and not what its parameters are called.",
        tools=after(_nameless),
    ),
    mutant(
        "state-kept-between-instances",
        "SAN-009",
        "Numbers the runs of all instances, and shows the LM the number.",
        **_noting(_numbered),
    ),
    mutant(
        "earlier-case-remembered",
        "SAN-009",
        "Shows the LM what was asked before, if that was something else.",
        **_noting(_remembered),
    ),
    mutant(
        "hash-in-prompt",
        "SAN-009",
        "Names the run by a hash that differs from process to process.",
        **_noting(lambda _, given: f"run {hash(given)}"),
    ),
)
