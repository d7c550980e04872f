"""Then: how a call ends, in order or refused or with an error, and the prediction and outputs that it gives."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from jsonschema import Draft202012Validator
from parse import with_pattern
from pydantic import JsonValue
from pytest_bdd import then

from react_tck.dialects.fields import FINISH, REASONING
from react_tck.dialects.markup import as_text
from react_tck.judges.errors import find_crash
from react_tck.judges.truncation import FITTING, request_bound
from react_tck.judges.verdict import Unsupported, Violation, check
from react_tck.model.base import JsonObject
from react_tck.model.record import Asked
from react_tck.model.requirement import variants_of
from react_tck.model.signature import Field
from react_tck.record.answers import is_answer, is_cut_off, is_text_answer
from react_tck.record.evidence import Scene
from react_tck.record.values import is_same_value
from react_tck.record.visibility import names_whole_word, text_shows
from react_tck.steps.core.request_checks import extraction_request
from react_tck.steps.language import needing, sentence
from react_tck.steps.world import World

#: How languages write what is not there.
_NULLS = ("null", "none", "nil", "undefined")


@with_pattern("(?:(?: that| whose type) says that the prompt didn't fit)?")
def about_fitting(text: str) -> str | None:
    """` that says that the prompt didn't fit`, ` whose type says` so, or nothing where it needn't."""
    return ("type" if "type" in text else "error") if text else None


@with_pattern(r"(?:at most )?(?:once|\d+ times)|at most as often as max_steps and the declared retries allow")
def read_often(text: str) -> tuple[bool, int | None]:
    """`once`, `3 times`, `at most 3 times`, `at most as often as max_steps and the declared retries allow`."""
    number = re.search(r"\d+", text)
    return text.startswith("at most"), 1 if text.endswith("once") else int(number[0]) if number else None


@then(sentence("it was refused with an error that says {words:Names}"))
def construction_refused(world: World, words: tuple[str, ...]) -> None:
    """Refused at construction; the error says what is wrong in one of these words."""
    arrow, refusal = world.arrangement.signature.arrow, world.record.refusal
    if refusal is None:
        raise Violation(f"the signature {arrow!r} is refused at construction", "it was accepted")
    _check_message(refusal.message, words)


@then(sentence('it was refused with an error that names "{name}"'))
def construction_refused_naming(world: World, name: str) -> None:
    """Not accepted, not silently replaced."""
    refusal = world.record.refusal
    check(refusal is not None, f"a user's own {name!r} is refused at construction", "it was accepted")
    message = refusal.message if refusal else ""
    check(names_whole_word(message, name), f"the error names {name!r}", f"it says: {message}")


@then(sentence("the call was refused before any LM request, with an error that says {words:Names}"))
def call_refused(world: World, words: tuple[str, ...]) -> None:
    """An error outcome, no request, and the error says what is wrong in one of these words."""
    outcome = world.outcome
    requests = [asked for asked in world.record.requests if asked.invocation == world.last_call]
    expected = f"the call is refused because of {' or '.join(map(repr, words))}, before the LM is asked for anything"
    asked = f"the LM was asked {len(requests)} times, and the call ended with status {outcome.status!r}"
    check(not requests, expected, asked, next(iter(requests), None))
    check(outcome.error is not None, expected, f"the call ended with status {outcome.status!r}")
    _check_message(outcome.error.message if outcome.error else "", words)
    world.is_seen_unasked = True


@then("the call ends in order, or with a typed error")
def ends_in_order(world: World) -> None:
    """It comes back, and not with a crash."""
    error = world.outcome.error
    if world.outcome.status == "error" and error and (crash := find_crash(error, world.manifest)):
        raise crash


@then(sentence("the call ends with an error{fitting:AboutFitting}", AboutFitting=about_fitting))
def ends_with_error(world: World, fitting: Literal["type", "error"] | None) -> None:
    """There is nothing an answer could come from, but a text that is cut off, where that is one."""
    if _answers_with_what_is_cut_off(world):
        return
    outcome = world.outcome
    actual = f"it ended with {outcome.status!r} and {outcome.outputs}"
    check(outcome.status == "error", "the call ends with an error, as there is nothing to answer from", actual)
    if fitting:
        _tells_of_fitting(world, by_type=fitting == "type")


