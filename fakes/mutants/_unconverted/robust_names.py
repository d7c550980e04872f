"""Violations of what becomes of tool names that aren't there (ERR-001)."""

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any

import dspy

from react_tck.fakes.mutants.mutant import mutant
from react_tck.reference import loop
from react_tck.reference.drive import Episode
from react_tck.reference.react import ReAct


class _Renaming(ReAct):
    """Takes a name that no tool has for another; `_instead` says which."""

    def _chosen(self, reply: dspy.Prediction) -> loop.Event:
        known = [*self.tools, loop.FINISH]
        if reply.next_tool_name not in known and (instead := self._instead(reply.next_tool_name, known)):
            reply.next_tool_name = instead
        return super()._chosen(reply)

    def _instead(self, name: str, known: Sequence[str]) -> str | None:
        raise NotImplementedError


@mutant("nearest-tool-run", "ERR-001")
class NearestToolRun(_Renaming):
    """Runs the tool whose name is nearest to the unknown one."""

    def _instead(self, name: str, known: Sequence[str]) -> str | None:
        return next(iter(get_close_matches(name.lower(), known, n=1)), None)


@mutant("unknown-name-takes-the-first-tool", "ERR-001")
class UnknownNameTakesTheFirstTool(_Renaming):
    """Runs the first tool for a name that no tool has."""

    def _instead(self, name: str, known: Sequence[str]) -> str | None:  # noqa: ARG002 - whatever the name
        return known[0]


@mutant("quotes-moved-to-the-args", "ERR-001")
class QuotesMovedToTheArgs(ReAct):
    """Takes a name in quotes for the tool, and puts the texts among its args into quotes instead."""

    def _chosen(self, reply: dspy.Prediction) -> loop.Event:
        event = super()._chosen(reply)
        if isinstance(event, loop.StepChosen) and (name := event.tool.strip("\"'`*")) != event.tool:
            return event.model_copy(update={"tool": name, "args": {k: f'"{v}"' for k, v in event.args.items()}})
        return event


@mutant("unknown-name-lost", "ERR-001")
class UnknownNameLost(ReAct):
    """Says that the tool isn't there, but not which."""

    def _advance(self, state: loop.State, event: loop.Event) -> loop.State:
        following = super()._advance(state, event)
        if isinstance(event, loop.StepChosen) and event.tool not in (*self.tools, loop.FINISH):
            step = following.steps[-1].model_copy(update={"tool": "", "observation": "Error: there is no such tool."})
            return following.model_copy(update={"steps": (*following.steps[:-1], step)})
        return following


@mutant("unknown-name-breaks-off", "ERR-001")
class UnknownNameBreaksOff(ReAct):
    """Looks the tool up without a thought that it may not be there."""

    def _advance(self, state: loop.State, event: loop.Event) -> loop.State:
        if isinstance(event, loop.StepChosen) and event.tool != loop.FINISH:
            self.tools[event.tool]
        return super()._advance(state, event)


@mutant("unknown-name-repeats-the-last-tool", "ERR-001")
class UnknownNameRepeatsTheLastTool(ReAct):
    """Takes a name that no tool has for one more call of the tool before."""

    def _step(self, state: loop.State, inputs: dict[str, Any]) -> Episode[loop.Event]:
        event = yield from super()._step(state, inputs)
        if isinstance(event, loop.StepChosen) and event.tool not in (*self.tools, loop.FINISH) and state.steps:
            last = state.steps[-1]
            return loop.StepChosen(thought=event.thought, tool=last.tool, args=last.args)
        return event


@mutant("unknown-name-remembered", "ERR-001")
class UnknownNameRemembered(ReAct):
    """Keeps the args of a call it couldn't make for the next one it can."""

    def _step(self, state: loop.State, inputs: dict[str, Any]) -> Episode[loop.Event]:
        event = yield from super()._step(state, inputs)
        failed = [step for step in state.steps if step.tool not in self.tools]
        if isinstance(event, loop.StepChosen) and event.tool in self.tools and failed:
            return event.model_copy(update={"args": failed[-1].args})
        return event


@mutant("unknown-name-extracts", "ERR-001")
class UnknownNameExtracts(ReAct):
    """Goes to the extraction after an unknown name, and declares that it goes on."""

    def _begin(self, inputs: dict[str, Any]) -> tuple[loop.State, dict[str, Any]]:
        state, inputs = super()._begin(inputs)
        policy = state.policy.model_copy(update={"unknown_tool": "extract"})
        return state.model_copy(update={"policy": policy}), inputs
