"""What is shown and kept of earlier turns: those a call is given (S4+), and those a transcript is made of (S2)."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator

from pydantic import JsonValue

from react_tck.dialects.fields import step_names
from react_tck.dialects.markup import as_text, is_encodable
from react_tck.judges.observations import was_lost_before
from react_tck.judges.oracle.scope import is_plain_loop
from react_tck.judges.verdict import Violation
from react_tck.model.base import JsonObject
from react_tck.model.lm import ToolCall
from react_tck.model.record import Asked, Record, Returned, ToolRan
from react_tck.record.evidence import Evidence, Scene
from react_tck.record.places import find_observations, list_first_lines
from react_tck.record.reactions import holds_value
from react_tck.record.values import is_same_value
from react_tck.record.visibility import count_times, hides_value, is_small, text_shows
from react_tck.texts import read_json


def find_forgotten_values(evidence: Evidence) -> Iterator[Violation]:
    """Yield what an extraction doesn't show of inputs, steps and earlier turns, a transcript of its own."""
    scenes = tuple(evidence.scenes)
    # What doesn't fit a prompt may be left out of it, or summarised.
    fits = not any(asked.is_overflow for asked in evidence.record.requests)
    for scene in scenes:
        yield from _find_unshown_history(scene)
        if is_plain_loop(scene.case) and not any(asked.is_overflow for asked in scene.record.requests):
            yield from _find_extraction_gaps(scene)
        yield from _find_swapped_ids(scene)
        if scene.case.options.system != "conversation":
            yield from _find_foreign_results(scenes, scene)
        if fits and evidence.episode.case.options.system == "transcript":
            yield from _find_history_gaps(scene)
            yield from _find_follow_up_gaps(scenes, scene)
    if evidence.episode.case.options.system == "transcript":
        yield from _find_odd_endings(evidence.record)


def _find_unshown_history(scene: Scene) -> Iterator[Violation]:
    """Yield what a request leaves out of earlier turns: extractions show them (S4+), steps all or nothing."""
    turns = [list(turn.values()) for turn in scene.invocation.history or ()]
    values = [value for turn in turns for value in turn]
    if scene.case.signature.history_field is None:
        return
    for asked in scene.record.requests:
        text, phase = asked.request.text, asked.ask.phase if asked.ask else None
        if phase == "extraction":
            yield from find_missing_values(text, values, "the extraction", asked, "HIS-001")
        # One value alone may stand in the question that is asked now.
        elif any(len(turn) > 1 and all(text_shows(text, value) for value in turn) for turn in turns):
            yield from find_missing_values(text, values, "a step that shows earlier turns", asked, "HIS-003")


def _find_extraction_gaps(scene: Scene) -> Iterator[Violation]:
    """Yield the first request for the answer, without an input, or a thought or an observation of a step (EXT-001).

    An observation that the step after it lacked is SAN-004's affair.
    """
    events = scene.record.events
    for index, asked in enumerate(events):
        if isinstance(asked, Asked) and asked.ask and asked.ask.phase == "extraction" and not asked.attempt:
            names = (f.name for f in scene.case.signature.inputs if not f.is_image and not f.history)
            inputs = {name: scene.invocation.inputs.get(name) for name in names}
            runs = [event for event in events[:index] if isinstance(event, ToolRan) and not event.odd]
            observations = _list_observations(run for run in runs if not _is_lost_before(scene, run, asked))
            values = (*inputs.values(), *observations, *_list_thoughts(scene, runs))
            shown = [value for value in values if is_encodable(value)]
            yield from find_missing_values(asked.request.text, shown, "the extraction", asked, "EXT-001")
            yield from _find_missing_repeats(asked, shown)
            yield from _find_blank_inputs(asked, inputs)
            return


def _is_lost_before(scene: Scene, run: ToolRan, asked: Asked) -> bool:
    # Which were lost is looked for only where one is missing: of a long run it takes a while.
    return hides_value(asked.request.text, run.observation) and was_lost_before(scene, run, asked)


