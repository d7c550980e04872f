"""A trajectory held against what happened, as far as any form of it tells (TRJ-002, TRJ-007, ERR-013)."""

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress

from pydantic import JsonValue

from react_tck.dialects.fields import FINISH, step_names
from react_tck.dialects.markup import as_text, is_encodable
from react_tck.dialects.notations import is_nothing
from react_tck.judges.observations import was_lost_before
from react_tck.judges.oracle.scope import is_plain_loop
from react_tck.judges.verdict import Violation
from react_tck.model.base import JsonObject
from react_tck.model.intent import Calls, CallTool, Fault
from react_tck.model.outcome import Outcome, TraceStep, UnreadableTrace, read_trace
from react_tck.model.record import Asked, Record, Returned, ToolRan
from react_tck.model.tool import Mutates, Tool
from react_tck.record.approvals import Question, is_taken, read_decision
from react_tck.record.evidence import Scene
from react_tck.record.reactions import strip_mark, wraps_value
from react_tck.record.turns import Turn, split_turns
from react_tck.record.values import is_default, is_same_value, strip_texts
from react_tck.record.visibility import hides_value, tells_args, tells_value


def find_missing_trajectories(scene: Scene) -> Iterator[Violation]:
    """TRJ-001: a success of the tool loop without the declared trajectory; a user's output of that name is TOOL-015's.

    All that is said of what stands in it is of one that there is.
    """
    for ended in scene.record.events if owes_trajectory(scene) else ():
        if isinstance(ended, Returned) and ended.outcome.status == "ok" and ended.outcome.trajectory_format == "none":
            yield Violation("the prediction includes the trajectory", "it has none", ended, "TRJ-001")


def owes_trajectory(scene: Scene) -> bool:
    """Tell whether a call that succeeded has to give its trajectory."""
    is_asked = scene.case.options.system in (None, "udspy")
    is_taken = any(field.name == "trajectory" for field in scene.case.signature.outputs)
    return is_asked and not is_taken and any(outcome.status == "ok" for outcome in scene.record.outcomes)


def find_trajectory_errors(scene: Scene) -> Iterator[Violation]:
    """Yield what the trajectory of a successful call leaves out or makes up."""
    call = scene.record
    if not is_plain_loop(scene.case):
        return
    # What is left of a trajectory that didn't fit a prompt is TRJ-005's affair.
    if any(isinstance(asked.intent, Fault) for asked in call.requests):
        return
    for violation in _compare_trajectory(scene):
        yield violation.with_requirement(violation.requirement_id or ("ERR-013" if has_run_out(scene) else "TRJ-002"))


def has_run_out(scene: Scene) -> bool:
    """Tell whether the call ended for want of steps."""
    is_finished = any(turn.reply_call and turn.reply_call.tool == FINISH for turn in split_turns(scene.record))
    return scene.used_up_its_steps and not is_finished


def find_misrecorded_values(scene: Scene, *, lost_too: bool = False) -> Iterator[Violation]:
    """TRJ-007: a step whose recorded args or observation aren't what its tool was given and returned.

    An observation that the LM wasn't shown either is SAN-004's affair, but for a sentence about the trajectory alone.

    Where a person has put another call in the place of the LM's, that is the one to record (CNF-014); where a person
    has rejected it, the LM's own is (CNF-004).
    """
    for number, ended in enumerate(scene.record.events):
        if isinstance(ended, Returned):
            runs = [event for event in scene.record.events[:number] if isinstance(event, ToolRan)]
            with suppress(UnreadableTrace):
                steps = read_trace(ended.outcome).steps
                for run, left in _find_unrecorded_runs(scene, runs, steps):
                    if left and not lost_too and was_lost_before(scene, run, scene.record.events[-1]):
                        continue
                    told = [step.parts for step in steps if step.parts.get("tool") == run.tool]
                    expected = f"the trajectory records {run.tool!r} with {run.args} and {run.observation!r}"
                    yield Violation(expected, f"it has {told}", ended, _find_requirement(scene, run, left))
                for call in _find_changed_rejections(scene, steps):
                    expected = f"the trajectory records {call.tool!r} with {call.args}, and what came of it"
                    yield Violation(expected, f"it is {as_text(ended.outcome.trajectory)}", ended, "CNF-004")


