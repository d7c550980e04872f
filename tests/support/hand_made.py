"""Records made by hand, for tests of what judges them."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from react_tck.dialects.fields import STEPS
from react_tck.fakes.tools import TOOLBOX
from react_tck.judges.sanitizers import run_sanitizers
from react_tck.judges.verdict import Violation
from react_tck.model.base import JsonObject
from react_tck.model.case import Case, Invocation, Options
from react_tck.model.episode import Episode
from react_tck.model.intent import Answer, CallTool, Finish, Intent, Script
from react_tck.model.lm import Ask, Completion, LMRequest, Message
from react_tck.model.manifest import Manifest
from react_tck.model.outcome import Outcome
from react_tck.model.record import Asked, Called, Event, Record, Returned, ToolRan
from react_tck.model.signature import parse_arrow
from react_tck.model.tool import Tool
from react_tck.record.evidence import Evidence, Scene

MANIFEST = Manifest(name="hand-made", version="0", dialects=("chat",), default_dialect="chat", default_max_steps=3)
TASK = "2+3 add Adds two whole numbers. a b value query "
ADD = CallTool(tool="add", args={"a": 2, "b": 3}, thought="think")
ANSWER = Answer(outputs={"answer": "5"})


def step(intent: Intent, text: str = TASK, content: str | None = None) -> Asked:
    """A request for a step, and what the LM said to it."""
    return _asked(intent, text, "step", content)


def extraction(intent: Intent = ANSWER, text: str = TASK) -> Asked:
    """A request for the extraction, and what the LM said to it."""
    return _asked(intent, text, "extraction", None)


def _asked(intent: Intent, text: str, phase: Any, content: str | None) -> Asked:
    return Asked(
        invocation=0,
        request=LMRequest(messages=(Message(role="user", content=text),)),
        ask=Ask(phase=phase, dialect="chat", fields=STEPS[0] if phase == "step" else ()),
        intent=intent,
        completion=Completion(content=content),
    )


def ran(tool: str = "add", result: Any = "five", **args: Any) -> ToolRan:
    """A run of a tool; without args, with those of `ADD`."""
    return ToolRan(invocation=0, tool=tool, args=args or {"a": 2, "b": 3}, result=result)


def returned(outputs: JsonObject | None = None, **outcome: Any) -> Returned:
    """The outcome; without outputs, those of `ANSWER`."""
    given = {"answer": "5"} if outputs is None else outputs
    return Returned(invocation=0, outcome=Outcome(status=outcome.pop("status", "ok"), outputs=given, **outcome))


def played(
    *events: Event,
    tools: tuple[Tool, ...] = (TOOLBOX["add"],),
    arrow: str = "question -> answer",
    **invocation: Any,
) -> tuple[Episode, Record]:
    """An episode of one call with these events."""
    call = Invocation(**({"inputs": {"question": "2+3"}} | invocation))
    case = Case(id="c", signature=parse_arrow(arrow), tools=tools, options=Options(), invocations=(call,))
    record = Record(case_id="c", events=(Called(invocation=0), *events))
    return Episode(case=case, script=Script(), nonce="n"), record


def evidence(*events: Event, manifest: Manifest = MANIFEST, **how: Any) -> Evidence:
    """An episode of one call with these events, as the subject of the manifest played it."""
    episode, record = played(*events, **how)
    return Evidence(episode, manifest, record)


def of(options: Options, *events: Event) -> Evidence:
    """An episode under these options."""
    seen = evidence(*events)
    case = seen.episode.case.model_copy(update={"options": options})
    return replace(seen, episode=seen.episode.model_copy(update={"case": case}))


def scene(*events: Event, manifest: Manifest = MANIFEST, **how: Any) -> Scene:
    """The only call of such an episode."""
    (only,) = evidence(*events, manifest=manifest, **how).scenes
    return only


def ids(violations: Iterable[Violation]) -> list[str]:
    """The requirements that are violated."""
    return [violation.requirement_id for violation in violations]


def found(*events: Event, manifest: Manifest = MANIFEST, **how: Any) -> set[str]:
    """The ids of the sanitizers that find something in a call with these events."""
    return set(ids(run_sanitizers(scene(*events, manifest=manifest, **how))))


OBSERVED = TASK + "think five"
GOOD = (step(ADD), ran(), step(Finish(), OBSERVED), extraction(text=OBSERVED), returned())
