"""Who shows the tools it allows in another place than beside the field is judged by STEP-001's sentence."""

import re
from collections.abc import Callable

import pytest

from react_tck.catalogue.selection import Selection
from react_tck.engine.run import Run
from react_tck.model.report import Verdict
from react_tck.subjects.api import Subject
from tests.support.suite_checks import Heard

pytest.importorskip("dspy", reason="the reference and its mutants need the extra 'reference'")

#: The field's values, as dspy's adapters say them.
_VALUES = r"a valid Python Literal\[[^\]]*\]|Literal\[[^\]]*\]|[^\n#]*one of: \w+(?:; \w+)*"
Change = Callable[[str], str]


def make_subject(change: Change) -> Subject:
    """A reference that says of the field only "one of the available functions"; `change` is made to its prompts."""
    from react_tck.prove.mutants.operators.views import writing
    from react_tck.reference.seams import Seams
    from tests.false_positives.agents import UnusualAgent

    def reword(_site: object, messages: list[dict[str, str]]) -> list[dict[str, str]]:
        return [
            {**each, "content": change(re.sub(_VALUES, "one of the available functions", each["content"]))}
            for each in messages
        ]

    return UnusualAgent("list-elsewhere", "Lists its tools elsewhere.", Seams(adapter=writing(reword))).make_subject()


def judge(change: Change) -> Verdict:
    """What becomes of the requirement."""
    report = Run(make_subject(change), "unusual:list-elsewhere", Selection(tags="@STEP-001")).report(Heard())
    return next(result.verdict for result in report.requirements if result.id == "STEP-001")


def test_a_list_elsewhere_constrains_the_tool() -> None:
    assert judge(lambda text: text) is Verdict.PASSED


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("one of the available functions", "any text"),
        lambda text: re.sub(r"\(\d\) finish:", "Then:", text),
        lambda text: text.replace("(1)", "(0) weather: Reports the weather.\n(1)"),
    ],
    ids=["any text", "a tool is not listed", "another tool is listed"],
)
def test_a_list_elsewhere_has_to_be_exact(change: Change) -> None:
    assert judge(change) is Verdict.FAILED
