"""Violations of how the agent asks the user (CNF-011)."""

import json
from collections.abc import Callable, Iterable
from typing import Any

from react_tck.fakes.mutants.misread import Heard, Reading
from react_tck.fakes.mutants.mutant import mutant
from react_tck.reference import loop
from react_tck.reference.confirming import clarification
from react_tck.reference.react import ReAct
from react_tck.reference.response import CLARIFY, Response
from react_tck.reference.tools import BoundTool


@mutant("clarification-in-other-words", "CNF-011")
class ClarificationInOtherWords(ReAct):
    """Asks the user to confirm the question instead of asking it."""

    def _question(self, call: loop.AwaitResponse) -> str:
        return f"Confirm execution of {call.tool} with args: {json.dumps(call.args)}? (yes/no)"


@mutant("clarification-answers-itself", "CNF-011")
class ClarificationAnswersItself(ReAct):
    """Goes on without the user when it has a question."""

    def _awaited(self) -> tuple[str, ...]:
        return tuple(name for name in super()._awaited() if name != CLARIFY)


@mutant("clarification-not-told", "CNF-011")
class ClarificationNotTold(Reading):
    """Doesn't tell the agent what the user answered."""

    def _misread(self, heard: Heard) -> Response:
        return heard.told("The user has answered.") if heard.call.tool == CLARIFY else heard.response


@mutant("clarification-reads-a-verdict", "CNF-011")
class ClarificationReadsAVerdict(Reading):
    """Takes yes and no for a verdict on the question, not for its answer."""

    def _misread(self, heard: Heard) -> Response:
        verdicts = {"yes": "The question was approved.", "no": "The question was rejected."}
        is_verdict = heard.call.tool == CLARIFY and heard.said in verdicts
        return heard.told(verdicts[heard.said]) if is_verdict else heard.response


@mutant("clarification-always-offered", "CNF-011")
class ClarificationAlwaysOffered(ReAct):
    """Has the clarification tool whether or not it is enabled."""

    def _bind(self, tools: Iterable[Callable[..., Any]]) -> dict[str, BoundTool]:
        return {CLARIFY: clarification(), **super()._bind(tools)}