@then("the call ends with a typed error, or with the extraction of what remained")
def ends_well(world: World) -> None:
    """An error that says that the prompt was too long, or a success with what the LM answered."""
    if world.outcome.status == "ok":
        check(bool(world.extraction_requests), "a success comes from the extraction", "there was none")
        return
    _tells_of_fitting(world)


@then(sentence("the agent asked the LM {often:Often}", Often=read_often))
def asked_so_often(world: World, often: tuple[bool, int | None]) -> None:
    """In all; what is allowed is `max_steps` steps and one extraction, each with the retries of the manifest."""
    requests, retries, (is_bound, bound) = world.record.requests, world.manifest.retries, often
    expected = f"{'at most ' if is_bound else ''}{bound} requests"
    if bound is None:
        scene = Scene(world.episode, world.manifest, 0, world.record)
        bound = request_bound(scene)
        expected = f"at most {bound} requests: {scene.max_steps} steps and the extraction, each with {retries} retries"
    holds = len(requests) <= bound if is_bound else len(requests) == bound
    check(holds, expected, f"there were {len(requests)}", next(iter(requests[bound:]), None))


@then(sentence("the agent used at most {bound:d} tokens", "the agent used at most 2000 tokens"))
def used_at_most(world: World, bound: int) -> None:
    """A token is four characters of what is asked, tools included, or replied; a request that fails costs none."""
    answered = [(asked.request.text, asked.completion) for asked in world.record.requests if asked.completion]
    texts = [[text, one.content or "", *(call.arguments for call in one.tool_calls)] for text, one in answered]
    used = sum(len("".join(each)) for each in texts) // 4
    check(used <= bound, f"at most {bound} tokens", f"{used} were used, in {len(answered)} requests")


def _check_message(message: str, words: tuple[str, ...]) -> None:
    said = any(word.lower() in message.lower() for word in words)
    check(said, f"the error says what is wrong: {' or '.join(map(repr, words))}", f"it says: {message!r}")


def _tells_of_fitting(world: World, *, by_type: bool = False) -> None:
    error = world.outcome.error
    told = error is not None and bool(FITTING.search(error.type if by_type else f"{error.type} {error.message}"))
    check(told, "the error is typed: it says that the context window was exceeded", f"it is {error}")


def _has_failed(world: World) -> bool:
    return world.outcome.status == "error"


def _answers_with_what_is_cut_off(world: World) -> bool:
    """Whether the outcome is the choice `cut-off-answer`; whether its value is what was said is SAN-007's affair."""
    last = world.record.requests[-1:]
    return world.outcome.status == "ok" and any(is_cut_off(e) and is_answer(e, world.manifest) for e in last)


def _failed_typed(world: World) -> bool:
    world.needs("extraction")
    if _has_failed(world):
        ends_in_order(world)
    return _has_failed(world)


#: What a subject may do instead of giving the outputs, and whether it did.
_WAYS_OUT: Mapping[str, Callable[[World], bool]] = {
    "it refused to be constructed": lambda world: world.record.refusal is not None,
    "the call ended with an error": lambda world: _has_failed(world) or _answers_with_what_is_cut_off(world),
    "the call ended with a typed error": _failed_typed,
}


@with_pattern("|".join(_WAYS_OUT))
def way_out(text: str) -> Callable[[World], bool]:
    """What the sources allow beside a prediction."""
    return _WAYS_OUT[text]


@then(sentence("the prediction has {outputs:Object}"))
def prediction_has(world: World, outputs: JsonObject) -> None:
    """Exactly these outputs, texts marked like the LM's."""
    expected = world.marked_outputs(outputs)
    _check_success(world)
    actual = world.outcome.outputs
    check(is_same_value(actual, expected), f"the outputs are {expected}", f"they are {actual}")


