"""A fault is held against the requirement whose sentence speaks of it, and against no other."""

import pytest

from react_tck.catalogue.selection import Selection
from react_tck.engine.run import Run
from react_tck.model.report import Verdict
from react_tck.reports.causes import format_headline
from react_tck.subjects.catalogue import resolve
from tests.support.suite_checks import Heard

pytest.importorskip("dspy", reason="the reference and its mutants need the extra 'reference'")


@pytest.mark.parametrize(
    ("name", "choice", "titles"),
    [
        ("unknown-name-extracts", "unknown-tool", {"The agent runs no tool on an unknown tool name"}),
        (
            "tool-error-not-as-declared",
            "tool-error",
            {"The LM observes the text of a tool's error", "The LM may use a tool again that failed"},
        ),
        (
            "malformed-args-extract",
            "malformed-args",
            {"The agent asks the LM again after args that aren't JSON, whatever the dialect"},
        ),
        (
            "malformed-reply-extracts",
            "malformed-reply",
            {"The agent asks the LM again after a step that is cut off, or ends with an error"},
        ),
    ],
)
def test_a_contradicted_declaration_heads_what_fails_and_breaks_nothing_else(
    name: str, choice: str, titles: set[str]
) -> None:
    """The cause was the sentence behind it, such as that the error of a tool is the observation of its step."""
    report = Run(resolve(f"mutant:{name}"), name, Selection(profile="all", titles=frozenset(titles))).report(Heard())
    assert [each.id for each in report.requirements if each.verdict is Verdict.FAILED] == ["SAN-010"]
    (cause,) = report.causes
    assert format_headline(cause) == f"SAN-010, {choice} is not as declared"
    assert "; if that is right, declare " in cause.message
