"""A trajectory held against what happened, as far as any form of it tells (TRJ-002, ERR-013)."""

from collections.abc import Iterator

from pydantic import JsonValue

from react_tck.dialects.fields import FINISH
from react_tck.dialects.markup import as_text
from react_tck.judges.oracle.scope import is_plain_loop
from react_tck.judges.verdict import Violation
from react_tck.model.intent import Fault
from react_tck.model.outcome import Outcome, UnreadableTrace, read_trace
from react_tck.model.record import Asked, Record, Returned, ToolRan
from react_tck.record.evidence import Scene
from react_tck.record.turns import Turn, turns
from react_tck.record.visibility import shows


def mistold(scene: Scene) -> Iterator[Violation]:
    """What the trajectory of a successful call leaves out or makes up."""
    call = scene.record
    if "trajectory" not in scene.manifest.capabilities or not is_plain_loop(scene.case):
        return
    # What is left of a trajectory that didn't fit a prompt is TRJ-005's affair.
    if any(isinstance(asked.intent, Fault) for asked in call.requests):
        return
    for violation in _mistold(call):
        yield violation.of("TRJ-002" if _is_finished(call) else "ERR-013")


def _mistold(call: Record) -> Iterator[Violation]:
    for ended in call.events:
        if isinstance(ended, Returned) and ended.outcome.status == "ok":
            taken = [turn for turn in turns(call) if turn.asked and not turn.is_retried]
            yield from _left_out(ended, taken)
            yield from _made_up(ended, call)


def _left_out(ended: Returned, taken: list[Turn]) -> Iterator[Violation]:
    told = as_text(ended.outcome.trajectory)
    for turn in taken:
        for what in (what for run in turn.runs for what in _parts(turn, run)):
            if not shows(told, what):
                yield Violation(f"the trajectory shows {what!r} of a step that was taken", f"it is {told}", ended)


def _parts(turn: Turn, run: ToolRan) -> Iterator[JsonValue]:
    yield run.tool
    # Of broken replies, a lenient reader may take other things for thought and args.
    if turn.is_scripted and turn.call:
        yield turn.call.thought
        yield turn.call.args
    if not run.odd and run.observation is not None:
        yield run.observation


def _made_up(ended: Returned, call: Record) -> Iterator[Violation]:
    asked = sum(1 for asked in call.requests if _is_step(asked))
    told = _count(ended.outcome)
    if told > asked:
        yield Violation(f"at most {asked} steps in the trajectory, as were asked for", f"it has {told}", ended)


def _is_step(asked: Asked) -> bool:
    return asked.ask is not None and asked.ask.phase == "step" and asked.attempt == 0


def _count(outcome: Outcome) -> int:
    try:
        return len(read_trace(outcome).steps)
    except UnreadableTrace:
        return 0


def _is_finished(call: Record) -> bool:
    return any(turn.call and turn.call.tool == FINISH for turn in turns(call))
