"""What stays of a transcript that was summarised to fit: the summary, and the turn before this one (TRN-014)."""

from collections.abc import Iterator

from pydantic import JsonValue

from react_tck.dialects.markup import as_text, is_encodable
from react_tck.judges.verdict import Violation
from react_tck.model.intent import Answer
from react_tck.model.record import Asked, Returned
from react_tck.record.evidence import Evidence, Scene
from react_tck.record.visibility import hides_value


def find_summary_losses(evidence: Evidence) -> Iterator[Violation]:
    """A summary that isn't in the history, and a request made to fit that lacks a part of the turn it follows."""
    if evidence.episode.case.options.system != "transcript":
        return
    for scene in evidence.scenes:
        # A last turn that didn't fit itself may have been summarised by itself.
        before = next((one for one in evidence.scenes if one.number == scene.invocation.follows), None)
        whole = before if before and all(not asked.is_overflow for asked in before.record.requests) else None
        yield from _judge_scene(scene, whole)


def _judge_scene(scene: Scene, before: Scene | None) -> Iterator[Violation]:
    summary: JsonValue = None
    is_new = False
    for event in scene.record.events:
        match event:
            case Asked(intent=Answer(outputs=outputs)) if _is_for_a_summary(scene, event):
                summary, is_new = outputs.get("summary"), True
            case Asked(refusal=None) if is_new and not event.is_overflow:
                is_new = False
                for value in _list_prior_values(before):
                    if hides_value(event.request.text, value):
                        yield _build_violation(f"the request made to fit shows {value!r}, of the turn before", event)
            case Returned(outcome=outcome) if outcome.status == "ok" and summary is not None:
                if hides_value(as_text(outcome.history), summary):
                    yield _build_violation(f"the history holds the summary {summary!r}", event)


def _is_for_a_summary(scene: Scene, asked: Asked) -> bool:
    """Whether it asks for a summary alone, where that isn't all that the user asks for."""
    fields = {field for field in asked.ask.fields if field != "reasoning"} if asked.ask else set()
    return fields == {"summary"} != {field.name for field in scene.case.signature.outputs}


def _list_prior_values(before: Scene | None) -> list[JsonValue]:
    """The request, the observations and the answer of the turn before, which the user's words may refer to."""
    if before is None or before.record.outcomes[-1].status != "ok":
        return []
    observed = [run.result for run in before.record.tool_runs if run.error is None and not run.odd]
    values = [*before.invocation.inputs.values(), *observed, *before.record.outcomes[-1].outputs.values()]
    return [value for value in values if value is not None and is_encodable(value)]


def _build_violation(expected: str, at: Asked | Returned) -> Violation:
    return Violation(expected, "it does not", at, "TRN-014")
