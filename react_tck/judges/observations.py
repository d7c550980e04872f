"""What the LM is shown of a tool's run: what it returned (SAN-004), and the text of its error (ERR-007)."""

from collections.abc import Iterator
from itertools import takewhile
from typing import TypeGuard

from react_tck.dialects.markup import as_text, is_encodable
from react_tck.judges.verdict import Violation
from react_tck.model.intent import CallTool, Fault
from react_tck.model.lm import LMRequest
from react_tck.model.record import Asked, Event, Record, Returned, ToolRan
from react_tck.record.evidence import Scene
from react_tck.record.places import find_new_observations
from react_tck.record.values import is_same_value
from react_tck.record.visibility import hides_value, is_small


def find_hidden_observations(scene: Scene) -> Iterator[Violation]:
    """SAN-004: the observation of call k is in the next LM request of that episode that was answered."""
    for run, asked in _find_hidden_runs(scene):
        if run.error is None:
            yield Violation(f"the next LM request shows {run.observation!r}", "it does not", asked)


def find_hidden_errors(scene: Scene) -> Iterator[Violation]:
    """ERR-007: the text of a tool's error is its observation; who tells it in other words breaks no SAN-004."""
    for run, asked in _find_hidden_runs(scene):
        if run.error is not None:
            yield Violation(f"the next LM request shows {run.error!r}", "it does not", asked, "ERR-007")


def find_runs_again(scene: Scene) -> Iterator[Violation]:
    """ERR-025: what the LM says again to who shows nothing of it, runs again where a fault lies between."""
    for asked, again in yield_runs_again(scene.record):
        if asked and isinstance(asked.intent, CallTool) and asked.intent.until_shown:
            yield again


def yield_runs_again(record: Record) -> Iterator[tuple[Asked | None, Violation]]:
    """Yield each run behind an LM fault that was made before, with these args, and the request that it is after."""
    asked, failed, before = None, False, list[ToolRan]()
    for event in record.events:
        if isinstance(event, Asked):
            asked, failed = event, failed or isinstance(event.intent, Fault)
        elif isinstance(event, ToolRan):
            args = event.received_args
            if failed and any(run.tool == event.tool and is_same_value(run.received_args, args) for run in before):
                actual = f"{event.tool!r} ran with {args} again"
                yield asked, Violation("no tool runs again because of an LM fault", actual, event, "ERR-025")
            before.append(event)


def is_told_as_json(run: ToolRan) -> bool:
    """Whether it is known how its observation is written: of a value that JSON can't hold, that is the subject's."""
    is_told = not run.odd and not run.refused and run.observation is not None
    return is_told and is_encodable(run.observation)


def was_lost_before(scene: Scene, run: ToolRan, at: Event) -> bool:
    """Tell whether what the tool returned was lost before the event: that it isn't there either is SAN-004's affair."""
    return run.error is None and any(run is hidden and asked is not at for hidden, asked in _find_hidden_runs(scene))


def _find_hidden_runs(scene: Scene) -> Iterator[tuple[ToolRan, Asked]]:
    """Yield the runs whose observation the next request that was answered doesn't show, and that request."""
    events = scene.record.events
    for index, event in enumerate(events):
        if not isinstance(event, ToolRan) or not is_told_as_json(event):
            continue
        before = next((e.request for e in reversed(events[:index]) if _goes_on(e)), None)
        between = [*takewhile(lambda later: not _is_told_by(later), events[index:])]
        following = next(iter(events[index + len(between) :]), None)
        if not isinstance(following, Asked):
            continue
        # A prompt that was made to fit shows fewer of the earlier observations: what is new in it can't be counted.
        is_made_to_fit = any(isinstance(e, Asked) and e.is_overflow for e in between)
        if _is_hidden(None if is_made_to_fit else before, following, event):
            yield event, following


def _is_told_by(event: Event) -> bool:
    """Tell whether it shows what came before it, or nothing is owed behind it.

    A response after an outcome is one to refuse (CNF-012): nobody is owed anything there.
    """
    return _goes_on(event) or (isinstance(event, Returned) and event.outcome.suspension is None)


def _is_hidden(before: LMRequest | None, asked: Asked, run: ToolRan) -> bool:
    """Tell whether a request lacks an observation that the one before it couldn't have.

    A small one is looked for in the places of observations, perhaps in a wrapping of the subject's own, as is one that
    the LM has read before; where these aren't known, nobody can tell. In an empty one there is nothing to miss: who
    tells of it in words of its own breaks ERR-022.
    """
    request, observation = asked.request, run.observation
    places = find_new_observations(before, request, asked.ask)
    if run.error is None and is_small(observation):
        is_empty = isinstance(observation, str | list | dict) and not observation
        return not is_empty and bool(places) and not any(place.tells_value(observation, run.tool) for place in places)
    if before is None or not places or hides_value(request.text, observation) or hides_value(before.text, observation):
        return hides_value(request.text, observation)
    return all(hides_value(as_text(place.content), observation) for place in places)


def _goes_on(event: Event) -> TypeGuard[Asked]:
    """Tell whether it is a request that was answered, for a step or the outputs: a summary is of what came before."""
    if not isinstance(event, Asked) or event.refusal is not None or isinstance(event.intent, Fault):
        return False
    return event.ask is None or event.ask.fields[-1:] != ("summary",)
