"""Violations of what is done about a prompt that doesn't fit (CTX-001, CTX-002)."""

from collections.abc import Callable
from typing import Any

from dspy.utils.exceptions import ContextWindowExceededError

from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.replies import every_output
from react_tck.prove.mutants.operators.runs import Perform, event_changed, on, then, until_no, when
from react_tck.prove.mutants.operators.views import inputs, steps_shown, untold
from react_tck.reference import loop
from react_tck.reference.drive import Episode
from react_tck.reference.loop.views.trajectory import as_mapping, as_text
from react_tck.reference.seams import Around, Edit, Prompt, Site
from react_tck.reference.signatures.react import TRAJECTORY


def _shortened(text: Callable[[loop.State], str]) -> Edit[Prompt]:
    """Another trajectory is shown where steps are left out of it."""
    told = inputs(lambda site, shown: shown | {TRAJECTORY: text(site.state)})
    return when(lambda site: site.state.left_out > 0, told)  # type: ignore[no-any-return]


def _cut_at_marks(state: loop.State) -> str:
    told = as_text(as_mapping(state.steps))
    for _ in range(state.left_out):
        told = told[max(told.find("[[ ## thought_", 1), 0) :]
    return told


def _after_thoughts(state: loop.State) -> str:
    left_out = "".join(str(step.observation) for step in state.steps[: state.left_out])
    return left_out.partition("Thought:")[2] + as_text(as_mapping(state.shown_steps))


def _given_up(condition: Callable[[loop.State], bool]) -> Any:
    """End the run with a prompt that doesn't fit."""

    def raised(site: Site, event: loop.Event) -> loop.Event:
        if isinstance(event, loop.DoesNotFit) and condition(site.state):
            raise ContextWindowExceededError
        return event

    return event_changed(raised)


def _emptied_at_last(site: Site, perform: Perform, action: loop.Action) -> Episode[loop.Event]:
    try:
        return (yield from perform(action))
    except ContextWindowExceededError:
        site.memory["emptied"] = True
    try:
        return (yield from perform(action))
    finally:
        site.memory["emptied"] = False


def _empty_answer(site: Site, perform: Perform, action: loop.Action) -> Episode[loop.Event]:
    try:
        event = yield from perform(action)
    except ContextWindowExceededError:
        event = loop.DoesNotFit()
    return every_output(site, None) if isinstance(event, loop.DoesNotFit) else event


def _ending(operator: Around[loop.Action, Episode[loop.Event]]) -> Around[loop.Action, Episode[loop.Event]]:
    """Yield the operator on runs that end with the error where no step fits, and aren't answered from what remains."""

    def performed(site: Site, perform: Perform, action: loop.Action) -> Episode[loop.Event]:
        def end(action: loop.Action) -> Episode[loop.Event]:
            event = yield from perform(action)
            if isinstance(event, loop.StepGivenUp):
                raise ContextWindowExceededError
            return event

        return operator(site, end, action)

    return performed


MUTANTS = {
    "unread-replies-left-out-first": mutant(
        "CTX-001",
        "Leaves out what it told of replies that it couldn't read before it leaves out any other step.",
        prompt=when(
            lambda site: site.state.left_out > 0,
            steps_shown(lambda steps: tuple(sorted(steps, key=lambda step: bool(step.tool)))),
        ),
    ),
    "nothing-dropped": mutant(
        "CTX-001", "Makes the same prompt again.", prompt=_shortened(lambda state: as_text(as_mapping(state.steps)))
    ),
    "one-shortening-only": mutant(
        "CTX-001",
        "Gives up when a prompt doesn't fit that was made shorter already.",
        perform=_given_up(lambda state: state.shortenings > 0),
    ),
    "truncation-unbounded": mutant(
        "CTX-001",
        "Goes on dropping until there is nothing left to drop.",
        advance=then(lambda _site, _event, following: following.model_copy(update={"shortenings": 0})),
    ),
    "dropped-steps-not-told": mutant(
        "CTX-001", "Returns all steps without telling which of them were dropped.", prediction=untold("left_out_")
    ),
    "newest-step-dropped-at-last": mutant(
        "CTX-001",
        "Drops the newest step too, when it is the last that is left and doesn't fit.",
        perform=_ending(_emptied_at_last),
        prompt=when(
            lambda site: bool(site.memory.get("emptied")), inputs(lambda _, shown: shown | {TRAJECTORY: "(left out)"})
        ),
    ),
    "overflow-asked-for-ever": mutant(
        "CTX-002",
        "Makes a prompt again that can't be made shorter, until it fits.",
        perform=_ending(until_no(ContextWindowExceededError)),
    ),
    "overflow-is-an-empty-answer": mutant(
        "CTX-002",
        "Returns outputs of None when the extraction doesn't fit.",
        perform=when(lambda site: site.agent.ending == loop.FINISH, on(loop.AskExtraction, _empty_answer)),
    ),
    "cut-at-the-next-mark": mutant(
        "CTX-001",
        "Drops the text of a trajectory up to the next mark of a thought, in a result too.",
        prompt=_shortened(_cut_at_marks),
    ),
    "cut-at-the-next-thought": mutant(
        "CTX-001",
        "Keeps what stands behind `Thought:` in a result of a step that it drops.",
        prompt=_shortened(_after_thoughts),
    ),
}
