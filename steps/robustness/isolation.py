"""Given, When, Then: calls that keep to themselves, at once too, and to their own objects (ISO-001 to ISO-003)."""

from collections.abc import Iterator
from typing import Any, Literal

from pydantic import JsonValue
from pytest_bdd import given, parsers, then, when

from react_tck.judges.sanitizers import find_altered_objects
from react_tck.judges.verdict import Unsupported, Violation, check
from react_tck.model.case import Case, Invocation
from react_tck.model.episode import Episode
from react_tck.model.intent import Answer, CallTool, Finish, Script
from react_tck.model.record import Record, ToolRan
from react_tck.play.again import make_single_call_episode, make_single_call_record
from react_tck.play.concurrent import Way, play_together
from react_tck.play.session import play_episode
from react_tck.record.difference import find_difference
from react_tck.record.evidence import Evidence
from react_tck.steps.plays import Past
from react_tck.steps.world import World


@given("the caller's objects can be looked at after the call")
def objects_can_be_seen(world: World) -> None:
    """Only where subject and kit share a process."""
    world.needs("caller-objects")


@then("the last call is the same as it would be alone")
def same_as_alone(world: World) -> None:
    """Requests, tool runs and outcome, held against an instance of its own that is told the same.

    Raises:
        Violation: at the first event that differs.
    """
    last = world.last_call
    single = make_single_call_episode(world.episode, world.record, last)
    by_itself = play_episode(world.subject, single)
    in_turn = make_single_call_record(world.record, last)
    if found := find_difference(by_itself, in_turn, world.manifest.varies):
        world.require_settled(single)
        raise Violation("a call is the same as it would be alone", found.actual, found.at)


@then("no request of the last call shows anything of the call before")
def shows_nothing_of_before(world: World) -> None:
    """Neither its inputs, nor what the LM said in it, nor what its tools returned."""
    last = world.last_call
    own = set(_list_call_texts(world, last))
    earlier = [text for text in _list_call_texts(world, last - 1) if text not in own]
    for asked in world.record.of_call(last).requests:
        shown = next((text for text in earlier if text in asked.request.text), None)
        check(shown is None, "the request shows nothing of the call before", f"it shows {shown!r}", asked)


@then("nothing that the caller handed over was changed")
def nothing_changed(world: World) -> None:
    """The inputs with all they hold, the history, the signature, the tools."""
    for violation in find_altered_objects(Evidence(world.episode, world.manifest, world.record)):
        raise violation


def _list_call_texts(world: World, invocation: int) -> Iterator[str]:
    """What only this call of the episode brought about: every such text carries the nonce."""
    values: list[JsonValue] = [world.episode.case.invocations[invocation].inputs]
    values += _list_event_values(world.record.of_call(invocation))
    yield from (text for value in values for text in _find_strings(value) if world.nonce in text)


def _list_event_values(record: Record) -> Iterator[JsonValue]:
    for event in record.events:
        if isinstance(event, ToolRan):
            yield event.result
        elif (intent := getattr(event, "intent", None)) and isinstance(intent, CallTool | Finish | Answer):
            yield intent.model_dump(mode="json")


def _find_strings(value: JsonValue) -> Iterator[str]:
    match value:
        case str():
            yield value
        case dict():
            for inner in value.values():
                yield from _find_strings(inner)
        case list():
            for inner in value:
                yield from _find_strings(inner)


#: Those in which steps and answers can be asked for by an adapter.
_DIALECTS = ("chat", "json", "xml")
_MODES: dict[Way, Literal["sync", "async"]] = {"threads": "sync", "tasks": "async"}


