"""Violations of how a transcript's run ends: by the typed submit, or without one (TRN-002 to TRN-012)."""

from collections.abc import Callable
from typing import Any

import dspy

from react_tck.model.base import JsonObject
from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.replies import values_changed
from react_tck.prove.mutants.operators.runs import (
    Perform,
    before,
    of_tool,
    on,
    on_request,
    raised,
    raised_at_the_end,
    ran,
    then,
    to,
)
from react_tck.prove.mutants.operators.views import entries_kept, inputs, outputs_changed, transcribing
from react_tck.reference import loop
from react_tck.reference.drive import Episode
from react_tck.reference.seams import Edit, Prompt, Site
from react_tck.reference.signatures.react import SignatureType, checked_signature
from react_tck.reference.signatures.transcript import TOOLS
from react_tck.reference.tools import bind_tool

_REFUSED = loop.ToolFailed | loop.ArgsMismatched


def _offered(change: Callable[[Site, list[dspy.Tool]], list[dspy.Tool]]) -> Edit[Prompt]:
    """Other tools than there are, `submit` the last of them, offered to the LM."""
    changed = inputs(lambda site, shown: shown | {TOOLS: change(site, shown[TOOLS])})
    return transcribing(on_request("step", changed))  # type: ignore[no-any-return]


def _untyped(_site: Site, tools: list[dspy.Tool]) -> list[dspy.Tool]:
    *others, made = tools
    return [*others, dspy.Tool(made.func, name=made.name, desc=made.desc, args={name: {} for name in made.args})]


def _finish_too(_site: Site, tools: list[dspy.Tool]) -> list[dspy.Tool]:
    def finish() -> None:
        """Call this when 'finish' is all there is to do."""

    return [*tools, dspy.Tool(finish)]


def _ends_by_finish(_site: Site, event: loop.Event, following: loop.State) -> loop.State:
    finished = isinstance(event, loop.StepChosen) and any(call.name == loop.FINISH for call in event.calls)
    return to(following, loop.AskExtraction()) if finished else following


def _submitted(state: loop.State) -> bool:
    return state.action == loop.End(termination="submit")


def _extracts(_site: Site, _event: loop.Event, following: loop.State) -> loop.State:
    if not _submitted(following):
        return following
    return to(following, loop.AskExtraction()).model_copy(update={"history": following.history[:-1]})


def _not_at_once(_site: Site, _event: loop.Event, following: loop.State) -> loop.State:
    turns = [entry for entry in following.taken if isinstance(entry, loop.AssistantTurn)]
    if not (_submitted(following) and len(turns) == 1):
        return following
    return to(following, loop.AskStep()).model_copy(update={"outputs": None, "finished": False})


def _if_refused(instead: Callable[[str], loop.Event]) -> Any:
    """Another event where outputs are refused."""

    def performed(_site: Site, perform: Perform, action: Any) -> Episode[loop.Event]:
        event = yield from perform(action)
        if action.call.name == loop.SUBMIT and isinstance(event, _REFUSED):
            return instead(event.reason)
        return event

    return transcribing(on(loop.RunTool, performed))


def _tools_gone(_site: Site, event: loop.Event, following: loop.State) -> loop.State:
    return following.model_copy(update={"tools": ()}) if isinstance(event, _REFUSED) else following


_as_text = values_changed(str)


def _cut(entry: loop.Entry) -> loop.Entry:
    if isinstance(entry, loop.FinalAnswer):
        return loop.FinalAnswer(outputs=_first(entry.outputs))
    if isinstance(entry, loop.AssistantTurn):
        calls = tuple(c.model_copy(update={"args": _first(c.args)}) for c in entry.tool_calls)
        return entry.model_copy(update={"tool_calls": calls})
    return entry


def _first(values: JsonObject) -> JsonObject:
    return dict(list(values.items())[:1])


def _renamed(fields: str) -> Any:
    """Give a field named `history` another name."""

    def made(_site: Site, signature: str | SignatureType) -> SignatureType:
        task = checked_signature(signature)
        for name in set(getattr(task, fields)) & {"history"}:
            field = task.fields[name]
            task = task.delete(name).append(f"{name}_", field, type_=field.annotation)
        return task

    return transcribing(before(made))


def _others_too(site: Site, perform: Perform, action: loop.RunTool) -> Episode[loop.Event]:
    event = yield from perform(action)
    for call in site.state.pending if isinstance(event, loop.Committed) else ():
        yield from perform(ran(call))
    return event


def _with_what_was_refused(site: Site, call: loop.Call) -> loop.Call:
    turns = [entry for entry in site.state.taken if isinstance(entry, loop.AssistantTurn)]
    made = [each.args for turn in turns for each in turn.tool_calls if each.name == loop.SUBMIT]
    known = {name: value for args in made for name, value in args.items() if name in site.agent.signature.output_fields}
    return call.model_copy(update={"args": known | call.args})


