"""Invariants checked after every episode of every profile, whatever the scenario asserts (SAN-001 to SAN-008).

SAN-009, determinism, needs the episode played again: see `react_tck.runner.replay`.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from jsonschema import Draft202012Validator
from pydantic import JsonValue

from react_tck.model.base import JsonObject
from react_tck.model.case import Case
from react_tck.model.episode import Episode
from react_tck.model.intent import Answer, CallTool
from react_tck.model.manifest import Manifest
from react_tck.model.record import Asked, Called, Record, Returned, ToolRan
from react_tck.model.tool import Tool
from react_tck.runner.verdict import Violation
from react_tck.runner.visibility import shows


@dataclass(frozen=True)
class Scene:
    """What a sanitizer looks at: the episode, who played it, and one call's part of the record."""

    episode: Episode
    manifest: Manifest
    invocation: int
    record: Record

    @property
    def case(self) -> Case:
        """The episode's case."""
        return self.episode.case

    def tool(self, name: str) -> Tool | None:
        """The case's tool of this name."""
        return next((tool for tool in self.case.tools if tool.name == name), None)

    def runs_asked(self) -> Iterator[tuple[ToolRan, CallTool | None]]:
        """Each tool run with the call that asked for it: the latest one not yet run, if it names that tool."""
        pending: CallTool | None = None
        for event in self.record.events:
            if isinstance(event, Asked):
                pending = event.intent if isinstance(event.intent, CallTool) else None
            elif isinstance(event, ToolRan):
                asked = pending if pending and pending.tool == event.tool else None
                pending = None
                yield event, asked


Sanitizer = Callable[[Scene], Iterator[Violation]]


def unasked_tool_runs(scene: Scene) -> Iterator[Violation]:
    """SAN-001: no tool runs that the LM didn't ask for."""
    for run, asked in scene.runs_asked():
        if asked is None:
            yield Violation("only tools the LM asked for run", f"{run.tool!r} ran without being asked for", run)


def changed_args(scene: Scene) -> Iterator[Violation]:
    """SAN-002: a tool gets the args the LM gave, converted only as it declares."""
    for run, asked in scene.runs_asked():
        tool = scene.tool(run.tool)
        if asked and tool and not _same_args(asked.args, run.args, tool):
            yield Violation(f"{run.tool!r} gets the args {asked.args}", f"it got {run.args}", run)


def lost_or_repeated_calls(scene: Scene) -> Iterator[Violation]:
    """SAN-003: each call the LM asked for runs at most once; once where nothing forbids it."""
    events = scene.record.events
    for index, event in enumerate(events):
        if isinstance(event, Asked) and isinstance(event.intent, CallTool):
            yield from _ran_once(scene, event, event.intent, _runs_after(events[index + 1 :]))


def hidden_observations(scene: Scene) -> Iterator[Violation]:
    """SAN-004: the observation of call k is in the next LM request of that episode, if there is one."""
    events = scene.record.events
    for index, event in enumerate(events):
        # How a value that JSON can't hold is written is the subject's affair.
        if not isinstance(event, ToolRan) or event.odd:
            continue
        observation = event.result if event.error is None else event.error
        following = next((e for e in events[index:] if isinstance(e, Asked)), None)
        if following and observation is not None and not shows(following.request.text, observation):
            yield Violation(f"the next LM request shows {observation!r}", "it does not", following)


def excess_requests(scene: Scene) -> Iterator[Violation]:
    """SAN-005: LM requests stay within `max_steps` and one extraction, each with the declared retries."""
    attempts = 1 + scene.manifest.retries
    bound = (_max_steps(scene) + 1) * attempts
    requests = scene.record.requests
    if len(requests) > bound:
        yield Violation(f"at most {bound} LM requests", f"there were {len(requests)}", requests[bound])


def late_activity(scene: Scene) -> Iterator[Violation]:
    """SAN-006: no LM request and no tool call after the outcome."""
    returned = False
    for event in scene.record.events:
        if returned and isinstance(event, Asked | ToolRan):
            yield Violation("nothing happens after the outcome", f"there was a late {event.kind!r} event", event)
        returned = returned or isinstance(event, Returned)


def unscripted_success(scene: Scene) -> Iterator[Violation]:
    """SAN-007: a success has exactly the signature's outputs, with the values the LM gave."""
    outcome = next(iter(scene.record.outcomes), None)
    if outcome is None or outcome.status != "ok":
        return
    answers = [e.intent for e in scene.record.requests if isinstance(e.intent, Answer)]
    if not answers:
        yield Violation("no success without an answer of the LM", f"it reported {outcome.outputs}")
    elif _stripped(outcome.outputs) != _expected_outputs(scene, answers[-1]):
        yield Violation(f"the outputs {_expected_outputs(scene, answers[-1])}", f"it reported {outcome.outputs}")


