"""Invariants checked after every episode, whatever the scenario asserts (SAN-001 to SAN-008).

SAN-009, determinism, needs the episode played again: see `react_tck.runner.replay`.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import takewhile

from jsonschema import Draft202012Validator
from pydantic import JsonValue

from react_tck.dialects.fields import FINISH, THOUGHT, TOOL_ARGS, TOOL_NAME
from react_tck.fakes.garble import reading
from react_tck.model.case import Case, Invocation
from react_tck.model.episode import Episode
from react_tck.model.intent import Answer, CallTool, Garbled, Raw
from react_tck.model.manifest import Manifest
from react_tck.model.outcome import Outcome
from react_tck.model.record import Asked, Called, Record, Returned, ToolRan
from react_tck.model.signature import Field
from react_tck.model.tool import Tool
from react_tck.runner.conversion import arrived
from react_tck.runner.turns import Turn, turns
from react_tck.runner.verdict import Violation
from react_tck.runner.visibility import names, shows

#: Fields the loop has itself; what becomes of the user's own of that name is TOOL-005's affair.
_INTERNAL = frozenset({"trajectory", THOUGHT, TOOL_NAME, TOOL_ARGS})


@dataclass(frozen=True)
class Scene:
    """What a sanitizer looks at: the episode, who played it, and one call's part of the record."""

    episode: Episode
    manifest: Manifest
    number: int
    record: Record

    @property
    def case(self) -> Case:
        """The episode's case."""
        return self.episode.case

    @property
    def invocation(self) -> Invocation:
        """What the call was given."""
        return self.case.invocations[self.number]

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The call's turns; what happens after the outcome belongs to none of them."""
        in_time = takewhile(lambda event: not isinstance(event, Returned), self.record.events)
        return tuple(turns(self.record.model_copy(update={"events": tuple(in_time)})))

    @property
    def tools(self) -> dict[str, Tool]:
        """The tools whose name is theirs alone; what becomes of the others is TOOL-005's affair."""
        count = Counter([FINISH, *(tool.name for tool in self.case.tools)])
        return {tool.name: tool for tool in self.case.tools if count[tool.name] == 1}


Sanitizer = Callable[[Scene], Iterator[Violation]]


def unasked_tool_runs(scene: Scene) -> Iterator[Violation]:
    """SAN-001: no tool runs that the LM didn't ask for; how often it runs is SAN-003's affair."""
    for turn in scene.turns:
        for run in turn.runs:
            if turn.named != run.tool:
                yield Violation("only tools the LM asked for run", f"{run.tool!r} ran without being asked for", run)


def changed_args(scene: Scene) -> Iterator[Violation]:
    """SAN-002: a tool gets the args the LM gave, converted only as it declares."""
    for turn in scene.turns:
        for run in _runs_of_its_call(turn):
            tool = scene.tools.get(run.tool)
            if turn.call and tool and not arrived(turn.call.args, run.args, tool.parameters):
                yield Violation(f"{run.tool!r} gets the args {turn.call.args}", f"it got {run.args}", run)


def lost_or_repeated_calls(scene: Scene) -> Iterator[Violation]:
    """SAN-003: each call the LM asked for runs at most once; once where nothing forbids it."""
    for turn in scene.turns:
        runs = _runs_of_its_call(turn)
        if turn.call and len(runs) > 1:
            yield Violation(f"{turn.call.tool!r} runs once for one call", f"it ran {len(runs)} times", runs[1])
        is_due = turn.is_scripted and not turn.is_retried
        if turn.call and is_due and not runs and nothing_forbids(scene, turn.call):
            yield Violation(f"{turn.call.tool!r} runs, as the LM asked", "it did not run", turn.asked)


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
    bound = (max_steps(scene) + 1) * attempts
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
    for outcome in scene.record.outcomes:
        if outcome.status == "ok":
            yield from as_the_lm_answered(scene, outcome)


