"""The parts of features/README.md that are generated; `python -m tests.support.features_readme` writes them."""

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import get_args

from react_tck.dialects import render_reply
from react_tck.dialects.fields import STEPS
from react_tck.fakes.malformed import garble_reply
from react_tck.fakes.tools import TOOLBOX
from react_tck.model.case import Case, Invocation
from react_tck.model.episode import Episode
from react_tck.model.intent import Answer, CallTool, Finish, Garbled, GarbledForm, Script
from react_tck.model.lm import Ask
from react_tck.model.record import Asked, Record, Returned, ToolRan
from react_tck.model.signature import parse_arrow
from react_tck.play.session import play_episode
from react_tck.subjects.catalogue import resolve

README = Path(__file__).parents[2] / "features" / "README.md"
_STEP = CallTool(tool="add", args={"a": 2, "b": 3}, thought="I have to add them.")
_SHOWN = re.compile(r"\[\[ ## trajectory ## \]\]\n(.*?)\s+Respond with", re.DOTALL)


def readme(text: str) -> str:
    """The README with its generated blocks made anew."""
    for name, block in _BLOCKS.items():
        before, start, rest = text.partition(f"<!-- generated: {name} -->\n")
        _, end, after = rest.partition("<!-- end -->")
        text = f"{before}{start}\n{block()}\n{end}{after}"
    return text


def _fenced(text: str, language: str = "text") -> str:
    fence = "````" if "```" in text else "```"
    return f"{fence}{language}\n{text}\n{fence}\n"


def _episode() -> str:
    case = Case(
        id="README",
        signature=parse_arrow("question -> answer"),
        tools=(TOOLBOX["add"], TOOLBOX["search"]),
        invocations=(Invocation(inputs={"question": "2+3"}),),
    )
    script = Script(
        steps=(_STEP, Finish(thought="I know the sum.")),
        answers=(Answer(outputs={"answer": "5"}, reasoning="The tool says so."),),
    )
    record = play_episode(resolve("reference"), Episode(case=case, script=script, nonce="3f9c2a1b"))
    parts = [_event(event) for event in record.events if isinstance(event, Asked | ToolRan)]
    outcome = next(event.outcome for event in record.events if isinstance(event, Returned))
    parts.append("The call returns the prediction and, as a mapping, the trajectory:\n")
    parts.append(_fenced(json.dumps({**outcome.outputs, "trajectory": outcome.trajectory}, indent=2), "json"))
    parts.append("As a text, as the extraction was shown it:\n")
    parts.append(_fenced(_trajectory_text(record)))
    return "\n".join(parts)


def _event(event: Asked | ToolRan) -> str:
    if isinstance(event, ToolRan):
        return f"The tool `{event.tool}` runs with `{json.dumps(event.args)}` and returns `{event.result}`.\n"
    said = event.completion.content if event.completion else None
    what = event.ask.phase if event.ask else "nothing known"
    return f"The LM is asked for the {what}, and replies:\n\n{_fenced((said or '').strip())}"


def _trajectory_text(record: Record) -> str:
    shown = _SHOWN.search(record.requests[-1].request.messages[-1].content or "")
    return shown[1] if shown else "none"


def _forms() -> str:
    ask = Ask(phase="step", dialect="chat", fields=STEPS[0])
    parts = [_fenced((render_reply(_STEP, ask).content or "").rstrip("\n"))]
    for form in get_args(GarbledForm):
        text = garble_reply(Garbled(form=form, meant=_STEP), ask).content or ""
        parts.append(f"`{form}`\n\n{_fenced(text.rstrip() or '(nothing at all)')}")
    return "\n".join(parts)


_BLOCKS: Mapping[str, Callable[[], str]] = {"episode": _episode, "forms": _forms}


if __name__ == "__main__":
    README.write_text(readme(README.read_text(encoding="utf-8")), encoding="utf-8")
