"""A trajectory that is a text, read step by step, though several steps have one thought."""

import pytest

from react_tck.judges.verdict import Violation
from react_tck.model.intent import CallTool
from react_tck.model.record import ToolRan
from react_tck.steps.core.trajectory import TakenStep, text_holds, text_tells_once

FORMS = {
    "headings": "[[ ## thought_{n} ## ]]\n{thought}\n\n[[ ## tool_name_{n} ## ]]\nsearch\n\n"
    "[[ ## tool_args_{n} ## ]]\n{args}\n\n[[ ## observation_{n} ## ]]\n{seen}\n\n",
    "labels": "Thought: {thought}\nAction: search\nAction Input: {args}\nObservation: {seen}\n\n",
}


def _taken(thought: str, *results: str) -> list[TakenStep]:
    steps: list[TakenStep] = []
    for number, result in enumerate(results, 1):
        call = CallTool(tool="search", args={"query": f"query {number}"}, thought=thought)
        run = ToolRan(invocation=0, tool="search", args=call.args, result=result)
        steps.append(TakenStep(number, call, run, is_known=True))
    return steps


def _text(form: str, taken: list[TakenStep], *seen: str) -> str:
    return "".join(
        FORMS[form].format(n=n, thought=step.call.thought, args=f'{{"query": "query {n + 1}"}}', seen=told)
        for n, (step, told) in enumerate(zip(taken, seen, strict=True))
    )


def test_an_observation_in_its_place_is_the_result_to_the_blank() -> None:
    taken = _taken("I look it up.", "Oslo  and\n\n Rome")
    text_holds(_text("headings", taken, "Oslo  and\n\n Rome"), taken)
    with pytest.raises(Violation, match="observation"):
        text_holds(_text("headings", taken, "Oslo and Rome"), taken)


def test_a_lost_thought_is_missed_by_who_asks_for_it(subtests: pytest.Subtests) -> None:
    for form in FORMS:
        with subtests.test(form=form):
            taken = _taken("I look it up.", "Oslo", "Rome")
            text = _text(form, taken, "Oslo", "Rome").replace("I look it up.", "")
            text_tells_once(text, taken)
            text_holds(text, taken, ("tool", "args", "observation"))
            with pytest.raises(Violation, match="shows 'Rome'"):
                text_holds(text.replace("Rome", "Bern"), taken, ("observation",))
            with pytest.raises(Violation, match="thought"):
                text_holds(text, taken)
