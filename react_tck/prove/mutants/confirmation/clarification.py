"""Violations of how the agent asks the user (CNF-011)."""

from react_tck.prove.mutants.mutant import mutant
from react_tck.prove.mutants.operators.responses import Heard, is_answer, misread, telling, unasked
from react_tck.prove.mutants.operators.runs import after
from react_tck.reference.confirmation import CLARIFY
from react_tck.reference.confirmation.waiting import make_clarification_tool

_VERDICTS = {"yes": "The question was approved.", "no": "The question was rejected."}


def _is_verdict(heard: Heard) -> bool:
    return is_answer(heard) and heard.said in _VERDICTS


MUTANTS = (
    mutant(
        "clarification-answers-itself",
        "CNF-011",
        "Goes on without the user when it has a question.",
        begin=unasked,
    ),
    mutant(
        "clarification-reads-a-verdict",
        "CNF-011",
        "Takes yes and no for a verdict on the question, not for its answer.",
        response=misread(_is_verdict, lambda heard: telling(_VERDICTS[heard.said])(heard)),
    ),
    mutant(
        "clarification-always-offered",
        "CNF-011",
        "Has the clarification tool whether or not it is enabled.",
        tools=after(lambda _, tools: {CLARIFY: make_clarification_tool(), **tools}),
    ),
)
