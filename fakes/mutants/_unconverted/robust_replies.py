"""Violations of what becomes of steps that can't be read (ERR-005)."""

import json
from typing import Any, Literal

from react_tck.dialects.fields import TOOL_ARGS, TOOL_NAME
from react_tck.fakes.mutants.mending import COMPLETED, Mending, joined, sections
from react_tck.fakes.mutants.mutant import mutant
from react_tck.reference import loop
from react_tck.reference.drive import Episode
from react_tck.reference.react import ReAct


@mutant("first-of-contradicted-fields", "ERR-005")
class FirstOfContradictedFields(Mending):
    """Takes the first of two fields that contradict each other in a step."""

    def _mended(self, completion: str, fields: list[str]) -> str:
        parts = sections(completion)
        return joined(list(dict(reversed(parts)).items())[::-1]) if TOOL_NAME in fields and parts else completion


@mutant("truncated-call-run", "ERR-005")
class TruncatedCallRun(Mending):
    """Completes a call that is cut off, and runs it."""

    def _mended(self, completion: str, fields: list[str]) -> str:
        import json_repair

        parts = sections(completion)
        if not parts or parts[-1][0] != TOOL_ARGS or TOOL_ARGS not in fields:
            return completion
        args = json_repair.loads(parts[-1][1])
        return joined([*parts[:-1], (TOOL_ARGS, json.dumps(args))])


@mutant("tool-guessed-by-its-args", "ERR-005")
class ToolGuessedByItsArgs(Mending):
    """Finds the tool that takes such args where the reply names none."""

    def _mended(self, completion: str, fields: list[str]) -> str:
        parts = sections(completion)
        said = dict(parts)
        if TOOL_NAME not in fields or TOOL_NAME in said or TOOL_ARGS not in said:
            return completion
        args = self._args(said[TOOL_ARGS])
        fitting = [name for name, tool in self.tools.items() if tool.args.keys() == args.keys()]
        return joined([(TOOL_NAME, name) for name in fitting[:1]] + parts)


@mutant("missing-args-as-none-at-all", "ERR-005")
class MissingArgsAsNoneAtAll(Mending):
    """Runs the tool with its defaults where the reply has no args."""

    def _mended(self, completion: str, fields: list[str]) -> str:
        parts = sections(completion)
        is_open = TOOL_ARGS in fields and (COMPLETED, "") in parts and TOOL_ARGS not in dict(parts)
        return joined([(TOOL_ARGS, "{}"), *parts]) if is_open else completion


@mutant("malformed-reply-breaks-off", "ERR-005")
class MalformedReplyBreaksOff(ReAct):
    """Looks a field up that isn't there."""

    def _step(self, state: loop.State, inputs: dict[str, Any]) -> Episode[loop.Event]:
        event = yield from super()._step(state, inputs)
        if isinstance(event, loop.StepMalformed):
            raise KeyError(TOOL_NAME)
        return event


@mutant("malformed-reply-repeats-the-last-call", "ERR-005")
class MalformedReplyRepeatsTheLastCall(ReAct):
    """Makes the call before once more where a reply can't be read."""

    def _step(self, state: loop.State, inputs: dict[str, Any]) -> Episode[loop.Event]:
        event = yield from super()._step(state, inputs)
        if isinstance(event, loop.StepMalformed) and state.steps:
            last = state.steps[-1]
            return loop.StepChosen(thought=last.thought, tool=last.tool, args=last.args)
        return event


class _Declaring(ReAct):
    """Does something else about malformed replies than it declares."""

    course: Literal["extract", "error"]

    def _begin(self, inputs: dict[str, Any]) -> tuple[loop.State, dict[str, Any]]:
        state, inputs = super()._begin(inputs)
        policy = state.policy.model_copy(update={"malformed_reply": self.course})
        return state.model_copy(update={"policy": policy}), inputs


@mutant("malformed-reply-extracts", "ERR-005")
class MalformedReplyExtracts(_Declaring):
    """Goes to the extraction where a reply can't be read, and declares that it goes on."""

    course = "extract"


@mutant("readable-step-changed", "ERR-005")
class ReadableStepChanged(Mending):
    """Reads a step that has one field too many with the wrong one among its args."""

    def _mended(self, completion: str, fields: list[str]) -> str:
        parts = sections(completion)
        if TOOL_ARGS not in fields or all(name in (*fields, COMPLETED) for name, _ in parts):
            return completion
        args = dict.fromkeys(self._args(dict(parts)[TOOL_ARGS]), 0)
        return joined([part for part in parts if part[0] != TOOL_ARGS] + [(TOOL_ARGS, json.dumps(args))])
