"""What else a subject is asked: another case, a call about something else, and samples of what those are given."""

from pydantic import JsonValue

from react_tck.fakes.tools import TOOLBOX, make_tool
from react_tck.model.base import JsonObject
from react_tck.model.case import Case, Invocation, Options
from react_tck.model.episode import Episode
from react_tck.model.intent import Answer, CallTool, Finish, Script, Submit
from react_tck.model.manifest import Manifest

#: A picture of one pixel.
RED_DOT = (
    "data:image/png;base64,"
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
#: What another call, or an earlier turn, is about; it is no text of a scenario's.
EARLIER = "something of long ago"
#: What an input ends with by which a request of the concurrent call is known.
_CONCURRENT = "~concurrent"
#: A tool that no scenario has: what is done with it is no sentence's affair.
SPARE = make_tool("glance", "Looks out of the window.", {"minutes": {"type": "integer"}})


def call_spare(**args: int) -> CallTool:
    """Return a step in which the LM calls the spare tool."""
    return CallTool(tool=SPARE.name, args={**args}, thought="out of the window")


def make_sample(schema: JsonObject) -> JsonValue:
    """Return some value of the type."""
    match schema:
        case {"enum": [first, *_]}:
            return first
        case {"type": "object", "properties": dict() as fields}:
            return {name: make_sample(inner) for name, inner in fields.items() if isinstance(inner, dict)}
        case {"anyOf": [dict() as first, *others]}:
            return None if {"type": "null"} in others else make_sample(first)
    samples: dict[str, JsonValue] = {"integer": 7, "number": 0.5, "boolean": True, "array": [], "object": {}}
    return samples.get(str(schema.get("type")), EARLIER)


def make_sample_call(episode: Episode) -> Invocation:
    """Return a call about something else, with some value of its type for each input; after no turns."""
    fields = [field for field in episode.case.signature.inputs if not field.history]
    inputs = {field.name: RED_DOT if field.is_image else make_sample(field.json_schema) for field in fields}
    return Invocation(inputs=inputs, history=() if episode.case.signature.history_field else None)


def finish_at_once(episode: Episode) -> Script:
    """Return what the LM says where it finishes at once, and answers; in a transcript it submits."""
    outputs = {field.name: make_sample(field.json_schema) for field in episode.case.signature.outputs}
    if episode.case.options.system == "transcript":
        return Script(steps=(Submit(outputs=outputs, thought=EARLIER),))
    return Script(steps=(Finish(thought=EARLIER),), answers=(Answer(outputs=outputs, reasoning=EARLIER),))


def can_be_known(episode: Episode) -> bool:
    """Whether requests of a call about something else are known by its inputs: one is a text, and none an image."""
    fields = [field for field in episode.case.signature.inputs if not field.history]
    return any(field.is_text for field in fields) and not any(field.is_image for field in fields)


def make_concurrent_call(episode: Episode, *, takes_a_step: bool = False) -> Episode:
    """Return a call of the instance about something else: the LM finishes at once, or after the spare tool."""
    sample = make_sample_call(episode)
    texts = {name: f"{value} {_CONCURRENT}" for name, value in sample.inputs.items() if isinstance(value, str)}
    call = sample.model_copy(update={"inputs": {**sample.inputs, **texts}})
    case = episode.case.model_copy(update={"id": f"{episode.case.id}/concurrent", "invocations": (call,)})
    script = finish_at_once(episode)
    if takes_a_step:
        script = script.model_copy(update={"steps": (call_spare(minutes=2), *script.steps)})
    return Episode(case=case, script=script, behaviours=episode.behaviours, nonce=_CONCURRENT)


def make_other_episode(manifest: Manifest, like: Episode | None = None) -> Episode:
    """Return a case with other fields, tools and texts, of the same system under the same adapter as one that it is
    like.

    Its output and its tool have the names of the first ones of that: who keeps something by name mixes them up.
    """
    nonce, options = "another", Options()
    output: tuple[str, str, JsonValue] = ("report", "", f"snow ~{nonce}")
    tool = TOOLBOX["weather"]
    if like:
        options = Options(system=like.case.options.system, adapter=like.case.options.adapter)
        tool = tool.model_copy(update={"name": _name_tool(like)})
        output = _choose_output(like, manifest, f"snow ~{nonce}")
    field, annotation, value = output
    call = CallTool(tool=tool.name, args={"city": "Oslo"}, thought=f"another thought ~{nonce}")
    case = Case(
        id=f"{like.case.id}/another" if like else nonce,
        signature=manifest.parse_signature(f"place, day -> {field}{annotation}"),
        tools=(tool, TOOLBOX["ping"]),
        options=options,
        invocations=(Invocation(inputs={"place": f"Oslo ~{nonce}", "day": "Monday"}),),
    )
    return Episode(case=case, script=_say_after(call, {field: value}, options, nonce), nonce=nonce)


def _say_after(call: CallTool, outputs: JsonObject, options: Options, nonce: str) -> Script:
    if options.system == "transcript":
        return Script(steps=(call, Submit(outputs=outputs, thought=f"another end ~{nonce}")))
    finish = Finish(thought=f"another end ~{nonce}")
    return Script(steps=(call, finish), answers=(Answer(outputs=outputs, reasoning=f"seen ~{nonce}"),))


def _name_tool(episode: Episode) -> str:
    """Return the name of the episode's first tool, if others may have it, too."""
    names = [tool.name for tool in episode.case.tools]
    return names[0] if names and names[0].isidentifier() and names[0] != "ping" else "weather"


def _choose_output(episode: Episode, manifest: Manifest, text: str) -> tuple[str, str, JsonValue]:
    """Return the name of the episode's first output, another type than its, and a value of that."""
    outputs = episode.case.signature.outputs
    name = outputs[0].name if outputs and outputs[0].name not in ("place", "day") else "report"
    if "typed-fields" not in manifest.capabilities:
        return name, "", text
    if any(field.annotation == "list[int]" for field in outputs[:1]):
        return name, ": list[str]", [text]
    return name, ": list[int]", [7]
