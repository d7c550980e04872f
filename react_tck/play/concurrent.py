"""Plays several episodes at once on one instance, in threads or as tasks of one event loop (ISO-002).

How an instance behind a wire makes its calls at once is its harness's affair.
"""

import asyncio
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

from react_tck.fakes.concurrency import Meeting, Part, Switchboard, meeting_first
from react_tck.fakes.journal import Journal
from react_tck.fakes.lm import scripted_lm
from react_tck.fakes.tools import ScriptedTool
from react_tck.model.episode import Episode
from react_tck.model.manifest import Manifest
from react_tck.model.outcome import Outcome
from react_tck.model.record import Called, Record, Returned
from react_tck.subjects.api import AsyncInstance, ConcurrentInstance, Endpoints, HarnessBroken, Instance, Subject

Way = Literal["threads", "tasks"]


@dataclass(frozen=True)
class Together:
    """What became of the calls: each one's own record, and what the subject mixed up between them."""

    records: tuple[Record, ...]
    mixed: tuple[str, ...]


def play_together(subject: Subject, episodes: Sequence[Episode], way: Way) -> Together:
    """Make the only call of each episode, all on one instance of the first one's case.

    The nonce of an episode is the text its call is known by.

    Raises:
        ConstructionError: if the subject refuses the case.
        HarnessBroken: if the harness raises instead of giving an outcome.
    """
    parts = [_make_part(episode, subject.initialize()) for episode in episodes]
    switchboard = Switchboard(parts)
    instance = _construct_instance(subject, episodes[0], switchboard, Meeting(len(parts)))
    for part in parts:
        part.journal.add_event(Called(invocation=0))
    try:
        if isinstance(instance, ConcurrentInstance):
            invocations = [episode.case.invocations[0] for episode in episodes]
            for part, outcome in zip(parts, instance.calls(invocations), strict=True):
                _record_outcome(part, outcome)
        elif way == "threads":
            _call_in_threads(instance, episodes, parts)
        else:
            asyncio.run(_call_as_tasks(instance, episodes, parts))
    finally:
        for part in parts:
            part.journal.faults.raise_first()
    records = tuple(part.journal.read_record(e.case.id) for part, e in zip(parts, episodes, strict=True))
    return Together(records, tuple(switchboard.mixed))


def _make_part(episode: Episode, manifest: Manifest) -> Part:
    journal = Journal()
    lm = scripted_lm(episode, manifest, journal)
    lm.begin_call(episode.case.invocations[0])
    tools = {
        tool.name: ScriptedTool(tool, episode.behaviours.get(tool.name, ()), journal, episode.nonce)
        for tool in episode.case.tools
    }
    return Part(episode.nonce, lm, journal, tools)


def _construct_instance(subject: Subject, episode: Episode, switchboard: Switchboard, meeting: Meeting) -> Instance:
    case = episode.case
    tools = tuple(switchboard.share_tool(tool) for tool in case.tools)
    endpoints = Endpoints(
        lm=switchboard.complete,
        tools=tools,
        decorate_tool=partial(meeting_first, meeting=meeting),
        hold=meeting.wait_in_loop,
    )
    return subject.construct(case.signature, case.tools, case.options, endpoints)


def _call_in_threads(instance: Instance, episodes: Sequence[Episode], parts: Sequence[Part]) -> None:
    broken: list[Exception] = []

    def call_instance(episode: Episode, part: Part) -> None:
        try:
            _record_outcome(part, instance.call(episode.case.invocations[0].model_copy(deep=True)))
        except Exception as error:
            broken.append(error)

    threads = [threading.Thread(target=call_instance, args=pair) for pair in zip(episodes, parts, strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if broken:
        raise HarnessBroken(f"calling raised {type(broken[0]).__name__}: {broken[0]}") from broken[0]


async def _call_as_tasks(instance: Instance, episodes: Sequence[Episode], parts: Sequence[Part]) -> None:
    if not isinstance(instance, AsyncInstance):
        raise HarnessBroken("the manifest declares 'concurrent-calls' and 'async', and instances have no 'acall'")

    async def call_instance(episode: Episode, part: Part) -> None:
        _record_outcome(part, await instance.acall(episode.case.invocations[0].model_copy(deep=True)))

    await asyncio.gather(*(call_instance(*pair) for pair in zip(episodes, parts, strict=True)))


def _record_outcome(part: Part, outcome: Outcome) -> None:
    part.journal.add_event(Returned(invocation=0, outcome=outcome))
