"""What is shown and kept of earlier turns: those a call is given (S4+), and those a transcript is made of (S2)."""

from collections.abc import Iterator

from pydantic import JsonValue

from react_tck.dialects.markup import as_text
from react_tck.judges.verdict import Violation
from react_tck.model.intent import Fault
from react_tck.model.record import Asked, Returned
from react_tck.record.evidence import Evidence, Scene
from react_tck.record.visibility import hides


def forgotten(evidence: Evidence) -> Iterator[Violation]:
    """Earlier turns that an extraction doesn't show; a transcript's that its history or its next call leaves out."""
    scenes = tuple(evidence.scenes())
    is_whole = not any(isinstance(asked.intent, Fault) for asked in evidence.record.requests)
    for scene in scenes:
        yield from _unshown(scene)
        # What doesn't fit a prompt may be summarised.
        if is_whole and evidence.episode.case.options.system == "transcript":
            yield from _unkept(scene)
            yield from _lost(scenes, scene)


def _unshown(scene: Scene) -> Iterator[Violation]:
    values = [value for turn in scene.invocation.history or () for value in turn.values()]
    if scene.case.signature.history_field is None:
        return
    for asked in scene.record.requests:
        if asked.ask and asked.ask.phase == "extraction":
            yield from _missing(asked.request.text, values, "the extraction", asked, "HIS-001")


def _unkept(scene: Scene) -> Iterator[Violation]:
    """Of a call that succeeded, what its history leaves out."""
    for ended in scene.record.events:
        if isinstance(ended, Returned) and ended.outcome.status == "ok":
            text = as_text(ended.outcome.history)
            yield from _missing(text, [*ended.outcome.outputs.values()], "the history", ended, "TRN-004")
            yield from _missing(text, _happened(scene), "the history", ended, "TRN-001")


def _lost(scenes: tuple[Scene, ...], scene: Scene) -> Iterator[Violation]:
    """What the first request of a call that follows another leaves out of that one."""
    before = next((one for one in scenes if one.number == scene.invocation.follows), None)
    first = next(iter(scene.record.requests), None)
    if before is None or first is None or before.record.outcomes[-1].status != "ok":
        return
    values = [*_happened(before), *before.record.outcomes[-1].outputs.values()]
    yield from _missing(first.request.text, values, "the follow-up's first request", first, "TRN-008")


def _happened(scene: Scene) -> list[JsonValue]:
    runs = (run for run in scene.record.tool_runs if not run.odd)
    return [*scene.invocation.inputs.values(), *(value for run in runs for value in (run.tool, run.observation))]


def _missing(
    text: str, values: list[JsonValue], where: str, at: Asked | Returned, requirement_id: str
) -> Iterator[Violation]:
    for value in values:
        if value is not None and hides(text, value):
            yield Violation(f"{where} shows {value!r}", "it does not", at, requirement_id)
