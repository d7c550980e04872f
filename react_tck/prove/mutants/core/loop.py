"""Violations of the tool loop and of its limit on steps (LOOP-…)."""

import sys
from itertools import pairwise
from typing import Any

from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.runs import (
    Perform,
    Proceed,
    Steps,
    before,
    chosen,
    event_changed,
    finishes,
    is_async,
    limited,
    observed,
    on,
    on_request,
    ran,
    then,
    twice,
    when,
    with_last_step,
)
from react_tck.prove.mutants.operators.views import inputs, steps_shown
from react_tck.reference import UdspyReAct, loop
from react_tck.reference.drive import Episode, EpisodeFailed
from react_tck.reference.seams import Around, Beginning, Site
from react_tck.reference.signatures.react import DEFAULT_MAX_STEPS


def _under_the_wrong_step(steps: Steps) -> Steps:
    observations = reversed([step.observation for step in steps])
    return tuple(observed(step, one) for step, one in zip(steps, observations, strict=True))


def _once_each(steps: Steps) -> Steps:
    told = (observed(s, "(as before)") if s.observation == last.observation else s for last, s in pairwise(steps))
    return (*steps[:1], *told)


def _goes_on(_site: Site, event: loop.Event, following: loop.State) -> loop.State:
    on = finishes(event) and len(following.steps) < following.max_steps
    return following.model_copy(update={"action": loop.AskStep(), "finished": False}) if on else following


def _only_after_a_tool(site: Site, proceed: Proceed, event: loop.Event) -> loop.State:
    return site.state if finishes(event) and not site.state.steps else proceed(event)


def _finish_args(event: loop.Event) -> Any:
    call = chosen(event)
    return call.args if call and finishes(event) else {}


def _finish_args_to_the_last_tool(site: Site, perform: Perform, action: loop.Action) -> Episode[loop.Event]:
    event = yield from perform(action)
    if (args := _finish_args(event)) and site.state.steps:
        yield from perform(ran(loop.Call(name=site.state.steps[-1].tool, args=args)))
    return event


def _finish_fails(following: loop.State) -> loop.State:
    return with_last_step(following, observation="Execution error in finish.")


def _finish_unknown(site: Site, event: loop.Event, following: loop.State) -> loop.State:
    # What udspy records of `finish` is UDS-001's affair.
    return _finish_fails(following) if finishes(event) and not isinstance(site.agent, UdspyReAct) else following


def _reads_args_of_finish(self: Any, site: Site, thought: Any, tool: Any, said: Any, *response: Any) -> loop.Event:
    if tool == loop.FINISH and isinstance(said, str) and site.prompt.predictor == "native":
        return loop.ArgsMalformed(thought=str(thought or ""), tool=tool, reason="the args of finish are no JSON")
    event: loop.Event = super(_READS_ARGS_OF_FINISH, self)._read_step(site, thought, tool, said, *response)
    return event


_READS_ARGS_OF_FINISH: type[Any] = type("ReadsArgsOfFinish", (), {"_read_step": _reads_args_of_finish})


def _instead_of_the_default(max_steps: int) -> Around[dict[str, Any], Beginning]:
    return limited(lambda _, given: max_steps if given == DEFAULT_MAX_STEPS else given)


def _smallest_kept(site: Site, program: Any) -> Any:
    kind = type(site.agent)
    kind.smallest = min(_smallest(site), site.agent.max_steps)
    return program


def _smallest(site: Site) -> int:
    return getattr(type(site.agent), "smallest", DEFAULT_MAX_STEPS)


def _left_out_forgotten(site: Site, _event: loop.Event, following: loop.State) -> loop.State:
    more = following.left_out - site.state.left_out
    return following.model_copy(update={"max_steps": following.max_steps + more})


def _kept(site: Site, max_steps: int) -> int:
    site.agent.max_steps = max_steps
    return max_steps


def _too_late(site: Site, event: loop.Event) -> loop.Event:
    if finishes(event) and len(site.state.steps) + 1 == site.state.max_steps:
        raise EpisodeFailed("the steps have run out")
    return event


def _unthought(_site: Site, event: loop.Event) -> loop.Event:
    is_unthought = isinstance(event, loop.StepChosen) and not event.thought
    return loop.StepMalformed(reason="the thought is missing") if is_unthought else event


