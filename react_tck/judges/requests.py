"""How each request is made: in the adapter's dialect (ADP-001 to ADP-003, ADP-005), with all that its kind shows."""

from collections import Counter
from collections.abc import Iterator
from itertools import chain

from react_tck.dialects.fields import step_names
from react_tck.dialects.markup import is_encodable
from react_tck.fakes.conversation import find_unpaired_calls
from react_tck.judges.observations import is_told_as_json, was_lost_before
from react_tck.judges.oracle.scope import has_distinct_names
from react_tck.judges.verdict import Violation
from react_tck.model.case import Case
from react_tck.model.lm import Ask
from react_tck.model.manifest import Manifest
from react_tck.model.record import Asked, Resumed, ToolRan
from react_tck.model.requirement import PROTOCOL_BROKEN
from react_tck.model.signature import Form
from react_tck.record.evidence import Evidence, Scene
from react_tck.record.visibility import hides_value, is_unusual


def find_unpaired_messages(scene: Scene) -> Iterator[Violation]:
    """SAN-013: yield the first request that a provider refuses, for its calls and results don't belong together.

    "`tool_use` ids must be unique" (Anthropic); another instance's LM has ids of its own.
    """
    moves = any(resumption.elsewhere for resumption in scene.invocation.resumptions)
    for asked in scene.record.requests:
        messages = asked.request.messages
        counted = Counter(call.id for message in messages for call in message.tool_calls if call.id)
        twice = (f"two tool calls have the id {id_!r}" for id_, count in counted.items() if count > 1 and not moves)
        for wrong in chain((f"messages[{at}]: {wrong}" for at, wrong in find_unpaired_calls(messages)), twice):
            expected = "each call that a request shows has its result directly after its turn, and each result its call"
            yield Violation(expected, wrong, asked, kind=PROTOCOL_BROKEN)
            return


def find_wrong_dialects(evidence: Evidence) -> Iterator[Violation]:
    """Yield extractions asked for in another dialect, and steps, where they are declared to be like those."""
    episode, manifest = evidence.episode, evidence.manifest
    if not _takes_adapters(episode.case):
        return
    for asked in evidence.record.requests:
        requirement_id, dialect = _find_configured_dialect(episode.case, asked.invocation, manifest)
        if dialect == "native":  # tools are called so; in which form fields are asked for then is the adapter's own
            continue
        if asked.ask and _is_configured(asked.ask, manifest) and not asked.attempt and asked.ask.dialect != dialect:
            expected = f"the {asked.ask.phase} is asked for in {dialect!r}"
            yield Violation(expected, f"it is asked for in {asked.ask.dialect!r}", asked, requirement_id)


def _takes_adapters(case: Case) -> bool:
    """Tell whether adapters make what its LM is asked; under which a call is resumed, nobody says."""
    is_alone = not case.options.clarification and not any(tool.confirm for tool in case.tools)
    return case.options.system in (None, "transcript") and is_alone and has_distinct_names(case)


def _find_configured_dialect(case: Case, invocation: int, manifest: Manifest) -> tuple[str, str]:
    """Return the requirement that says what was in force at this call, and the dialect."""
    options, of_calls = case.options, [call.adapter for call in case.invocations[: invocation + 1]]
    if options.module_adapter:
        return "ADP-002", options.module_adapter
    if any(of_calls):
        return "ADP-005", of_calls[-1] or options.adapter or manifest.default_dialect
    if options.adapter:
        return "ADP-001", options.adapter
    return "ADP-003", manifest.default_dialect


def _is_configured(ask: Ask, manifest: Manifest) -> bool:
    """Whether the adapter makes the request what it is: a malformed reply may be asked for again in another dialect."""
    is_step = ask.phase == "step" and ask.dialect != "native"
    return ask.phase == "extraction" or (is_step and manifest.choices.get("step-adapter") == "same as extraction")


def find_unshown_parts(scene: Scene) -> Iterator[Violation]:
    """Yield what a request doesn't show of what each of its kind shows: tools, instructions, fields, the inputs of the
    call.

    A prompt that is made to fit shows less, and so may one that asks for the same once more.
    """
    requests = scene.record.requests
    if any(asked.is_overflow for asked in requests) or not has_distinct_names(scene.case):
        return
    for asked in requests:
        if asked.ask is None or asked.attempt:
            continue
        is_step = asked.ask.phase == "step"
        yield from _find_hidden_instructions(scene, asked, "STEP-005" if is_step else "EXT-005")
        if asked.ask.phase == "extraction":
            yield from _find_hidden_outputs(scene, asked)
        if scene.case.options.system == "transcript":
            yield from _find_hidden_images(scene, asked)
        # Where the LM may only call the tool that takes the answer, there is no step to choose.
        if is_step and asked.request.tool_choice != (scene.manifest.answer_tool or ""):
            yield from _find_hidden_tools(scene, asked)
            yield from _find_hidden_inputs(scene, asked)


