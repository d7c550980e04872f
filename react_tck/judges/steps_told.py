"""A trajectory held against the steps that were taken, step by step, where its form can be read (TRJ-002)."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace

from react_tck.dialects.fields import FINISH, SUBMIT, step_names
from react_tck.dialects.markup import as_text
from react_tck.judges.oracle.scope import has_distinct_names
from react_tck.judges.trajectories import has_run_out
from react_tck.judges.verdict import Violation
from react_tck.model.intent import CallTool, Submit
from react_tck.model.outcome import TraceStep, UnreadableTrace, read_trace
from react_tck.model.record import Returned, ToolRan
from react_tck.record.approvals import Decision, is_taken, read_decision
from react_tck.record.evidence import Scene
from react_tck.record.turns import Turn
from react_tck.record.visibility import hides_value, names_whole_word, read_case_name, tells_args


@dataclass(frozen=True)
class Taken:
    """A step that was taken, alone in its turn, and the run that came of it, if one did."""

    turn: Turn
    call: CallTool
    run: ToolRan | None
    #: Whether the LM was asked for its thought.
    has_thought: bool

    def is_told_by(self, step: TraceStep) -> bool:
        """Tell whether a step of the trajectory may be this one; that a part is missing is TRJ-004's affair."""
        return self._is_named(step) and self._has_its_thought(step) and self._has_its_args(step)

    def _is_named(self, step: TraceStep) -> bool:
        return step.parts.get("tool", self.call.tool) == self.call.tool

    def _has_its_thought(self, step: TraceStep) -> bool:
        told = as_text(step.parts.get("thought", self.call.thought))
        return not self.has_thought or not hides_value(told, self.call.thought)

    def _has_its_args(self, step: TraceStep) -> bool:
        if self.run is None or "args" not in step.parts:
            return True
        return any(tells_args(step.args, args) for args in (self.call.args, self.run.args))


def find_untold_steps(scene: Scene) -> Iterator[Violation]:
    """Yield the steps that a successful call's trajectory doesn't tell of, in order; and those of no call."""
    if not has_distinct_names(scene.case):
        return
    for ended in scene.record.events:
        if isinstance(ended, Returned) and ended.outcome.status == "ok":
            with suppress(UnreadableTrace):
                yield from _compare_trace(scene, ended)


def _compare_trace(scene: Scene, ended: Returned) -> Iterator[Violation]:
    trace = read_trace(ended.outcome)
    if trace.text is not None:
        return
    asked = [turn for turn in scene.turns if _is_step(turn)]
    # The submit that ends a call is told in the history (TRN-007).
    is_submitted = bool(asked) and asked[-1].asked is not None and isinstance(asked[-1].asked.intent, Submit)
    most = sum(max(1, len(turn.reply_calls)) for turn in (asked[:-1] if is_submitted else asked))
    if len(trace.steps) > most:
        expected = f"at most {most} steps in the trajectory, as were asked for"
        is_transcript = scene.case.options.system == "transcript"
        yield Violation(expected, f"it has {len(trace.steps)}", ended, "TRN-007" if is_transcript else "TRJ-002")
    steps = iter(trace.steps)
    for taken in _list_owed_steps(scene, has_finish=_names_finish(trace.steps)):
        if not any(taken.is_told_by(step) for step in steps):
            call = taken.call
            expected = f"the trajectory tells of {call.tool!r} with {call.args}, thought {call.thought!r}, in its order"
            requirement_id = _find_step_requirement(scene, taken, trace.steps)
            actual = f"it is {as_text(ended.outcome.trajectory)}"
            yield Violation(expected, actual, ended, requirement_id)
            return


def _list_owed_steps(scene: Scene, *, has_finish: bool) -> Iterator[Taken]:
    """Yield the steps that a trajectory owes; which of several calls of a turn comes first is left open."""
    asked = [turn for turn in scene.turns if turn.asked and not turn.is_retried]
    for number, turn in enumerate(asked):
        call, runs = turn.reply_call, turn.find_runs(turn.reply_call.tool) if turn.reply_call else []
        if call is None or not turn.is_scripted or not _is_step(turn) or call.tool == SUBMIT:
            continue
        has_thought = _was_asked_for_its_thought(scene, turn)
        following = asked[number + 1] if number + 1 < len(asked) else None
        if call.tool == FINISH:
            # Whether it is recorded is a choice.
            if has_finish and (following is None or not _is_step(following)):
                yield Taken(turn, call, None, has_thought)
        elif len(runs) == 1:
            yield Taken(turn, call, runs[0], has_thought)
        elif not runs and following and _is_told(scene, turn, call, following):
            yield Taken(turn, call, None, has_thought)


def _is_step(turn: Turn) -> bool:
    return turn.asked is not None and turn.asked.ask is not None and turn.asked.ask.phase == "step"


def _was_asked_for_its_thought(scene: Scene, turn: Turn) -> bool:
    fields = turn.asked.ask.fields if turn.asked and turn.asked.ask else ()
    # Of native calls the text beside them is the thought to udspy alone (UDS-005).
    return step_names(fields)[0] in fields or scene.case.options.system == "udspy"


def _is_told(scene: Scene, turn: Turn, call: CallTool, following: Turn) -> bool:
    """Tell whether a call that came to nothing is one of the steps: the next request has it, and goes on.

    A person who declined it was asked about a step; what name a tool is told by that was nearly named is left open.
    """
    if turn.questions:
        return call.tool in scene.tools and _list_decisions(turn) <= {"no", "feedback"}
    if read_case_name(call.tool, scene.case).match not in ("unknown", "exact") or not call.tool.strip():
        return False
    before, after = (each.asked.request.text if each.asked else "" for each in (turn, following))
    return (
        names_whole_word(after, call.tool)
        and not names_whole_word(before, call.tool)
        and not hides_value(after, call.thought)
    )


def _list_decisions(turn: Turn) -> set[Decision]:
    """Return what a person said to the turn's call, as far as it can be taken."""
    taken = (each for question in turn.questions for each in question.responses if is_taken(each))
    return {said for each in taken if (said := read_decision(each.resumption.response))}


def _names_finish(steps: tuple[TraceStep, ...]) -> bool:
    return bool(steps) and steps[-1].parts.get("tool") == FINISH


def _find_step_requirement(scene: Scene, taken: Taken, told: tuple[TraceStep, ...]) -> str:
    """Return the requirement by which a step is told: an edited call by its own, a thought by TRJ-002."""
    if _lacks_its_thought_only(taken, told) and scene.case.options.system != "transcript":
        return "TRJ-002"
    made = taken.turn.reply_calls[0]
    is_told_as_made = made != taken.call and any(map(replace(taken, call=made, run=None).is_told_by, told))
    return "CNF-014" if is_told_as_made else _find_requirement(scene)


def _lacks_its_thought_only(taken: Taken, told: tuple[TraceStep, ...]) -> bool:
    return any(map(replace(taken, has_thought=False).is_told_by, told))


def _find_requirement(scene: Scene) -> str:
    """Return the requirement by which steps are told."""
    if any(asked.is_overflow for asked in scene.record.requests):
        return "TRJ-005"
    if scene.case.options.system == "transcript":
        return "TRN-007"
    return "ERR-013" if has_run_out(scene) else "TRJ-002"
