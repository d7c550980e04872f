"""Given, Then: the trajectory, held against what really happened."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from parse import with_pattern
from pydantic import JsonValue
from pytest_bdd import given, then

from react_tck.dialects.fields import FINISH, SUBMIT
from react_tck.dialects.markup import as_text
from react_tck.judges.trajectories import find_misrecorded_values
from react_tck.judges.verdict import Violation, check
from react_tck.model.intent import CallTool, Fault
from react_tck.model.outcome import PARTS, Trace, TraceStep, UnreadableTrace, read_trace
from react_tck.model.record import Record, Returned, ToolRan
from react_tck.record.evidence import Scene
from react_tck.record.places import Part, find_places
from react_tck.record.turns import split_turns
from react_tck.record.values import is_same_value
from react_tck.record.visibility import hides_value, names_whole_word, tells_args, text_shows
from react_tck.steps.language import needing, sentence
from react_tck.steps.world import World


@dataclass(frozen=True)
class TakenStep:
    """A step that was really taken: the call the LM asked for, and the tool's run if it ran."""

    number: int
    call: CallTool
    run: ToolRan | None
    #: Not so where JSON can't hold the result, nor where the agent tells of an error in words of its own (ERR-007).
    is_known: bool

    @property
    def observation(self) -> JsonValue:
        """What the tool returned or said; None if that can't be told, or is nothing."""
        return self.run.observation if self.run and self.is_known else None


def text_holds(text: str, taken: Sequence[TakenStep], parts: Collection[str] = tuple(PARTS)) -> None:
    """These parts of each step, in the stretch from its thought to the next one's.

    Raises:
        Violation: if one isn't there.
    """
    #: Where each step begins, and whether its thought is there to say so.
    starts: list[tuple[int, bool]] = []
    behind = 0
    for step in taken:
        thought = step.call.thought
        at = text.find(thought, behind)
        check(at >= 0 or "thought" not in parts, f"the thought {thought!r}, after those before it", "it is not there")
        starts.append((max(at, behind), at >= 0 and bool(thought)))
        behind = at + len(thought) if at >= 0 else behind
    for number, (step, (start, is_exact)) in enumerate(zip(taken, starts, strict=True), 1):
        end, is_known = starts[number] if number < len(taken) else (len(text), True)
        _check_stretch(text[start : end if is_known else len(text)], step, parts, is_exact=is_exact)


def text_tells_once(text: str, taken: Sequence[TakenStep]) -> None:
    """Each thought at most as often as there are steps that have it.

    Raises:
        Violation: if one is told more often.
    """
    thoughts = [step.call.thought for step in taken]
    for thought in filter(None, thoughts):
        wanted, count = sum(other.count(thought) for other in thoughts), text.count(thought)
        times = f"{wanted} times" if wanted > 1 else "once"
        check(count <= wanted, f"the trajectory has the thought {thought!r} {times}", f"it has it {count} times")


def text_names_only(text: str, others: set[str]) -> None:
    """None of these tools, which were never chosen.

    Raises:
        Violation: if one is named.
    """
    for name in sorted(others):
        expected = f"the trajectory doesn't name {name!r}, which was never chosen"
        check(not names_whole_word(text, name), expected, f"it is {cut_text(text)}")


def cut_text(text: str) -> str:
    """Its beginning and its end, if it is long."""
    return text if len(text) <= 300 else f"{text[:140]} ... {text[-140:]} ({len(text)} characters)"


def _check_stretch(stretch: str, step: TakenStep, parts: Collection[str], *, is_exact: bool) -> None:
    where = f"the trajectory after the thought of step {step.number}"
    if "tool" in parts:
        _check_shown(where, stretch, step.call.tool)
    if "args" in parts:
        _check_part(where, stretch, "args" if is_exact else None, step.call.args, step.call.tool)
    if "observation" in parts and step.run and step.is_known:
        is_exact = is_exact and step.run.error is None
        _check_part(where, stretch, "observation" if is_exact else None, step.observation, step.call.tool)


def _check_part(where: str, stretch: str, part: Part | None, value: JsonValue, tool: str) -> None:
    """In its place, where the text is of a form that has one."""
    place = next(iter(find_places(stretch, part)), None) if part else None
    if place is None:
        _check_shown(where, stretch, value)
        return
    expected = f"{where} has the {part} {cut_text(as_text(value))}"
    check(place.has_value(value, tool), expected, f"it is {cut_text(stretch)}")


def _check_shown(where: str, stretch: str, value: JsonValue) -> None:
    check(not hides_value(stretch, value), f"{where} shows {value!r}", f"it is {cut_text(stretch)}")


#: The calls that end the loop; whether the trajectory holds them is a choice.
_ENDS = (FINISH, SUBMIT)
#: The parts of a step, by the words that sentences have for them.
_WORDS = {"thought": "thought", "tool name": "tool", "args": "args", "observation": "observation"}


@given(sentence("the prompt of the next {phase:Phase} does not fit the context window"))
def does_not_fit(world: World, phase: str) -> None:
    """The LM refuses it once, as a provider does."""
    world.arrangement.find_queue(phase).append(Fault(fault="context-window"))