def _find_hidden_instructions(scene: Scene, asked: Asked, requirement_id: str) -> Iterator[Violation]:
    instructions = scene.case.signature.instructions
    if hides_value(asked.request.text, instructions):
        expected = f"the request carries the instructions {instructions!r}"
        yield Violation(expected, "it does not", asked, requirement_id)


def _find_hidden_outputs(scene: Scene, asked: Asked) -> Iterator[Violation]:
    """Yield what the signature, a class (SIG-009) or a value (SIG-008), says of an output that is asked for."""
    requirement_id = "SIG-009" if scene.case.signature.form is Form.CLASS else "SIG-008"
    for field in scene.case.signature.outputs:
        if hides_value(asked.request.text, field.description):
            expected = f"the request says of the output {field.name!r}: {field.description!r}"
            yield Violation(expected, "it does not", asked, requirement_id)


def _find_hidden_images(scene: Scene, asked: Asked) -> Iterator[Violation]:
    """Yield the inputs of the call that are images, and no part of a message."""
    for field in (field for field in scene.case.signature.inputs if field.is_image):
        url = scene.invocation.inputs.get(field.name)
        if isinstance(url, str) and not any(url in message.images for message in asked.request.messages):
            yield Violation(f"the image {field.name!r} is a part of a message", "it is not", asked, "TRN-016")


def _find_hidden_tools(scene: Scene, asked: Asked) -> Iterator[Violation]:
    """Yield the tools whose name, description or default of a parameter isn't there."""
    for tool in scene.case.tools:
        for part in (tool.name, tool.description):
            if not is_unusual(part) and hides_value(asked.request.text, part):
                yield Violation(f"the step describes {tool.name!r}: {part!r}", "it does not", asked, "STEP-004")
        for name, value in tool.defaults.items():
            # A parameter that may be left out and one whose default is null are the same to many providers.
            if value is not None and not is_unusual(value) and hides_value(asked.request.text, value):
                expected = f"the step shows the default of {name!r} of {tool.name!r}: {value!r}"
                yield Violation(expected, "it does not", asked, "TOOL-011")


def _find_hidden_inputs(scene: Scene, asked: Asked) -> Iterator[Violation]:
    """Yield the inputs of a step; STEP-003 speaks of them where a thought, a tool and its args are fields."""
    is_asked = scene.case.options.system is None
    if not is_asked or asked.ask is None or step_names(asked.ask.fields)[1] not in asked.ask.fields:
        return
    for field in (field for field in scene.case.signature.inputs if not field.is_image and not field.history):
        value = scene.invocation.inputs.get(field.name)
        if value is not None and is_encodable(value) and hides_value(asked.request.text, value):
            yield Violation(f"the step shows the input {field.name!r}, {value!r}", "it does not", asked, "STEP-003")


def find_dropped_observations(scene: Scene) -> Iterator[Violation]:
    """LOOP-002: a step shows what all the steps before it led to; of the one right before it, that is SAN-004's.

    A prompt that is made to fit shows less. Who hands no state over may begin a call anew that waited.
    """
    is_loop = scene.case.options.system in (None, "udspy") and has_distinct_names(scene.case)
    if not is_loop or any(asked.is_overflow for asked in scene.record.requests):
        return
    earlier: list[ToolRan] = []
    latest: list[ToolRan] = []
    for event in scene.record.events:
        if isinstance(event, ToolRan) and event.error is None and is_told_as_json(event):
            latest.append(event)
        elif isinstance(event, Resumed) and "portable-state" not in scene.manifest.capabilities:
            earlier, latest = [], []
        elif isinstance(event, Asked) and event.ask and event.ask.phase == "step" and not event.attempt:
            for run in earlier:
                if hides_value(event.request.text, run.observation) and not was_lost_before(scene, run, event):
                    expected = f"the step shows the earlier result {run.observation!r}"
                    yield Violation(expected, "it does not", event, "LOOP-002")
                    return
            earlier, latest = [*earlier, *latest], []