def hidden_task(scene: Scene) -> Iterator[Violation]:
    """SAN-008: inputs, tool names and descriptions are visible to the LM in the first request."""
    if not scene.record.requests or not _reached_the_lm(scene):
        return
    first = scene.record.requests[0]
    for what, value in _task(scene):
        if not shows(first.request.text, value):
            yield Violation(f"the first LM request shows {what}: {value!r}", "it does not", first)


SANITIZERS: dict[str, Sanitizer] = {
    "SAN-001": unasked_tool_runs,
    "SAN-002": changed_args,
    "SAN-003": lost_or_repeated_calls,
    "SAN-004": hidden_observations,
    "SAN-005": excess_requests,
    "SAN-006": late_activity,
    "SAN-007": unscripted_success,
    "SAN-008": hidden_task,
}


def sanitize(episode: Episode, manifest: Manifest, record: Record) -> Iterator[tuple[str, Violation]]:
    """Every violation in the record, with the id of the sanitizer that found it."""
    for invocation in sorted({e.invocation for e in record.events if isinstance(e, Called)}):
        scene = Scene(episode, manifest, invocation, record.of_call(invocation))
        for requirement_id, sanitizer in SANITIZERS.items():
            for violation in sanitizer(scene):
                yield requirement_id, violation


def _runs_after(events: tuple[object, ...]) -> list[ToolRan]:
    runs: list[ToolRan] = []
    for event in events:
        if isinstance(event, Asked):
            break
        if isinstance(event, ToolRan):
            runs.append(event)
    return runs


def _ran_once(scene: Scene, asked: Asked, call: CallTool, runs: list[ToolRan]) -> Iterator[Violation]:
    mine = [run for run in runs if run.tool == call.tool]
    if len(mine) > 1:
        yield Violation(f"{call.tool!r} runs once for one call", f"it ran {len(mine)} times", mine[1])
    if not mine and _nothing_forbids(scene, call):
        yield Violation(f"{call.tool!r} runs, as the LM asked", "it did not run", asked)


def _nothing_forbids(scene: Scene, call: CallTool) -> bool:
    tool = scene.tool(call.tool)
    if tool is None or not set(call.args) <= set(tool.parameter_names):
        return False
    return Draft202012Validator(tool.parameters).is_valid(call.args)


def _same_args(given: JsonObject, arrived: JsonObject, tool: Tool) -> bool:
    properties = tool.parameters.get("properties")
    schemas = properties if isinstance(properties, dict) else {}
    added = arrived.keys() - given.keys()
    return (
        given.keys() <= arrived.keys()
        and all(_is_default(schemas.get(name), arrived[name]) for name in added)
        and all(_same(given[name], arrived[name]) for name in given)
    )


def _is_default(schema: JsonValue, value: JsonValue) -> bool:
    return isinstance(schema, dict) and schema.get("default") == value


def _same(given: JsonValue, arrived: JsonValue) -> bool:
    """Equal, or a number from its own text: the one conversion that loses nothing."""
    if isinstance(given, str) and isinstance(arrived, int | float):
        return str(arrived) == given.strip() or str(arrived).lower() == given.strip().lower()
    if isinstance(given, dict) and isinstance(arrived, dict):
        return all(key in arrived and _same(given[key], arrived[key]) for key in given)
    return given == arrived and isinstance(given, bool) == isinstance(arrived, bool)


def _max_steps(scene: Scene) -> int:
    own = scene.case.invocations[scene.invocation].max_steps
    given = own if own is not None else scene.case.options.max_steps
    return given if given is not None else scene.manifest.default_max_steps


def _expected_outputs(scene: Scene, answer: Answer) -> JsonObject:
    names = [field.name for field in scene.case.signature.outputs]
    return _stripped({name: answer.outputs[name] for name in names if name in answer.outputs})


def _stripped(outputs: JsonObject) -> JsonObject:
    # Text dialects can't carry blank space around a value.
    return {name: value.strip() if isinstance(value, str) else value for name, value in outputs.items()}


def _reached_the_lm(scene: Scene) -> bool:
    return scene.record.requests[0].ask is not None


def _task(scene: Scene) -> Iterator[tuple[str, JsonValue]]:
    for name, value in scene.case.invocations[scene.invocation].inputs.items():
        yield f"the input {name!r}", value
    if scene.record.requests[0].ask and scene.record.requests[0].ask.phase == "step":
        for tool in scene.case.tools:
            yield "the tool", tool.name
            yield f"the description of {tool.name!r}", tool.description