@then(sentence("{instead:WayOut}, or the prediction has {outputs:Object}", WayOut=way_out))
def prediction_has_unless(world: World, instead: Callable[[World], bool], outputs: JsonObject) -> None:
    """As the LM meant it, or not at all; nothing in between."""
    if not instead(world):
        prediction_has(world, outputs)


@then(sentence("the prediction has exactly {outputs:Object}"))
def prediction_has_exactly(world: World, outputs: JsonObject) -> None:
    """These values, their texts as they stand."""
    if "" in outputs.values() and any(is_text_answer(asked, world.manifest) for asked in world.record.requests):
        raise Unsupported("where any text is an answer, an empty one can't be told from an empty reply")
    _check_outputs(world, outputs)


@then(sentence("the prediction has exactly {outputs:Object}, if the reply is JSON"))
def prediction_has_as_in_json(world: World, outputs: JsonObject) -> None:
    """JSON says where a text begins and ends; of another form nobody knows whose the blank space around a value is."""
    if not _is_json(world.record.requests[-1:]):
        raise Unsupported("in a reply that isn't JSON, the blank space around a text may be the form's")
    _check_outputs(world, outputs)


@with_pattern("contains|never shows|matches")
def read_looking(text: str) -> str:
    """How a text is looked at; what it matches is a regular expression."""
    return text


@then(sentence('the answer {how:Looking} "{text}"', 'the answer contains "31 degrees"', Looking=read_looking))
def answer_is_such(world: World, how: Literal["contains", "never shows", "matches"], text: str) -> None:
    """The outputs of a call that succeeds, as its user reads them: without the marks of the texts."""
    _check_success(world)
    answer = "\n".join(map(as_text, world.outcome.outputs.values())).replace(world.mark_text(""), "")
    holds = bool(re.search(text, answer)) if how == "matches" else text_shows(answer, text) is (how == "contains")
    check(holds, f"the answer {how} {text!r}", f"it is {answer!r}")


@then("no output that is null is returned as a text")
def null_is_no_text(world: World) -> None:
    """Neither Python's name for it nor another language's; to refuse it, or to leave it out, is all right."""
    takes_texts = any(Draft202012Validator(field.json_schema).is_valid("") for field in _outputs(world))
    if takes_texts and not _is_json(world.record.requests[-1:]):
        raise Unsupported("in a reply that isn't JSON, null may be a text")
    was_said = any(is_answer(asked, world.manifest) for asked in world.record.requests)
    world.unseen = world.unseen if was_said else "the LM gave no answer"
    if world.outcome.status == "ok":
        texts = {name: value for name, value in world.outcome.outputs.items() if isinstance(value, str)}
        found = next((name for name, text in texts.items() if text.strip().lower() in _NULLS), "")
        actual = f"{found!r} is {_describe_typed(texts[found])}" if found else ""
        check(not found, "an output that is null isn't returned as a text", actual, _last_answer(world))


@then(sentence("the prediction has {outputs:Object}, each of its type"))
def prediction_has_typed(world: World, outputs: JsonObject) -> None:
    """These values as JSON has them: true is not 1, and 42 is not a text."""
    _check_outputs(world, world.marked_outputs(outputs))


@then("every output is of its type, or the call ended with an error")
def typed_or_error(world: World) -> None:
    """What becomes of a value that doesn't fit is the subject's choice, as long as it isn't returned."""
    outcome = world.outcome
    for field in world.arrangement.signature.outputs if outcome.status == "ok" else ():
        value = outcome.outputs.get(field.name)
        fits = Draft202012Validator(field.json_schema).is_valid(value)
        expected = f"the output {field.name!r} is of its type, {field.annotation}, or the call ends with an error"
        check(fits, expected, f"it is {_describe_typed(value)}", _last_answer(world))


def _check_success(world: World) -> None:
    outcome = world.outcome
    failure = f"{outcome.error.type}: {outcome.error.message}" if outcome.error else ""
    check(outcome.status == "ok", "the call succeeds", f"it ended with status {outcome.status!r} ({failure})")


