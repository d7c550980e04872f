"""Plays an episode again and compares: after another one, and without what is to make no difference to what is done."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace

from react_tck.model.base import JsonObject
from react_tck.model.case import Invocation
from react_tck.model.episode import Episode
from react_tck.model.intent import Answer, Attempts, Calls, CallTool, Finish, Intent, Reply, Script, Submit
from react_tck.model.record import Asked, Called, Changed, Event, Hung, Record, Resumed, ToolRan
from react_tck.model.tool import Behaviour, Performs, Raises, Reports, Returns
from react_tck.play.others import make_other_episode
from react_tck.play.session import play_episode, read_entries
from react_tck.play.surroundings import play_calls
from react_tck.record.difference import find_difference, mask_call_ids
from react_tck.record.evidence import Counterpart, Evidence
from react_tck.subjects.api import Subject

#: How often an episode is played to see whether it differs from itself: of two orders one comes so often in 1 of 64.
_CONTROLS = 6
#: What a tool's run may do for it to be told again by what it returned.
_REPEATABLE = (Returns, Raises, Reports)


def play_and_compare(subject: Subject, episode: Episode, *, again: bool) -> Evidence:
    """Play the episode, and what it is held against; raises what `gather_evidence` raises."""
    return add_counterparts(subject, gather_evidence(subject, episode, again=again))


def gather_evidence(subject: Subject, episode: Episode, *, again: bool) -> Evidence:
    """Play the episode; `again` plays it once more, after another one.

    In circumstances that aren't its case's it isn't played once more.

    Raises:
        HarnessBroken: if the harness raises instead of giving an outcome.
    """
    if episode.variations:
        return play_calls(subject, episode).collect_evidence(subject.initialize())
    evidence = Evidence(episode, subject.initialize(), play_episode(subject, episode, is_watched=False))
    return add_replay(subject, evidence) if again else evidence


def add_replay(subject: Subject, evidence: Evidence) -> Evidence:
    """Return the evidence with another record of its episode, played again after another one, so that what is kept
    shows.

    Raises:
        HarnessBroken: if the harness breaks.
    """
    play_episode(subject, make_other_episode(subject.initialize()))
    return replace(evidence, replayed=play_episode(subject, evidence.episode))


def add_counterparts(subject: Subject, evidence: Evidence) -> Evidence:
    """Return the evidence with what came of its episode without each thing that is to make no difference.

    All are left out at once; only where that makes a difference, one after the other. Who gives another record
    whenever a case is played is held against nothing: that is SAN-009's affair.

    Raises:
        HarnessBroken: if the harness breaks.
    """
    gathered = _hold_against_others(subject, evidence)
    held = (*gathered.counterparts, *(gathered.beside.counterparts if gathered.beside else ()))
    differs = any(find_difference(each.record, each.without, evidence.manifest.varies) for each in held)
    return evidence if differs and not is_settled(subject, evidence.episode) else gathered


def _hold_against_others(subject: Subject, evidence: Evidence) -> Evidence:
    """Return the evidence with what came of its episode without what is to make no difference."""
    if beside := evidence.beside:
        # The tools of a call of the same instance say whose they are: that of its first call.
        single = make_single_call_episode(beside.episode, beside.record, 0)
        alone = play_episode(subject, single, is_watched=False)
        if not _differ(beside, alone, play_episode(subject, single, is_watched=False)):
            beside = replace(beside, counterparts=(Counterpart("ISO-002", beside.record, alone),))
    made = tuple(_play_counterparts(subject, evidence)) if _can_be_held(evidence.record) else ()
    return replace(evidence, beside=beside, counterparts=made)


def is_settled(subject: Subject, episode: Episode) -> bool:
    """Tell whether the episode gives the same record however often it is played.

    What differs from itself can be held against nothing: that it does is SAN-009's affair, and nothing else is told.
    """
    first, varies = play_episode(subject, episode, is_watched=False), subject.initialize().varies
    plays = (play_episode(subject, episode, is_watched=False) for _ in range(_CONTROLS))
    return not any(find_difference(first, play, varies) for play in plays)


def make_single_call_episode(episode: Episode, record: Record, invocation: int) -> Episode:
    """Return the episode in which this call is the only one: told what it was told, its tools doing what they did."""
    mine = record.of_call(invocation)
    script = Script(
        steps=_collect_intents(mine.requests, "step"), answers=_collect_intents(mine.requests, "extraction")
    )
    changed = _change_case(episode, invocations=(episode.case.invocations[invocation],))
    return changed.model_copy(update={"script": script, "behaviours": _collect_behaviours(mine.tool_runs)})


def tell_team_tools(episode: Episode, record: Record) -> Episode:
    """Return the episode whose tools of a team's own do again what they did: they may remember, or look at a clock."""
    live = [name for name, runs in episode.behaviours.items() if Performs() in runs]
    if not live:
        return episode
    did = _collect_behaviours(record.tool_runs)
    return episode.model_copy(update={"behaviours": episode.behaviours | {name: did.get(name, ()) for name in live}})