@then("the prediction includes a trajectory")
@needing("trajectory")
def includes_trajectory(world: World) -> None:
    """One that can be read, of a call that succeeded."""
    trace_of(world)


@then(sentence('the trajectory tells of the use of "{name}"'))
@needing("trajectory")
def tells_of_use(world: World, name: str) -> None:
    """The tool's name and the result of its last run are in it."""
    trace_of(world)
    trajectory, runs = as_text(world.outcome.trajectory), [run for run in world.record.tool_runs if run.tool == name]
    check(bool(runs), f"{name!r} runs", "it never ran")
    for what in (name, runs[-1].result):
        check(not hides_value(trajectory, what), f"the trajectory shows {what!r}", f"it is {cut_text(trajectory)}")


@with_pattern(rf"(?:{'|'.join(_WORDS)})(?:(?:, | and )(?:{'|'.join(_WORDS)}))*")
def read_parts(text: str) -> frozenset[str]:
    """Parts of a step: `thought, tool name, args and observation`, or some of these."""
    return frozenset(_WORDS[word] for word in re.split(", | and ", text))


@with_pattern("(?:, unless the call failed)?")
def unless_failed(text: str) -> bool:
    """Nothing is asked of a call that ended with an error."""
    return bool(text)


@then(
    sentence(
        "the trajectory holds {parts:StepParts} of every step, in order{unless:UnlessFailed}",
        StepParts=read_parts,
        UnlessFailed=unless_failed,
    )
)
@needing("trajectory")
def holds_every_step(world: World, parts: frozenset[str], unless: bool) -> None:
    """Step by step; of a text, each part in the stretch that begins with the step's thought, where it has it."""
    if unless and world.outcome.status == "error":
        world.unseen = "the call failed"
        return
    trace, taken = trace_of(world), _list_expected_steps(world)
    if trace.text is not None:
        text_holds(trace.text, taken, parts)
        return
    check(len(trace.steps) >= len(taken), f"the trajectory has {len(taken)} steps", f"it has {len(trace.steps)}")
    for step, wanted in zip(trace.steps, taken, strict=False):
        _check_step(step, wanted, parts, world.returned)
    if "thought" in parts and trace.steps and trace.steps[-1].parts.get("tool") == FINISH:
        _check_thought(f"the step that chose {FINISH!r}", trace.steps[-1], _find_finish(world))


@given("the agent exposes its trajectory")
def exposes_it(world: World) -> None:
    """Whether it accepts the case is another sentence's affair, where it doesn't."""
    world.needs("trajectory")


@then("the trajectory records every step with the args and the observation that it had")
@needing("trajectory")
def records_values(world: World) -> None:
    """Equal to what the tool was given and returned, blank space included; of a text, where it marks their places.

    That a step or a part of it is missing is TRJ-002's affair.
    """
    if text := trace_of(world).text:
        text_holds(text, _list_expected_steps(world), frozenset({"args", "observation"}))
    if violation := next(find_misrecorded_values(_make_scene(world), lost_too=True), None):
        raise violation


@then("the trajectory holds nothing that did not happen")
@needing("trajectory")
def holds_nothing_else(world: World) -> None:
    """No step more than were taken, the choice of `finish` apart, and no tool that wasn't chosen."""
    trace, taken = trace_of(world), list(_list_steps(world))
    chosen = [step.call.tool for step in taken]
    if trace.text is not None:
        text_names_only(trace.text, {tool.name for tool in world.episode.case.tools} - set(chosen))
        text_tells_once(trace.text, taken)
        return
    most = [*chosen, FINISH] if _find_finish(world) else chosen
    named = [str(step.parts["tool"]) for step in trace.steps if "tool" in step.parts]
    steps = iter(most)
    is_taken = len(trace.steps) <= len(most) and all(tool in steps for tool in named)
    check(is_taken, f"the trajectory's tools are {chosen} at most, {FINISH!r} apart", f"they are {named}")


@then("both trajectories are the same")
@needing("trajectory")
def both_the_same(world: World) -> None:
    """Of the last two calls, whatever episodes they belong to."""
    first, second = [outcome.trajectory for record in world.records for outcome in record.outcomes][-2:]
    trace_of(world)
    shown = _describe_difference(as_text(first), as_text(second))
    check(is_same_value(first, second), "the same steps give the same trajectory", shown)


@then("the trajectory is a text, a mapping with numbered keys, or a list of episodes")
@needing("trajectory")
def is_in_a_form(world: World) -> None:
    """And each step in it has a thought, a tool name, args and an observation."""
    for number, step in enumerate(trace_of(world).steps, 1):
        missing = [part for part in PARTS if part not in step.parts]
        check(not missing, f"step {number} of the trajectory has {', '.join(PARTS)}", f"it lacks {', '.join(missing)}")


