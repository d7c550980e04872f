"""Given, When, Then: the surface of udspy's ReAct (S3)."""

import re
from typing import Any

from parse import with_pattern
from pydantic import JsonValue
from pytest_bdd import given, then

from react_tck.dialects.fields import FINISH
from react_tck.judges.surfaces import FINISHED
from react_tck.judges.verdict import Violation, check
from react_tck.model.base import JsonObject
from react_tck.model.intent import CallTool, Finish
from react_tck.model.manifest import Fields
from react_tck.model.record import Asked, Returned
from react_tck.model.signature import Form
from react_tck.steps.arrange import arrange_react
from react_tck.steps.core.trajectory import trace_of
from react_tck.steps.language import needing, sentence
from react_tck.steps.world import World

_KEYS = ("reasoning", "tool_name", "tool_args", "observation")
_FINISH_DESCRIPTION = "Call this when you have all information needed to produce"


@given(sentence('a udspy ReAct over {form:InForm}"{arrow:Quoted}"{tools:WithTools}'))
def udspy_react(world: World, form: Form | None, arrow: str, tools: tuple[str, ...]) -> None:
    """An agent with the surface of udspy's ReAct (S3)."""
    world.needs("udspy-surface")
    arrange_react(world, form, arrow, tools)
    world.arrangement.set_options(system="udspy")


@given("tools are called natively")
def called_natively(world: World) -> None:
    """By the provider's own tool calls."""
    world.needs_dialect("native")
    world.arrangement.set_options(adapter="native")


@with_pattern(r'the outputs "[^"]+"(?: and "[^"]+")*|a reasoning')
def outputs_or_reasoning(text: str) -> tuple[str, ...] | None:
    """`the outputs "answer"`, or `a reasoning` by whatever name."""
    return tuple(re.findall(r'"([^"]+)"', text)) or None


@with_pattern("the list of tools|every step request")
def read_place(text: str) -> str:
    """Where a tool is described."""
    return text


@then(sentence('its "{name}" has the inputs {inputs:Names} and {outputs:Outputs}', Outputs=outputs_or_reasoning))
def signature_has(world: World, name: str, inputs: tuple[str, ...], outputs: tuple[str, ...] | None) -> None:
    """These fields in any order, and whatever else it needs for itself."""
    fields = _find_signature(world, name)
    for what, wanted, actual in (("inputs", inputs, fields.inputs), ("outputs", outputs or (), fields.outputs)):
        missing = [field for field in wanted if field not in actual]
        check(not missing, f"{name!r} has the {what} {', '.join(wanted)}", f"it has {', '.join(actual)}")
    if outputs is None:
        # How it asks for the tool depends on whether that is done natively.
        asks = any("reasoning" in field or "thought" in field for field in fields.outputs)
        check(asks, f"{name!r} asks for reasoning", f"it asks for {', '.join(fields.outputs)}")


@then(sentence("{place:Place} describes finish as what produces {outputs:Names}", Place=read_place))
def finish_described(world: World, place: str, outputs: tuple[str, ...]) -> None:
    """The wording of S3; how the outputs are set apart is not part of it."""
    expected = f"{_FINISH_DESCRIPTION} {', '.join(outputs)}"
    if place == "every step request":
        for asked in world.step_requests:
            shown = expected in _drop_quotes(asked.request.text)
            check(shown, f"the request shows finish's description: {expected!r}", "it does not", asked)
        return
    world.needs("inspection")
    described = world.describe().tools.get(FINISH)
    check(described is not None, "the tools have finish", "they don't")
    check(_drop_quotes(described or "") == expected, f"finish's description is {expected!r}", f"it is {described!r}")


@then(sentence("the trajectory has exactly the keys of S3 for {count:d} steps"))
@needing("trajectory")
def has_keys(world: World, count: int) -> None:
    """Four keys a step, numbered from 0."""
    expected = {f"{key}_{number}" for number in range(count) for key in _KEYS}
    actual = set(_require_trajectory(world))
    missing, extra = sorted(expected - actual), sorted(actual - expected)
    holds = not missing and not extra
    check(holds, f"the keys are {', '.join(sorted(expected))}", f"missing are {missing}, and too many {extra}")


