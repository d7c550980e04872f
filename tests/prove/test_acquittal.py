"""Nobody who is right is accused; who declares otherwise than it does is."""

from itertools import chain
from typing import Any

import pytest

pytest.importorskip("dspy")

from react_tck.catalogue.features import load_features
from react_tck.catalogue.registry import load_registry
from react_tck.catalogue.sampling import Vary
from react_tck.cli.main import main
from react_tck.processes.workers.workers import Serial
from react_tck.prove.acquittal import Accusation, Acquittal, Hearing, acquit_innocents, deal_rows, try_subject
from react_tck.prove.innocents import (
    describe_innocent,
    find_innocent_subject,
    list_innocents,
    list_policies,
    load_agents,
)
from react_tck.prove.policies import AGAINST_SOURCES, list_variants
from react_tck.reference.loop import Policy
from react_tck.reports.printing import terminal
from react_tck.reports.proof import show_acquittal
from react_tck.subjects.catalogue import REFERENCES, UnknownSubject, resolve
from react_tck.subjects.libraries.reference import react
from tests.support.subject_checks import Declaring

MAKE = dict(zip(REFERENCES, (react.subject, react.transcript, react.conversation, react.udspy), strict=True))
ROWS = {row.title: row for scenario in load_features() for row in scenario.rows}
#: The rows that end with a choice.
CHOICES = frozenset(title for title, row in ROWS.items() if any('the choice "' in step.text for step in row.steps))
VARIED: tuple[Vary, ...] = ("none", "sample")
UNKNOWN = frozenset(title for title in CHOICES if any("unknown-tool" in step.text for step in ROWS[title].steps))


def test_who_declares_otherwise_than_it_does_is_accused() -> None:
    extracting = react.subject(Policy(unknown_tool="extract"))
    assert try_subject(extracting, "right", UNKNOWN).accusations == ()
    wrong = try_subject(Declaring(extracting, react.subject(Policy()).initialize()), "wrong", UNKNOWN)
    assert "SAN-010" in {each.requirement.partition(" ")[0] for each in wrong.accusations}
    assert all(each.reproduce.endswith(" innocent:wrong") for each in wrong.accusations)


@pytest.mark.parametrize(
    "name", ["reference-2", "reference-transcript-2", "reference-conversation-2", "reference-udspy-2"]
)
def test_a_policy_that_is_rightly_declared_is_accused_of_nothing_where_choices_show(name: str) -> None:
    hearing = try_subject(find_innocent_subject(name), name, CHOICES)
    assert hearing.accusations == ()
    assert hearing.passed


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
    assert try_subject(make(Policy(**choices)), "right", frozenset({row})).accusations == ()


@pytest.mark.parametrize(("excluded", "ruling"), AGAINST_SOURCES.items())
def test_what_is_not_dealt_breaks_the_must_that_rules_it_out(
    excluded: tuple[str, str, Any], ruling: tuple[str, str]
) -> None:
    (name, field, variant), (requirement, quote) = excluded, ruling
    said = load_registry().by_id[requirement]
    assert said.level == "MUST"
    assert quote in (said.quote or "")
    subject = MAKE[name](Policy(**{field: variant}))
    accusations = try_subject(subject, "excluded", _list_rows(requirement)).accusations
    assert any(each.requirement.startswith(f"{requirement} (MUST") for each in accusations)


def test_who_ends_with_a_tools_error_breaks_one_practice_and_no_must() -> None:
    """S3, which asks for more, binds udspy alone."""
    failing = react.subject(Policy(tool_error="error"))
    accused = {each.requirement for each in try_subject(failing, "failing", _list_rows("ERR-007")).accusations}
    assert accused == {"ERR-007 (practice, major)"}


def _list_dealt(name: str) -> frozenset[str]:
    share = deal_rows()[name]
    return share.once | (share.full or frozenset())


def _list_rows(requirement: str) -> frozenset[str]:
    return frozenset(row.title for each in load_features() if each.requirement_id == requirement for row in each.rows)


