"""Invariants of every episode, whatever its scenario asserts: SAN-001 to SAN-008, SAN-011, ISO-003, ERR-008."""

from collections.abc import Callable, Iterator

from pydantic import JsonValue

from react_tck.dialects.fields import SUBMIT
from react_tck.dialects.markup import is_encodable
from react_tck.judges.observations import find_hidden_observations
from react_tck.judges.outputs import INTERNAL, find_unscripted_success
from react_tck.judges.requests import find_unpaired_messages
from react_tck.judges.tool_args import CLASHING, find_changed_args, list_tools_called, nothing_forbids
from react_tck.judges.truncation import request_bound
from react_tck.judges.verdict import Violation
from react_tck.model.intent import CallTool
from react_tck.model.record import Asked, Changed, Event, Returned, ToolRan
from react_tck.model.tool import Tool, is_typed
from react_tck.record.evidence import Evidence, Scene
from react_tck.record.turns import Turn
from react_tck.record.visibility import hides_value, names_whole_word

#: The requirement that nothing comes after the outcome, and that no thread is left that keeps a process alive.
LATE, LASTING = "SAN-006", "SAN-012"

Sanitizer = Callable[[Scene], Iterator[Violation]]


def find_unasked_runs(scene: Scene) -> Iterator[Violation]:
    """SAN-001: no tool runs that the LM didn't ask for; how often it runs is SAN-003's affair."""
    for turn in scene.turns:
        for run in turn.runs:
            if not turn.names_tool(run.tool, scene.tools):
                yield Violation("only tools the LM asked for run", f"{run.tool!r} ran without being asked for", run)


def find_lost_or_repeated_calls(scene: Scene) -> Iterator[Violation]:
    """SAN-003: each call the LM asked for runs at most once; once where nothing forbids it."""
    for turn in scene.turns:
        for name in list_tools_called(turn):
            calls, runs = [call for call in turn.calls if call.tool == name], turn.find_runs(name)
            if len(runs) > len(calls):
                yield Violation(_once_each(name, calls), f"it ran {len(runs)} times", runs[len(calls)])
            # What was due is asked only where something is missing: it takes longer to find out.
            is_missing = len(runs) < sum(call.tool == name for call in turn.reply_calls)
            if is_missing and len(runs) < sum(call.tool == name for call in _list_due_calls(scene, turn)):
                actual = f"it ran {len(runs)} times" if runs else "it did not run"
                yield Violation(f"{name!r} runs, as the LM asked", actual, _find_next(scene, turn))


def _find_next(scene: Scene, turn: Turn) -> Event | None:
    """Return what came in the place of a call that the turn was to make: there it is seen that it didn't run."""
    events = iter(scene.record.events)
    any(event is turn.asked for event in events)
    is_next = (e for e in events if isinstance(e, Asked) or (isinstance(e, Returned) and not e.outcome.suspension))
    return next(is_next, turn.asked)


def find_excess_requests(scene: Scene) -> Iterator[Violation]:
    """ERR-008: LM requests stay within `max_steps` and one extraction, each with the declared retries."""
    bound, requests = request_bound(scene), scene.record.requests
    if len(requests) > bound:
        actual = f"there were {len(requests)}"
        yield Violation(f"at most {bound} LM requests", actual, requests[bound], "ERR-008", "goes on too long")


def find_late_activity(scene: Scene) -> Iterator[Violation]:
    """SAN-006: no LM request and no tool call after the outcome."""
    for event, is_late in scene.mark_late_events():
        if is_late and isinstance(event, Asked | ToolRan):
            yield Violation("nothing happens after the outcome", f"there was a late {event.kind!r} event", event)
    for stray in scene.record.strays:
        if stray.late:
            actual = f"there was a late request, which leads nowhere: {stray.what}"
            yield Violation("nothing happens after the outcome", actual)


def find_altered_objects(evidence: Evidence) -> Iterator[Violation]:
    """Yield every object of the caller's that isn't what it was."""
    for event in evidence.record.events:
        if isinstance(event, Changed):
            actual = f"{event.before} became {event.after}"
            yield Violation(f"{event.what} is left as it was", actual, event, "ISO-003")


def find_hidden_task(scene: Scene) -> Iterator[Violation]:
    """SAN-008: inputs, tool names and descriptions are visible to the LM in the first request."""
    first = next(iter(scene.record.requests), None)
    if first is None or first.ask is None:
        return
    with_tools = first.ask.phase == "step" and not _is_loaded(scene)
    for what, value, is_visible in _list_task_parts(scene, first.request.text, with_tools=with_tools):
        if not is_visible:
            yield Violation(f"the first LM request shows {what}: {value!r}", "it does not", first)


