"""Violations in the machine states: what they show, and how the machine goes from one to another (CNV-004, CNV-005)."""

import copy
from collections.abc import Callable
from typing import Any

from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.prompts import asked_of, conversing, entered, question, said_by
from react_tck.prove.mutants.operators.runs import Perform, Proceed, at_once, on, when
from react_tck.reference import loop
from react_tck.reference.drive import Episode
from react_tck.reference.loop.views.conversation import MACHINE_STATE, TOOL_RESULT, MachineState
from react_tck.reference.seams import Beginning, Edit, Prompt, Site
from react_tck.reference.signatures.conversation import HISTORY
from react_tck.reference.signatures.react import SignatureType, own_max_steps

States = dict[MachineState, SignatureType]
_INPUTS = "\n\nInput fields:\n\n"


def _written_by(change: Callable[[Site, States], States]) -> Any:
    """Return the fields of other states than there are, in all messages."""

    def edited(site: Site, adapter: Any) -> Any:
        made = copy.copy(adapter)
        made.states = change(site, dict(adapter.states))
        return made

    return conversing(edited)


def _stateless(_site: Site, states: States) -> States:
    return {state: made if state == "user_query" else made.delete(MACHINE_STATE) for state, made in states.items()}


def _as_a_result(now: MachineState) -> Edit[Prompt]:
    """Return the user's question, told as a tool result."""

    def changed(site: Site, prompt: Prompt) -> Prompt:
        asked = {MACHINE_STATE: now, TOOL_RESULT: str(question(site, prompt))}
        return prompt._replace(predictor=now, inputs={**asked, HISTORY: prompt.inputs[HISTORY]})

    return changed


def _said_by_a_result(site: Site, now: str) -> str:
    last = str(site.state.steps[-1].observation) if site.state.steps else ""
    return "finish" if "machine_state ## ]]\nfinish" in last else now


def _in_a_later_turn(site: Site, prompt: Prompt) -> Prompt:
    return _as_a_result("tool_result")(site, prompt) if prompt.inputs[HISTORY].messages else prompt


def _not_run(site: Site, perform: Perform, action: loop.Action) -> Episode[loop.Event]:
    is_only = site.state.max_steps == 1
    return at_once(loop.ToolReturned(observation="(interrupted)")) if is_only else perform(action)


class _NeedsNoStep:
    """Can be constructed without a step to take."""

    def __init__(self, *given: Any, **options: Any) -> None:
        max_steps = options.get("max_iters")
        super().__init__(*given, **options | ({"max_iters": 1} if max_steps == 0 else {}))
        if max_steps == 0:
            self.max_steps = 0


def _begins_without_a_step(site: Site, proceed: Proceed, given: dict[str, Any]) -> Beginning:
    if own_max_steps(site.agent.signature, given, site.agent.max_steps)[0]:
        return proceed(given)  # type: ignore[no-any-return]
    beginning = proceed(given | {"max_steps": 1})
    return beginning._replace(state=beginning.state.model_copy(update={"max_steps": 0}))  # type: ignore[no-any-return]


def _extracts_at_once(site: Site, perform: Perform, _action: loop.Action) -> Episode[loop.Event]:
    event = yield from perform(loop.AskExtraction())
    site.state = site.state.model_copy(update={"action": loop.AskExtraction()})
    return event


def _without_a_step(operator: Any) -> Any:
    """Return the operator, where there is no step to take."""
    return conversing(when(lambda site: site.state.max_steps == 0, operator))


def _interrupted_early(site: Site, now: str) -> str:
    return "interrupted" if now == "finish" and len(site.state.steps) == 1 else now


MUTANTS = {
    "inputs-undocumented-by-state": mutant(
        "CNV-004",
        "Documents an input that no state has.",
        adapter=said_by("system", lambda said: said.replace(_INPUTS, f"{_INPUTS}[[ ## history ## ]]\n{{history}}\n\n")),
    ),
    "state-left-out-of-the-message": mutant(
        "CNV-004", "Names the state in the user's query only.", adapter=_written_by(_stateless)
    ),
    "every-step-a-user-query": mutant(
        "CNV-005",
        "Asks for every step in the state `user_query`.",
        prompt=entered(lambda _, now: "user_query" if now == "tool_result" else now),
    ),
    "state-taken-from-a-result": mutant(
        "CNV-005",
        "Enters the state `finish` when a tool result looks as if it said so.",
        prompt=entered(_said_by_a_result),
    ),
    "second-turn-without-a-query": mutant(
        "CNV-005",
        "Gives the question of a later turn as a tool result.",
        prompt=asked_of("user_query", _in_a_later_turn),
    ),
    "only-tool-not-run-before-interruption": mutant(
        "CNV-005",
        "With a single step, is interrupted instead of running the tool.",
        perform=conversing(on(loop.RunTool, _not_run)),
    ),
    "interrupted-at-once": mutant(
        "CNV-005",
        "With no step to take, is interrupted before anything happened.",
        mixin=_NeedsNoStep,
        begin=conversing(_begins_without_a_step),
        perform=_without_a_step(on(loop.AskStep, _extracts_at_once)),
        prompt=_without_a_step(_as_a_result("interrupted")),
    ),
    "interrupted-by-an-early-finish": mutant(
        "CNV-005", "Is interrupted where the LM finishes before any tool has run.", prompt=entered(_interrupted_early)
    ),
}
