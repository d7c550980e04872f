"""Given, Then: prompts that don't fit the context window, and what is left out of them (CTX-001, CTX-002)."""

import re

from pydantic import JsonValue
from pytest_bdd import given, then

from react_tck.dialects.markup import as_text
from react_tck.fakes.lm import BUDGET
from react_tck.judges.surfaces import find_unheard_replies, find_unheard_runs
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
_TOLD = re.compile(r"left[ _]out|dropped|truncat|omitted|kept|removed", re.IGNORECASE)


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
    """After every fault: the oldest steps are dropped as wholes, one at least, and the newest stays.

    Whole is what shows all that the prompt which didn't fit showed of a step; what that one lacks is TRJ-002's affair.
    """
    for refused in refused_requests(world):
        for asked, taken in with_steps_before(world, (made_to_fit(world, refused),)):
            _check_newest(asked, taken, refused)


@then("every request after the newest step shows it whole")
def newest_always_shown(world: World) -> None:
    """However often it was made shorter, those that didn't fit and what came of them: as whole as the first has it."""
    taken = list(with_steps_before(world, world.record.requests))
    steps = max((len(steps) for _, steps in taken), default=0)
    check(bool(refused_requests(world)), "a request is made that doesn't fit", "none is")
    first, *others = [(asked, before[-1]) for asked, before in taken if len(before) == steps]
    parts = _list_shown_parts(*first)
    for asked, _ in others:
        for what in parts:
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
    """The steps of which the request shows anything of their own."""
    return [step for step in taken if _tells_step(asked.request.text, step)]


def _tells_step(text: str, step: Taken) -> bool:
    """Whether the text has what no other step has: the thought, or the result."""
    call, run = step
    return text_shows(text, call.thought) or text_shows(text, run.result)


def _list_shown_parts(asked: Asked, step: Taken) -> list[JsonValue]:
    """What the request shows of the step."""
    call, run = step
    return [what for what in (call.thought, call.tool, call.args, run.result) if text_shows(asked.request.text, what)]


def _check_newest(asked: Asked, taken: list[Taken], refused: Asked) -> None:
    kept, before = _find_shown_steps(asked, taken), _find_shown_steps(refused, taken)
    check(len(kept) < len(before), "the prompt is made again with fewer steps", f"it shows {len(kept)}", asked)
    check(bool(kept), "the newest step stays", "no step is shown", asked)
    check(kept == taken[-len(kept) :], "the steps left out are the oldest", "a newer one is missing", asked)
    for what in (part for step in kept for part in _list_shown_parts(refused, step)):
        shown = not hides_value(asked.request.text, what)
        check(shown, f"a step that stays is whole: it shows {what!r}", "it doesn't", asked)
    others = [run.observation for _, run in kept]
    for call, run in taken[: -len(kept)]:
        for value in (*_find_own_texts(call.args, [c.args for c, _ in kept]), *_find_own_end(run.observation, others)):
            check(not text_shows(asked.request.text, value), f"of {run.tool!r} nothing is left", f"{value!r} is", asked)


def _find_own_texts(args: JsonObject, others: list[JsonObject]) -> list[JsonValue]:
    """The texts among the args that no other step has."""
    return [value for value in args.values() if isinstance(value, str) and not any(value in o.values() for o in others)]


def _find_own_end(result: JsonValue, others: list[JsonValue]) -> list[str]:
    """The last line of a result that has several, unless others have it: what stays of one that is cut somewhere."""
    lines = result.splitlines() if isinstance(result, str) else []
    ends = lines[-1:] if len(lines) > 1 else []
    return [end for end in ends if not any(end in str(other) for other in others)]


def _check_dropped(outcome: Outcome, kept: list[Taken], dropped: list[Taken]) -> None:
    told = outcome.trajectory
    whole = as_text(told)
    for step in kept:
        check(
            _tells_step(whole, step), f"the trajectory has the step with {step[1].tool!r}, which was kept", "it has not"
        )
    there = [step for step in dropped if _tells_step(whole, step)]
    plain = [_find_marks(told, step) for step in kept]
    is_text = isinstance(told, str) and bool(_TOLD.search(told))
    holds = is_text or all(_find_marks(told, step) not in plain for step in there)
    check(holds, "dropped steps are absent, or told apart from those that were kept", f"the trajectory is {whole}")


def _find_marks(trajectory: JsonValue, step: Taken) -> frozenset[str]:
    """What a step consists of, as far as it isn't a value of the step's own: its keys, and what is flagged in it."""
    told = next((told for told in _read_steps(trajectory) if _tells_step(as_text(told), step)), {})
    return frozenset(f"{key}={value}" if isinstance(value, bool) else key for key, value in told.items())


def _read_steps(trajectory: JsonValue) -> list[JsonObject]:
    if isinstance(trajectory, list):
        return [step for step in trajectory if isinstance(step, dict)]
    by_number: dict[str, JsonObject] = {}
    for key, value in trajectory.items() if isinstance(trajectory, dict) else ():
        name, _, number = key.rpartition("_")
        by_number.setdefault(number, {})[name] = value
    return list(by_number.values())


@given("the framework's callbacks are listened to")
def listened_to(world: World) -> None:
    """By a callback of the kit's, registered as a user's would be."""
    world.needs("callbacks")
    world.arrangement.set_options(callbacks=True)


@then("the callbacks heard of every tool call")
def heard_of_tools(world: World) -> None:
    """Of each run of a tool of the user's."""
    check(bool(world.record.tool_runs), "a tool runs", "none did")
    for unheard in find_unheard_runs(world.record):
        raise unheard


@then("the callbacks heard of every reply")
def heard_of_replies(world: World) -> None:
    """Of each reply to a request that was answered."""
    for unheard in find_unheard_replies(world.record):
        raise unheard
