"""Violations of what becomes of an extraction that can't be read (ERR-011)."""

from typing import Any

import dspy
from dspy.utils.exceptions import AdapterParseError

from react_tck.dialects.fields import TOOL_NAME
from react_tck.fakes.mutants.mending import Mending, joined, sections
from react_tck.fakes.mutants.mutant import mutant
from react_tck.reference import loop
from react_tck.reference.drive import Episode
from react_tck.reference.react import ReAct


class _Answering(ReAct):
    """Answers all the same where the extraction can't be read; `_instead` says what, given the error."""

    def _extraction(self, state: loop.State, inputs: dict[str, Any]) -> Episode[dspy.Prediction]:
        try:
            return (yield from super()._extraction(state, inputs))
        except AdapterParseError as error:
            return dspy.Prediction(**self._instead(state, error))

    def _instead(self, state: loop.State, error: AdapterParseError) -> dict[str, Any]:
        raise NotImplementedError


@mutant("missing-outputs-as-none", "ERR-011")
class MissingOutputsAsNone(_Answering):
    """Reports a success with None for every output where the answer can't be read."""

    def _instead(self, state: loop.State, error: AdapterParseError) -> dict[str, Any]:  # noqa: ARG002 - always None
        return dict.fromkeys(self.signature.output_fields)


@mutant("prose-as-answer", "ERR-011")
class ProseAsAnswer(_Answering):
    """Takes all that the LM said for the answer where it has no fields."""

    def _instead(self, state: loop.State, error: AdapterParseError) -> dict[str, Any]:  # noqa: ARG002 - no matter
        return dict.fromkeys(self.signature.output_fields, error.lm_response)


@mutant("observation-for-an-unread-answer", "ERR-011")
class ObservationForAnUnreadAnswer(_Answering):
    """Answers with the last tool's result where the answer can't be read."""

    def _instead(self, state: loop.State, error: AdapterParseError) -> dict[str, Any]:  # noqa: ARG002 - no matter
        last = str(state.steps[-1].observation) if state.steps else ""
        return dict.fromkeys(self.signature.output_fields, last)


class _MendedAnswers(Mending):
    """Mends extractions only; `_mended_answer` says how."""

    def _mended(self, completion: str, fields: list[str]) -> str:
        return completion if TOOL_NAME in fields else self._mended_answer(completion, fields)

    def _mended_answer(self, completion: str, fields: list[str]) -> str:
        raise NotImplementedError


@mutant("truncated-answer-accepted", "ERR-011")
class TruncatedAnswerAccepted(_MendedAnswers):
    """Takes an answer that is cut off for a whole one."""

    def _mended_answer(self, completion: str, fields: list[str]) -> str:
        parts = sections(completion)
        return joined(parts) if set(fields) <= set(dict(parts)) else completion


@mutant("first-of-contradicted-answers", "ERR-011")
class FirstOfContradictedAnswers(_MendedAnswers):
    """Takes the first of two answers that contradict each other."""

    def _mended_answer(self, completion: str, fields: list[str]) -> str:  # noqa: ARG002 - whichever
        parts = sections(completion)
        return joined(list(dict(reversed(parts)).items())[::-1]) if parts else completion


@mutant("missing-outputs-as-empty", "ERR-011")
class MissingOutputsAsEmpty(_MendedAnswers):
    """Fills in an empty text for an output that the answer lacks."""

    def _mended_answer(self, completion: str, fields: list[str]) -> str:
        said = dict(sections(completion))
        return joined([(name, said.get(name, "")) for name in fields]) if len(said) > 1 else completion


@mutant("readable-answer-changed", "ERR-011")
class ReadableAnswerChanged(_MendedAnswers):
    """Reads an answer by the order of its fields, whatever their names."""

    def _mended_answer(self, completion: str, fields: list[str]) -> str:
        parts = sections(completion)
        texts = [text for _, text in parts]
        return joined(list(zip(fields, texts, strict=False))) if len(texts) > len(fields) else completion


@mutant("unreadable-answer-breaks-off", "ERR-011")
class UnreadableAnswerBreaksOff(ReAct):
    """Looks an output up that isn't there."""

    def _extraction(self, state: loop.State, inputs: dict[str, Any]) -> Episode[dspy.Prediction]:
        try:
            return (yield from super()._extraction(state, inputs))
        except AdapterParseError as error:
            raise KeyError(next(iter(self.signature.output_fields))) from error