def _raise_after_a_refusal(site: Site, event: loop.Event, following: loop.State) -> loop.State:
    is_submit = isinstance(site.state.action, loop.RunTool) and site.state.action.call.name == loop.SUBMIT
    was_refused = is_submit and isinstance(event, loop.ToolFailed | loop.ArgsMismatched)
    if isinstance(following.action, loop.AskExtraction) and was_refused:
        raise ValueError("the outputs were refused")
    return following


class _Toolless(dspy.Module):
    """Has no tools once it is loaded."""

    def load_state(self, state: dict[str, Any], **options: Any) -> None:
        super().load_state(state, **options)
        self.tools: dict[str, Any] = {}


def _keeping_instructions(name: str) -> type[Any]:
    """Load nothing of what a predictor is told."""

    class Keeping(dspy.Module):
        def load_state(self, state: dict[str, Any], **options: Any) -> None:
            kept = [(predictor, predictor.signature.instructions) for predictor in _predictors(self, name)]
            super().load_state(state, **options)
            for predictor, instructions in kept:
                predictor.signature = predictor.signature.with_instructions(instructions)

    return Keeping


def _predictors(module: dspy.Module, name: str) -> list[Any]:
    return [predictor for path, predictor in module.named_predictors() if path.startswith(name)]


MUTANTS = {
    "submit-untyped": mutant("TRN-002", "Offers the outputs as parameters of any type.", prompt=_offered(_untyped)),
    "finish-offered-too": mutant("TRN-002", "Offers `finish` beside `submit`.", prompt=_offered(_finish_too)),
    "finish-ends-the-run": mutant(
        "TRN-002",
        "Takes a call of `finish` for the end, and asks for the answer.",
        advance=transcribing(then(_ends_by_finish)),
    ),
    "submit-followed-by-extraction": mutant(
        "TRN-003",
        "Takes a submit for the end of the loop only, and asks for the outputs in a request of its own.",
        advance=then(_extracts),
    ),
    "first-turn-never-ends-a-run": mutant(
        "TRN-003", "Doesn't believe an answer that comes at once.", advance=then(_not_at_once)
    ),
    "refusal-without-a-reason": mutant(
        "TRN-005",
        "Refuses outputs without a word on what is wrong.",
        perform=_if_refused(lambda _: loop.ToolFailed(reason="refused")),
    ),
    "tools-gone-after-a-refusal": mutant(
        "TRN-005", "Knows no tool but `submit` once one was refused.", advance=transcribing(then(_tools_gone))
    ),
    "outputs-become-text": mutant(
        "TRN-009", "Gives every output as text.", prediction=transcribing(outputs_changed(_as_text))
    ),
    "fallback-outputs-become-text": mutant(
        "TRN-009",
        "Gives the outputs of a fallback as text.",
        prediction=transcribing(
            outputs_changed(lambda site, outputs: outputs if _submitted(site.state) else _as_text(site, outputs))
        ),
    ),
    "terminal-message-of-the-first-output": mutant(
        "TRN-009",
        "Builds the terminal message, and the call that led to it, from one output.",
        prediction=transcribing(entries_kept(lambda _site, history: tuple(map(_cut, history)))),
    ),
    "tool-named-submit-accepted": mutant(
        "TRN-012",
        "Puts its own `submit` in the place of a tool of that name.",
        tools=transcribing(before(lambda _, tools: [tool for tool in tools if bind_tool(tool).name != loop.SUBMIT])),
    ),
    "output-named-history-accepted": mutant(
        "TRN-012", "Calls an output of a reserved name by another one.", signature=_renamed("output_fields")
    ),
    "input-named-history-accepted": mutant(
        "TRN-012", "Calls an input of a reserved name by another one.", signature=_renamed("input_fields")
    ),
    "calls-run-behind-a-submit": mutant(
        "TRN-015",
        "Runs all the calls of a turn, those behind a successful submit too.",
        perform=on(loop.RunTool, _others_too),
    ),
    "refused-submit-lends-its-outputs": mutant(
        "TRN-005",
        "Takes what a submit lacks from those that were refused.",
        args=of_tool(loop.SUBMIT, before(_with_what_was_refused)),
    ),
    "no-fallback": mutant(
        "TRN-006", "Raises when the steps have run out.", advance=transcribing(then(raised_at_the_end))
    ),
    "unreadable-reply-ends-the-run": mutant(
        "TRN-006",
        "Raises where a reply can't be read.",
        perform=transcribing(raised(loop.StepMalformed, lambda event: ValueError(event.reason))),
    ),
    "no-fallback-after-a-refusal": mutant(
        "TRN-006",
        "Raises when the steps have run out on a submit that was refused.",
        advance=transcribing(then(_raise_after_a_refusal)),
    ),
    "tools-lost-in-a-saved-program": mutant("TRN-011", "Has no tools once it is loaded.", mixin=_Toolless),
    "fallback-not-saved": mutant(
        "TRN-011",
        "Saves the program of its turns, and forgets that of its fallback.",
        mixin=_keeping_instructions("extract"),
    ),
}
