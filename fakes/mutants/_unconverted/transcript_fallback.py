"""Violations around the end of a run that didn't submit, and around saved programs: TRN-006 and TRN-011."""

from typing import Any

import dspy

from react_tck.fakes.mutants.mutant import mutant
from react_tck.reference import loop_transcript as loop
from react_tck.reference.drive import Episode
from react_tck.reference.loop_entries import Answer
from react_tck.reference.transcript import TranscriptReAct
from react_tck.reference.transcript_history import public

_EXTRACTED = loop.Done(termination="extract")


# TRN-006


@mutant("no-fallback", "TRN-006")
class NoFallback(TranscriptReAct):
    """Raises when the steps have run out."""

    def _advance(self, state: loop.State, event: loop.Event) -> loop.State:
        following = super()._advance(state, event)
        if isinstance(following.action, loop.AskAnswer):
            raise RuntimeError("the steps have run out")
        return following


@mutant("fallback-forgets-the-history", "TRN-006")
class FallbackForgetsTheHistory(TranscriptReAct):
    """Asks for the answer with nothing but the request."""

    def _answer(self, state: loop.State) -> Episode[loop.Event]:
        return (yield from super()._answer(state.model_copy(update={"history": state.taken[:1]})))


@mutant("fallback-in-another-shape", "TRN-006")
class FallbackInAnotherShape(TranscriptReAct):
    """Ends the history of a fallback with a remark of its own kind."""

    def _history(self, state: loop.State) -> dspy.History:
        made = super()._history(state)
        if state.action != _EXTRACTED:
            return made
        return dspy.History(messages=[*made.messages[:-1], {"fallback": made.messages[-1]}])


@mutant("fallback-answer-missing-from-history", "TRN-006")
class FallbackAnswerMissingFromHistory(TranscriptReAct):
    """Puts the answer into the history only if it was submitted."""

    def _history(self, state: loop.State) -> dspy.History:
        if state.action != _EXTRACTED:
            return super()._history(state)
        return public(tuple(entry for entry in state.history if not isinstance(entry, Answer)))


@mutant("unreadable-reply-ends-the-run", "TRN-006")
class UnreadableReplyEndsTheRun(TranscriptReAct):
    """Raises where a reply can't be read."""

    def _turn(self, state: loop.State) -> Episode[loop.Event]:
        event = yield from super()._turn(state)
        if isinstance(event, loop.TurnMalformed):
            raise ValueError(event.reason)
        return event


@mutant("no-fallback-after-a-refusal", "TRN-006")
class NoFallbackAfterARefusal(TranscriptReAct):
    """Raises when the steps have run out on a submit that was refused."""

    def _advance(self, state: loop.State, event: loop.Event) -> loop.State:
        following = super()._advance(state, event)
        if isinstance(following.action, loop.AskAnswer) and _was_refused(state, event):
            raise ValueError("the outputs were refused")
        return following


def _was_refused(state: loop.State, event: loop.Event) -> bool:
    is_submit = isinstance(state.action, loop.RunCall) and state.action.call.name == loop.SUBMIT
    return is_submit and isinstance(event, loop.CallFailed)


# TRN-011


@mutant("tools-lost-in-a-saved-program", "TRN-011")
class ToolsLostInASavedProgram(TranscriptReAct):
    """Has no tools once it is loaded."""

    def load_state(self, state: dict[str, Any], **options: Any) -> None:
        super().load_state(state, **options)
        self.tools = {}


@mutant("instructions-not-saved", "TRN-011")
class InstructionsNotSaved(TranscriptReAct):
    """Saves the program of its fallback, and no instructions of its turns."""

    def load_state(self, state: dict[str, Any], **options: Any) -> None:
        instructions = self.react.signature.instructions
        super().load_state(state, **options)
        self.react.signature = self.react.signature.with_instructions(instructions)


@mutant("fallback-not-saved", "TRN-011")
class FallbackNotSaved(TranscriptReAct):
    """Saves the program of its turns, and forgets that of its fallback."""

    def load_state(self, state: dict[str, Any], **options: Any) -> None:
        instructions = self.extract.signature.instructions
        super().load_state(state, **options)
        self.extract.signature = self.extract.signature.with_instructions(instructions)
