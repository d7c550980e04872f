"""Then: how a call ends: refused, with an error, or after so many requests."""

import re

from parse import with_pattern
from pytest_bdd import then

from react_tck.judges.errors import is_typed
from react_tck.judges.sanitizers import request_bound
from react_tck.judges.verdict import Violation, check
from react_tck.record.evidence import Scene
from react_tck.record.shown import names
from react_tck.steps.language import sentence
from react_tck.steps.world import World

#: What the error of a prompt that didn't fit speaks of.
_FITTING = re.compile(r"context|window|token|length|too (?:long|large)|exceed", re.IGNORECASE)


@with_pattern("(?: that says that the prompt didn't fit)?")
def about_fitting(text: str) -> bool:
    """Whether the error has to tell that the prompt was too long."""
    return bool(text)


@with_pattern(r"\d+ times|as often as max_steps and the declared retries allow")
def often(text: str) -> int | None:
    """So many times; None for what `max_steps` and the manifest allow."""
    return int(text.split()[0]) if text[0].isdigit() else None


@then(sentence("it was refused with an error that says {words:Names}"))
def construction_refused(world: World, words: tuple[str, ...]) -> None:
    """Refused at construction; the error says what is wrong in one of these words."""
    arrow, refusal = world.arrangement.signature.arrow, world.record.refusal
    if refusal is None:
        raise Violation(f"the signature {arrow!r} is refused at construction", "it was accepted")
    _says(refusal.message, words)


@then(sentence('it was refused with an error that names "{name}"'))
def construction_refused_naming(world: World, name: str) -> None:
    """Not accepted, not silently replaced."""
    refusal = world.record.refusal
    check(refusal is not None, f"a user's own {name!r} is refused at construction", "it was accepted")
    message = refusal.message if refusal else ""
    check(names(message, name), f"the error names {name!r}", f"it says: {message}")


@then(sentence("the call was refused before any LM request, with an error that says {words:Names}"))
def call_refused(world: World, words: tuple[str, ...]) -> None:
    """An error outcome, no request, and the error says what is wrong in one of these words."""
    outcome, requests = world.outcome, world.record.requests
    expected = f"the call is refused because of {' or '.join(map(repr, words))}, before the LM is asked for anything"
    asked = f"the LM was asked {len(requests)} times, and the call ended with status {outcome.status!r}"
    check(not requests, expected, asked, next(iter(requests), None))
    check(outcome.error is not None, expected, f"the call ended with status {outcome.status!r}")
    _says(outcome.error.message if outcome.error else "", words)


@then("the call ends in order, or with a typed error")
def ends_in_order(world: World) -> None:
    """It comes back, and not with a crash."""
    error = world.outcome.error
    if world.outcome.status == "error" and error:
        check(is_typed(error), "an error of a type that says what happened", f"{error.type}: {error.message}")


@then(sentence("the call ends with an error{fitting:AboutFitting}", AboutFitting=about_fitting))
def ends_with_error(world: World, fitting: bool) -> None:
    """There is nothing an answer could come from."""
    outcome = world.outcome
    actual = f"it ended with {outcome.status!r} and {outcome.outputs}"
    check(outcome.status == "error", "the call ends with an error, as there is nothing to answer from", actual)
    if fitting:
        _tells_of_fitting(world)


@then("the call ends with a typed error, or with the extraction of what remained")
def ends_well(world: World) -> None:
    """An error that says that the prompt was too long, or a success with what the LM answered."""
    if world.outcome.status == "ok":
        check(bool(world.extraction_requests), "a success comes from the extraction", "there was none")
        return
    _tells_of_fitting(world)


@then(sentence("the LM was asked at most {bound:Often}", Often=often))
def asked_within_bounds(world: World, bound: int | None) -> None:
    """By default `max_steps` steps and one extraction, each with the retries of the manifest."""
    requests, retries = world.record.requests, world.manifest.retries
    expected = f"at most {bound} requests"
    if bound is None:
        scene = Scene(world.episode, world.manifest, 0, world.record)
        bound = request_bound(scene)
        expected = f"at most {bound} requests: {scene.max_steps} steps and the extraction, each with {retries} retries"
    check(len(requests) <= bound, expected, f"there were {len(requests)}", next(iter(requests[bound:]), None))


def _says(message: str, words: tuple[str, ...]) -> None:
    said = any(word.lower() in message.lower() for word in words)
    check(said, f"the error says what is wrong: {' or '.join(map(repr, words))}", f"it says: {message!r}")


def _tells_of_fitting(world: World) -> None:
    error = world.outcome.error
    told = error is not None and bool(_FITTING.search(f"{error.type} {error.message}"))
    check(told, "the error is typed: it says that the context window was exceeded", f"it is {error}")
