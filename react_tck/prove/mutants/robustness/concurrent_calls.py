"""Violations that show when an instance is called by several at once (ISO-002)."""

import dspy

from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.prompts import by_trajectory, using
from react_tck.prove.mutants.operators.runs import Perform, after, on, on_request, then, to, with_last_step
from react_tck.prove.mutants.operators.views import inputs
from react_tck.reference import loop
from react_tck.reference.drive import Episode
from react_tck.reference.loop.entries import turns_of
from react_tck.reference.seams import Beginning, Site


def _inputs_kept(site: Site, beginning: Beginning) -> Beginning:
    site.memory["inputs"] = beginning.inputs
    return beginning


def _call_kept(site: Site, perform: Perform, action: loop.RunTool) -> Episode[loop.Event]:
    turn = site.state.taken[-1]
    assert isinstance(turn, loop.AssistantTurn)
    site.memory["pending"] = {"thought": turn.thought, "tool": action.call.name, "args": action.call.args}
    return (yield from perform(action))


def _call_recorded(site: Site, event: loop.Event, following: loop.State) -> loop.State:
    returned = isinstance(event, loop.ToolReturned)
    return with_last_step(following, **site.memory["pending"]) if returned else following


def _thoughts_forgotten(site: Site, beginning: Beginning) -> Beginning:
    site.memory["thoughts"] = []
    return beginning


def _thought_kept(site: Site, perform: Perform, action: loop.RunTool) -> Episode[loop.Event]:
    turn = site.state.taken[-1]
    assert isinstance(turn, loop.AssistantTurn)
    site.memory["thoughts"].append(turn.thought)
    return (yield from perform(action))


def _thoughts_shown(site: Site, event: loop.Event, following: loop.State) -> loop.State:
    thought = " ".join(site.memory["thoughts"][-2:])
    return with_last_step(following, thought=thought) if isinstance(event, loop.ToolReturned) else following


def _limit_kept(site: Site, beginning: Beginning) -> Beginning:
    site.memory["limit"] = beginning.state.max_steps
    return beginning


def _limit_taken(site: Site, event: loop.Event, following: loop.State) -> loop.State:
    if not isinstance(event, loop.ToolReturned):
        return following
    is_over = turns_of(following.taken) >= site.memory["limit"]
    return to(following, loop.AskExtraction() if is_over else loop.AskStep())


def _adapter_kept(site: Site, beginning: Beginning) -> Beginning:
    site.memory["adapter"] = dspy.settings.adapter
    return beginning


MUTANTS = (
    mutant(
        "inputs-on-the-instance",
        "ISO-002",
        "Keeps the inputs of the call under way on the instance.",
        begin=after(_inputs_kept),
        prompt=by_trajectory(on_request("step", inputs(lambda site, shown: shown | site.memory["inputs"]))),
    ),
    mutant(
        "pending-call-on-the-instance",
        "ISO-002",
        "Keeps the tool call under way on the instance, and records it from there.",
        perform=by_trajectory(on(loop.RunTool, _call_kept)),
        advance=by_trajectory(then(_call_recorded)),
    ),
    mutant(
        "thoughts-on-the-instance",
        "ISO-002",
        "Collects the thoughts of a call on the instance, and shows them with its last step.",
        begin=after(_thoughts_forgotten),
        perform=by_trajectory(on(loop.RunTool, _thought_kept)),
        advance=by_trajectory(then(_thoughts_shown)),
    ),
    mutant(
        "limit-on-the-instance",
        "ISO-002",
        "Keeps the max_steps of a call on the instance, where the next call finds it.",
        begin=after(_limit_kept),
        advance=by_trajectory(then(_limit_taken)),
    ),
    mutant(
        "adapter-on-the-instance",
        "ISO-002",
        "Looks up the configured adapter when a call begins, and keeps it on the instance.",
        begin=after(_adapter_kept),
        adapter=using(lambda site: site.agent.adapter or site.memory["adapter"]),
    ),
)
