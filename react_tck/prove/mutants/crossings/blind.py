"""Crossings written before their author had seen a variation or another crossing, from the requirements alone."""

import json
from typing import Any

import dspy
from dspy.utils.exceptions import ContextWindowExceededError

from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.crossings import NotesLoading, crossing, is_loaded
from react_tck.prove.mutants.operators.replies import of_users_tools, where_finish_ends
from react_tck.prove.mutants.operators.runs import (
    Perform,
    Proceed,
    after,
    before,
    earlier_of,
    is_async,
    on,
    on_request,
    raised,
    then,
    to,
    used,
    when,
)
from react_tck.prove.mutants.operators.views import LmReply, outputs_changed, reading, steps_shown, transcribing
from react_tck.reference import loop
from react_tck.reference.drive import Episode
from react_tck.reference.dspy_tools import bound_of
from react_tck.reference.effects import UseTool
from react_tck.reference.loop.entries import turns_of
from react_tck.reference.seams import Beginning, Site


def has_run_out(site: Site) -> bool:
    """Tell whether the steps ran out before the LM said that it was done."""
    return not site.state.finished


def as_texts(_site: Site, outputs: dict[str, Any]) -> dict[str, Any]:
    """Return outputs as a reply has them, before they are typed."""
    return {
        name: value if isinstance(value, str) else json.dumps(value, default=str) for name, value in outputs.items()
    }


def _first_adapter(site: Site, adapter: Any) -> Any:
    return site.memory.setdefault(f"adapter {site.prompt.predictor}", adapter)


def _adapter_of_the_followed(site: Site, adapter: Any) -> Any:
    site.memory["begun with"] = begun = site.memory["begun with"] if earlier_of(site.state) else adapter
    return begun


def _is_native(site: Site) -> bool:
    adapter = site.agent.adapter or dspy.settings.adapter
    lm = dspy.settings.lm
    can_call = lm is not None and bool(lm.supports_function_calling)
    return can_call and (adapter is None or adapter.use_native_function_calling)


def _without_nulls(_site: Site, call: loop.Call) -> loop.Call:
    return call.model_copy(update={"args": {name: value for name, value in call.args.items() if value is not None}})


def _breaker(site: Site, perform: Perform, action: Any) -> Episode[loop.Event]:
    broken = site.memory.setdefault("broken", {})
    now = id(site)
    if broken.get(action.call.name, now) != now:
        return loop.ToolFailed(reason=f"{action.call.name} is out of order")
    event = yield from perform(action)
    if isinstance(event, loop.ToolFailed):
        broken[action.call.name] = now
    return event


def _noting_garbled(site: Site, proceed: Proceed, reply: LmReply) -> dict[str, Any]:
    try:
        fields: dict[str, Any] = proceed(reply)
    except Exception:
        site.kept["garbled"] = True
        raise
    return fields


def _keeping_history(site: Site, beginning: Beginning) -> Beginning:
    site.memory["history"] = {
        name: value for name, value in beginning.inputs.items() if isinstance(value, dspy.History) and value.messages
    }
    return beginning


def _kept_history(site: Site, prompt: Any) -> Any:
    own = {name: value for name, value in site.asked.items() if isinstance(value, dspy.History)}
    if not own:
        return prompt
    site.asked = {**site.asked, **site.memory.get("history", {})}
    return site.agent._make_prompt(site.state, site.state.action, site.asked)


_SAID = "Final Answer:"


def _last_thought(site: Site, outputs: dict[str, Any]) -> dict[str, Any]:
    steps = site.state.steps
    _, found, said = (steps[-1].thought if steps else "").partition(_SAID)
    return (
        {name: said.strip() if isinstance(value, str) else value for name, value in outputs.items()}
        if found
        else outputs
    )


def nulls_as_texts(_site: Site, outputs: dict[str, Any]) -> dict[str, Any]:
    """Return outputs with the text `None` for each that is null."""
    return {name: "None" if value is None else value for name, value in outputs.items()}


def _nulls_as_texts_beside_numbers(site: Site, outputs: dict[str, Any]) -> dict[str, Any]:
    return nulls_as_texts(site, outputs) if any(type(value) is int for value in outputs.values()) else outputs