@pytest.mark.parametrize("name", load_agents())
def test_an_unusual_agent_is_accused_of_nothing(name: str) -> None:
    some = frozenset(sorted(_list_dealt(name))[::20])
    hearing = try_subject(find_innocent_subject(name), name, some)
    assert hearing.accusations == ()
    assert hearing.passed


def test_rows_that_pass_are_played_under_variations_too() -> None:
    name = "reference-0"
    asis, varied = (try_subject(find_innocent_subject(name), name, UNKNOWN, vary=vary) for vary in VARIED)
    assert asis.accusations == varied.accusations == ()
    assert asis.passed < varied.passed <= 2 * asis.passed


def test_an_accusation_under_a_variation_names_the_row_and_how_it_is_played() -> None:
    name = "mutant:async-unknown-tool-not-recorded"
    row = "The trajectory names the unknown tool that the LM selected"
    accusations = try_subject(resolve(name), name, frozenset({row}), vary="all").accusations
    assert f"{row} {{async}}" in {each.row for each in accusations}
    assert all(" --vary all " in each.reproduce for each in accusations if "{" in each.row)


@pytest.mark.parametrize("words", [("--vary", "all"), ("--acquit", "--write"), ("--acquit", "--by", "fuzz")])
def test_what_does_not_go_with_an_acquittal_is_refused(words: tuple[str, ...]) -> None:
    assert main(("prove", *words)) == 2


def test_a_row_with_trouble_is_played_under_every_variant_in_each_class() -> None:
    [row] = [title for title in ROWS if title == "The agent treats a tool's error as it declares"]
    for react_name in REFERENCES:
        dealt = [
            each.policy.model_dump()
            for name, each in list_policies().items()
            if each.react == react_name and row in _list_dealt(name)
        ]
        variants = list_variants(react_name)
        assert {name: {each[name] for each in dealt} for name in variants} == {n: {*v} for n, v in variants.items()}


def test_every_row_is_dealt_to_each_class_and_to_an_unusual_agent() -> None:
    for names in (*([n for n, b in list_policies().items() if b.react == name] for name in REFERENCES), load_agents()):
        assert set().union(*(_list_dealt(name) for name in names)) == {*ROWS}
        assert all(deal_rows()[name].full for name in names)
        assert sorted(chain.from_iterable(deal_rows()[name].full or () for name in names)) == sorted(ROWS)


def test_an_innocent_is_a_subject_by_its_name() -> None:
    assert resolve("innocent:reference-transcript-0").initialize().choices["fallback"] == "forced submit"
    assert "transcript" in resolve("innocent:last-call-first").initialize().capabilities
    with pytest.raises(UnknownSubject, match="no innocent 'guilty'"):
        resolve("innocent:guilty")


def test_all_of_them_say_what_is_special_about_them() -> None:
    assert len(load_agents()) >= 11
    assert len({describe_innocent(name) for name in list_innocents()}) > 70


def test_an_acquittal_that_is_cut_short_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    class Interrupted(Serial):
        def map(self, *_: Any, **__: Any) -> Any:
            raise KeyboardInterrupt

    acquittal = acquit_innocents(["reference-0"], Interrupted())
    show_acquittal(acquittal, terminal())
    assert acquittal.is_interrupted
    assert "interrupted after 0 of 0 innocents acquitted" in capsys.readouterr().out


def test_an_accusation_is_shown_with_the_command_that_shows_it_again(capsys: pytest.CaptureFixture[str]) -> None:
    accused = Accusation("LOOP-001 (MUST)", "A row", "it ran twice", "react-tck run innocent:reference-1 -k 'A row'")
    hearings = (Hearing("reference-1", 3, (accused,)), Hearing("reference-2", 0, ()))
    show_acquittal(Acquittal(hearings), terminal())
    said = capsys.readouterr().out
    assert "reference-1 fails LOOP-001 (MUST) in 'A row': it ran twice" in said
    assert "react-tck run innocent:reference-1 -k 'A row'" in said
    assert "reference-2 passed no row" in said
    assert "1 of 2 innocents acquitted, 3 rows passed: 2 problems" in said
