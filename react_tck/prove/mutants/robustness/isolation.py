"""Violations of what calls and instances owe each other and their caller (ISO-001, ISO-003, ISO-004)."""

from collections.abc import Callable
from typing import Any

from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.prompts import by_trajectory, signed
from react_tck.prove.mutants.operators.runs import (
    Perform,
    after,
    before,
    on,
    on_request,
    with_steps,
)
from react_tck.prove.mutants.operators.views import inputs
from react_tck.reference import loop
from react_tck.reference.drive import Episode
from react_tck.reference.seams import Beginning, Site
from react_tck.reference.signatures.users import SignatureType


def _with_kept_steps(site: Site, beginning: Beginning) -> Beginning:
    return beginning._replace(state=with_steps(beginning.state, site.memory.pop("steps", ())))


def _steps_kept(site: Site, prediction: Any) -> Any:
    site.memory["steps"] = tuple(step for step in site.state.steps if step.tool != loop.FINISH)
    return prediction


def _steps_kept_of_a_failure(site: Site, perform: Perform, action: loop.Action) -> Episode[loop.Event]:
    try:
        return (yield from perform(action))
    except Exception:
        _steps_kept(site, None)
        raise


def _first_inputs(site: Site, shown: dict[str, Any]) -> dict[str, Any]:
    own = {name: value for name, value in shown.items() if name in site.agent.signature.input_fields}
    first: dict[str, Any] = site.memory.setdefault("first", own)
    return shown | first


def _callers_tools(site: Site, tools: Any) -> Any:
    site.memory["tools"] = tools
    return tools


def _tool_taken_off(site: Site, perform: Perform, action: loop.RunTool) -> Episode[loop.Event]:
    if isinstance(site.memory["tools"], list) and len(site.memory["tools"]) > 1:
        site.memory["tools"].pop()
    return (yield from perform(action))


def _callers_signature(site: Site, given: Any) -> Any:
    site.memory["signature"] = given
    return given


def _written_into(site: Site, given: dict[str, Any]) -> dict[str, Any]:
    signature = site.memory["signature"]
    if not isinstance(signature, str):
        signature.__doc__ = f"{signature.__doc__} Use the tools."
    return given


#: Signatures of all instances, by what they hold.
_KEPT: dict[str, SignatureType] = {}


def _kept_by_fields(_site: Site, proceed: Callable[[Any], SignatureType], given: Any) -> SignatureType:
    made = proceed(given)
    return _KEPT.setdefault(f"fields {made.fields}", made)


def _kept_whole(_site: Site, made: SignatureType) -> SignatureType:
    return _KEPT.setdefault(f"whole {made.instructions} {made.fields}", made)


def _load_in_place(self: Any, state: dict[str, Any], **_options: Any) -> None:
    """Take the place of `load_state`, and write into the signatures there are."""
    for name, predictor in self.named_predictors():
        predictor.signature.instructions = state[name]["signature"]["instructions"]


MUTANTS = (
    mutant(
        "first-inputs-kept",
        "ISO-001",
        "Asks every extraction with the inputs of the first call.",
        prompt=by_trajectory(on_request("extraction", inputs(_first_inputs))),
    ),
    mutant(
        "failed-trajectory-kept",
        "ISO-001",
        "Takes up the trajectory of a call that failed in the one after it.",
        begin=by_trajectory(after(_with_kept_steps)),
        perform=by_trajectory(on(loop.AskExtraction, _steps_kept_of_a_failure)),
    ),
    mutant(
        "tools-used-up",
        "ISO-003",
        "Takes tools off the caller's list when they run.",
        tools=before(_callers_tools),
        perform=on(loop.RunTool, _tool_taken_off),
    ),
    mutant(
        "signature-class-changed",
        "ISO-003",
        "Writes its own instructions into the caller's signature class.",
        signature=before(_callers_signature),
        begin=before(_written_into),
    ),
    mutant(
        "signature-kept-by-its-fields",
        "ISO-004",
        "Works with the first signature that any instance was given with these fields.",
        signature=_kept_by_fields,
    ),
    mutant(
        "instructions-loaded-for-all-instances",
        "ISO-004",
        "Has one step signature for all instances that were made alike, and writes what it loads into it.",
        program=signed("react", _kept_whole),
        mixin=type("LoadsInPlace", (), {"load_state": _load_in_place}),
    ),
)
