"""What comes before a scenario's own call: another call of the instance, and what the LM says in that."""

from collections.abc import Callable

from pydantic import JsonValue

from react_tck.model.base import JsonObject
from react_tck.model.case import Invocation
from react_tck.model.episode import Episode
from react_tck.model.intent import Answer, CallTool, Fault, Finish, Intent, Script, Submit
from react_tck.variations.spare import call_spare
from react_tck.variations.variation import Unvaried

#: A picture of one pixel.
RED_DOT = (
    "data:image/png;base64,"
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
#: What an earlier call, or an earlier turn, was about; it is no text of the scenario's.
EARLIER = "something of long ago"


def finish_before(episode: Episode) -> Episode:
    """Have the LM finish at once, and answer, before all that the script says; in a transcript it submits."""
    return _say_before(episode)


def call_before(episode: Episode) -> Episode:
    """Have the LM call the first tool, and then finish and answer, before all that the script says.

    Raises:
        Unvaried: if there is no tool.
    """
    if not episode.case.tools:
        raise Unvaried("there is no tool that could be called before")
    return _say_before(episode, call_first_tool(episode))


def call_first_tool(episode: Episode) -> CallTool:
    """A step in which the LM calls the first tool, with some args of the types that it declares."""
    tool = episode.case.tools[0]
    args = make_sample({"properties": {}, **tool.parameters, "type": "object"})
    assert isinstance(args, dict)
    return CallTool(tool=tool.name, args=args, thought=EARLIER)


def finish_twice_before(episode: Episode) -> Episode:
    """Have the LM finish at once, and answer, in two calls before all that the script says."""
    return _say_before(_say_before(episode))


def fail_tool_before(episode: Episode) -> Episode:
    """Have the LM call the spare tool, and then finish and answer, before all that the script says."""
    return _say_before(episode, call_spare(minutes=3))


def fail_before(episode: Episode) -> Episode:
    """Have the LM fail, as no repetition mends, before all that the script says."""
    steps = (Fault(fault="unauthorized"), *episode.script.steps)
    return episode.model_copy(update={"script": episode.script.model_copy(update={"steps": steps})})


def finish_at_once(episode: Episode) -> Script:
    """What the LM says where it finishes at once, and answers; in a transcript it submits."""
    outputs = {field.name: make_sample(field.json_schema) for field in episode.case.signature.outputs}
    if episode.case.options.system == "transcript":
        return Script(steps=(Submit(outputs=outputs, thought=EARLIER),))
    return Script(steps=(Finish(thought=EARLIER),), answers=(Answer(outputs=outputs, reasoning=EARLIER),))


def _say_before(episode: Episode, *more: Intent) -> Episode:
    before, own = finish_at_once(episode), episode.script
    script = own.model_copy(
        update={"steps": (*more, *before.steps, *own.steps), "answers": (*before.answers, *own.answers)}
    )
    return episode.model_copy(update={"script": script})


def make_earlier_call(episode: Episode, call: Invocation) -> Invocation:
    """A call about something else, with inputs of the same types; after no turns where the signature takes some."""
    history = () if episode.case.signature.history_field else None
    return Invocation(inputs=make_other_inputs(episode, call), history=history, max_steps=call.max_steps)


def make_sample_call(episode: Episode) -> Invocation:
    """A call about something else, with some value of its type for each input; after no turns."""
    fields = [field for field in episode.case.signature.inputs if not field.history]
    inputs = {field.name: RED_DOT if field.is_image else make_sample(field.json_schema) for field in fields}
    return Invocation(inputs=inputs, history=() if episode.case.signature.history_field else None)


def shift_follows(_episode: Episode, call: Invocation) -> Invocation:
    """The call, one more having come before it."""
    return call if call.follows is None else call.model_copy(update={"follows": call.follows + 1})


def shift_follows_twice(episode: Episode, call: Invocation) -> Invocation:
    """The call, two more having come before it."""
    return shift_follows(episode, shift_follows(episode, call))


def follow_earlier(_episode: Episode, call: Invocation) -> Invocation:
    """The call, which goes on with the one before it, that has come before all others."""
    if call.follows is None:
        return call if call.history is not None else call.model_copy(update={"follows": 0})
    return call.model_copy(update={"follows": call.follows + 1})


def change_adapter(dialect: str) -> Callable[[Episode, Invocation], Invocation]:
    """Have the adapter of the dialect configured for each call of the scenario's, not for the one before."""
    return lambda episode, call: shift_follows(episode, call).model_copy(update={"adapter": dialect})


def make_sample(schema: JsonObject) -> JsonValue:
    """Some value of the type."""
    match schema:
        case {"enum": [first, *_]}:
            return first
        case {"type": "object", "properties": dict() as fields}:
            return {name: make_sample(inner) for name, inner in fields.items() if isinstance(inner, dict)}
        case {"anyOf": [dict() as first, *others]}:
            return None if {"type": "null"} in others else make_sample(first)
    samples: dict[str, JsonValue] = {"integer": 7, "number": 0.5, "boolean": True, "array": [], "object": {}}
    return samples.get(str(schema.get("type")), EARLIER)


def make_other_inputs(episode: Episode, call: Invocation) -> JsonObject:
    """The inputs with another text in the place of each text."""
    texts = {field.name for field in episode.case.signature.inputs if field.is_text}
    return {name: EARLIER if name in texts else value for name, value in call.inputs.items()}
