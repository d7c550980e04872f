"""What is played while a call waits for the LM's first reply: another case, or another call of its instance."""

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
    """A case of the same system under the same adapter, with fields, a tool and texts of its own."""
    beside = episode.case.options
    call = CallTool(tool="weather", args={"city": "Oslo"}, thought=f"another thought ~{_NONCE}")
    outputs = {"report": f"snow ~{_NONCE}"}
    if beside.system == "transcript":
        script = Script(steps=(call, Submit(outputs=outputs, thought=f"another end ~{_NONCE}")))
    else:
        finish = Finish(thought=f"another end ~{_NONCE}")
        script = Script(steps=(call, finish), answers=(Answer(outputs=outputs, reasoning=f"seen ~{_NONCE}"),))
    case = Case(
        id=f"{episode.case.id}/company",
        signature=manifest.parse_signature("place, day -> report"),
        tools=(TOOLBOX["weather"], TOOLBOX["ping"]),
        options=Options(system=beside.system, adapter=beside.adapter),
        invocations=(Invocation(inputs={"place": f"Oslo ~{_NONCE}", "day": "Monday"}),),
    )
    return Episode(case=case, script=script, nonce=_NONCE)


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
