"""Violations of how the trajectory is kept: whole, and as it was (TRJ-005, TRJ-006)."""

from typing import Any

from react_tck.model.base import JsonObject
from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.runs import Proceed, Steps, after
from react_tck.prove.mutants.operators.views import retold, steps_retold
from react_tck.reference import loop
from react_tck.reference.seams import Beginning, Site

_LONG = 1000


def _cut(value: Any) -> Any:
    return f"{value[:_LONG]}..." if isinstance(value, str) and len(value) > _LONG else value


def _cut_args(_site: Site, steps: Steps) -> Steps:
    return tuple(step.model_copy(update={"args": _without_middles(step.args)}) for step in steps)


def _without_middles(args: JsonObject) -> JsonObject:
    long = {name: str(value) for name, value in args.items() if len(str(value)) > _LONG}
    return args | {name: f"{text[:_LONG]}...{text[-_LONG:]}" for name, text in long.items()}


def _args_uncopied(_site: Site, proceed: Proceed, call: loop.Call) -> dict[str, Any]:
    """The lists and objects of the call itself, which is on record."""
    converted: dict[str, Any] = proceed(call)
    return converted | {name: call.args[name] for name, value in converted.items() if type(value) in (dict, list)}


def _nothing_kept(site: Site, beginning: Beginning) -> Beginning:
    site.memory["kept"] = {}
    return beginning


def _kept(site: Site, proceed: Proceed, result: Any) -> Any:
    site.memory.setdefault("kept", {})[f"observation_{len(site.state.steps)}"] = result
    return proceed(result)


MUTANTS = {
    "trajectory-truncated": mutant(
        "TRJ-005", "Returns the last ten steps only.", prediction=steps_retold(lambda _, steps: steps[-10:])
    ),
    "long-observations-cut": mutant(
        "TRJ-005",
        "Shortens long observations in the trajectory it returns.",
        prediction=retold(lambda _site, told: {key: _cut(value) for key, value in told.items()}),
    ),
    "long-args-cut": mutant(
        "TRJ-005", "Shortens the middle of long args in the trajectory it returns.", prediction=steps_retold(_cut_args)
    ),
    "forgotten-steps-not-returned": mutant(
        "TRJ-005",
        "Returns the trajectory without the steps it left out of a prompt.",
        prediction=steps_retold(lambda site, _: site.state.shown_steps),
    ),
    "trajectory-aliases-args": mutant(
        "TRJ-006", "Keeps the args it gave to the tool, not a copy.", args=_args_uncopied
    ),
    "trajectory-aliases-observation": mutant(
        "TRJ-006",
        "Keeps the object the tool returned, not a copy.",
        begin=after(_nothing_kept),
        observation=_kept,
        prediction=retold(lambda site, told: told | site.memory.get("kept", {})),
    ),
}