def _find_changed_rejections(scene: Scene, steps: tuple[TraceStep, ...]) -> Iterator[CallTool]:
    """Rejected calls, where every call of their tool is recorded, and none with their args or none with an outcome."""
    kept = [turn for turn in scene.turns if not turn.is_retried]
    for turn in kept:
        if not (turn.is_scripted and len(turn.reply_calls) == 1 and any(map(_is_rejected, turn.questions))):
            continue
        call = turn.reply_calls[0]
        told = [step for step in steps if step.parts.get("tool") == call.tool and "args" in step.parts]
        # The args may have been made to fit before a person was asked.
        given = (call.args, *(question.args for question in turn.questions))
        is_whole = len(told) == sum(made.tool == call.tool for each in kept for made in each.reply_calls)
        alike = [step for step in told if any(tells_value(step.args, args) for args in given)]
        is_told = any(not is_nothing(as_text(step.parts.get("observation", call.tool))) for step in alike)
        if is_whole and not is_told:
            yield call


def _is_rejected(question: Question) -> bool:
    return any(is_taken(said) and read_decision(said.resumption.response) == "no" for said in question.responses)


def _find_requirement(scene: Scene, run: ToolRan, left: list[TraceStep]) -> str:
    """Return the requirement by which a run is recorded as it was, given the steps with its args that aren't another
    run's.

    That it is so with an error's text, ERR-007 alone says; with the blank space around a result, ERR-022.
    """
    if run.tool in _list_edited_tools(scene):
        return "CNF-014"
    if run.error is not None and left:
        return "ERR-007"
    observed = (strip_texts(step.parts.get("observation")) for step in left)
    return "ERR-022" if any(_tells_result(told, strip_texts(run.result), run.tool) for told in observed) else "TRJ-007"


def _find_unrecorded_runs(
    scene: Scene, ran: list[ToolRan], steps: tuple[TraceStep, ...]
) -> Iterator[tuple[ToolRan, list[TraceStep]]]:
    """Yield the runs that no step tells as they were, each with the steps left that have its args.

    How many steps there are of a tool is TRJ-002's affair.
    """
    for tool in scene.tools.values():
        # What a tool does later to what it gave or got is TRJ-006's affair.
        if any(isinstance(behaviour, Mutates) for behaviour in scene.episode.behaviours.get(tool.name, ())):
            continue
        runs = [run for run in ran if run.tool == tool.name]
        left = [step for step in steps if step.parts.get("tool") == tool.name]
        if len(runs) != len(left):
            continue
        # A value may have been converted as the tool declares after it was recorded (TOOL-001).
        said = [call.args for turn in scene.turns for call in turn.calls if call.tool == tool.name]
        for run in runs:
            given = [run.args, *said, _drop_defaults(run.args, tool)]
            # Calls of one turn may run in any order.
            step = next((step for step in left if _records_run(step, run, given)), None)
            if step is None:
                yield run, [step for step in left if _has_args(step, given)]
            else:
                left.remove(step)


def _list_edited_tools(scene: Scene) -> set[str]:
    """Return the tools of the calls that a person has put in the place of the LM's."""
    pairs = (pair for turn in scene.turns for pair in zip(turn.reply_calls, turn.agreed_calls, strict=True))
    return {agreed.tool for made, agreed in pairs if agreed not in (None, made)}


def _drop_defaults(args: JsonObject, tool: Tool) -> JsonObject:
    """Return the args without those that the tool has by itself: nobody need have given it these."""
    return {name: value for name, value in args.items() if not is_default(tool.parameters, name, value)}


def _records_run(step: TraceStep, run: ToolRan, given: list[JsonObject]) -> bool:
    return run.refused is not None or (_has_args(step, given) and _has_observation(step, run))


def _has_args(step: TraceStep, given: list[JsonObject]) -> bool:
    return "args" not in step.parts or any(tells_args(step.args, args) for args in given)


def _has_observation(step: TraceStep, run: ToolRan) -> bool:
    # That a part is missing is TRJ-004's affair, and what JSON can't hold is written as the subject likes.
    if "observation" not in step.parts or run.odd or not is_encodable(run.observation):
        return True
    observed = step.parts["observation"]
    if run.error is not None:
        return not hides_value(as_text(observed), run.error)
    return _tells_result(observed, run.result, run.tool)