def _find_missing_repeats(asked: Asked, values: list[JsonValue]) -> Iterator[Violation]:
    """Texts that several steps have, and that not each of them shows; those that JSON spells as they are."""
    texts = (
        value for value in values if isinstance(value, str) and value.strip() and json.dumps(value) == f'"{value}"'
    )
    for text, count in Counter(texts).items():
        if 0 < (shown := count_times(asked.request.text, text)) < count:
            yield Violation(f"the extraction shows {text!r} {count} times", f"it does {shown} times", asked, "EXT-001")


def _find_blank_inputs(asked: Asked, inputs: JsonObject) -> Iterator[Violation]:
    """Yield inputs next to nothing that don't stand under their headings."""
    for name, value in inputs.items():
        given = list_first_lines(asked.request, "user", name) if is_small(value) and not isinstance(value, str) else []
        if given and not any(holds_value(text, value) for text in given):
            yield Violation(f"the extraction gives {value!r} for {name!r}", f"it gives {given}", asked, "EXT-001")


def _list_thoughts(scene: Scene, runs: list[ToolRan]) -> Iterator[JsonValue]:
    """Yield what the LM thought when it called the tools that ran, where it was asked for its thought."""
    for turn in scene.turns:
        if (
            turn.is_scripted
            and turn.reply_call
            and turn.asked
            and turn.asked.ask
            and any(run in runs for run in turn.runs)
        ):
            fields, thought = turn.asked.ask.fields, turn.reply_call.thought
            yield thought if step_names(fields)[0] in fields and not scene.has_lost(thought) else None


def _find_history_gaps(scene: Scene) -> Iterator[Violation]:
    """Of a call that succeeded, what its history leaves out."""
    for ended in list_successes(scene):
        text = as_text(ended.outcome.history)
        yield from find_missing_values(text, [*ended.outcome.outputs.values()], "the history", ended, "TRN-004")
        yield from find_missing_values(text, list_scene_values(scene), "the history", ended, "TRN-001")


def _find_odd_endings(record: Record) -> Iterator[Violation]:
    """Histories that don't end with the outputs by their names, where that of another call does (TRN-006)."""
    ended = [event for event in record.events if isinstance(event, Returned) and event.outcome.status == "ok"]
    ends = [(event, history[-1]) for event in ended if isinstance(history := event.outcome.history, list) and history]
    lacking = [
        (event, last)
        for event, last in ends
        if not (isinstance(last, dict) and event.outcome.outputs.keys() <= last.keys())
    ]
    if len(lacking) < len(ends):
        for event, last in lacking:
            expected = f"the history ends with {', '.join(event.outcome.outputs)}, as that of another call does"
            yield Violation(expected, f"it ends with {as_text(last)}", event, "TRN-006")


def _find_follow_up_gaps(scenes: tuple[Scene, ...], scene: Scene) -> Iterator[Violation]:
    """Yield what a call that follows others leaves out of them, in a request or in the history that it returns."""
    for before in list_followed_scenes(scenes, scene):
        values = [*list_scene_values(before), *before.record.outcomes[-1].outputs.values()]
        for number, asked in enumerate(scene.record.requests):
            where, requirement_id = ("a later", "TRN-017") if number else ("the follow-up's first", "TRN-008")
            yield from find_missing_values(asked.request.text, values, f"{where} request", asked, requirement_id)
            for violation in _find_lost_small_results(asked, before):
                yield violation.with_requirement(requirement_id)
        for ended in list_successes(scene):
            text = as_text(ended.outcome.history)
            yield from find_missing_values(text, values, "the follow-up's history", ended, "TRN-017")


def _find_lost_small_results(asked: Asked, before: Scene) -> Iterator[Violation]:
    """Results next to nothing that stand in no place of an observation."""
    places = find_observations(asked.request, asked.ask)
    for run in before.record.tool_runs if places else ():
        is_known = run.error is None and not run.odd and run.refused is None and is_small(run.result)
        if is_known and not any(place.tells_value(run.result, run.tool) for place in places):
            yield Violation(f"the follow-up shows {run.result!r} of {run.tool!r}", "it does not", asked)


