"""What is played while a call waits for the LM's reply, or for a person: another case, or another call."""

from pydantic import JsonValue

from react_tck.fakes.toolbox import TOOLBOX
from react_tck.model.case import Case, Invocation, Options
from react_tck.model.episode import Episode
from react_tck.model.intent import Answer, CallTool, Finish, Script, Submit
from react_tck.model.manifest import Manifest
from react_tck.variations.earlier import finish_at_once, make_sample_call
from react_tck.variations.spare import call_spare
from react_tck.variations.variation import Unvaried

_NONCE = "company"
#: What an input ends with by which a request of the call aside is known.
ASIDE = "~aside"


def make_company(episode: Episode, manifest: Manifest) -> Episode:
    """A case of the same system under the same adapter, with inputs, texts and types of its own.

    Its output and its tool have the names of the scenario's first ones: who keeps something by name mixes them up.
    """
    beside = episode.case.options
    tool = TOOLBOX["weather"].model_copy(update={"name": _name_tool(episode)})
    call = CallTool(tool=tool.name, args={"city": "Oslo"}, thought=f"another thought ~{_NONCE}")
    field, annotation, value = _choose_output(episode, manifest)
    outputs = {field: value}
    if beside.system == "transcript":
        script = Script(steps=(call, Submit(outputs=outputs, thought=f"another end ~{_NONCE}")))
    else:
        finish = Finish(thought=f"another end ~{_NONCE}")
        script = Script(steps=(call, finish), answers=(Answer(outputs=outputs, reasoning=f"seen ~{_NONCE}"),))
    case = Case(
        id=f"{episode.case.id}/company",
        signature=manifest.parse_signature(f"place, day -> {field}{annotation}"),
        tools=(tool, TOOLBOX["ping"]),
        options=Options(system=beside.system, adapter=beside.adapter),
        invocations=(Invocation(inputs={"place": f"Oslo ~{_NONCE}", "day": "Monday"}),),
    )
    return Episode(case=case, script=script, nonce=_NONCE)


def _name_tool(episode: Episode) -> str:
    """The name of the scenario's first tool, if others may have it, too."""
    names = [tool.name for tool in episode.case.tools]
    return names[0] if names and names[0].isidentifier() and names[0] != "ping" else "weather"


def _choose_output(episode: Episode, manifest: Manifest) -> tuple[str, str, JsonValue]:
    """The name of the scenario's first output, another type than its, and a value of that."""
    outputs = episode.case.signature.outputs
    name = outputs[0].name if outputs and outputs[0].name not in ("place", "day") else "report"
    if "typed-fields" not in manifest.capabilities:
        return name, "", f"snow ~{_NONCE}"
    if any(field.annotation == "list[int]" for field in outputs[:1]):
        return name, ": list[str]", [f"snow ~{_NONCE}"]
    return name, ": list[int]", [7]


def make_aside(episode: Episode, after: int) -> Episode:
    """A call of the same instance about something else, in which the LM finishes at once; later, after one more step.

    Raises:
        Unvaried: if no input is a text, by which its requests are known, or one is an image.
    """
    signature = episode.case.signature
    fields = [field for field in signature.inputs if not field.history]
    if any(field.is_image for field in fields) or not any(field.is_text for field in fields):
        raise Unvaried("no input is a text by which the call aside is known, or one is an image")
    sample = make_sample_call(episode)
    inputs = {name: f"{value} {ASIDE}" if isinstance(value, str) else value for name, value in sample.inputs.items()}
    call = sample.model_copy(update={"inputs": inputs})
    case = episode.case.model_copy(update={"id": f"{episode.case.id}/aside", "invocations": (call,)})
    script = finish_at_once(episode)
    if after:
        script = script.model_copy(update={"steps": (call_spare(minutes=2), *script.steps)})
    return Episode(case=case, script=script, behaviours=episode.behaviours, nonce=ASIDE)
