"""Another case, which is played while one waits for the LM's first reply."""

from react_tck.fakes.toolbox import TOOLBOX
from react_tck.model.case import Case, Invocation, Options
from react_tck.model.episode import Episode
from react_tck.model.intent import Answer, CallTool, Finish, Script, Submit
from react_tck.model.manifest import Manifest

_NONCE = "company"


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