@then('both trajectories record "finish", or both leave it out')
@needing("trajectory")
def finish_is_one_choice(world: World) -> None:
    """Whether the last step, which chose `finish`, is in the trajectory doesn't depend on the run."""
    calls = [(record, number) for record in world.records for number in range(record.call_count)]
    recorded = [_records_finish(record, number) for record, number in calls[-2:]]
    is_told = all(record.outcomes[-1].trajectory for record, _ in calls[-2:])
    world.unseen = world.unseen if is_told else "there is no trajectory"
    check(recorded[0] == recorded[1], f"{FINISH!r} is recorded always or never", f"it was: {recorded}")


@then(sentence('the trajectory does not show "{text}"'))
@needing("trajectory")
def trajectory_does_not_show(world: World, text: str) -> None:
    """The text stands nowhere in the trajectory."""
    trace_of(world)
    trajectory = as_text(world.outcome.trajectory)
    check(text not in trajectory, f"the trajectory doesn't show {text!r}", f"it is {cut_text(trajectory)}")


def trace_of(world: World) -> Trace:
    """The trajectory of the latest call, read; where an extraction is not to be had, an error may carry it.

    Raises:
        Violation: if the call failed, or has none that can be read.
    """
    world.needs("trajectory")
    outcome = world.outcome
    failure = f"{outcome.error.type}: {outcome.error.message}" if outcome.error else ""
    may_fail = "extraction" not in world.manifest.capabilities and outcome.trajectory_format != "none"
    ended = f"it ended with status {outcome.status!r} ({failure})"
    check(outcome.status == "ok" or may_fail, "the call succeeds", ended)
    try:
        return read_trace(outcome)
    except UnreadableTrace as error:
        raise Violation("the prediction has a trajectory that can be read", str(error), world.returned) from error


def _last_call(world: World) -> Record:
    return world.record.of_call(world.last_call)


def _make_scene(world: World) -> Scene:
    return Scene(world.episode, world.manifest, world.last_call, _last_call(world))


def _list_steps(world: World) -> Iterator[TakenStep]:
    """The steps of the last call, `finish` and `submit` apart."""
    taken = [pair for turn in split_turns(_last_call(world)) for pair in turn.pair_runs() if pair[0].tool not in _ENDS]
    asked = [asked.request.text for asked in _last_call(world).requests]
    for number, (call, run) in enumerate(taken, 1):
        is_known = run is not None and not run.odd
        if run and run.error is not None:
            is_known = is_known and any(text_shows(text, run.error) for text in asked)
        yield TakenStep(number, call, run, is_known)


def _list_expected_steps(world: World) -> list[TakenStep]:
    """The steps that the trajectory has to hold: not one whose call came to nothing because it was the last."""
    taken = list(_list_steps(world))
    return taken[:-1] if taken and taken[-1].run is None and _make_scene(world).is_cut_short else taken


def _find_finish(world: World) -> CallTool | None:
    calls = (turn.reply_call for turn in split_turns(_last_call(world)))
    return next((call for call in calls if call and call.tool == FINISH), None)


def _check_step(step: TraceStep, wanted: TakenStep, parts: Collection[str], returned: Returned | None) -> None:
    where = f"step {wanted.number} of the trajectory"
    missing = [part for part in PARTS if part in parts and part not in step.parts]
    check(not missing, f"{where} has {', '.join(part for part in PARTS if part in parts)}", f"it lacks {missing}")
    if "thought" in parts:
        _check_thought(where, step, wanted.call)
    if "tool" in parts:
        tool = step.parts["tool"]
        check(tool == wanted.call.tool, f"{where} names the tool {wanted.call.tool!r}", f"it names {tool!r}")
    if "args" in parts:
        expected, actual = (cut_text(as_text(args)) for args in (wanted.call.args, step.args))
        check(tells_args(step.args, wanted.call.args), f"{where} has the args {expected}", f"it has {actual}")
    if "observation" in parts:
        _check_observation(where, step.parts["observation"], wanted, returned)


def _check_thought(where: str, step: TraceStep, call: CallTool | None) -> None:
    thought = as_text(step.parts.get("thought"))
    if call:
        expected = f"{where} has the thought {call.thought!r}"
        check(not hides_value(thought, call.thought), expected, f"it has {thought!r}")


def _check_observation(where: str, told: JsonValue, wanted: TakenStep, returned: Returned | None) -> None:
    """The result or the error, perhaps among other words."""
    known = wanted.observation
    if known is not None:
        expected = f"{where} has the observation {cut_text(as_text(known))}"
        check(not hides_value(as_text(told), known), expected, f"it has {cut_text(as_text(told))}", returned)


def _records_finish(record: Record, number: int) -> bool:
    calls = [turn.reply_call for turn in split_turns(record.of_call(number))]
    thoughts = [call.thought for call in calls if call and call.tool == FINISH]
    return bool(thoughts) and thoughts[-1] in as_text(record.of_call(number).outcomes[-1].trajectory)


def _describe_difference(one: str, other: str) -> str:
    """Both texts from a little before they part."""
    parting = next((at for at, pair in enumerate(zip(one, other, strict=False)) if len(set(pair)) > 1), None)
    start = max(0, (len(min(one, other, key=len)) if parting is None else parting) - 60)
    return f"the first has {cut_text(one[start:])}\n  the second {cut_text(other[start:])}"