def _check_outputs(world: World, outputs: JsonObject) -> None:
    _check_success(world)
    found = world.outcome.outputs
    for name, value in outputs.items():
        actual = f"it is {_describe_typed(found[name])}" if name in found else "there is none"
        holds = name in found and is_same_value(value, found[name])
        check(holds, f"the output {name!r} is {_describe_typed(value)}", actual, _last_answer(world))


def _outputs(world: World) -> tuple[Field, ...]:
    return world.arrangement.signature.outputs


def _is_json(last: Sequence[Asked]) -> bool:
    """Whether the last reply was an object of JSON, or a native call, whose args are one."""
    said = [asked.completion for asked in last if asked.completion]
    return any(each.tool_calls or (each.content or "").lstrip().startswith("{") for each in said)


def _describe_typed(value: JsonValue) -> str:
    return f"{json.dumps(value, ensure_ascii=False)} ({type(value).__name__})"


def _last_answer(world: World) -> Asked | None:
    return next(reversed(world.extraction_requests), None)


_ERROR = re.compile(r"\b(?:\w*error|\w*exception|traceback|fail(?:ed|ure|s)?|unknown tool)\b", re.IGNORECASE)


@then("the extraction is told of no error")
@needing("extraction")
def told_of_no_error(world: World) -> None:
    """What stands behind the last result speaks of no failure; what earlier requests say too is no news.

    That there is an extraction at all is EXT-001's affair.
    """
    asked = next(iter(world.extraction_requests), None)
    if asked is None:
        world.unseen = "the extraction was asked for nothing"
        return
    runs = world.record.tool_runs
    last = str(runs[-1].result) if runs else ""
    known = {line for earlier in world.step_requests for line in earlier.request.text.splitlines()}
    news = asked.request.text.rpartition(last)[2].splitlines() if last else asked.request.text.splitlines()
    told = next((line for line in news if line not in known and _ERROR.search(line)), None)
    expected = f"selecting {FINISH!r} completes the task, and the extraction is told of no error"
    check(told is None, expected, f"it is told: {(told or '').strip()}", asked)


@then(sentence("the extraction asks for {names:Names}, and for whatever else before them"))
@needing("extraction")
def extraction_asks_for(world: World, names: tuple[str, ...]) -> None:
    """Every output; a reasoning that came after them would be none."""
    asked = extraction_request(world)
    fields = asked.ask.fields if asked.ask else ()
    actual = f"it asks for {', '.join(fields)}"
    for name in names:
        check(name in fields, f"the extraction asks for {name!r}", actual, asked)
    after = fields[min(fields.index(name) for name in names) :]
    check(set(after) <= set(names), f"nothing but {', '.join(names)} is asked for last", actual, asked)


@then("the extraction asks for reasoning, unless its declared choice is plain predict")
@needing("extraction")
def asks_for_reasoning(world: World) -> None:
    """Chain of thought is the default; another behaviour is to be declared."""
    asked = extraction_request(world)
    fields = asked.ask.fields if asked.ask else ()
    if "predict" not in variants_of(world.manifest.choices.get("extraction", "chain-of-thought")):
        expected = f"the extraction asks for {REASONING!r}, as the choice 'extraction' is chain-of-thought"
        check(REASONING in fields, expected, f"it asks for {', '.join(fields)}", asked)


@with_pattern("(?: in each call)?")
def in_each_call(text: str) -> bool:
    """Not in the episode as a whole, but in every call of it."""
    return bool(text)


@then(sentence("the extraction was asked for once{each:InEachCall}", InEachCall=in_each_call))
@needing("extraction")
def one_extraction(world: World, each: bool) -> None:
    """In the only call there was, or in every one."""
    requests = world.extraction_requests
    if each:
        for invocation in range(world.record.call_count):
            _check_once(tuple(asked for asked in requests if asked.invocation == invocation))
    else:
        _check_once(requests)


def _check_once(requests: tuple[Asked, ...]) -> None:
    actual = f"it was asked for {len(requests)} times"
    check(len(requests) == 1, "the extraction is asked for exactly once", actual, requests[1] if requests[1:] else None)
