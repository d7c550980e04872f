"""Violations of what calls owe each other and their caller: one by one, awaited, at once (ISO-…, ASY-001)."""

from collections.abc import Callable
from typing import Any

import dspy

from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.prompts import by_trajectory, using
from react_tck.prove.mutants.operators.runs import (
    Perform,
    after,
    before,
    faults_swallowed,
    is_async,
    limited,
    on,
    on_request,
    raised,
    then,
    to,
    when,
    with_steps,
)
from react_tck.prove.mutants.operators.views import inputs
from react_tck.reference import loop
from react_tck.reference.drive import Episode
from react_tck.reference.loop.entries import turns_of
from react_tck.reference.seams import Beginning, Site
from react_tck.reference.signatures.react import SignatureType


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


def _inputs_kept(site: Site, beginning: Beginning) -> Beginning:
    site.memory["inputs"] = beginning.inputs
    return beginning


def _from_memory(site: Site, proceed: Callable[[Beginning], Episode[Any]], beginning: Beginning) -> Episode[Any]:
    answered = site.memory.setdefault("answered", {})
    question = repr(beginning.inputs)
    if question not in answered:
        answered[question] = yield from proceed(beginning)
    return answered[question]


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


#: Signatures of all instances, by what they hold.
_KEPT: dict[str, SignatureType] = {}


def _kept_by_fields(_site: Site, proceed: Callable[[Any], SignatureType], given: Any) -> SignatureType:
    made = proceed(given)
    return _KEPT.setdefault(f"fields {made.fields}", made)


MUTANTS = {
    "first-inputs-kept": mutant(
        "ISO-001",
        "Asks every extraction with the inputs of the first call.",
        prompt=by_trajectory(on_request("extraction", inputs(_first_inputs))),
    ),
    "same-question-answered-from-memory": mutant(
        "ISO-001", "Answers a question that it was asked before as it did then.", run=_from_memory
    ),
    "failed-trajectory-kept": mutant(
        "ISO-001",
        "Takes up the trajectory of a call that failed in the one after it.",
        begin=by_trajectory(after(_with_kept_steps)),
        perform=by_trajectory(on(loop.AskExtraction, _steps_kept_of_a_failure)),
    ),
    "tools-used-up": mutant(
        "ISO-003",
        "Takes tools off the caller's list when they run.",
        tools=before(_callers_tools),
        perform=on(loop.RunTool, _tool_taken_off),
    ),
    "signature-class-changed": mutant(
        "ISO-003",
        "Writes its own instructions into the caller's signature class.",
        signature=before(_callers_signature),
        begin=before(_written_into),
    ),
    "async-takes-a-step-less": mutant(
        "ASY-001", "Stops a step early, if awaited.", begin=when(is_async, limited(lambda _, given: given - 1))
    ),
    "async-ignores-its-own-max-steps": mutant(
        "ASY-001",
        "Takes the max_steps it was constructed with, if awaited, whatever the call says.",
        begin=when(is_async, limited(lambda site, _: site.agent.max_steps)),
    ),
    "async-ignores-the-global-adapter": mutant(
        "ASY-001",
        "Asks under its own adapter or the default one, if awaited, whatever is configured.",
        adapter=when(is_async, using(lambda site: site.agent.adapter or dspy.ChatAdapter())),
    ),
    "async-loses-the-adapter": mutant(
        "ASY-001",
        "Asks under the global adapter instead of the module's own, if awaited.",
        adapter=when(is_async, using(lambda _: None)),
    ),
    "async-lets-tool-errors-through": mutant(
        "ASY-001",
        "Raises what a tool raises, if awaited.",
        perform=when(is_async, raised(loop.ToolFailed, lambda event: RuntimeError(event.reason))),
    ),
    "async-swallows-lm-faults": mutant(
        "ASY-001",
        "Gives empty outputs where the LM fails, if awaited.",
        run=when(is_async, by_trajectory(faults_swallowed())),
    ),
    "inputs-on-the-instance": mutant(
        "ISO-002",
        "Keeps the inputs of the call under way on the instance.",
        begin=after(_inputs_kept),
        prompt=by_trajectory(on_request("step", inputs(lambda site, shown: shown | site.memory["inputs"]))),
    ),
    "limit-on-the-instance": mutant(
        "ISO-002",
        "Keeps the max_steps of a call on the instance, where the next call finds it.",
        begin=after(_limit_kept),
        advance=by_trajectory(then(_limit_taken)),
    ),
    "adapter-on-the-instance": mutant(
        "ISO-002",
        "Looks up the configured adapter when a call begins, and keeps it on the instance.",
        begin=after(_adapter_kept),
        adapter=using(lambda site: site.agent.adapter or site.memory["adapter"]),
    ),
    "signature-kept-by-its-fields": mutant(
        "ISO-004",
        "Works with the first signature that any instance was given with these fields.",
        signature=_kept_by_fields,
    ),
}
