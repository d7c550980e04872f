"""Then: what a suspended call says of itself: question, id, tool call, context, status (S3)."""

import json

from parse import with_pattern
from pydantic import JsonValue
from pytest_bdd import then

from react_tck.judges.suspensions import is_confirmation_question
from react_tck.judges.verdict import Violation, check
from react_tck.model.base import JsonObject
from react_tck.model.outcome import Outcome
from react_tck.record.visibility import hides_value, text_shows
from react_tck.steps.language import sentence
from react_tck.steps.world import World


@then("the call is suspended")
def is_suspended(world: World) -> None:
    """It came back with status suspended, without outputs."""
    _require_suspension(world.outcome)
    check(not world.outcome.outputs, "a suspended call has no outputs", f"it has {world.outcome.outputs}")


@then(sentence('the suspension is about the call of "{tool}" with {args:Object}'))
def suspension_is_about(world: World, tool: str, args: JsonObject) -> None:
    """Name and args of the call that waits; its id may be null."""
    call = _require_part(_require_suspension(world.outcome), "tool_call")
    check(call.get("name") == tool, f"the call that waits is of {tool!r}", f"it is of {call.get('name')!r}")
    check(call.get("args") == args, f"its args are {args}", f"they are {call.get('args')}")
    check("call_id" in call, "it has a call id, or null for it", f"its keys are {', '.join(call)}")


@then("the suspension has a confirmation id and a question")
def suspension_has_id(world: World) -> None:
    """Both are texts with something in them."""
    suspension = _require_suspension(world.outcome)
    for key in ("confirmation_id", "question"):
        value = suspension.get(key)
        check(isinstance(value, str) and bool(value), f"the suspension has a {key}", f"it is {value!r}")


@with_pattern("inputs|iteration")
def part_of_context(text: str) -> str:
    """By the key it has."""
    return {"inputs": "input_args", "iteration": "iteration"}[text]


@then(sentence("its context has the {key:Part} {value:Literal}", Part=part_of_context))
def context_has(world: World, key: str, value: JsonValue) -> None:
    """The inputs as they were given; the iteration counted from 0."""
    actual = _require_part(_require_suspension(world.outcome), "context").get(key)
    expected = world.marked_inputs(value) if isinstance(value, dict) else value
    check(actual == expected, f"the {key} of the context is {expected}", f"it is {actual}")


@then("its context has the trajectory of the steps before it, and nothing of the call that waits")
def context_has_trajectory(world: World) -> None:
    """Tool, args and result of every run so far."""
    suspension = _require_suspension(world.outcome)
    trajectory = json.dumps(_require_part(suspension, "context").get("trajectory"), ensure_ascii=False)
    for run in world.record.tool_runs:
        for what in (run.tool, run.args, run.result):
            check(
                not hides_value(trajectory, what),
                f"the trajectory of the context shows {what!r}",
                f"it is {trajectory}",
                world.returned,
            )
    waiting = _require_part(suspension, "tool_call").get("args")
    check(not text_shows(trajectory, waiting), f"it doesn't show {waiting!r} yet", f"it is {trajectory}")


@then(sentence('the question is to confirm "{tool}" with {args:Object}'))
def question_reads(world: World, tool: str, args: JsonObject) -> None:
    """The wording of S3; args as JSON or as Python writes them."""
    question = str(_require_suspension(world.outcome).get("question"))
    expected = f"the question reads 'Confirm execution of {tool} with args: {json.dumps(args)}? (yes/no)'"
    check(is_confirmation_question(question, tool, args), expected, f"it reads {question!r}")


@then(sentence('the question is "{question}"'))
def question_is(world: World, question: str) -> None:
    """The LM's own question, marked."""
    expected = world.mark_text(question)
    actual = _require_suspension(world.outcome).get("question")
    check(actual == expected, f"the question is {expected!r}", f"it is {actual!r}")


@then("every suspension has a confirmation id of its own")
def ids_are_unique(world: World) -> None:
    """Over all calls of all episodes of the scenario."""
    ids = [_require_suspension(o).get("confirmation_id") for r in world.records for o in r.outcomes if o.suspension]
    check(len(ids) > 1, "there are several suspensions", f"there are {len(ids)}")
    check(
        len(set(map(str, ids))) == len(ids),
        "no two confirmations have one id",
        f"the ids are {', '.join(map(str, ids))}",
    )


@then(sentence('the confirmation is "{status}"'))
def status_is(world: World, status: str) -> None:
    """As the subject tells when it is asked by the latest suspension's id."""
    latest = next((o for o in reversed(world.record.outcomes) if o.suspension), world.outcome)
    confirmation_id = str(_require_suspension(latest).get("confirmation_id"))
    actual = world.status(confirmation_id)
    check(actual == status, f"the status of the confirmation is {status!r}", f"it is {actual!r}")


def _require_suspension(outcome: Outcome) -> JsonObject:
    if outcome.status != "suspended" or outcome.suspension is None:
        why = f": {outcome.error.type}: {outcome.error.message}" if outcome.error else ""
        raise Violation("the call is suspended", f"it ended with status {outcome.status!r}{why}")
    return outcome.suspension


def _require_part(whole: JsonObject, key: str) -> JsonObject:
    part = whole.get(key)
    if not isinstance(part, dict):
        raise Violation(f"the suspension has {key!r}, an object", f"it is {part!r}")
    return part
