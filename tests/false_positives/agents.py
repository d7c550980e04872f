"""Agents that are right in an unusual way: the reference with operators in its seams that break nothing."""

import asyncio
import contextvars
import re
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from types import new_class
from typing import Any

from react_tck.prove.mutants.operators.prompts import by_trajectory
from react_tck.prove.mutants.operators.runs import Steps, after, observed, on_request, then, to, used, when
from react_tck.prove.mutants.operators.views import Messages, inputs, retold, steps_shown, writing
from react_tck.reference import loop
from react_tck.reference.drive import Episode
from react_tck.reference.effects import UseTool
from react_tck.reference.loop.entries import turns_of
from react_tck.reference.loop.views.trajectory import show_value
from react_tck.reference.seams import Beginning, Edit, Seams, Site
from react_tck.reference.signatures.react import TRAJECTORY
from react_tck.reference.udspy import UdspyReAct
from react_tck.subjects.api import Subject
from react_tck.subjects.libraries.reference.react import make_changed_subject


@dataclass(frozen=True)
class UnusualAgent:
    """What it does otherwise than anybody would expect, though no requirement forbids it."""

    name: str
    description: str
    seams: Seams = field(default_factory=Seams)
    #: Public methods in the place of the modules' own, for what no seam reaches.
    mixin: type[Any] | None = None

    def make_subject(self) -> Subject:
        """Of each of the reference's classes, of which a case chooses."""
        bases = (self.mixin,) if self.mixin else ()

        def change_class(react: type[Any]) -> type[Any]:
            return new_class(react.__name__, (*bases, react), exec_body=lambda made: made.update(seams=self.seams))

        return make_changed_subject(f"unusual:{self.name}", change_class)


_IN_OTHER_WORDS = {
    "Work towards": "Your goal is",
    "one tool call at a time. Each turn, think about what is known and what is missing": "step by step. First reflect",
    "choose one tool": "then name a tool",
    "The tool's result comes back as the observation of that turn in": "Look for results in",
    "The tools:": "At your disposal:",
    "The results come back in the conversation": "You will be told what came of it",
}
_IN_GERMAN = {
    "Work towards": "Erarbeite",
    "one tool call at a time. Each turn, think about what is known and what is missing": "Schritt für Schritt. Denke",
    "choose one tool": "wähle ein Werkzeug",
    "and its arguments": "und seine Argumente",
    "The tool's result comes back as the observation of that turn in": "Sein Ergebnis steht dann in",
    "The tools:": "Die Werkzeuge:",
    "must be a valid JSON object": "muss ein gültiges JSON-Objekt sein",
    "Call this when everything needed to produce": "Damit endest du, sobald du alles weißt für",
    "is known. It takes no arguments.": ". Es hat keine Argumente.",
    "The results come back in the conversation": "Die Ergebnisse stehen im Gespräch",
}


def _reworded(words: Mapping[str, str]) -> Edit[Any]:
    """System messages in which these words stand for those."""

    def reword_system(_site: Site, messages: Messages) -> Messages:
        system, *others = messages
        text = system["content"]
        for ours, theirs in words.items():
            text = text.replace(ours, theirs)
        return [{**system, "content": text}, *others]

    return writing(reword_system)


def _reverse_calls(_site: Site, event: loop.Event, following: loop.State) -> loop.State:
    """The last call of a turn is the first to run, where all of them can run at once."""
    if not isinstance(event, loop.StepChosen) or not isinstance(following.action, loop.RunTool):
        return following
    calls = (following.action.call, *following.pending)
    if any(call.name not in following.tools or call.name in following.awaited for call in calls):
        return following
    last, *others = reversed(calls)
    return to(following.model_copy(update={"pending": tuple(others)}), loop.RunTool(call=last))


def _retell_failures(site: Site, _event: loop.Event, following: loop.State) -> loop.State:
    """What couldn't be done is told in words of its own, but where S3 says which (UDS-002)."""
    if isinstance(site.agent, UdspyReAct):
        return following
    told = {"history": _reword(following.history), "taken": _reword(following.taken)}
    return following.model_copy(update=told)


def _reword(entries: loop.Entries) -> loop.Entries:
    return tuple(
        entry.model_copy(update={"value": re.sub(r"^Error", "That didn't work", str(entry.value))})
        if isinstance(entry, loop.Observation) and entry.is_error
        else entry
        for entry in entries
    )


