"""What the sentences on LM requests have in common: which requests there are, and what one of them shows."""

import re
from collections.abc import Callable, Iterator

from parse import with_pattern
from pydantic import JsonValue

from react_tck.dialects.labels import REACT_TEXT, plain_name
from react_tck.judges.verdict import Violation, check
from react_tck.model.base import JsonObject
from react_tck.model.intent import CallTool, Fault
from react_tck.model.record import Asked, ToolRan
from react_tck.record.evidence import Scene
from react_tck.record.visibility import hides_value, list_spellings
from react_tck.steps.core.prompt_reading import input_fields
from react_tck.steps.language import needing
from react_tck.steps.world import World

#: A step that was taken: what the LM chose, and what came of it.
Taken = tuple[CallTool, ToolRan]
#: The requests that a sentence speaks of.
Selection = Callable[[World], tuple[Asked, ...]]


def step_requests(world: World) -> tuple[Asked, ...]:
    """The requests that ask for a step.

    Raises:
        Violation: if there is none.
    """
    requests = world.step_requests
    if not requests:
        raise Violation("the LM is asked for a step", "it was not")
    return requests


def extraction_request(world: World) -> Asked:
    """The first request that asks for the extraction.

    Raises:
        Unsupported: if the subject has no extraction of its own: its answer ends the loop.
        Violation: if there is none.
    """
    world.needs("extraction")
    requests = world.extraction_requests
    if not requests:
        raise Violation("the LM is asked for the extraction", "it was not")
    return requests[0]


def every_request(world: World) -> tuple[Asked, ...]:
    """All requests of the latest episode.

    Raises:
        Violation: if there is none.
    """
    if not world.record.requests:
        raise Violation("the LM is asked", "it was not")
    return world.record.requests


def last_call(world: World) -> tuple[Asked, ...]:
    """The requests of the last call.

    Raises:
        Violation: if there is none.
    """
    requests = tuple(asked for asked in world.record.requests if asked.invocation == world.last_call)
    if not requests:
        raise Violation("the LM is asked", "it was not")
    return requests


def refused_requests(world: World) -> list[Asked]:
    """The requests that didn't fit, or failed in another way."""
    return [asked for asked in world.record.requests if isinstance(asked.intent, Fault)]


def made_to_fit(world: World, refused: Asked) -> Asked:
    """The request that was made instead: the next one for the same phase.

    Raises:
        Violation: if there is none.
    """
    requests = world.record.requests
    for asked in requests[requests.index(refused) + 1 :]:
        if asked.ask and refused.ask and asked.ask.phase == refused.ask.phase:
            return asked
    raise Violation("a prompt that doesn't fit is made again, with less", f"it was not: {world.outcome}", refused)


def first_made_to_fit(world: World) -> tuple[Asked, Asked]:
    """The first request that didn't fit, and the one made instead.

    Raises:
        Violation: if there is none.
    """
    refused = refused_requests(world)
    if not refused:
        raise Violation("a request is made that doesn't fit", "none is")
    return refused[0], made_to_fit(world, refused[0])


@needing("extraction")
def _select_extraction(world: World) -> tuple[Asked, ...]:
    return (extraction_request(world),)


_SELECTIONS: dict[str, Selection] = {
    "every step request": step_requests,
    "every request": every_request,
    "the first request": lambda world: last_call(world)[:1],
    "the extraction request": _select_extraction,
    "the last request": lambda world: last_call(world)[-1:],
    "the request made to fit": lambda world: first_made_to_fit(world)[1:],
}


@with_pattern("|".join(_SELECTIONS))
def read_selection(text: str) -> Selection:
    """The requests that are looked at."""
    return _SELECTIONS[text]


def with_steps_before(world: World, requests: tuple[Asked, ...]) -> Iterator[tuple[Asked, list[Taken]]]:
    """The requests that have steps of their call before them, with these."""
    found = [(asked, taken) for asked in requests if (taken := list(_steps_before(world, asked)))]
    world.unseen = world.unseen or ("" if found else "nothing was asked behind a step")
    yield from found


def _steps_before(world: World, asked: Asked) -> Iterator[Taken]:
    chosen: CallTool | None = None
    for event in world.record.of_call(asked.invocation).events:
        if event is asked:
            return
        if isinstance(event, Asked):
            chosen = event.intent if isinstance(event.intent, CallTool) else None
        elif isinstance(event, ToolRan) and chosen:
            yield chosen, event


def shows_thought(world: World, asked: Asked, call: CallTool) -> None:
    """The request shows a step's thought; that the call's trajectory doesn't have it either is TRJ-002's affair."""
    scene = Scene(world.episode, world.manifest, asked.invocation, world.record.of_call(asked.invocation))
    if not scene.has_lost(call.thought):
        shows_value(asked, call.thought, f"the thought {call.thought!r}")


def shows_inputs(world: World, asked: Asked, inputs: JsonObject) -> None:
    """The request shows these inputs, marked as they were given."""
    for name, value in world.marked_inputs(inputs).items():
        shows_value(asked, value, f"the input {name!r}, {value!r}")


def shows_value(asked: Asked, value: JsonValue, what: str = "") -> None:
    """The request shows the value; `what` is its name in the message."""
    check(not hides_value(asked.request.text, value), f"the request shows {what or repr(value)}", "it does not", asked)


def shows_in_order(asked: Asked, texts: list[str]) -> None:
    """The request shows the texts, each behind the one before it, as they are or written in JSON."""
    start = 0
    for before, text in zip(["", *texts], texts, strict=False):
        expected = f"the request shows {text!r}" + (f" after {before!r}" if before else "")
        ends = [_find_end(asked.request.text, spelling, start) for spelling in list_spellings(text)]
        start = min((end for end in ends if end is not None), default=-1)
        check(start >= 0, expected, "it does not", asked)


def _find_end(text: str, part: str, start: int) -> int | None:
    found = text.find(part, start)
    return None if found < 0 else found + len(part)


#: What a step's history is called in S4; a prompt may call it otherwise.
TRAJECTORY = "trajectory"


def has_inputs(asked: Asked, names: tuple[str, ...]) -> None:
    """The request lists exactly these input fields, or, where it lists none, names each of them."""
    found = input_fields(asked.request.system_text)
    if asked.request.tools or (asked.ask and plain_name(asked.ask.dialect) in ("machina", REACT_TEXT)):
        # A conversation is its own trajectory: the calls and their results are messages.
        names = tuple(name for name in names if name != TRAJECTORY)
    own = frozenset(names) - {TRAJECTORY}
    if found is None:
        # No dialect demands a list of the inputs; each is named beside its value then, but the steps.
        for name in own:
            named = re.search(rf"\b{name}\b", asked.request.text, re.IGNORECASE)
            check(named is not None, f"the request names the input {name!r}", "it does not", asked)
        return
    expected = f"the inputs are {', '.join(names)}"
    is_there = own <= found and len(found) == len(names)
    check(is_there, expected, f"they are {join_names(found)}", asked)


def join_names(names: frozenset[str]) -> str:
    """The names in alphabetical order, as sets have none."""
    return ", ".join(sorted(names))
