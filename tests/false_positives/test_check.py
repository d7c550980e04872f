"""Nothing is held against who is right; who declares otherwise than it does is found."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import pytest
from click.testing import CliRunner

pytest.importorskip("dspy")

from react_tck.catalogue.features import load_features
from react_tck.catalogue.registry import load_registry
from react_tck.catalogue.sampling import find_way
from react_tck.catalogue.selection import Selection
from react_tck.engine import judging
from react_tck.engine.session import CollectedRows, collect_rows
from react_tck.judges.table import JUDGES, EpisodeJudge
from react_tck.judges.verdict import Violation
from react_tck.record.evidence import Evidence
from react_tck.reference.loop import Policy
from react_tck.subjects.api import Subject
from react_tck.subjects.catalogue import REFERENCES, resolve
from react_tck.subjects.libraries.reference import react
from tests.false_positives import check as checking
from tests.false_positives.__main__ import command
from tests.false_positives.check import Checked, check_subject
from tests.false_positives.policies import AGAINST_SOURCES
from tests.false_positives.subjects import describe_subject
from tests.support.subject_checks import Declaring

MAKE = dict(zip(REFERENCES, (react.subject, react.transcript, react.conversation, react.udspy), strict=True))
ROWS = {row.title: row for scenario in load_features() for row in scenario.rows}
EXECUTES = "ReAct selects and executes a tool"
UNKNOWN = [title for title, row in ROWS.items() if any('the choice "unknown-tool"' in step.text for step in row.steps)]


def check(subject: Subject, *titles: str) -> Checked:
    """What comes of a subject in these rows, played in this process."""
    found: list[Checked] = []
    way = max(map(find_way, titles))
    rows = [row for row in Selection("all", vary=way).rows if row.title.startswith(titles) or row.title in titles]
    collect_rows(rows, lambda collected: found.append(check_subject(subject, "reference-1", titles, collected)))
    return found[0]


def list_rows(requirement: str) -> Sequence[str]:
    return [title for each in load_features() if each.requirement_id == requirement for title in each.row_titles]


def test_who_declares_otherwise_than_it_does_is_found() -> None:
    extracting = react.subject(Policy(unknown_tool="extract"))
    assert check(extracting, *UNKNOWN).found == ()
    wrong = check(Declaring(extracting, react.subject(Policy()).initialize()), *UNKNOWN)
    assert "SAN-010" in {each.requirement.partition(" ")[0] for each in wrong.found}


def test_what_is_wrongly_held_against_a_policy_fails_the_check_with_a_command(monkeypatch: pytest.MonkeyPatch) -> None:
    def accuse(evidence: Evidence) -> Iterator[Violation]:
        yield Violation("nothing at all", "the judge is wrong", evidence.record.requests[0], requirement_id="LOOP-001")

    def play_here(rows: Iterable[Any], plays: Sequence[Callable[[CollectedRows], Checked]], _: int) -> list[Checked]:
        found: list[Checked] = []
        collect_rows(rows, lambda collected: found.extend(play(collected) for play in plays))
        return found

    monkeypatch.setattr(checking, "play_apart", play_here)
    words = ["reference-2", "-k", EXECUTES]
    assert CliRunner().invoke(command, words).exit_code == 0
    monkeypatch.setattr(judging, "JUDGES", (*JUDGES, EpisodeJudge("wrong", "departures", accuse)))
    done = CliRunner().invoke(command, words)
    assert done.exit_code == 1
    assert "fails LOOP-001 (MUST, S4 R2.1) in 'ReAct selects and executes a tool': " in done.output
    assert f"  python -m tests.false_positives reference-2 -k '{EXECUTES}'\n" in done.output
    assert describe_subject("reference-2") in done.output
    assert "1 false positives" in done.output


def test_a_false_positive_under_a_variation_names_the_row_as_it_is_played() -> None:
    row = "The trajectory names the unknown tool that the LM selected {async}"
    found = check(resolve("mutant:async-unknown-tool-not-recorded"), row)
    assert row in {each.row for each in found.found}
    assert f"-k '{row}'" in "".join(found.list_problems())


@pytest.mark.parametrize(
    ("make", "choices", "row"),
    [
        (react.subject, {"tool_error": "error"}, "A call waits that is made again after it was agreed to and failed"),
        (react.subject, {"lm_fault": "observe"}, "The agent gives up on a provider that is down for good [timeout]"),
        (react.transcript, {}, "The trajectory holds the steps of a run whose prompt didn't fit twice"),
        (react.transcript, {"unknown_tool": "extract"}, "The agent treats an unknown tool name as it declares"),
        (react.transcript, {"lm_fault": "observe"}, "The agent gives up on a provider that is down for good [timeout]"),
        (react.transcript, {"lm_fault": "observe"}, "A call after a failed one behaves as it would alone"),
        (react.transcript, {"malformed_reply": "error"}, "The run goes on after replies that can't be read"),
        (
            react.transcript,
            {"repeated_field": "last", "fallback": "extract"},
            "The agent reads a field that stands twice in an answer as it declares",
        ),
        (
            react.transcript,
            {"unknown_tool": "error"},
            "The agent runs the calls behind <what> in one turn [an unknown tool, multiply]",
        ),
        (
            react.transcript,
            {"tool_error": "error"},
            "A call that fails doesn't take away the results of the others [chat]",
        ),
        (
            react.transcript,
            {"malformed_args": "error", "malformed_reply": "extract"},
            "The agent doesn't run a tool without parameters on args that aren't JSON [nothing]",
        ),
        (
            react.subject,
            {"repeated_field": "last", "malformed_reply": "error"},
            "The agent runs a plainly readable broken step as it is meant, or not at all [two-replies]",
        ),
        (react.subject, {"extraction": "predict"}, "The demos of the extraction are kept"),
        (
            react.transcript,
            {"schema_mismatch": "error"},
            "The fallback runs after submits that are refused again and again",
        ),
    ],
)
def test_what_was_once_held_against_a_policy_no_longer_is(make: Any, choices: dict[str, Any], row: str) -> None:
    assert row in ROWS
    assert check(make(Policy(**choices)), row).found == ()


@pytest.mark.parametrize(("excluded", "ruling"), AGAINST_SOURCES.items())
def test_what_no_policy_has_breaks_the_must_that_rules_it_out(
    excluded: tuple[str, str, Any], ruling: tuple[str, str]
) -> None:
    (name, field, variant), (requirement, quote) = excluded, ruling
    said = load_registry().by_id[requirement]
    assert said.level == "MUST"
    assert quote in (said.quote or "")
    subject = MAKE[name](Policy(**{field: variant}))
    found = check(subject, *list_rows(requirement)).found
    assert any(each.requirement.startswith(f"{requirement} (MUST") for each in found)


def test_who_declares_to_end_with_a_tools_error_is_not_asked_to_go_on() -> None:
    """S3, which asks for that, binds udspy alone."""
    assert check(react.subject(Policy(tool_error="error")), *list_rows("ERR-007")).found == ()


def test_a_subject_of_the_check_is_a_subject_by_its_name() -> None:
    module = "python:tests.false_positives.subjects"
    assert resolve(f"{module}:reference-transcript-0").initialize().choices["fallback"] == "forced submit"
    assert "transcript" in resolve(f"{module}:last-call-first").initialize().capabilities