MUTANTS = {
    "tool-run-twice": mutant(
        "LOOP-001", "Runs every tool twice and reports the second result.", perform=on(loop.RunTool, twice)
    ),
    "args-dropped": mutant(
        "LOOP-001",
        "Runs tools without the args the LM gave.",
        perform=on(
            loop.RunTool, lambda _site, perform, action: perform(ran(action.call.model_copy(update={"args": {}})))
        ),
    ),
    "empty-thought-is-malformed": mutant(
        "LOOP-001", "Takes a step whose thought is empty for one that can't be read.", perform=event_changed(_unthought)
    ),
    "observations-under-the-wrong-step": mutant(
        "LOOP-002",
        "Shows the observations in reverse, each under a step that didn't bring it.",
        prompt=on_request("step", steps_shown(_under_the_wrong_step)),
    ),
    "repeated-result-abridged": mutant(
        "LOOP-002",
        "Says of a result that is like the one before that it is as before.",
        prompt=on_request("step", steps_shown(_once_each)),
    ),
    "finish-does-not-stop": mutant(
        "LOOP-003", "Records `finish` like any step and goes on until the steps run out.", advance=then(_goes_on)
    ),
    "latest-step-first": mutant(
        "LOOP-005",
        "Passes the trajectory on with the third step and what comes after it first.",
        prompt=on_request("extraction", steps_shown(lambda steps: (*steps[2:], *steps[:2]))),
    ),
    "thought-asked-for-separately": mutant(
        "LOOP-006", "Makes two requests a step and acts on the second reply.", perform=on(loop.AskStep, twice)
    ),
    "finish-needs-a-tool-first": mutant(
        "LOOP-007", "Asks again when `finish` is selected before any tool ran.", advance=_only_after_a_tool
    ),
    "breaks-without-tools": mutant(
        "LOOP-007",
        "Shows the first tool as an example, and breaks if there is none.",
        prompt=on_request("step", inputs(lambda site, shown: shown | {"example": [*site.agent.bound][0]})),  # noqa: RUF015
    ),
    "finish-args-to-the-last-tool": mutant(
        "LOOP-010",
        "Gives the arguments of `finish` to the tool that ran last.",
        perform=on(loop.AskStep, _finish_args_to_the_last_tool),
    ),
    "finish-with-args-goes-on": mutant(
        "LOOP-010",
        "Refuses `finish` with arguments, and asks for another step.",
        advance=lambda site, proceed, event: site.state if _finish_args(event) else proceed(event),
    ),
    "finish-args-are-an-error": mutant(
        "LOOP-012",
        "Tells the extraction that `finish` failed, because it was given arguments.",
        advance=then(lambda _, event, following: _finish_fails(following) if _finish_args(event) else following),
    ),
    "finish-is-an-unknown-tool": mutant(
        "LOOP-012",
        "Looks `finish` up among the user's tools, and tells the extraction that it isn't there.",
        advance=then(_finish_unknown),
    ),
    "native-finish-with-unreadable-args-goes-on": mutant(
        "LOOP-010",
        "Asks for another step after a native call of `finish` whose args can't be read.",
        mixin=_READS_ARGS_OF_FINISH,
    ),
    "one-step-too-many": mutant(
        "LOOP-004", "Checks the limit after the step, not before it.", begin=limited(lambda _, given: given + 1)
    ),
    "left-out-steps-are-not-counted": mutant(
        "LOOP-004", "Counts the steps that its prompt shows, and no others.", advance=then(_left_out_forgotten)
    ),
    "max-steps-zero-is-the-default": mutant(
        "LOOP-004",
        "Takes a max_steps of 0 for one that wasn't given.",
        begin=limited(lambda _, given: given or DEFAULT_MAX_STEPS),
    ),
    "last-step-must-not-finish": mutant(
        "LOOP-004",
        "Looks whether the steps have run out before it looks whether the last one is `finish`.",
        advance=before(_too_late),
    ),
    "endless-by-default": mutant(
        "LOOP-011", "Has no limit unless one is given.", begin=_instead_of_the_default(sys.maxsize)
    ),
    "max-steps-capped-at-the-default": mutant(
        "LOOP-008",
        "Never takes more steps than the default.",
        begin=limited(lambda _, given: min(given, DEFAULT_MAX_STEPS)),
    ),
    "max-steps-of-all-instances": mutant(
        "LOOP-008",
        "Keeps the smallest max_steps that any instance was given, for all of them.",
        program=_smallest_kept,
        begin=limited(lambda site, _: _smallest(site)),
    ),
    "call-max-steps-only-lowers": mutant(
        "LOOP-009",
        "Takes the smaller of the constructed max_steps and the call's.",
        begin=limited(lambda site, given: min(given, site.agent.max_steps)),
    ),
    "async-call-max-steps-sticks": mutant(
        "LOOP-009", "Keeps the max_steps of an async call for those after it.", begin=when(is_async, limited(_kept))
    ),
}
