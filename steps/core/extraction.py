"""Then: what the extraction asks for and is told, and how often there is one."""

import re

from parse import with_pattern
from pytest_bdd import then

from react_tck.dialects.fields import FINISH, REASONING
from react_tck.judges.verdict import check
from react_tck.model.record import Asked
from react_tck.model.requirement import variants_of
from react_tck.steps.core.request_checks import extraction_request
from react_tck.steps.language import needing, sentence
from react_tck.steps.world import World

_ERROR = re.compile(r"\b(?:\w*error|\w*exception|traceback|fail(?:ed|ure|s)?|unknown tool)\b", re.IGNORECASE)


@then("the extraction is told of no error")
@needing("extraction")
def told_of_no_error(world: World) -> None:
    """What stands behind the last result speaks of no failure; what earlier requests say too is no news.

    That there is an extraction at all is EXT-001's affair.
    """
    asked = next(iter(world.extraction_requests), None)
    if asked is None:
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
