"""What an episode is held against: itself, without the things that are to make no difference to what is done."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from react_tck.judges.determinism import find_difference, mask_call_ids
from react_tck.model.base import JsonObject
from react_tck.model.case import Invocation
from react_tck.model.episode import Episode
from react_tck.model.intent import Answer, Calls, CallTool, Finish, Submit
from react_tck.model.record import Called, Changed, Event, Hung, Record, Resumed
from react_tck.model.tool import Raises, Reports, Returns
from react_tck.play.operations import read_entries
from react_tck.play.session import play_episode
from react_tck.play.single_call import make_single_call_episode, make_single_call_record
from react_tck.record.evidence import Counterpart, Evidence
from react_tck.subjects.api import Subject

Changes = Mapping[str, object]
#: What a tool's run may do for it to be told again by what it returned.
_REPEATABLE = (Returns, Raises, Reports)


def add_counterparts(subject: Subject, evidence: Evidence) -> Evidence:
    """The evidence with what came of its episode without each thing that is to make no difference.

    All are left out at once; only where that makes a difference, one after the other. Who gives another record
    whenever a case is played is held against nothing: that is SAN-009's affair.

    Raises:
        HarnessBroken: if the harness breaks.
    """
    if beside := evidence.beside:
        # The tools of a call of the same instance say whose they are: that of its first call.
        single = make_single_call_episode(beside.episode, beside.record, 0)
        alone = play_episode(subject, single, is_watched=False)
        if not _differ(beside, alone, play_episode(subject, single, is_watched=False)):
            beside = replace(beside, counterparts=(Counterpart("ISO-002", beside.record, alone),))
    made = tuple(_play_counterparts(subject, evidence)) if _can_be_held(evidence.record) else ()
    return replace(evidence, beside=beside, counterparts=made)


def _can_be_held(record: Record) -> bool:
    is_over = bool(record.outcomes) and not any(isinstance(event, Hung) for event in record.events)
    return is_over and not any(asked.refusal for asked in record.requests)


def _play_counterparts(subject: Subject, evidence: Evidence) -> Iterator[Counterpart]:
    found = tuple(_list_indifferent(evidence))
    if not found:
        return
    together = _play_without(subject, evidence.episode, evidence.record, found)
    if not _differ(evidence, *together):
        yield from (Counterpart(requirement_id, *together) for requirement_id in found)
        return
    alone = play_episode(subject, evidence.episode, is_watched=False)
    has_company = "ISO-002" in found
    again = play_episode(subject, evidence.episode, is_watched=False) if has_company else evidence.record
    if _differ(evidence, again, alone):
        return
    if has_company:
        yield Counterpart("ISO-002", evidence.record, alone)
    for requirement_id in found:
        if requirement_id != "ISO-002":
            yield Counterpart(requirement_id, *_play_without(subject, evidence.episode, alone, (requirement_id,)))


def _differ(evidence: Evidence, one: Record, other: Record) -> bool:
    return find_difference(one, other, evidence.manifest.varies) is not None


def _list_indifferent(evidence: Evidence) -> Iterator[str]:
    """By the requirement that says so: what there is in the episode that is to make no difference."""
    case, record = evidence.episode.case, evidence.record
    if evidence.beside is not None:
        yield "ISO-002"
    if case.state is not None:
        yield "SAV-002"
    if any(response.elsewhere for call in case.invocations for response in call.resumptions):
        yield "CNF-008"
    if any(call.mode == "async" for call in case.invocations) and _went_well(record):
        yield "ASY-001"
    if _is_last_independent(evidence.episode, record):
        yield "ISO-001"
    if case.options.system == "transcript" and _find_history(record, case.invocations[-1]) is not None:
        yield "TRN-010"


def _went_well(record: Record) -> bool:
    """Whether nothing is told of an error, which may name the functions that it came through."""
    said = [asked.intent for asked in record.requests]
    calls = sum(len(intent.calls) if isinstance(intent, Calls) else isinstance(intent, CallTool) for intent in said)
    runs = [run for run in record.tool_runs if run.error is None and not run.interrupted]
    is_plain = all(isinstance(intent, Answer | CallTool | Calls | Finish | Submit) for intent in said)
    committed = sum(isinstance(intent, Submit) for intent in said)
    # Who runs `finish` as a tool may tell an error of its args.
    is_plain = is_plain and not any(isinstance(intent, Finish) and intent.args for intent in said)
    succeeded = sum(outcome.status == "ok" for outcome in record.outcomes)
    has_error = any(outcome.error for outcome in record.outcomes)
    return is_plain and not has_error and calls == len(runs) == len(record.tool_runs) and committed <= succeeded


def _is_last_independent(episode: Episode, record: Record) -> bool:
    """Whether the last call comes after others, goes on with nothing, and can be told again by what was seen of it."""
    case = episode.case
    is_repeatable = all(isinstance(run, _REPEATABLE) for runs in episode.behaviours.values() for run in runs)
    called = [event.invocation for event in record.events if isinstance(event, Called)]
    is_later = len(case.invocations) > 1 and len(case.invocations) - 1 in called
    return is_repeatable and is_later and case.invocations[-1].follows is None and case.options.system != "conversation"


def _find_history(record: Record, call: Invocation) -> tuple[JsonObject, ...] | None:
    """What the call that this one follows told as its history; None if it follows none, or that told none."""
    outcomes = () if call.follows is None else record.of_call(call.follows).outcomes
    return read_entries(outcomes[-1].history) if outcomes else None


def _play_without(
    subject: Subject, episode: Episode, record: Record, left_out: Collection[str]
) -> tuple[Record, Record]:
    """What the record tells, and what it would without these; only of the last call, if none is to come before it."""
    if "SAV-002" in left_out:
        episode = episode.model_copy(update={"case": episode.case.model_copy(update={"state": None})})
    if "CNF-008" in left_out:
        episode = _change_calls(episode, {}, {"elsewhere": False})
    if "ASY-001" in left_out:
        episode = _change_calls(episode, {"mode": "sync"}, {"mode": "sync"})
    if "TRN-010" in left_out:
        episode = _write_histories_out(episode, record)
    if "ISO-001" in left_out:
        last = len(episode.case.invocations) - 1
        episode, record = make_single_call_episode(episode, record, last), make_single_call_record(record, last)
    without = play_episode(subject, episode, is_watched=False)
    if "CNF-008" in left_out:
        record, without = mask_call_ids(record), mask_call_ids(without)  # another instance's LM counts its calls anew
    return _drop_ways(record), _drop_ways(without)


def _write_histories_out(episode: Episode, record: Record) -> Episode:
    """The episode in which each call gets the history that it goes on with as it was told, not as the object."""
    calls = []
    for call in episode.case.invocations:
        history = _find_history(record, call)
        told = {} if history is None else {"follows": None, "history": history}
        calls.append(call.model_copy(update=told))
    return episode.model_copy(update={"case": episode.case.model_copy(update={"invocations": tuple(calls)})})


def _change_calls(episode: Episode, changes: Changes, resumption_changes: Changes) -> Episode:
    """The episode with these fields in each of its calls, and those in each resumption."""
    calls = []
    for call in episode.case.invocations:
        resumed = tuple(each.model_copy(update=resumption_changes) for each in call.resumptions)
        calls.append(call.model_copy(update={**changes, "resumptions": resumed}))
    return episode.model_copy(update={"case": episode.case.model_copy(update={"invocations": tuple(calls)})})


def _drop_ways(record: Record) -> Record:
    """The record without how the call was resumed, which is what differs, and without what it changed (ISO-003)."""
    events = (_drop_way(event) for event in record.events if not isinstance(event, Changed))
    return record.model_copy(update={"events": tuple(events)})


def _drop_way(event: Event) -> Event:
    if not isinstance(event, Resumed):
        return event
    resumption = event.resumption.model_copy(update={"mode": "sync", "elsewhere": False})
    return event.model_copy(update={"resumption": resumption})
