"""Violations around the typed submit: TRN-002, TRN-003, TRN-005, TRN-009 and TRN-012."""

from collections.abc import Callable, Iterable
from typing import Any

import dspy

from react_tck.fakes.mutants.mutant import mutant
from react_tck.fakes.mutants.transcript_history import OtherEntriesKept
from react_tck.model.base import JsonObject
from react_tck.reference import loop_transcript as loop
from react_tck.reference.drive import Episode
from react_tck.reference.loop_entries import Answer, Call, Entries, Entry, Turn
from react_tck.reference.signatures import SignatureType, checked_signature
from react_tck.reference.tools import BoundTool, bind, bind_all
from react_tck.reference.transcript import TranscriptReAct
from react_tck.reference.transcript_signatures import task_signature

# TRN-002


class _Lenient(TranscriptReAct):
    """Offers another `submit` than the one it checks the outputs with."""

    def _offered(self) -> list[dspy.Tool]:
        *tools, _ = super()._offered()
        return [*tools, self._other()]

    def _other(self) -> dspy.Tool:
        raise NotImplementedError


@mutant("submit-untyped", "TRN-002")
class SubmitUntyped(_Lenient):
    """Offers the outputs as parameters of any type."""

    def _other(self) -> dspy.Tool:
        tool = self.submit
        return dspy.Tool(tool.function, name=tool.name, desc=tool.description, args={name: {} for name in tool.args})


@mutant("submit-takes-one-text", "TRN-002")
class SubmitTakesOneText(_Lenient):
    """Offers one parameter for whatever there is to say."""

    def _other(self) -> dspy.Tool:
        def submit(result: str) -> str:
            """Commits the final result."""
            return result

        return dspy.Tool(submit)


@mutant("finish-offered-too", "TRN-002")
class FinishOfferedToo(TranscriptReAct):
    """Offers `finish` beside `submit`."""

    def _offered(self) -> list[dspy.Tool]:
        def finish() -> None:
            """Call this when 'finish' is all there is to do."""

        return [*super()._offered(), dspy.Tool(finish)]


@mutant("finish-ends-the-run", "TRN-002")
class FinishEndsTheRun(TranscriptReAct):
    """Takes a call of `finish` for the end, and asks for the answer."""

    def _advance(self, state: loop.State, event: loop.Event) -> loop.State:
        following = super()._advance(state, event)
        finished = isinstance(event, loop.TurnChosen) and any(call.name == "finish" for call in event.calls)
        return following.model_copy(update={"action": loop.AskAnswer()}) if finished else following


# TRN-003


def _submitted(state: loop.State) -> bool:
    return isinstance(state.action, loop.Done) and state.action.termination == "submit"


@mutant("submit-followed-by-extraction", "TRN-003")
class SubmitFollowedByExtraction(TranscriptReAct):
    """Takes a submit for the end of the loop only, and asks for the outputs in a request of its own."""

    def _advance(self, state: loop.State, event: loop.Event) -> loop.State:
        following = super()._advance(state, event)
        if not _submitted(following):
            return following
        return following.model_copy(update={"action": loop.AskAnswer(), "history": following.history[:-1]})


@mutant("submit-asks-once-more", "TRN-003")
class SubmitAsksOnceMore(TranscriptReAct):
    """Lets the LM look at what it submitted, whatever it then says."""

    def _episode(self, inputs: dict[str, Any]) -> Episode[dspy.Prediction]:
        prediction = yield from super()._episode(inputs)
        yield self._ask(self.react, self._begin({**inputs, "history": prediction.history}))
        return prediction


@mutant("first-turn-never-ends-a-run", "TRN-003")
class FirstTurnNeverEndsARun(TranscriptReAct):
    """Doesn't believe an answer that comes at once."""

    def _advance(self, state: loop.State, event: loop.Event) -> loop.State:
        following = super()._advance(state, event)
        turns = [entry for entry in following.taken if isinstance(entry, Turn)]
        if not (_submitted(following) and len(turns) == 1):
            return following
        return following.model_copy(update={"action": loop.AskTurn(), "outputs": None})


# TRN-005


@mutant("missing-outputs-made-up", "TRN-005")
class MissingOutputsMadeUp(TranscriptReAct):
    """Fills in what was not submitted."""

    def _submitted(self, outputs: JsonObject) -> loop.Event:
        return super()._submitted({**dict.fromkeys(self.signature.output_fields, ""), **outputs})