def _may_tell_more(site: Site) -> bool:
    """S3 says which keys a trajectory has (UDS-001)."""
    return not isinstance(site.agent, UdspyReAct)


def _add_keys(_site: Site, told: Any) -> Any:
    if isinstance(told, list):
        return [{**step, "cost": 0} for step in told]
    return told | {f"cost_{number}": 0 for number in range(sum(key.startswith("observation_") for key in told))}


def _wrap_results(steps: Steps) -> Steps:
    return tuple(observed(step, {"result": step.observation}) if step.tool else step for step in steps)


def _count_steps_left(site: Site, shown: dict[str, Any]) -> dict[str, Any]:
    left = site.state.max_steps - turns_of(site.state.taken)
    return shown | {TRAJECTORY: f"{shown[TRAJECTORY]}\n\nSteps left: {left}"}


def _in_a_thread(use: UseTool) -> UseTool:
    return _ThreadedUse(use.tool, use.args)


class _ThreadedUse(UseTool):
    """A tool that runs in a thread of its own."""

    def run(self) -> Any:
        """Run it there, and wait for it."""
        with ThreadPoolExecutor(1) as threads:
            return threads.submit(contextvars.copy_context().run, super().run).result()


class TroubledAgentError(Exception):
    """What the agent with errors of its own ends with."""


def _raise_own_errors(_site: Site, proceed: Callable[[Any], Any], beginning: Beginning) -> Episode[Any]:
    try:
        return (yield from proceed(beginning))
    except (ValueError, RuntimeError) as error:
        raise TroubledAgentError(f"The agent has failed: {error}") from error


class _AsyncInside:
    """Its sync entry point drives the async one."""

    aforward: Callable[..., Any]

    def forward(self, **given: Any) -> Any:
        """Run the async entry point in an event loop of its own, in a thread that has none."""
        with ThreadPoolExecutor(1) as threads:
            made = threads.submit(contextvars.copy_context().run, lambda: asyncio.run(self.aforward(**given)))
            return made.result()


class _NumberedSteps:
    """Its prompts show the steps as a numbered list."""

    def _format_trajectory(self, trajectory: dict[str, Any]) -> str:
        steps: dict[str, list[str]] = {}
        for key, value in trajectory.items():
            name, _, number = key.rpartition("_")
            steps.setdefault(number, []).append(f"- {name}: {show_value(value)}")
        return "\n\n".join("\n".join([f"Step {int(number) + 1}", *lines]) for number, lines in steps.items())


_AGENTS = (
    UnusualAgent("other-words", "Words its prompts otherwise.", Seams(adapter=_reworded(_IN_OTHER_WORDS))),
    UnusualAgent("in-german", "Asks in German.", Seams(adapter=_reworded(_IN_GERMAN))),
    UnusualAgent("last-call-first", "Runs the calls of one turn last first.", Seams(advance=then(_reverse_calls))),
    UnusualAgent(
        "failures-reworded", "Tells the LM of what failed in other words.", Seams(advance=then(_retell_failures))
    ),
    UnusualAgent(
        "extra-keys",
        "Tells more of each step than was asked for.",
        Seams(prediction=when(_may_tell_more, retold(_add_keys))),
    ),
    UnusualAgent(
        "results-wrapped",
        "Shows the LM every result inside an object of its own.",
        Seams(prompt=by_trajectory(when(lambda site: not site.state.left_out, steps_shown(_wrap_results)))),
    ),
    UnusualAgent(
        "results-as-text",
        "Keeps every result as text.",
        Seams(observation=after(lambda _, observed: show_value(observed))),
    ),
    UnusualAgent("async-inside", "Awaits itself when it is called.", mixin=_AsyncInside),
    UnusualAgent("tools-in-threads", "Runs every tool in a thread.", Seams(perform=used(_in_a_thread))),
    UnusualAgent("own-errors", "Raises errors of a type of its own.", Seams(run=_raise_own_errors)),
    UnusualAgent("numbered-steps", "Shows its steps as a numbered list.", mixin=_NumberedSteps),
    UnusualAgent(
        "steps-counted",
        "Says in each prompt how many steps are left.",
        Seams(prompt=by_trajectory(on_request("step", inputs(_count_steps_left)))),
    ),
)
AGENTS = {agent.name: agent for agent in _AGENTS}
