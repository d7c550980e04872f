"""Violations that show only where two things meet: an unknown tool and the record, a failure and the extraction."""

from itertools import pairwise
from typing import Any

from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.prompts import by_trajectory
from react_tck.prove.mutants.operators.replies import args_changed, values_changed
from react_tck.prove.mutants.operators.runs import Steps, on_request, then
from react_tck.prove.mutants.operators.views import inputs, outputs_changed, steps_retold, steps_shown
from react_tck.reference import loop
from react_tck.reference.seams import Edit, Prompt, Site


def _knows(site: Site, name: str) -> bool:
    return name in {*site.agent.bound, loop.FINISH, ""}


def _first_lines(_site: Site, steps: Steps) -> Steps:
    return tuple(step.model_copy(update={"thought": step.thought.partition("\n")[0]}) for step in steps)


def _args_carried_on(_site: Site, steps: Steps) -> Steps:
    told = (
        step if step.args or step.tool == loop.FINISH else step.model_copy(update={"args": last.args})
        for last, step in pairwise(steps)
    )
    return (*steps[:1], *told)


def _one_step_more(site: Site, event: loop.Event, following: loop.State) -> loop.State:
    if not isinstance(event, loop.StepChosen) or _knows(site, event.calls[0].name):
        return following
    return following.model_copy(update={"max_steps": following.max_steps + 1, "action": loop.AskStep()})


def _in_extraction(edit: Edit[Prompt]) -> Any:
    return by_trajectory(on_request("extraction", edit))


def _failures_unthought(steps: Steps) -> Steps:
    return tuple(
        step.model_copy(update={"thought": ""}) if str(step.observation).startswith("Error") else step for step in steps
    )


def _small_inputs_blank(site: Site, shown: dict[str, Any]) -> dict[str, Any]:
    return shown | {name: value or "" for name, value in shown.items() if name in site.agent.signature.input_fields}


def _once(value: Any) -> Any:
    if not isinstance(value, list):
        return value
    return [item for number, item in enumerate(value) if item not in value[:number]]


def _truths_as_numbers(value: Any) -> Any:
    if not isinstance(value, list):
        return value
    return [int(item) if isinstance(item, bool) else item for item in value]


MUTANTS = {
    "unknown-tool-not-recorded": mutant(
        "TRJ-002",
        "Leaves the steps that name an unknown tool out of the trajectory.",
        prediction=steps_retold(lambda site, steps: tuple(step for step in steps if _knows(site, step.tool))),
    ),
    "thought-recorded-in-part": mutant(
        "TRJ-002", "Records the first line of a thought.", prediction=steps_retold(_first_lines)
    ),
    "empty-args-recorded-as-those-before": mutant(
        "TRJ-002",
        "Records a call without args with those of the step before.",
        prediction=steps_retold(_args_carried_on),
    ),
    "steps-left-out-twice-not-recorded": mutant(
        "TRJ-005",
        "Returns what the last prompt had room for, once more than one step was left out.",
        prediction=steps_retold(lambda site, steps: site.state.shown_steps if site.state.left_out > 1 else steps),
    ),
    "unknown-tool-costs-no-step": mutant(
        "LOOP-004", "Doesn't count a step that names an unknown tool.", advance=then(_one_step_more)
    ),
    "failed-steps-extracted-without-thought": mutant(
        "EXT-001",
        "Shows the extraction a step whose tool failed without its thought.",
        prompt=_in_extraction(steps_shown(_failures_unthought)),
    ),
    "small-inputs-not-extracted-from": mutant(
        "EXT-001",
        "Shows the extraction nothing for an input that is 0, false or empty.",
        prompt=_in_extraction(inputs(_small_inputs_blank)),
    ),
    "equal-items-merged": mutant(
        "EXT-002",
        "Returns a list without the items that it has twice.",
        prediction=outputs_changed(values_changed(_once)),
    ),
    "truths-in-lists-become-numbers": mutant(
        "TOOL-008", "Hands on true and false in a list as 1 and 0.", args=args_changed(_truths_as_numbers)
    ),
}