def hidden_task(scene: Scene) -> Iterator[Violation]:
    """SAN-008: inputs, tool names and descriptions are visible to the LM in the first request."""
    first = next(iter(scene.record.requests), None)
    if first is None or first.ask is None:
        return
    for what, value, is_visible in _task(scene, first.request.text, with_tools=first.ask.phase == "step"):
        if not is_visible:
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
    for number in sorted({e.invocation for e in record.events if isinstance(e, Called)}):
        scene = Scene(episode, manifest, number, record.of_call(number))
        for requirement_id, sanitizer in SANITIZERS.items():
            for violation in sanitizer(scene):
                yield requirement_id, violation


def _runs_of_its_call(turn: Turn) -> list[ToolRan]:
    return [run for run in turn.runs if turn.call and run.tool == turn.call.tool]


def nothing_forbids(scene: Scene, call: CallTool) -> bool:
    """Whether not even a SHOULD (TOOL-001, TOOL-004, TOOL-005) is all that makes the tool run."""
    tool = scene.tools.get(call.tool)
    if tool is None or not set(call.args) <= set(tool.parameter_names):
        return False
    is_plain = tool.callable_form == "function" and not (tool.is_async and scene.invocation.mode == "sync")
    return is_plain and _is_annotated(tool) and Draft202012Validator(tool.parameters).is_valid(call.args)


def _is_annotated(tool: Tool) -> bool:
    properties = tool.parameters.get("properties")
    return not isinstance(properties, dict) or all(properties.values())


def max_steps(scene: Scene) -> int:
    own = scene.invocation.max_steps
    given = own if own is not None else scene.case.options.max_steps
    return given if given is not None else scene.manifest.default_max_steps


def as_the_lm_answered(scene: Scene, outcome: Outcome) -> Iterator[Violation]:
    fields = [field for field in scene.case.signature.outputs if field.name not in _INTERNAL]
    actual = f"it reported {outcome.outputs}"
    if outcome.outputs.keys() - _INTERNAL != {field.name for field in fields}:
        yield Violation(f"exactly the outputs {', '.join(field.name for field in fields)}", actual)
        return
    said = next((e for e in reversed(scene.record.requests) if _is_answer(e)), None)
    if said is None:
        yield Violation("no success without an answer of the LM", actual)
        return
    for field in fields:
        if not _gave(said, field, outcome.outputs[field.name]):
            yield Violation(f"the output {field.name!r} as the LM gave it", actual, said)


def _is_answer(asked: Asked) -> bool:
    in_extraction = asked.ask is not None and asked.ask.phase == "extraction"
    return isinstance(asked.intent, Answer) or (isinstance(asked.intent, Raw | Garbled) and in_extraction)


def _gave(said: Asked, field: Field, value: JsonValue) -> bool:
    match said.intent:
        case Answer() as given:
            return _holds(given, field, value)
        case Garbled() as garbled if said.ask and isinstance(answer := reading(garbled, said.ask), Answer):
            # A lenient reader may take broken marks for a part of a text.
            return _holds(answer, field, value) or shows(str(value), answer.outputs.get(field.name))
        case Raw(text=text):
            return value is not None and shows(text, value)
    return _gave_as_text(said, value)


def _holds(answer: Answer, field: Field, value: JsonValue) -> bool:
    given = answer.outputs.get(field.name)
    return field.name in answer.outputs and arrived(_stripped(given), _stripped(value), field.json_schema)


def _gave_as_text(said: Asked, value: JsonValue) -> bool:
    """A native answer is whatever the LM writes: no form of it is wrong."""
    is_native = said.ask is not None and said.ask.dialect == "native"
    text = said.completion.content if said.completion else None
    return is_native and value is not None and shows(text or "", value)


def _stripped(value: JsonValue) -> JsonValue:
    # Text dialects can't carry blank space around a value.
    return value.strip() if isinstance(value, str) else value


def _task(scene: Scene, text: str, *, with_tools: bool) -> Iterator[tuple[str, JsonValue, bool]]:
    declared = {field.name for field in scene.case.signature.inputs}
    for name, value in scene.invocation.inputs.items():
        # An unknown input is SIG-007's affair.
        if name in declared and name not in _INTERNAL:
            yield f"the input {name!r}", value, shows(text, value)
    for tool in scene.tools.values() if with_tools else ():
        yield "the tool", tool.name, names(text, tool.name)
        yield f"the description of {tool.name!r}", tool.description, shows(text, tool.description)
