"""Violations that no scenario need be about: the sanitizers find them in any episode (SAN-…)."""

import threading
import time
from collections.abc import Callable
from itertools import count
from typing import Any

from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.prompts import by_trajectory, shared
from react_tck.prove.mutants.operators.replies import args_changed
from react_tck.prove.mutants.operators.runs import (
    Perform,
    before,
    begun_with,
    observed,
    on,
    on_request,
    policy,
)
from react_tck.prove.mutants.operators.views import inputs, steps_shown
from react_tck.reference import loop
from react_tck.reference.drive import Episode
from react_tck.reference.seams import Edit, Prompt, Site
from react_tck.reference.signatures.react import TRAJECTORY


def _run_again(site: Site, steps: tuple[loop.Step, ...]) -> None:
    if steps and (tool := site.agent.bound.get(steps[-1].tool)):
        tool.function(**steps[-1].args)


def _again_if_empty(_site: Site, perform: Perform, action: loop.RunTool) -> Episode[loop.Event]:
    event = yield from perform(action)
    if isinstance(event, loop.ToolReturned) and event.observation:
        return event
    return (yield from perform(action))


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


def _noting(note: Callable[[Site, str], str]) -> dict[str, Any]:
    """Return a note of its own above the trajectory in every request for a step, made when the call begins."""

    def noted(site: Site, given: dict[str, Any]) -> dict[str, Any]:
        site.memory["note"] = note(site, str(given))
        return given

    def shown(site: Site, asked: dict[str, Any]) -> dict[str, Any]:
        return asked | {TRAJECTORY: f"({site.memory['note']})\n{asked[TRAJECTORY]}"}

    shows: Edit[Prompt] = on_request("step", inputs(shown))
    return {"begin": before(noted), "prompt": by_trajectory(shows)}


def _checked_again(site: Site, perform: Perform, action: loop.Action) -> Episode[loop.Event]:
    _run_again(site, tuple(step for step in site.state.steps if step.tool != loop.FINISH))
    return (yield from perform(action))


MUTANTS = {
    "args-coerced-to-strings": mutant("SAN-002", "Makes texts of all args.", args=args_changed(str)),
    "call-repeated": mutant(
        "SAN-003",
        "Runs a tool again that returned an empty result or raised.",
        perform=by_trajectory(on(loop.RunTool, _again_if_empty)),
    ),
    "observation-hidden": mutant(
        "SAN-004",
        "Shows the LM every observation but the latest.",
        prompt=by_trajectory(steps_shown(lambda steps: (*steps[:-1], *(observed(step, "...") for step in steps[-1:])))),
    ),
    "small-observations-hidden": mutant(
        "SAN-004",
        "Shows the LM nothing of a result that is false in Python.",
        prompt=by_trajectory(steps_shown(_small_hidden)),
    ),
    "unbounded-requests": mutant(
        "ERR-008", "Asks for steps for as long as the LM doesn't finish.", begin=begun_with(max_steps=10_000)
    ),
    "late-tool-run": mutant(
        "SAN-006",
        "Leaves a thread behind that runs the last tool after the call has come back.",
        prediction=_run_late,
        is_timed=True,
    ),
    "thread-left-waiting": mutant(
        "SAN-012",
        "Leaves a thread behind, for which its process waits, after each call.",
        prediction=_leave_waiting_thread,
    ),
    "tool-error-not-as-declared": mutant(
        "SAN-010",
        "Ends the call where a tool raises, and declares that it observes it.",
        begin=policy(tool_error="error"),
    ),
    "state-kept-between-instances": mutant(
        "SAN-009",
        "Numbers the runs of all instances, and shows the LM the number.",
        **_noting(lambda site, _given: f"run {next(shared(site).setdefault('runs', count(1)))}"),
    ),
    "hash-in-prompt": mutant(
        "SAN-009",
        "Names the run by a hash that differs from process to process.",
        **_noting(lambda _, given: f"run {hash(given)}"),
    ),
    "extra-tool-run": mutant(
        "SAN-001",
        "Runs the last tool once more, to be sure, when the LM finishes.",
        perform=by_trajectory(on(loop.AskExtraction, _checked_again)),
    ),
}