def _find_foreign_results(scenes: tuple[Scene, ...], scene: Scene) -> Iterator[Violation]:
    """Yield what a call without a history shows of earlier ones: results that only the kit can have said."""
    if scene.is_given_a_history:
        return
    own = {run.observation for run in scene.record.tool_runs if isinstance(run.observation, str)}
    runs = [run for earlier in scenes if earlier.number < scene.number for run in earlier.record.tool_runs]
    foreign = [run.result for run in runs if isinstance(run.result, str) and scene.episode.nonce in run.result]
    for asked in scene.record.requests:
        for result in foreign:
            if result not in own and text_shows(asked.request.text, result):
                yield Violation(
                    "it shows nothing of other calls", f"it shows {result!r}, of an earlier one", asked, "ISO-001"
                )


def list_followed_scenes(scenes: tuple[Scene, ...], scene: Scene) -> Iterator[Scene]:
    """Yield the calls that a call goes on from, the latest first, as far back as they succeeded."""
    followed = next((one for one in scenes if one.number == scene.invocation.follows), None)
    if followed and followed.record.outcomes and followed.record.outcomes[-1].status == "ok":
        yield followed
        yield from list_followed_scenes(scenes, followed)


def list_successes(scene: Scene) -> Iterator[Returned]:
    """Yield the ends of a call that succeeded."""
    ended = (event for event in scene.record.events if isinstance(event, Returned))
    yield from (event for event in ended if event.outcome.status == "ok")


def _find_swapped_ids(scene: Scene) -> Iterator[Violation]:
    """Yield a result with the id of another call (TRN-013); of those that only the kit can have said."""
    nonce = scene.episode.nonce
    runs = [run for run in scene.record.tool_runs if isinstance(run.result, str) and nonce in run.result]
    shown: set[tuple[str | None, str]] = set()
    for asked in scene.record.requests:
        calls = [call for message in asked.request.messages for call in message.tool_calls]
        told = {(m.tool_call_id, m.content or ""): None for m in asked.request.messages if m.role == "tool"}
        # A long run shows a result in each request again: to look at all of them would take minutes.
        for id_, content in (result for result in told if result not in shown):
            for run in (run for run in runs if str(run.result) in content):
                ids = [call.id for call in calls if _matches_run(call, run)]
                holder = next((call for call in calls if call.id == id_ and call.name == run.tool), None)
                if len(ids) != 1 or ids[0] == id_:
                    continue
                # Args that were made to fit aren't those that the LM gave: which call it is of, nobody can tell.
                if holder is None or any(_matches_run(holder, other) for other in runs):
                    expected = f"{run.result!r} has the id of its call, {ids[0]!r}"
                    yield Violation(expected, f"it has {id_!r}", asked, "TRN-013")
        shown.update(told)


def _matches_run(call: ToolCall, run: ToolRan) -> bool:
    """Tell whether the run came of such a call; it may have had defaults besides."""
    try:
        args = read_json(call.arguments)
    except ValueError:
        return False
    given = isinstance(args, dict) and all(
        name in run.args and is_same_value(run.args[name], args[name]) for name in args
    )
    return call.name == run.tool and given


def list_scene_values(scene: Scene) -> list[JsonValue]:
    """Return what was said in a call: its inputs, the tools that ran and what they returned."""
    runs = [run for run in scene.record.tool_runs if not run.odd]
    declared = {field.name for field in scene.case.signature.inputs if not field.is_image}
    inputs = [value for name, value in scene.invocation.inputs.items() if name in declared]
    return [*inputs, *(run.tool for run in runs), *_list_observations(runs)]


def _list_observations(runs: Iterable[ToolRan]) -> list[JsonValue]:
    """Return what the tools returned; what is told of an error is ERR-007's affair."""
    return [run.observation for run in runs if run.error is None]


def find_missing_values(
    text: str, values: list[JsonValue], where: str, at: Asked | Returned, requirement_id: str
) -> Iterator[Violation]:
    """Yield the values that a text doesn't show."""
    for value in values:
        if value is not None and hides_value(text, value):
            yield Violation(f"{where} shows {value!r}", "it does not", at, requirement_id)
