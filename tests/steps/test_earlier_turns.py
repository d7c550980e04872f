"""What a request shows of earlier turns is looked for in the messages that show them, not in results behind them."""

import pytest

from react_tck.catalogue.selection import Selection
from react_tck.engine.run import Run
from react_tck.model.report import Verdict
from react_tck.subjects.api import Subject
from tests.support.suite_checks import Heard

pytest.importorskip("dspy", reason="the reference and its mutants need the extra 'reference'")

_ROW = "The steps are shown every value of the earlier turns, and no other"
_TRAJECTORY = "[[ ## trajectory ## ]]"


def make_subject(between: str = "") -> Subject:
    """A reference that shows its steps in a message of their own, and ends no paragraph.

    Where something is to stand between the turns, it stands in a message that shows no value of theirs.
    """
    from react_tck.prove.mutants.operators.views import writing
    from react_tck.reference.seams import Seams
    from tests.false_positives.agents import UnusualAgent

    def divide(_site: object, messages: list[dict[str, str]]) -> list[dict[str, str]]:
        *before, last = messages
        asked, mark, steps = last["content"].rpartition(_TRAJECTORY)
        first, turn, second = asked.partition("Turn 2\n")
        parts = (first, between, turn + second, mark + steps) if between else (asked, mark + steps)
        told = [text.strip().replace("\n\n", "\n") for text in parts if text]
        return [*before, *({**last, "content": text} for text in told)]

    return UnusualAgent("steps-apart", "Shows its steps apart.", Seams(adapter=writing(divide))).make_subject()


def test_a_value_that_nobody_gave_is_found_in_a_message_of_its_own() -> None:
    heard = Heard()
    Run(make_subject("source: None"), "unusual:steps-apart", Selection(profile="all", title=_ROW)).report(heard)
    failed = [result for result in heard.results if result.verdict is Verdict.FAILED]
    assert failed
    assert "shows 'None' as a value" in failed[0].message