def find_hidden_parameters(scene: Scene) -> Iterator[Violation]:
    """SAN-011: the name of every parameter of every tool stands in the first step request.

    Unusual names are TOOL-010's affair; parameters without a type, and those of methods and objects, TOOL-002's.
    """
    first = next((asked for asked in scene.record.requests if asked.ask and asked.ask.phase == "step"), None)
    for tool in scene.tools.values() if first and not _is_loaded(scene) else ():
        for parameter in _list_plain_parameters(tool):
            if first and not _is_named(first.request.text, tool, parameter):
                shown = f"the first step request shows the parameter {parameter!r} of {tool.name!r}"
                yield Violation(shown, "it does not", first)


def _list_plain_parameters(tool: Tool) -> Iterator[str]:
    properties = tool.parameters.get("properties")
    schemas = properties if isinstance(properties, dict) and tool.callable_form == "function" else {}
    yield from (name for name, schema in schemas.items() if name not in CLASHING and is_typed(schema))


def _is_named(text: str, tool: Tool, parameter: str) -> bool:
    """Whether the text has the parameter's name; those of its fields will do, if it is an object and the only one."""
    properties = tool.parameters.get("properties")
    schema = properties.get(parameter) if isinstance(properties, dict) and len(properties) == 1 else None
    fields = schema.get("properties") if isinstance(schema, dict) else None
    in_its_place = isinstance(fields, dict) and fields and all(names_whole_word(text, field) for field in fields)
    return bool(in_its_place) or names_whole_word(text, parameter)


def _is_loaded(scene: Scene) -> bool:
    """Which tools a saved program's prompts describe is SAV-002's and SAV-003's affair."""
    return scene.case.state is not None


SANITIZERS: dict[str, Sanitizer] = {
    "SAN-001": find_unasked_runs,
    "SAN-002": find_changed_args,
    "SAN-003": find_lost_or_repeated_calls,
    "SAN-004": find_hidden_observations,
    LATE: find_late_activity,
    "SAN-007": find_unscripted_success,
    "SAN-008": find_hidden_task,
    "SAN-011": find_hidden_parameters,
    "SAN-013": find_unpaired_messages,
}


def run_sanitizers(scene: Scene) -> Iterator[Violation]:
    """Every violation in a call, of the sanitizer that found it; what a call that the kit ended owed, nobody knows."""
    if not scene.has_come_back:
        return
    for requirement_id, sanitizer in SANITIZERS.items():
        for violation in sanitizer(scene):
            yield violation.with_requirement(requirement_id)


def _once_each(name: str, calls: list[CallTool]) -> str:
    return f"{name!r} runs once for {'one call' if len(calls) == 1 else f'each of {len(calls)} calls'}"


def _list_due_calls(scene: Scene, turn: Turn) -> Iterator[CallTool]:
    """Yield the calls that nothing forbids to run as the LM made them; an interruption of one ends those beside it,
    too.

    Whether a call runs to which a person has to agree is the affair of CNF-001 to CNF-006.
    """
    is_cut_short = scene.is_cut_short and (turn.asked,) == scene.record.requests[-1:]
    is_interrupted = any(run.interrupted for run in turn.runs)
    if turn.is_waiting or turn.is_retried or not turn.is_scripted or is_cut_short or is_interrupted:
        return
    for call, agreed in zip(turn.reply_calls, turn.agreed_calls, strict=True):
        if call.tool == SUBMIT:
            return  # whether the calls behind it run depends on what becomes of it (TRN-015)
        tool = scene.tools.get(call.tool)
        if tool is None and "observe" not in scene.manifest.choices.get("unknown-tool", "observe"):
            return  # nor does any that stands behind what ends the loop
        # A call that a person agrees to or edits is CNF's affair.
        if call.tool in scene.record.asking_tools:
            continue
        if tool is not None and not tool.confirm and agreed in (None, call) and nothing_forbids(scene, call):
            yield call


def _list_task_parts(scene: Scene, text: str, *, with_tools: bool) -> Iterator[tuple[str, JsonValue, bool]]:
    # An image is no text: TRN-016.
    declared = {field.name for field in scene.case.signature.inputs if not field.is_image}
    for name, value in scene.invocation.inputs.items():
        # An unknown input is SIG-007's affair.
        if name in declared and name not in INTERNAL and is_encodable(value):
            yield f"the input {name!r}", value, not hides_value(text, value)
    for tool in scene.tools.values() if with_tools else ():
        yield "the tool", tool.name, names_whole_word(text, tool.name)
        yield f"the description of {tool.name!r}", tool.description, not hides_value(text, tool.description)