@then("the trajectory of its context has no keys but those of S3")
def context_has_keys(world: World) -> None:
    """Numbered from 0, as in the trajectory of a prediction."""
    context = (world.outcome.suspension or {}).get("context")
    told = context.get("trajectory") if isinstance(context, dict) else None
    expected = f"the call is suspended, and its context has a trajectory of {', '.join(_KEYS)}, each with a number"
    is_known = isinstance(told, dict) and all(re.fullmatch(rf"(?:{'|'.join(_KEYS)})_\d+", key) for key in told)
    check(bool(told) and is_known, expected, f"it is {told}")


@then(sentence("step {number:d} of the trajectory is the call of the LM and what the tool brought"))
@needing("trajectory")
def step_is_told(world: World, number: int) -> None:
    """Name and args as the LM gave them; the observation as a text with the result in it."""
    said = _list_step_intents(world)[number]
    run = world.record.tool_runs[number]
    expected: JsonObject = {
        "tool_name": run.tool,
        "tool_args": said.args,
        "observation": str(run.result),
    }
    _check_entries(world, number, expected)


@then(sentence("step {number:d} of the trajectory is the finish step"))
@needing("trajectory")
def step_is_finish(world: World, number: int) -> None:
    """Recorded like any step, its observation `Task completed`."""
    said = _list_step_intents(world)
    check(len(said) > number, f"the LM is asked for step {number}", f"it was asked for {len(said)} steps")
    _check_entries(world, number, {"tool_name": FINISH, "tool_args": {}, "observation": FINISHED})


@then(sentence('the observation of step {number:d} is "{text}"'))
@needing("trajectory")
def observation_is(world: World, number: int, text: str) -> None:
    """Exactly this text, in whatever form the trajectory is kept."""
    steps = trace_of(world).steps
    actual = steps[number].parts.get("observation") if number < len(steps) else "not there"
    check(actual == text, f"the observation of step {number} is {text!r}", f"it is {actual!r}")


@then(sentence("its tools are {tools:Names}"))
@needing("inspection")
def tools_are(world: World, tools: tuple[str, ...]) -> None:
    """By name, in any order; built-in ones included."""
    actual = world.describe().tools
    check(set(actual) == set(tools), f"the tools are {', '.join(tools)}", f"they are {', '.join(actual)}")


@then(sentence("every step request offers the tools {tools:Names} natively"))
def offered_natively(world: World, tools: tuple[str, ...]) -> None:
    """Exactly these tools are offered, `finish` included."""
    for asked in _require_steps(world):
        actual = [offer.name for offer in asked.request.tools]
        check(sorted(actual) == sorted(tools), f"{', '.join(tools)} are offered", f"{', '.join(actual)} are", asked)


@then(sentence("each step took one request"))
def one_request_a_step(world: World) -> None:
    """Reasoning and selection come in one reply."""
    steps, said = len(_require_steps(world)), len(_list_step_intents(world))
    check(steps == said, f"{said} steps take {said} requests", f"they took {steps}")


def _check_entries(world: World, number: int, expected: JsonObject) -> None:
    trajectory = _require_trajectory(world)
    for key, value in expected.items():
        actual: Any = trajectory.get(f"{key}_{number}")
        check(actual == value, f"{key}_{number} of the trajectory is {value!r}", f"it is {actual!r}")


def _require_trajectory(world: World) -> dict[str, JsonValue]:
    world.needs("trajectory")
    outcome = world.outcome
    failure = f" ({outcome.error.type}: {outcome.error.message})" if outcome.error else ""
    check(outcome.status == "ok", "the call succeeds", f"it ended with status {outcome.status!r}{failure}")
    if not isinstance(outcome.trajectory, dict):
        ended = next(event for event in reversed(world.record.events) if isinstance(event, Returned))
        actual = f"it is a {outcome.trajectory_format}"
        raise Violation("the trajectory is a mapping with numbered keys", actual, ended)
    return outcome.trajectory


def _list_step_intents(world: World) -> list[CallTool | Finish]:
    """What it said to each step; a reply to one who asks again is no other."""
    first = (asked for asked in world.record.requests if not asked.attempt)
    return [asked.intent for asked in first if isinstance(asked.intent, CallTool | Finish)]


def _require_steps(world: World) -> tuple[Asked, ...]:
    if not world.step_requests:
        raise Violation("the LM is asked for steps", "it was not")
    return world.step_requests


def _find_signature(world: World, name: str) -> Fields:
    world.needs("inspection")
    signatures = world.describe().signatures
    if name not in signatures:
        raise Violation(f"{name!r} can be inspected", f"only {', '.join(signatures) or 'nothing'} can")
    return signatures[name]


def _drop_quotes(text: str) -> str:
    return re.sub(r"[`'\"]", "", text)
