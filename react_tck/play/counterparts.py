"""What an episode is held against: itself, without one thing that is to make no difference to what is done."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from react_tck.judges.determinism import find_difference
from react_tck.model.episode import Episode
from react_tck.model.record import Called, Event, Hung, Record, Resumed
from react_tck.model.tool import Raises, Reports, Returns
from react_tck.play.session import play_episode
from react_tck.play.single_call import make_single_call_episode, make_single_call_record
from react_tck.record.evidence import Counterpart, Evidence
from react_tck.subjects.api import Subject

Changes = Mapping[str, object]
#: What a tool's run may do for it to be told again by what it returned.
_REPEATABLE = (Returns, Raises, Reports)


def add_counterparts(subject: Subject, evidence: Evidence) -> Evidence:
    """The evidence with what came of its episode without each thing that is to make no difference.

    Who gives another record whenever a case is played is held against nothing: that is SAN-009's affair.

    Raises:
        HarnessBroken: if the harness breaks.
    """
    if not _can_be_held(evidence.record):
        return evidence
    made = tuple(_play_counterparts(subject, evidence))
    varies = evidence.manifest.varies
    if any(find_difference(each.record, each.without, varies) for each in made):
        again = play_episode(subject, evidence.episode, is_watched=False)
        if evidence.beside is None and find_difference(evidence.record, again, varies):
            return evidence
    return replace(evidence, counterparts=made)


def _can_be_held(record: Record) -> bool:
    is_over = bool(record.outcomes) and not any(isinstance(event, Hung) for event in record.events)
    return is_over and not any(asked.refusal for asked in record.requests)


def _play_counterparts(subject: Subject, evidence: Evidence) -> Iterator[Counterpart]:
    episode, record = evidence.episode, evidence.record
    if evidence.beside is not None:
        alone = play_episode(subject, episode, is_watched=False)
        yield _make_counterpart("ISO-002", record, alone)
        record = alone
    for requirement_id, other in _list_whole_episodes(episode, record):
        yield _make_counterpart(requirement_id, record, play_episode(subject, other, is_watched=False))
    for number in _list_independent_calls(episode, record):
        single = make_single_call_episode(episode, record, number)
        by_itself = play_episode(subject, single, is_watched=False)
        yield _make_counterpart("ISO-001", make_single_call_record(record, number), by_itself)


def _make_counterpart(requirement_id: str, record: Record, without: Record) -> Counterpart:
    return Counterpart(requirement_id, _drop_ways(record), _drop_ways(without))


def _drop_ways(record: Record) -> Record:
    """The record without how the call was resumed: that is what differs."""
    return record.model_copy(update={"events": tuple(map(_drop_way, record.events))})


def _drop_way(event: Event) -> Event:
    if not isinstance(event, Resumed):
        return event
    resumption = event.resumption.model_copy(update={"mode": "sync", "elsewhere": False})
    return event.model_copy(update={"resumption": resumption})


def _list_whole_episodes(episode: Episode, record: Record) -> Iterator[tuple[str, Episode]]:
    """By requirement: the episode without what that requirement says makes no difference."""
    case = episode.case
    if case.state is not None:
        yield "SAV-002", episode.model_copy(update={"case": case.model_copy(update={"state": None})})
    if any(response.elsewhere for call in case.invocations for response in call.resumptions):
        yield "CNF-008", _change_calls(episode, {}, {"elsewhere": False})
    # What an error tells may name the functions that it came through.
    has_failed = any(run.error or run.interrupted for run in record.tool_runs) or any(o.error for o in record.outcomes)
    if any(call.mode == "async" for call in case.invocations) and not has_failed:
        yield "ASY-001", _change_calls(episode, {"mode": "sync"}, {"mode": "sync"})


def _change_calls(episode: Episode, changes: Changes, resumption_changes: Changes) -> Episode:
    """The episode with these fields in each of its calls, and those in each resumption."""
    calls = []
    for call in episode.case.invocations:
        resumed = tuple(each.model_copy(update=resumption_changes) for each in call.resumptions)
        calls.append(call.model_copy(update={**changes, "resumptions": resumed}))
    return episode.model_copy(update={"case": episode.case.model_copy(update={"invocations": tuple(calls)})})


def _list_independent_calls(episode: Episode, record: Record) -> Iterator[int]:
    """The calls after others that go on with nothing, and whose tools do what can be told again."""
    case = episode.case
    is_repeatable = all(isinstance(run, _REPEATABLE) for runs in episode.behaviours.values() for run in runs)
    if case.options.system == "conversation" or not is_repeatable:
        return
    called = {event.invocation for event in record.events if isinstance(event, Called)}
    for number, call in enumerate(case.invocations):
        if number and number in called and call.follows is None:
            yield number
