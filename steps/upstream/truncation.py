"""Given, Then: prompts that don't fit the context window, and what is left out of them (CTX-001, CTX-002)."""

import re

from pydantic import JsonValue
from pytest_bdd import given, then

from react_tck.fakes.lm import BUDGET
from react_tck.judges.verdict import check
from react_tck.model.base import JsonObject
from react_tck.model.intent import Fault
from react_tck.model.outcome import Outcome
from react_tck.model.record import Asked
from react_tck.record.visibility import hides_value, text_shows
from react_tck.steps.core.request_checks import (
    Taken,
    extraction_request,
    made_to_fit,
    refused_requests,
    with_steps_before,
)
from react_tck.steps.language import sentence
from react_tck.steps.world import World

_FAULT = "context-window"
_TOLD = re.compile(r"left out|dropped|truncat|omitted|kept|removed", re.IGNORECASE)


@given("prompts can be truncated")
def can_truncate(world: World) -> None:
    """Of a subject that does something about a prompt that doesn't fit."""
    world.needs("truncation")


@given(sentence("no further prompt of {phase:Phase}s fits the context window"))
def never_fits(world: World, phase: str) -> None:
    """The LM refuses every one."""
    world.arrangement.find_queue(phase).append(Fault(fault=_FAULT, sticky=True))


@then("what is asked again shows the newest steps whole, and of the oldest nothing")
def newest_shown_whole(world: World) -> None:
    """After every fault: the oldest steps are dropped as wholes, one at least, and the newest stays."""
    for refused in refused_requests(world):
        for asked, taken in with_steps_before(world, (made_to_fit(world, refused),)):
            _is_newest(asked, taken, _find_shown_steps(refused, taken))


@then("every request after the newest step shows it whole")
def newest_always_shown(world: World) -> None:
    """However often it was made shorter, those that didn't fit and what came of them."""
    taken = list(with_steps_before(world, world.record.requests))
    steps = max((len(steps) for _, steps in taken), default=0)
    check(bool(refused_requests(world)), "a request is made that doesn't fit", "none is")
    for asked, before in taken:
        call, run = before[-1]
        for what in (call.thought, call.tool, call.args, run.result) if len(before) == steps else ():
            check(text_shows(asked.request.text, what), f"the newest step stays: {what!r} is shown", "it isn't", asked)


@then(sentence("the prompt that didn't fit was made again, fewer times than there were steps to drop"))
def attempts_are_bounded(world: World) -> None:
    """How often doesn't depend on how much there is to drop; a subject that never stops hits the budget."""
    for phase in ("step", "extraction"):
        refused = [asked for asked in refused_requests(world) if asked.ask and asked.ask.phase == phase]
        runs = len(world.record.tool_runs)
        check(len(refused) < runs, f"fewer than {runs} attempts at one {phase}", f"there were {len(refused)}")
    check(len(world.record.requests) < BUDGET, "the call ends", f"it made {BUDGET} requests")
    check(len(refused_requests(world)) > 1, "the prompt is made again, and shorter", "it was given up at once")


@then("the trajectory tells the steps that were kept from those that were dropped")
def trajectory_tells(world: World) -> None:
    """It holds nothing but those that were kept, or marks the others."""
    world.needs("trajectory")
    extraction_request(world)
    last = world.extraction_requests[-1]
    for _, taken in with_steps_before(world, (last,)):
        kept = _find_shown_steps(last, taken)
        # Steps that are back in the last prompt have been kept after all.
        _check_dropped(world.outcome, kept, [step for step in taken if step not in kept])


def _find_shown_steps(asked: Asked, taken: list[Taken]) -> list[Taken]:
    """The steps of which the request shows anything of their own: thought or result."""
    text = asked.request.text
    return [(call, run) for call, run in taken if text_shows(text, call.thought) or text_shows(text, run.result)]


def _is_newest(asked: Asked, taken: list[Taken], before: list[Taken]) -> None:
    kept = _find_shown_steps(asked, taken)
    check(len(kept) < len(before), "the prompt is made again with fewer steps", f"it shows {len(kept)}", asked)
    check(bool(kept), "the newest step stays", "no step is shown", asked)
    check(kept == taken[-len(kept) :], "the steps left out are the oldest", "a newer one is missing", asked)
    for call, run in kept:
        for what in (call.thought, call.tool, call.args, run.result):
            check(
                not hides_value(asked.request.text, what),
                f"a step that stays is whole: it shows {what!r}",
                "it doesn't",
                asked,
            )
    for call, run in taken[: -len(kept)]:
        for value in _find_own_texts(call.args, [c.args for c, _ in kept]):
            check(not text_shows(asked.request.text, value), f"of {run.tool!r} nothing is left", f"{value!r} is", asked)


def _find_own_texts(args: JsonObject, others: list[JsonObject]) -> list[JsonValue]:
    """The texts among the args that no other step has."""
    return [value for value in args.values() if isinstance(value, str) and not any(value in o.values() for o in others)]


def _check_dropped(outcome: Outcome, kept: list[Taken], dropped: list[Taken]) -> None:
    told = outcome.trajectory
    whole = str(told)
    for call, _ in kept:
        check(call.thought in whole, f"the trajectory has {call.thought!r}, which was kept", "it has not")
    missing = [call.thought not in whole for call, _ in dropped]
    if all(missing):
        return
    marks = [_find_marks(told, call.thought) for call, _ in (*dropped, *kept)]
    marked, plain = marks[: len(dropped)], marks[len(dropped) :]
    holds = (isinstance(told, str) and bool(_TOLD.search(told))) or all(mark not in plain for mark in marked)
    check(holds, "dropped steps are absent, or told apart from those that were kept", f"the trajectory is {whole}")


def _find_marks(trajectory: JsonValue, thought: str) -> frozenset[str]:
    """What a step consists of, as far as it isn't a value of the step's own: its keys, and what is flagged in it."""
    step = next((step for step in _read_steps(trajectory) if thought in step.values()), {})
    return frozenset(f"{key}={value}" if isinstance(value, bool) else key for key, value in step.items())


def _read_steps(trajectory: JsonValue) -> list[JsonObject]:
    if isinstance(trajectory, list):
        return [step for step in trajectory if isinstance(step, dict)]
    by_number: dict[str, JsonObject] = {}
    for key, value in trajectory.items() if isinstance(trajectory, dict) else ():
        name, _, number = key.rpartition("_")
        by_number.setdefault(number, {})[name] = value
    return list(by_number.values())
