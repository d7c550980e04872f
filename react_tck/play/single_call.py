"""One call of an episode as an episode of its own: told what it was told, its tools doing what they did."""

from collections.abc import Iterable

from react_tck.model.episode import Episode
from react_tck.model.intent import Attempts, Intent, Reply, Script
from react_tck.model.record import Asked, Record, ToolRan
from react_tck.model.tool import Behaviour, Raises, Returns


def make_single_call_episode(episode: Episode, record: Record, invocation: int) -> Episode:
    """The episode in which this call is the only one."""
    mine = record.of_call(invocation)
    case = episode.case.model_copy(update={"invocations": (episode.case.invocations[invocation],)})
    script = Script(
        steps=_collect_intents(mine.requests, "step"), answers=_collect_intents(mine.requests, "extraction")
    )
    return episode.model_copy(
        update={"case": case, "script": script, "behaviours": _collect_behaviours(mine.tool_runs)}
    )


def make_single_call_record(record: Record, invocation: int) -> Record:
    """This call's part of a record, numbered as if there were no other."""
    events = tuple(event.model_copy(update={"invocation": 0}) for event in record.of_call(invocation).events)
    return Record(case_id=record.case_id, events=events)


def _collect_intents(requests: Iterable[Asked], phase: str) -> tuple[Intent, ...]:
    """A turn's intent, or what was said to each of its attempts."""
    turns: list[list[Reply]] = []
    for asked in requests:
        if asked.ask and asked.ask.phase == phase and asked.intent:
            turns = [*turns, []] if asked.attempt == 0 or not turns else turns
            turns[-1].append(asked.intent)
    return tuple(Attempts(replies=tuple(said)) if len(said) > 1 else said[0] for said in turns)


def _collect_behaviours(runs: Iterable[ToolRan]) -> dict[str, tuple[Behaviour, ...]]:
    done: dict[str, tuple[Behaviour, ...]] = {}
    for run in runs:
        behaviour = Returns(value=run.result) if run.error is None else Raises(message=run.error)
        done[run.tool] = (*done.get(run.tool, ()), behaviour)
    return done