def _tells_result(observed: JsonValue, result: JsonValue, tool: str) -> bool:
    """Tell whether a recorded observation is the result, in a wrapping of the subject's own or not."""
    told = [*strip_mark(observed, tool)]
    return any(tells_value(each, result) or wraps_value(each, result) for each in told)


def _compare_trajectory(scene: Scene) -> Iterator[Violation]:
    call = scene.record
    for ended in call.events:
        # One that isn't there at all is TRJ-001's affair.
        if isinstance(ended, Returned) and ended.outcome.status == "ok" and ended.outcome.trajectory is not None:
            taken = [turn for turn in split_turns(call) if turn.asked and not turn.is_retried]
            yield from _find_left_out_parts(scene, ended, taken)
            yield from _find_made_up_steps(ended, call)
            yield from _find_reordered_steps(ended, call)


def _find_left_out_parts(scene: Scene, ended: Returned, taken: list[Turn]) -> Iterator[Violation]:
    """Yield what was said and returned that isn't told; an observation that the LM wasn't shown is SAN-004's affair."""
    told = as_text(ended.outcome.trajectory)
    runs = [(turn, run) for turn in taken for run in turn.runs]
    for turn_of_run, run in runs:
        for what, due in _list_run_parts(turn_of_run, run):
            if hides_value(told, what) and not (what is run.observation and was_lost_before(scene, run, ended)):
                yield Violation(f"the trajectory shows {what!r} of a step that was taken", f"it is {told}", ended, due)


def _list_run_parts(turn: Turn, run: ToolRan) -> Iterator[tuple[JsonValue, str]]:
    """Yield what is told of a run, and the requirement that says so; that of the judge, if it is empty."""
    yield run.tool, ""
    # Of broken replies, a lenient reader may take other things for thought and args; that a tool was run with others
    # than those that were given is SAN-002's affair.
    if turn.is_scripted and turn.reply_call:
        # That the LM isn't asked for its thought is STEP-003's affair.
        if _was_asked_for_its_thought(turn):
            yield turn.reply_call.thought, "TRJ-002"
        if is_same_value(turn.reply_call.args, run.args):
            yield run.args, ""
    # What a harness is told of a request that was refused is in no result, and what no encoding can carry has any form.
    if not run.odd and run.refused is None and run.observation is not None and is_encodable(run.observation):
        yield run.observation, "" if run.error is None else "ERR-007"


def _was_asked_for_its_thought(turn: Turn) -> bool:
    fields = turn.asked.ask.fields if turn.asked and turn.asked.ask else ()
    return not fields or step_names(fields)[0] in fields


def _find_made_up_steps(ended: Returned, call: Record) -> Iterator[Violation]:
    asked = sum(_count_calls(asked) for asked in call.requests if _is_step(asked))
    told = _count_steps(ended.outcome)
    if told > asked:
        expected = f"at most {asked} steps in the trajectory, as were asked for"
        yield Violation(expected, f"it has {told}", ended, "TRJ-002")


def _count_calls(asked: Asked) -> int:
    """Return how many steps a reply may be told as: one of several calls may be as many."""
    return len(asked.intent.calls) if isinstance(asked.intent, Calls) else 1


def _find_reordered_steps(ended: Returned, call: Record) -> Iterator[Violation]:
    """Yield steps that are told in another order than that in which their tools ran, where all the runs are told of.

    Of calls that run at once nobody knows which begins first: the order in which the LM made them will do.
    """
    ran = [run.tool for run in call.tool_runs]
    made = [asked.tool for turn in split_turns(call) for asked, run in turn.pair_runs() if run]
    with suppress(UnreadableTrace):
        told = [tool for step in read_trace(ended.outcome).steps if (tool := step.parts.get("tool")) in ran]
        if told not in (ran, made) and Counter(map(str, told)) == Counter(ran):
            yield Violation(f"the trajectory tells of {ran}, in this order", f"it tells of {told}", ended)


def _is_step(asked: Asked) -> bool:
    return asked.ask is not None and asked.ask.phase == "step" and asked.attempt == 0


def _count_steps(outcome: Outcome) -> int:
    try:
        return len(read_trace(outcome).steps)
    except UnreadableTrace:
        return 0
