"""Violations of the tool loop (LOOP-…)."""

from itertools import pairwise
from typing import Any

from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.runs import (
    Perform,
    Proceed,
    Steps,
    chosen,
    finishes,
    observed,
    on,
    on_request,
    ran,
    then,
    twice,
    with_last_step,
)
from react_tck.prove.mutants.operators.views import inputs, steps_shown
from react_tck.reference import UdspyReAct, loop
from react_tck.reference.drive import Episode
from react_tck.reference.seams import Site


def _without_args(_site: Site, perform: Perform, action: Any) -> Episode[loop.Event]:
    return perform(ran(action.call.model_copy(update={"args": {}})))


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


def _only_without_args(site: Site, proceed: Proceed, event: loop.Event) -> loop.State:
    return site.state if _finish_args(event) else proceed(event)


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


MUTANTS = (
    mutant(
        "tool-run-twice",
        "LOOP-001",
        "Runs every tool twice and reports the second result.",
        perform=on(loop.RunTool, twice),
    ),
    mutant(
        "args-dropped",
        "LOOP-001",
        "Runs tools without the args the LM gave.",
        perform=on(loop.RunTool, _without_args),
    ),
    mutant(
        "observations-under-the-wrong-step",
        "LOOP-002",
        "Shows the observations in reverse, each under a step that didn't bring it.",
        prompt=on_request("step", steps_shown(_under_the_wrong_step)),
    ),
    mutant(
        "repeated-result-abridged",
        "LOOP-002",
        "Says of a result that is like the one before that it is as before.",
        prompt=on_request("step", steps_shown(_once_each)),
    ),
    mutant(
        "finish-does-not-stop",
        "LOOP-003",
        "Records `finish` like any step and goes on until the steps run out.",
        advance=then(_goes_on),
    ),
    mutant(
        "latest-step-first",
        "LOOP-005",
        "Passes the trajectory on with the latest step first.",
        prompt=on_request("extraction", steps_shown(lambda steps: steps[::-1])),
    ),
    mutant(
        "thought-asked-for-separately",
        "LOOP-006",
        "Makes two requests a step and acts on the second reply.",
        perform=on(loop.AskStep, twice),
    ),
    mutant(
        "finish-needs-a-tool-first",
        "LOOP-007",
        "Asks again when `finish` is selected before any tool ran.",
        advance=_only_after_a_tool,
    ),
    mutant(
        "breaks-without-tools",
        "LOOP-007",
        "Shows the first tool as an example, and breaks if there is none.",
        prompt=on_request("step", inputs(lambda site, shown: shown | {"example": [*site.agent.bound][0]})),  # noqa: RUF015
    ),
    mutant(
        "finish-args-to-the-last-tool",
        "LOOP-010",
        "Gives the arguments of `finish` to the tool that ran last.",
        perform=on(loop.AskStep, _finish_args_to_the_last_tool),
    ),
    mutant(
        "finish-with-args-goes-on",
        "LOOP-010",
        "Refuses `finish` with arguments, and asks for another step.",
        advance=_only_without_args,
    ),
    mutant(
        "finish-args-are-an-error",
        "LOOP-012",
        "Tells the extraction that `finish` failed, because it was given arguments.",
        advance=then(lambda _, event, following: _finish_fails(following) if _finish_args(event) else following),
    ),
    mutant(
        "finish-is-an-unknown-tool",
        "LOOP-012",
        "Looks `finish` up among the user's tools, and tells the extraction that it isn't there.",
        advance=then(_finish_unknown),
    ),
    mutant(
        "native-finish-with-unreadable-args-goes-on",
        "LOOP-010",
        "Asks for another step after a native call of `finish` whose args can't be read.",
        mixin=_READS_ARGS_OF_FINISH,
    ),
)
