"""What the caller of udspy's ReAct can rely on, whatever happens (UDS-001, UDS-002)."""

from collections.abc import Iterator

from react_tck.dialects.markup import as_text
from react_tck.judges.verdict import Violation
from react_tck.model.base import JsonObject
from react_tck.model.intent import Finish
from react_tck.model.record import Asked, Returned, ToolRan
from react_tck.record.evidence import Scene
from react_tck.record.visibility import hides_value

#: The observation of the step that finishes.
FINISHED = "Task completed"
_KEYS = ("reasoning", "tool_name", "tool_args", "observation")


def find_udspy_deviations(scene: Scene) -> Iterator[Violation]:
    """Other keys in a trajectory, other words for a tool's error."""
    if scene.case.options.system != "udspy":
        return
    # Of prompts that didn't fit, a trajectory says what was kept, in words of its own (CTX-001).
    overflowed = {asked.invocation for asked in scene.record.requests if asked.is_overflow}
    steps = [asked.intent for asked in scene.record.requests if asked.ask and asked.ask.phase == "step"]
    finishes = bool(steps) and isinstance(steps[-1], Finish) and not steps[-1].args
    for ended in scene.record.events:
        if not isinstance(ended, Returned) or ended.invocation in overflowed:
            continue
        if isinstance(ended.outcome.trajectory, dict):
            is_finished = finishes and ended.outcome.status == "ok"
            yield from _find_wrong_keys(ended, ended.outcome.trajectory, is_finished=is_finished)
        context = (ended.outcome.suspension or {}).get("context")
        if isinstance(context, dict) and isinstance(told := context.get("trajectory"), dict):
            yield from _find_wrong_keys(ended, told, is_finished=False)
    yield from _find_reworded_errors(scene)


def _find_wrong_keys(ended: Returned, trajectory: JsonObject, *, is_finished: bool) -> Iterator[Violation]:
    count = len({key.rpartition("_")[2] for key in trajectory})
    known = {f"{key}_{number}" for number in range(count) for key in _KEYS}
    if others := sorted(trajectory.keys() - known):
        expected = f"the trajectory's keys are {', '.join(_KEYS)}, each with the number of its step"
        yield Violation(expected, f"others are {', '.join(others)}", ended, "UDS-001")
    for number in range(count):
        told = trajectory.get(f"observation_{number}", "")
        if not isinstance(told, str):
            yield Violation(f"the observation of step {number} is a text", f"it is {told!r}", ended, "UDS-001")
        elif number == count - 1 and is_finished and told != FINISHED:
            yield Violation(f"the observation of the finish step is {FINISHED!r}", f"it is {told!r}", ended, "UDS-001")


def _find_reworded_errors(scene: Scene) -> Iterator[Violation]:
    events = scene.record.events
    for index, run in enumerate(events):
        if not isinstance(run, ToolRan) or run.error is None:
            continue
        following = next((event for event in events[index:] if isinstance(event, Asked)), None)
        told = f"Error executing {run.tool}: {run.error}"
        if following and hides_value(following.request.text, told):
            part_of = ("SAN-004",) if hides_value(following.request.text, run.error) else ()
            expected = f"the observation reads {told!r}"
            yield Violation(expected, "it does not", following, "UDS-002", part_of=part_of)
        ended = next((event for event in events[index:] if isinstance(event, Returned)), None)
        trajectory = ended.outcome.trajectory if ended and ended.outcome.status == "ok" else None
        if isinstance(trajectory, dict) and all(hides_value(as_text(value), told) for value in trajectory.values()):
            yield Violation(f"an observation of the trajectory reads {told!r}", "none does", ended, "UDS-002")
