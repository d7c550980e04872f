"""`--requirements 1`: the rows and sentences that revision 1 had, and none of the scenarios that came later."""

from dataclasses import replace

from react_tck.catalogue.registry import load_registry, requirements_of
from react_tck.catalogue.selection import Selection
from react_tck.cli.commands.run import report_of
from react_tck.model.report import Verdict
from react_tck.results.books import Unheard


def test_an_earlier_revision_has_its_own_rows_and_sentences() -> None:
    first, newest = requirements_of(1), load_registry()
    assert first.revision == 1
    assert set(first.by_id) == {row.id for row in newest.requirements if row.since == 1}
    assert "SAN-010" not in first.by_id
    assert first.by_id["ERR-003"].sentence == newest.by_id["ERR-003"].was[1].sentence
    assert (first.by_id["ERR-003"].was, first.by_id["ERR-003"].level) == ({}, "MUST")
    assert requirements_of(None) is newest


def test_scenarios_of_what_was_split_off_are_those_of_the_whole_in_an_earlier_revision() -> None:
    split = {row.id: row.split_from for row in load_registry().requirements if row.split_from}
    assert split["LOOP-011"] == "LOOP-008"
    newest, second = (
        {row.title: row.requirement_id for row in Selection(profile="all", requirements=revision).rows}
        for revision in (None, 2)
    )
    moved = {title for title, id_ in newest.items() if id_ in split and title in second}
    assert moved
    for title, id_ in second.items():
        was = newest[title]
        while title in moved and was != id_ and was in split:
            was = split[was] or ""
        assert was == id_


def test_what_a_judge_sees_of_a_part_counts_for_the_whole_in_an_earlier_revision() -> None:
    chosen = Selection(title="The tool gets the args of its own call after an unknown tool name", profile="robustness")
    reports = [
        report_of("mutant:unknown-name-lost", replace(chosen, requirements=revision), Unheard())
        for revision in (None, 2)
    ]
    parts = {"ERR-001", "ERR-028"}
    failed = [{r.id for r in report.requirements if r.verdict is Verdict.FAILED} & parts for report in reports]
    assert failed == [{"ERR-028"}, {"ERR-001"}]
