"""A fault is held against the requirement whose sentence speaks of it, and against no other."""

import pytest

from react_tck.catalogue.features import load_features
from react_tck.catalogue.selection import Selection
from react_tck.engine.run import Run
from react_tck.model.report import Verdict
from react_tck.reports.causes import format_headline
from react_tck.subjects.catalogue import resolve
from tests.support.suite_checks import Heard

pytest.importorskip("dspy", reason="the reference and its mutants need the extra 'reference'")

#: A row of each requirement that has to do with steps, and once asked for their thoughts.
ROWS = {
    "Each step request shows every result under its own step": "LOOP-002",
    "Each step gets the user's inputs and the trajectory": "STEP-003",
    "Each step request shows all parts of the steps before it": "STEP-003",
    "The extraction gets the trajectory after finish": "EXT-001",
    "The extraction gets the thought of a failed step": "EXT-001",
    "The trajectory holds all parts of an only step": "TRJ-002",
    "The trajectory of a long run holds every step": "TRJ-005",
    "The trajectory holds the steps that no longer fit into a prompt": "TRJ-005",
    "A tool that changes what it returned earlier does not rewrite the observation of it": "TRJ-006",
    "The trajectory records what a tool returned as it was": "TRJ-007",
    "The trajectory holds the steps of the loop and no earlier turn": "HIS-002",
    "The trajectory holds a step that was malformed at first like any other": "ERR-006",
    "The trajectory holds a tool's error between the steps around it": "ERR-007",
    "The trajectory holds every step that ran when the steps have run out": "ERR-013",
    "The record tells of the edited call, not of the original": "CNF-014",
    "The trajectory is a mapping of numbered keys": "UDS-001",
    "The agent drops the oldest steps as wholes and asks again": "CTX-001",
    "The agent drops more steps when a prompt still doesn't fit": "CTX-001",
    "The returned trajectory tells kept steps from dropped ones": "CTX-001",
    "The agent never leaves out the newest step, however often a prompt doesn't fit": "CTX-001",
}


def test_who_loses_a_thought_fails_one_requirement() -> None:
    name = "mutant:thought-not-read"
    chosen = Selection(profile="all", titles=frozenset(ROWS))
    report = Run(resolve(name), name, chosen).report(Heard())
    verdicts = {result.id: result.verdict for result in report.requirements}
    assert {verdicts[id_] for id_ in ROWS.values()} == {Verdict.PASSED, Verdict.FAILED}
    assert [id_ for id_, verdict in verdicts.items() if verdict is Verdict.FAILED] == ["TRJ-002"]


def test_who_meets_no_lm_fault_fails_nothing_about_them() -> None:
    about = {"ERR-012", "ERR-025", "ERR-026", "ERR-027"}
    titles = frozenset(each.title for each in load_features() if each.requirement_id in about)
    report = Run(
        resolve("python:tests.support.cheaters:inert"), "inert", Selection(profile="all", titles=titles)
    ).report(Heard())
    assert {result.verdict for result in report.requirements if result.id in about} == {Verdict.UNSUPPORTED}


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
