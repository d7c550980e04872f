"""When, Then: many calls of one instance at once (ISO-002)."""

from typing import Literal

from pytest_bdd import parsers, then, when

from react_tck.judges.determinism import difference
from react_tck.judges.verdict import Violation, check
from react_tck.model.case import Case, Invocation
from react_tck.model.episode import Episode
from react_tck.model.intent import Answer, CallTool, Finish, Script
from react_tck.play.concurrent import Way, play_together
from react_tck.play.session import play
from react_tck.steps.world import Past, World

_MODES: dict[Way, Literal["sync", "async"]] = {"threads": "sync", "tasks": "async"}


@when(parsers.re(r"(?P<count>\d+) calls are made at once on one instance, in (?P<way>threads|tasks)"))
def called_at_once(world: World, count: str, way: Way) -> None:
    """Each with texts of its own, and all in their loops before the first tool runs."""
    world.needs("concurrent-calls")
    if way == "tasks":
        world.needs("async", "async-tools")
    episodes = [_episode(world, number, way) for number in range(1, int(count) + 1)]
    together = play_together(world.subject, episodes, way)
    alone = (play(world.subject, episode) for episode in episodes)
    world.differences = tuple(filter(None, map(difference, alone, together.records)))
    world.mixed = together.mixed
    is_mixed_up = bool(world.mixed or world.differences)
    for episode, record in zip(episodes, together.records, strict=True):
        world.keep(Past(episode, record, is_mixed_up))


@then("no request and no tool run is of several calls")
def nothing_mixed(world: World) -> None:
    """What a call shows the LM, and what it gives to a tool, is its own."""
    actual = f"{len(world.mixed)} are not: {'; '.join(world.mixed[:3])}"
    check(not world.mixed, "every request and every tool run belongs to one call", actual)


@then("each call gets its own answer")
def own_answers(world: World) -> None:
    """The one that the LM gave to it."""
    for episode, record in world.plays():
        answer = episode.script.answers[0]
        wanted = answer.outputs if isinstance(answer, Answer) else {}
        for outcome in record.outcomes:
            actual = f"it ended with {outcome.status!r}, {outcome.outputs} {outcome.error or ''}"
            check(outcome.outputs == wanted, f"the call known by {episode.nonce!r} gives {wanted}", actual)


@then("each call is the same as it would be alone")
def same_as_alone(world: World) -> None:
    """Requests, tool runs and outcome.

    Raises:
        Violation: at the first event that differs.
    """
    for violation in world.differences:
        raise Violation("a call among others is the same as it would be alone", violation.actual, violation.at)


def _episode(world: World, number: int, way: Way) -> Episode:
    """Every text in it has the call's own mark."""
    mark = f"call {number} ~{world.nonce}"
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
        invocations=(Invocation(inputs={"question": f"How high, {mark}?"}, mode=_MODES[way]),),
    )
    answer = Answer(outputs={"answer": f"828 m, {mark}"}, reasoning=f"Found, {mark}.")
    return Episode(case=case, script=Script(steps=steps, answers=(answer,)), nonce=mark)