@mutant("mistyped-outputs-accepted", "TRN-005")
class MistypedOutputsAccepted(TranscriptReAct):
    """Commits whatever was submitted for an output."""

    def _submitted(self, outputs: JsonObject) -> loop.Event:
        return loop.Committed(outputs=outputs)

    def _outputs(self, state: loop.State) -> dict[str, Any]:
        return dict(state.outputs or {})


@mutant("refused-submit-ends-the-run", "TRN-005")
class RefusedSubmitEndsTheRun(TranscriptReAct):
    """Raises where outputs are refused."""

    def _use(self, call: Call) -> Episode[loop.Event]:
        event = yield from super()._use(call)
        if call.name == loop.SUBMIT and isinstance(event, loop.CallFailed):
            raise ValueError(event.reason)
        return event


@mutant("refusal-without-a-reason", "TRN-005")
class RefusalWithoutAReason(TranscriptReAct):
    """Refuses outputs without a word on what is wrong."""

    def _use(self, call: Call) -> Episode[loop.Event]:
        event = yield from super()._use(call)
        refused = call.name == loop.SUBMIT and isinstance(event, loop.CallFailed)
        return loop.CallFailed(reason="refused") if refused else event


@mutant("tools-gone-after-a-refusal", "TRN-005")
class ToolsGoneAfterARefusal(TranscriptReAct):
    """Knows no tool but `submit` once one was refused."""

    def _advance(self, state: loop.State, event: loop.Event) -> loop.State:
        following = super()._advance(state, event)
        refused = isinstance(event, loop.CallFailed) and isinstance(state.action, loop.RunCall)
        return following.model_copy(update={"tools": ()}) if refused else following


# TRN-009


@mutant("outputs-become-text", "TRN-009")
class OutputsBecomeText(TranscriptReAct):
    """Gives every output as text."""

    def _outputs(self, state: loop.State) -> dict[str, Any]:
        return {name: str(value) for name, value in super()._outputs(state).items()}


@mutant("only-the-first-output-is-given", "TRN-009")
class OnlyTheFirstOutputIsGiven(TranscriptReAct):
    """Takes the first output for the answer."""

    def _outputs(self, state: loop.State) -> dict[str, Any]:
        return dict(list(super()._outputs(state).items())[:1])


@mutant("fallback-outputs-become-text", "TRN-009")
class FallbackOutputsBecomeText(OutputsBecomeText):
    """Gives the outputs of a fallback as text."""

    def _outputs(self, state: loop.State) -> dict[str, Any]:
        if state.action == loop.Done(termination="extract"):
            return super()._outputs(state)
        return TranscriptReAct._outputs(self, state)


@mutant("terminal-message-of-the-first-output", "TRN-009")
class TerminalMessageOfTheFirstOutput(OtherEntriesKept):
    """Builds the terminal message, and the call that led to it, from one output."""

    def _kept(self, history: Entries) -> Entries:
        return tuple(map(_cut, history))


def _cut(entry: Entry) -> Entry:
    if isinstance(entry, Answer):
        return Answer(outputs=_first(entry.outputs))
    if isinstance(entry, Turn):
        calls = tuple(c.model_copy(update={"args": _first(c.args)}) for c in entry.tool_calls)
        return entry.model_copy(update={"tool_calls": calls})
    return entry


def _first(values: JsonObject) -> JsonObject:
    return dict(list(values.items())[:1])


# TRN-012


@mutant("tool-named-submit-accepted", "TRN-012")
class ToolNamedSubmitAccepted(TranscriptReAct):
    """Puts its own `submit` in the place of a tool of that name."""

    def _bind(self, tools: Iterable[Callable[..., Any]]) -> dict[str, BoundTool]:
        return bind_all((tool for tool in tools if bind(tool).name != loop.SUBMIT), reserved=loop.SUBMIT)


def _renamed(signature: str | SignatureType, names: Iterable[str]) -> SignatureType:
    made = checked_signature(signature)
    for name in set(names) & {"history"}:
        field = made.fields[name]
        made = made.delete(name).append(f"{name}_", field, type_=field.annotation)
    return made


@mutant("output-named-history-accepted", "TRN-012")
class OutputNamedHistoryAccepted(TranscriptReAct):
    """Calls an output of a reserved name by another one."""

    def _task_signature(self, signature: str | SignatureType) -> SignatureType:
        return task_signature(_renamed(signature, checked_signature(signature).output_fields))


@mutant("input-named-history-accepted", "TRN-012")
class InputNamedHistoryAccepted(TranscriptReAct):
    """Calls an input of a reserved name by another one."""

    def _task_signature(self, signature: str | SignatureType) -> SignatureType:
        return task_signature(_renamed(signature, checked_signature(signature).input_fields))