def ending_the_turn(kind: Any) -> Any:
    """In the seam `advance`: the calls of a turn behind one with an event of this kind aren't run."""

    def follow(_site: Site, event: loop.Event, following: loop.State) -> loop.State:
        if not isinstance(event, kind) or (not following.pending and not isinstance(following.action, loop.RunTool)):
            return following
        if turns_of(following.taken) >= following.max_steps:
            return to(following.model_copy(update={"pending": ()}), loop.AskExtraction())
        return to(following.model_copy(update={"pending": ()}), loop.AskStep())

    return then(follow)


class _Untold:
    """A tool run without a word to callbacks."""

    def __init__(self, use: UseTool) -> None:
        self._use = use

    def run(self) -> Any:
        """Run the tool in this thread."""
        return self._use.run()

    async def arun(self) -> Any:
        """Run the tool without blocking the event loop."""
        return await bound_of(self._use.tool).ainvoke(self._use.args)


MUTANTS = {
    "awaited-answer-lacks-the-last-step": crossing(
        "EXT-001",
        "Awaited, asks for the outputs after the last step without showing that step.",
        prompt=where_finish_ends(
            when(
                lambda site: is_async(site) and has_run_out(site) and bool(site.state.steps),
                on_request("extraction", steps_shown(lambda steps: steps[:-1])),
            )
        ),
    ),
    "awaited-adapter-is-the-first": crossing(
        "ADP-005",
        "Awaited, asks with the adapter that was in force when it was awaited for the first time.",
        adapter=when(is_async, _first_adapter),
    ),
    "follow-up-keeps-the-adapter": crossing(
        "ADP-005",
        "Asks in a follow-up with the adapter of the call that it follows.",
        adapter=transcribing(_adapter_of_the_followed),
    ),
    "native-null-is-no-arg": mutant(
        "TOOL-001",
        "Leaves out args that are null where calls are native.",
        args=of_users_tools(when(_is_native, before(_without_nulls))),
    ),
    "loaded-outputs-are-texts": crossing(
        "SIG-005",
        "Gives typed outputs as texts once a saved program is loaded.",
        mixin=NotesLoading,
        prediction=when(is_loaded, outputs_changed(as_texts)),
    ),
    "failed-tool-is-broken-for-good": mutant(
        "ISO-001", "Doesn't run a tool that failed in an earlier call.", perform=on(loop.RunTool, _breaker)
    ),
    "outputs-are-texts-after-a-garbled-reply": mutant(
        "ERR-006",
        "Gives typed outputs as texts where a reply of the call couldn't be read.",
        adapter=reading(_noting_garbled),
        prediction=when(lambda site: "garbled" in site.kept, outputs_changed(as_texts)),
    ),
    "history-of-the-last-call": mutant(
        "ISO-002",
        "Keeps the history on the agent: of two calls at once, both show that of the one that began last.",
        begin=after(_keeping_history),
        prompt=_kept_history,
        is_timed=True,
    ),
    "final-answer-in-a-thought-at-the-end": crossing(
        "SAN-007",
        "Takes what stands behind `Final Answer:` in the last thought for the answer where the steps have run out.",
        prediction=when(has_run_out, outputs_changed(_last_thought)),
    ),
    "null-is-none-at-the-end": mutant(
        "EXT-006",
        "Gives the text `None` for an output that is null where the steps have run out.",
        prediction=when(has_run_out, outputs_changed(nulls_as_texts)),
    ),
    "null-is-none-beside-a-number": mutant(
        "EXT-006",
        "Gives the text `None` for an output that is null where another one is a number.",
        prediction=outputs_changed(_nulls_as_texts_beside_numbers),
    ),
    "failed-call-ends-the-turn": mutant(
        "TRN-013", "Runs no call of a turn after one that failed.", advance=ending_the_turn(loop.ToolFailed)
    ),
    "awaited-tools-are-untold": mutant(
        "OBS-001",
        "Awaited, runs tools without telling callbacks.",
        perform=when(is_async, used(lambda use: _Untold(use))),  # type: ignore[arg-type, return-value]
    ),
    "awaited-prompt-isnt-shortened": crossing(
        "CTX-001",
        "Awaited, ends with an error where a prompt doesn't fit.",
        perform=when(
            is_async, raised(loop.DoesNotFit, lambda _: ContextWindowExceededError(message="the prompt doesn't fit"))
        ),
    ),
}