def make_single_call_record(record: Record, invocation: int) -> Record:
    """Return this call's part of a record, numbered as if there were no other."""
    events = tuple(event.model_copy(update={"invocation": 0}) for event in record.of_call(invocation).events)
    return Record(case_id=record.case_id, events=events)


def _can_be_held(record: Record) -> bool:
    is_over = bool(record.outcomes) and not any(isinstance(event, Hung) for event in record.events)
    return is_over and not any(asked.refusal for asked in record.requests)


def _play_counterparts(subject: Subject, evidence: Evidence) -> Iterator[Counterpart]:
    found = tuple(id_ for id_, (is_there, _) in _INDIFFERENT.items() if is_there(evidence))
    if not found:
        return
    together = _play_without(subject, evidence.episode, evidence.record, found)
    if not _differ(evidence, *together):
        yield from (Counterpart(requirement_id, *together) for requirement_id in found)
        return
    alone = play_episode(subject, evidence.episode, is_watched=False)
    is_beside = "ISO-002" in found
    again = play_episode(subject, evidence.episode, is_watched=False) if is_beside else evidence.record
    if _differ(evidence, again, alone):
        return
    if is_beside:
        yield Counterpart("ISO-002", evidence.record, alone)
    for requirement_id in found:
        if requirement_id != "ISO-002":
            yield Counterpart(requirement_id, *_play_without(subject, evidence.episode, alone, (requirement_id,)))


def _differ(evidence: Evidence, one: Record, other: Record) -> bool:
    return find_difference(one, other, evidence.manifest.varies) is not None


def _play_without(
    subject: Subject, episode: Episode, record: Record, left_out: Collection[str]
) -> tuple[Record, Record]:
    """Return what the record tells, and would without these; only of the last call, if none is to precede it."""
    last = len(episode.case.invocations) - 1
    for requirement_id in left_out:
        episode = _INDIFFERENT[requirement_id][1](episode, record)
    if "ISO-001" in left_out:
        record = make_single_call_record(record, last)
    without = play_episode(subject, episode, is_watched=False)
    if "CNF-008" in left_out:
        record, without = mask_call_ids(record), mask_call_ids(without)  # another instance's LM counts its calls anew
    return _drop_ways(record), _drop_ways(without)


def _drop_ways(record: Record) -> Record:
    """Return the record without how the call was resumed, which differs, and what it changed (ISO-003)."""
    events = (_drop_way(event) for event in record.events if not isinstance(event, Changed))
    return record.model_copy(update={"events": tuple(events)})


def _drop_way(event: Event) -> Event:
    if not isinstance(event, Resumed):
        return event
    resumption = event.resumption.model_copy(update={"mode": "sync", "elsewhere": False})
    return event.model_copy(update={"resumption": resumption})


# What is in an episode that is to make no difference


