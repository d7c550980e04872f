"""A subject with one fault is told as that one, in rows that fail for several reasons."""

import pytest

from react_tck.catalogue.selection import Selection
from react_tck.engine.run import Run
from react_tck.results.books import Unheard
from react_tck.subjects.catalogue import resolve

TELLINGS = {
    "unknown-tool-not-recorded": (
        "TRJ-002",
        "The trajectory names the unknown tool that the LM selected",
        "The tools are offered natively, finish among them",
    ),
    "finish-recorded-in-part": (
        "TRJ-004",
        "The trajectory records finish as a whole step or not at all",
        "The loop takes max_steps steps if finish is never selected [1]",
        "The observation of a native call of a tool that raises is its error",
    ),
    "udspy-finish-not-among-tools": (
        "UDS-003",
        "The list of tools holds finish",
        "The tools are offered natively, finish among them",
    ),
    "global-adapter-ignored-in-extraction": (
        "ADP-001",
        "The extraction is asked for in the format of the global adapter [json]",
        "Steps are asked for in the format of the global adapter [json]",
    ),
    "answer-asked-for-until-it-can-be-read": (
        "ERR-008",
        "The agent bounds its requests for an answer it can't read",
        "The agent reads a field that stands twice in an answer as it declares",
        "The prediction has no text for a text output that is null [str, json]",
    ),
    "every-step-a-user-query": (
        "CNV-005",
        "A turn goes from the user's query over tool results to its finish",
        "A step that names an unknown tool stays in the conversation as it was said",
        "Every message names the fields not to be generated",
    ),
    "resume-ends-the-loop": (
        "CNF-003",
        "The loop continues with the confirmed tool's result",
        "The loop continues with every result beside its call",
        "The agent runs the edited one of two like calls of a turn",
        "The agent runs the tool without args where the edit gives none",
    ),
    "step-without-second-input": (
        "STEP-003",
        "Each step gets the user's inputs and the trajectory",
        "The LM is shown an empty text in the inputs in its place",
    ),
    "tool-run-twice": (
        "SAN-003",
        "The second turn goes on with the first",
        "The trajectory holds a step without args",
        "The trajectory holds every step that ran when the steps have run out [1]",
        "The context of a second suspension has the steps before the first, too",
    ),
}


@pytest.mark.parametrize("mutant", TELLINGS)
def test_one_fault_is_told_as_one_cause(mutant: str) -> None:
    requirement, *rows = TELLINGS[mutant]
    selection = Selection(profile="all", titles=frozenset(rows))
    report = Run(resolve(f"mutant:{mutant}"), f"mutant:{mutant}", selection, replays=False).report(Unheard())
    assert len(selection.rows) == len(rows)
    assert [cause.requirement for cause in report.causes] == [requirement]


def test_a_text_that_is_not_there_is_not_escaped() -> None:
    """What became of it is ERR-022's affair."""
    row = 'The LM reads a text in a result unescaped ["é ß ñ 日本語 🙂", "é ß ñ 日本語 🙂"]'
    subject = "mutant:observations-stripped-to-ascii"
    report = Run(resolve(subject), subject, Selection(profile="all", titles=frozenset({row})), replays=False)
    assert "ERR-014" not in {cause.requirement for cause in report.report(Unheard()).causes}