@when(
    parsers.re(
        r"(?P<count>\d+) calls are made at once on one instance, in (?P<way>threads|tasks)"
        r"(?:, each (?:with a|under a global|after a) (?P<option>max_steps|adapter|history) of its own)?"
    )
)
def called_at_once(world: World, count: str, way: Way, option: str | None) -> None:
    """Each with texts of its own, and all in their loops before the first tool's result is there."""
    world.needs("concurrent-calls")
    if way == "tasks":
        world.needs("async", "async-tools")
    own = _own_options(world, option, int(count))
    episodes = [_make_episode(world, number, way, own[number - 1]) for number in range(1, int(count) + 1)]
    together = play_together(world.subject, episodes, way)
    alone = (play_episode(world.subject, episode) for episode in episodes)
    varies = world.manifest.varies
    found = (find_difference(one, other, varies) for one, other in zip(alone, together.records, strict=True))
    world.differences = tuple(filter(None, found))
    world.mixed = together.mixed
    is_mixed_up = bool(world.mixed or world.differences)
    for episode, record in zip(episodes, together.records, strict=True):
        world.add_past_episode(Past(episode, record, is_mixed_up))


@then("no request and no tool run is of several calls")
def nothing_mixed(world: World) -> None:
    """What a call shows the LM, and what it gives to a tool, is its own."""
    actual = f"{len(world.mixed)} are not: {'; '.join(world.mixed[:3])}"
    check(not world.mixed, "every request and every tool run belongs to one call", actual)


@then("each call gets its own answer")
def own_answers(world: World) -> None:
    """The one that the LM gave to it; where it asked for one before its steps ran out."""
    for episode, record in world.plays():
        if not _is_answered(world, episode):
            continue
        answer = episode.script.answers[0]
        wanted = answer.outputs if isinstance(answer, Answer) else {}
        for outcome in record.outcomes:
            actual = f"it ended with {outcome.status!r}, {outcome.outputs} {outcome.error or ''}"
            expected = f"the call known by {episode.nonce!r} gives {wanted}"
            check(outcome.outputs == wanted, expected, actual)


@then("each call is the same as it would be alone")
def each_same_as_alone(world: World) -> None:
    """Requests, tool runs and outcome.

    Raises:
        Violation: at the first event that differs.
    """
    for found in world.differences:
        world.require_settled(world.episode)
        expected = "a call among others is the same as it would be alone"
        raise Violation(expected, found.actual, found.at)


def _is_answered(world: World, episode: Episode) -> bool:
    """Whether the LM comes to its answer: without an extraction, giving it takes a step."""
    limit = world.manifest.max_steps(episode.case.invocations[0], episode.case.options)
    return "extraction" in world.manifest.capabilities or limit >= len(episode.script.steps)


def _own_options(world: World, option: str | None, count: int) -> list[dict[str, Any]]:
    """For each call: a limit that only the first one reaches, a dialect that the call before hasn't, or an own turn."""
    if option == "history":
        world.needs("history")
        return [{"history": ({"question": "Which tower?", "answer": "The tallest one."},)}] * count
    if option == "max_steps":
        world.needs("call-max-steps")
        return [{"max_steps": number + 2} for number in range(count)]
    if option == "adapter":
        world.needs("global-adapter")
        claimed = [dialect for dialect in _DIALECTS if dialect in world.manifest.dialects]
        if len(claimed) < 2:
            raise Unsupported(f"{world.manifest.name} claims one dialect only")
        return [{"adapter": claimed[number % len(claimed)]} for number in range(count)]
    return [{}] * count


def _make_episode(world: World, number: int, way: Way, options: dict[str, Any]) -> Episode:
    """Every text in it has the call's own mark."""
    mark = f"call {number} ~{world.nonce}"
    if turns := options.get("history"):
        own = tuple({name: f"{text} {mark}" for name, text in turn.items()} for turn in turns)
        options = {**options, "history": own}
    arranged = world.arrangement
    steps = (
        CallTool(tool="search", args={"query": f"heights, {mark}"}, thought=f"Search, {mark}."),
        CallTool(tool="translate", args={"text": f"828 m, {mark}"}, thought=f"Translate, {mark}."),
        Finish(thought=f"Done, {mark}."),
    )
    case = Case(
        id=world.case_id,
        signature=arranged.signature,
        tools=tuple(arranged.tools.values()),
        options=arranged.options,
        invocations=(Invocation(inputs={"question": f"How high, {mark}?"}, mode=_MODES[way], **options),),
    )
    answer = Answer(outputs={"answer": f"828 m, {mark}"}, reasoning=f"Found, {mark}.")
    return Episode(case=case, script=Script(steps=steps, answers=(answer,)), nonce=mark)
