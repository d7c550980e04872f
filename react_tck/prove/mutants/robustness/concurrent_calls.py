"""Violations that show when an instance is called by several at once (ISO-002)."""

import dspy

from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.prompts import by_trajectory, using
from react_tck.prove.mutants.operators.runs import after, on_request, then, to
from react_tck.prove.mutants.operators.views import inputs
from react_tck.reference import loop
from react_tck.reference.loop.entries import turns_of
from react_tck.reference.seams import Beginning, Site


def _inputs_kept(site: Site, beginning: Beginning) -> Beginning:
    site.memory["inputs"] = beginning.inputs
    return beginning


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
