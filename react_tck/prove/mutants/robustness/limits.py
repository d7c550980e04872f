"""Violations of the bounds of a call, and of what is left at the end of its steps (ERR-008, ERR-013)."""

from collections.abc import Callable
from typing import Any

from dspy.utils.exceptions import AdapterParseError

from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.replies import is_unknown, where_finish_ends
from react_tck.prove.mutants.operators.runs import on, then, until_no, when, with_steps
from react_tck.prove.mutants.operators.views import steps_retold
from react_tck.reference import loop
from react_tck.reference.seams import Edit, Site

_Such = Callable[[Site, loop.Event], bool]


def _is(kind: type[Any]) -> _Such:
    return lambda _, event: isinstance(event, kind)


def _not_counting(is_free: _Such) -> Any:
    """An operator that doesn't count steps of this kind towards the limit."""

    def counted(site: Site, event: loop.Event, following: loop.State) -> loop.State:
        if not is_free(site, event):
            return following
        ended = isinstance(following.action, loop.AskExtraction)
        free = {"max_steps": following.max_steps + 1, "action": loop.AskStep() if ended else following.action}
        return following.model_copy(update=free)

    return then(counted)


def _forgetting(is_fatal: _Such) -> Any:
    """Begins the trajectory anew with some steps."""

    def forgot(site: Site, event: loop.Event, following: loop.State) -> loop.State:
        if not is_fatal(site, event):
            return following
        left = following.max_steps - len(following.steps) + 1
        return with_steps(following, following.steps[-1:]).model_copy(update={"max_steps": left})

    return where_finish_ends(then(forgot))


def _unfinished(change: Edit[Any]) -> Edit[Any]:
    """Another prediction where the LM didn't finish."""
    return when(lambda site: not site.state.finished, change)  # type: ignore[no-any-return]


MUTANTS = (
    mutant(
        "malformed-replies-not-counted",
        "ERR-008",
        "Asks for steps for as long as the LM isn't understood.",
        advance=_not_counting(_is(loop.StepMalformed)),
    ),
    mutant(
        "unknown-names-not-counted",
        "ERR-008",
        "Asks for steps for as long as the LM names no tool there is.",
        advance=_not_counting(is_unknown),
    ),
    mutant(
        "malformed-args-not-counted",
        "ERR-008",
        "Asks for steps for as long as the args aren't JSON.",
        advance=_not_counting(_is(loop.ArgsMalformed)),
    ),
    mutant(
        "mismatches-not-counted",
        "ERR-008",
        "Asks for steps for as long as the args don't fit the tool.",
        advance=_not_counting(_is(loop.ArgsMismatched)),
    ),
    mutant(
        "failed-tools-not-counted",
        "ERR-008",
        "Asks for steps for as long as tools fail.",
        advance=_not_counting(_is(loop.ToolFailed)),
    ),
    mutant(
        "answer-asked-for-until-it-can-be-read",
        "ERR-008",
        "Asks for the answer again and again.",
        perform=on(loop.AskExtraction, until_no(AdapterParseError)),
    ),
    mutant(
        "last-step-lost-on-exhaustion",
        "ERR-013",
        "Drops the last step where the LM didn't finish.",
        prediction=_unfinished(steps_retold(lambda _, steps: steps[:-1])),
    ),
    mutant(
        "trajectory-reset-by-an-unknown-name",
        "ERR-013",
        "Forgets the steps before an unknown name.",
        advance=_forgetting(is_unknown),
    ),
    mutant(
        "trajectory-reset-by-malformed-args",
        "ERR-013",
        "Forgets the steps before args that don't parse.",
        advance=_forgetting(_is(loop.ArgsMalformed)),
    ),
    mutant(
        "trajectory-reset-by-a-malformed-reply",
        "ERR-013",
        "Forgets the steps before a reply that can't be read.",
        advance=_forgetting(_is(loop.StepMalformed)),
    ),
)
