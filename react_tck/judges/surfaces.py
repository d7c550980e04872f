"""What is told besides the answer: to callers of udspy's ReAct (UDS-001, UDS-002), to callbacks (OBS-001)."""

from collections import Counter
from collections.abc import Iterator

from react_tck.dialects.markup import as_text
from react_tck.judges.verdict import Violation
from react_tck.model.base import JsonObject
from react_tck.model.intent import Finish
from react_tck.model.record import Asked, Record, Returned, ToolRan
from react_tck.record.evidence import Evidence, Scene
from react_tck.record.visibility import hides_value

#: The observation of the step that finishes.
FINISHED = "Task completed"
_KEYS = ("reasoning", "tool_name", "tool_args", "observation")
_UNHEARD = "OBS-001"


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
            yield Violation(f"the observation reads {told!r}", "it does not", following, "UDS-002")
        ended = next((event for event in events[index:] if isinstance(event, Returned)), None)
        trajectory = ended.outcome.trajectory if ended and ended.outcome.status == "ok" else None
        if isinstance(trajectory, dict) and all(hides_value(as_text(value), told) for value in trajectory.values()):
            yield Violation(f"an observation of the trajectory reads {told!r}", "none does", ended, "UDS-002")


def find_unheard_events(evidence: Evidence) -> Iterator[Violation]:
    """Yield runs and replies of which callbacks that listen hear nothing."""
    yield from find_unheard_runs(evidence.record)
    yield from find_unheard_replies(evidence.record)


def find_unheard_runs(record: Record) -> Iterator[Violation]:
    """Each tool that ran oftener than callbacks heard of; of a run that is interrupted nobody is told how it ended."""
    if record.heard is None:
        return
    ran = Counter(run.tool for run in record.tool_runs if not run.interrupted)
    heard = Counter(notice.name for notice in record.heard if notice.what == "tool")
    if ran - heard:
        expected = f"the callbacks hear of the tool calls {_list_names(ran)}"
        yield Violation(expected, f"they heard of {_list_names(heard)}", requirement_id=_UNHEARD)


def find_unheard_replies(record: Record) -> Iterator[Violation]:
    """Fewer readings than replies; an adapter may try to read one in several ways, and reads no native calls.

    Of a reply without a text there is nothing to read.
    """
    if record.heard is None:
        return
    answered = [asked.completion for asked in record.requests if asked.completion]
    replies = sum(not completion.tool_calls and completion.content != "" for completion in answered)
    readings = Counter(notice.name for notice in record.heard if notice.what == "reading")
    if readings.total() < replies:
        expected = f"the callbacks hear of the reading of {replies} replies"
        yield Violation(expected, f"they heard of {_list_names(readings)}", requirement_id=_UNHEARD)


def _list_names(names: Counter[str]) -> str:
    return ", ".join(names.elements()) or "none"
