"""Violations that show only where two things meet: a failed call and the next one, async and the caller's objects."""

from typing import Any

import dspy

from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.prompts import by_trajectory
from react_tck.prove.mutants.operators.runs import Proceed, after, before, chosen, is_async, on_request, when, with_call
from react_tck.prove.mutants.operators.views import inputs
from react_tck.reference import loop
from react_tck.reference.drive import Episode
from react_tck.reference.seams import Beginning, Site
from react_tck.reference.signatures.react import history_field

_LONG = 1000


def _failure_remembered(site: Site, proceed: Proceed, beginning: Beginning) -> Episode[Any]:
    name = history_field(site.agent.signature)
    if name and site.memory.get("failed"):
        beginning = beginning._replace(inputs={**beginning.inputs, name: dspy.History(messages=[])})
    site.memory["failed"] = True
    prediction = yield from proceed(beginning)
    site.memory["failed"] = False
    return prediction


class _LeavesOutAnyStep:
    def truncate_trajectory(self, trajectory: dict[str, Any]) -> dict[str, Any]:
        """Return a step less, if there is any: the reference never leaves out the last one."""
        return dict(list(trajectory.items())[4:])


def _left_out_as_before(site: Site, beginning: Beginning) -> Beginning:
    left_out = site.memory.get("left out", 0)
    return beginning._replace(state=beginning.state.model_copy(update={"left_out": left_out}))


def _what_was_left_out(site: Site, prediction: Any) -> Any:
    site.memory["left out"] = site.state.left_out
    return prediction


def _turn_appended(site: Site, prediction: Any) -> Any:
    if name := history_field(site.agent.signature):
        turn = {field: value for field, value in site.inputs.items() if field != name}
        site.inputs[name].messages.append(
            {**turn, **{out: prediction[out] for out in site.agent.signature.output_fields}}
        )
    return prediction


def _cut(site: Site, shown: dict[str, Any]) -> dict[str, Any]:
    own = site.agent.signature.input_fields
    return {name: value[:_LONG] if name in own and isinstance(value, str) else value for name, value in shown.items()}


def _finishing_after_a_failure(site: Site, event: loop.Event) -> loop.Event:
    last, call = site.state.steps[-1:], chosen(event)
    if not last or call is None or not str(last[0].observation).startswith("Error") or call.name in site.agent.bound:
        return event
    assert isinstance(event, loop.StepChosen)
    return with_call(event, name=loop.FINISH, args={})


MUTANTS = {
    "history-lost-after-a-failure": mutant(
        "ISO-001", "Shows no history in a call that follows one which ended with an error.", run=_failure_remembered
    ),
    "left-out-in-the-next-call": mutant(
        "ISO-001",
        "Leaves as many steps out of a call's prompts as the one before had to.",
        begin=after(_left_out_as_before),
        prediction=_what_was_left_out,
        mixin=_LeavesOutAnyStep,
    ),
    "async-history-extended": mutant(
        "ISO-003",
        "Adds the turn just taken to the history it was given, when called asynchronously.",
        prediction=when(is_async, _turn_appended),
    ),
    "long-inputs-cut": mutant(
        "ERR-024",
        "Shows the extraction the beginning of a long input.",
        prompt=by_trajectory(on_request("extraction", inputs(_cut))),
    ),
    "unknown-tool-after-an-error-finishes": mutant(
        "SAN-010",
        "Takes an unknown tool name for `finish` when the step before has failed, and declares that it goes on.",
        advance=before(_finishing_after_a_failure),
    ),
}