def _has_elsewhere(evidence: Evidence) -> bool:
    calls = evidence.episode.case.invocations
    return any(response.elsewhere for call in calls for response in call.resumptions)


def _is_async_and_well(evidence: Evidence) -> bool:
    """Whether a call is asynchronous, and nothing is told of an error, which may name the functions it came through."""
    record = evidence.record
    if all(call.mode == "sync" for call in evidence.episode.case.invocations):
        return False
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


def _is_last_independent(evidence: Evidence) -> bool:
    """Whether the last call comes after others, goes on with nothing, and can be told again by what was seen of it."""
    episode, case = evidence.episode, evidence.episode.case
    is_repeatable = all(isinstance(run, _REPEATABLE) for runs in episode.behaviours.values() for run in runs)
    called = [event.invocation for event in evidence.record.events if isinstance(event, Called)]
    is_later = len(case.invocations) > 1 and len(case.invocations) - 1 in called
    return is_repeatable and is_later and case.invocations[-1].follows is None and case.options.system != "conversation"


def _goes_on(evidence: Evidence) -> bool:
    case = evidence.episode.case
    return case.options.system == "transcript" and _find_history(evidence.record, case.invocations[-1]) is not None


def _find_history(record: Record, call: Invocation) -> tuple[JsonObject, ...] | None:
    """Return what the call that this one follows told as its history; None if it follows none, or that told none."""
    outcomes = () if call.follows is None else record.of_call(call.follows).outcomes
    return read_entries(outcomes[-1].history) if outcomes else None


# The episode without it


def _resume_here(episode: Episode, _: Record) -> Episode:
    return _change_calls(episode, lambda _: {}, {"elsewhere": False})


def _call_sync(episode: Episode, _: Record) -> Episode:
    return _change_calls(episode, lambda _: {"mode": "sync"}, {"mode": "sync"})


def _write_histories_out(episode: Episode, record: Record) -> Episode:
    """Return the episode in which each call gets the history that it goes on with as it was told, not as the object."""

    def tell_history(call: Invocation) -> Mapping[str, object]:
        history = _find_history(record, call)
        return {} if history is None else {"follows": None, "history": history}

    return _change_calls(episode, tell_history, {})


def _call_alone(episode: Episode, record: Record) -> Episode:
    return make_single_call_episode(episode, record, len(episode.case.invocations) - 1)


def _change_calls(
    episode: Episode,
    make_changes: Callable[[Invocation], Mapping[str, object]],
    resumption_changes: Mapping[str, object],
) -> Episode:
    """Return the episode with these fields in each of its calls, and those in each resumption."""
    calls = []
    for call in episode.case.invocations:
        resumed = tuple(each.model_copy(update=resumption_changes) for each in call.resumptions)
        calls.append(call.model_copy(update={**make_changes(call), "resumptions": resumed}))
    return _change_case(episode, invocations=tuple(calls))


def _change_case(episode: Episode, **changes: object) -> Episode:
    return episode.model_copy(update={"case": episode.case.model_copy(update=changes)})


#: By the requirement that says so: whether there is such a thing in an episode, and the episode without it.
_INDIFFERENT: Mapping[str, tuple[Callable[[Evidence], bool], Callable[[Episode, Record], Episode]]] = {
    "ISO-002": (lambda evidence: evidence.beside is not None, lambda episode, _: episode),
    "SAV-002": (
        lambda evidence: evidence.episode.case.state is not None,
        lambda episode, _: _change_case(episode, state=None),
    ),
    "CNF-008": (_has_elsewhere, _resume_here),
    "ASY-001": (_is_async_and_well, _call_sync),
    "TRN-010": (_goes_on, _write_histories_out),
    "ISO-001": (_is_last_independent, _call_alone),
}


def _collect_intents(requests: Iterable[Asked], phase: str) -> tuple[Intent, ...]:
    """Return a turn's intent, or what was said to each of its attempts."""
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
