"""`reference.TranscriptReAct`: what its prompts show, and what it makes of odd values, in text and natively."""

import pytest

from react_tck.model.intent import Fault, Intent, Submit

pytest.importorskip("dspy")


from react_tck.reference import TranscriptReAct
from react_tck.reference.loop import STRICT
from tests.reference.test_dropin_reactv2 import FIVE, TranscriptStage
from tests.support.dspy_stage import ADD, add


@pytest.fixture(name="stage")
def _stage() -> TranscriptStage:
    return TranscriptStage()


def test_a_forced_submit_that_is_none_is_an_error(stage: TranscriptStage, subtests: pytest.Subtests) -> None:
    cases: list[Intent] = [ADD, Submit(outputs={})]
    for said in cases:
        with subtests.test(said=said):
            agent = TranscriptReAct("question -> answer", [add], max_iters=1)
            with stage.submits(ADD, said), pytest.raises(ValueError, match=r"submit|answer"):
                agent(question="2+3?")


def test_history_that_does_not_fit_though_nothing_may_go(stage: TranscriptStage) -> None:
    agent = TranscriptReAct("question -> answer", [add])
    with stage.submits(Fault(fault="context-window"), FIVE):
        prediction = agent(question="2+3?")
    assert (prediction.answer, prediction.termination_reason) == ("5", "forced_submit")


def test_what_is_no_history_is_refused(subtests: pytest.Subtests) -> None:
    cases: list[object] = [{"messages": [{"role": "nobody"}]}, {"messages": "all"}, 7]
    for history in cases:
        with (
            subtests.test(history=history),
            pytest.raises(ValueError, match=r"the history has a turn with none of|validation error"),
        ):
            TranscriptReAct("question -> answer", [add])(question="2+3?", history=history)


def test_missing_and_unknown_inputs_are_refused(subtests: pytest.Subtests) -> None:
    cases: list[dict[str, str]] = [{}, {"question": "2+3?", "colour": "red"}]
    for inputs in cases:
        with subtests.test(inputs=inputs), pytest.raises(ValueError, match="input"):
            TranscriptReAct("question -> answer", [add], policy=STRICT)(**inputs)
