"""The shipped registry is complete: every requirement, its level, sentence and source, and every choice."""

import re
from collections import Counter

import pytest
from pydantic import ValidationError

from react_tck.catalogue.registry import DEFAULT_PATH, Registry, load_registry
from react_tck.model.requirement import Choice, Requirement


@pytest.fixture(name="shipped")
def _shipped() -> Registry:
    return load_registry()


# The shipped registry


def test_shipped_registry_holds_every_requirement_of_every_profile(shipped: Registry) -> None:
    assert {profile: len(rows) for profile, rows in shipped.by_profile.items()} == {
        "core": 65,
        "sanitizer": 12,
        "robustness": 34,
        "conversation": 13,
        "transcript": 17,
        "confirmation": 15,
        "udspy": 5,
        "upstream": 6,
    }
    assert len(shipped.by_id) == len(shipped.requirements)


def test_shipped_levels_are_those_of_the_catalogue(shipped: Registry) -> None:
    assert {row.id for row in shipped.requirements if row.level == "SHOULD"} == {
        *("STEP-005", "EXT-004", "EXT-005", "TRN-010", "CNF-005", "CNF-013"),
    }
    assert {row.id for row in shipped.requirements if row.level == "MAY"} == {"TRN-007"}
    assert {row.id for row in shipped.requirements if row.severity == "critical"} == {
        *("SAN-006", "SAN-012", "ERR-002", "ERR-003", "ERR-004", "ERR-005", "ERR-009", "ERR-018", "ERR-025"),
        *("ISO-002", "CNF-015"),
    }


def test_shipped_row_is_read_exactly(shipped: Registry) -> None:
    assert shipped.by_id["LOOP-001"] == Requirement(
        id="LOOP-001",
        level="MUST",
        profile="core",
        sentence=(
            "On a step with next_tool_name and next_tool_args, "
            "the named tool is executed exactly once with exactly those args."
        ),
        basis="stated",
        quote="the system SHALL execute the referenced tool with those args",
        where="S4 R2.1",
        since=1,
    )


def test_shipped_row_that_is_a_choice_says_so_in_its_note(shipped: Registry) -> None:
    row = shipped.by_id["LOOP-011"]
    assert (row.severity, row.note) == ("minor", "The number is the choice `max-steps-default`.")


def test_only_what_revision_2_added_may_wait_for_its_scenarios(shipped: Registry) -> None:
    for row in shipped.requirements:
        assert row.pending in (None, *(["Its scenarios are to come."] if row.since == 2 else [])), row.id
        assert row.excluded is None


def test_rows_that_revision_2_made_precise_still_have_their_earlier_sentence(shipped: Registry) -> None:
    revised = [row for row in shipped.requirements if 1 in row.was]
    assert {row.id for row in revised} >= {"ERR-001", "ERR-002", "ERR-003", "ERR-004", "ERR-012", "LOOP-004"}
    for row in revised:
        assert row.since == 1
        assert row.was[1].sentence not in (None, row.sentence)


def test_ids_of_an_area_are_consecutive_so_that_none_was_dropped(shipped: Registry) -> None:
    numbers = Counter(row.area for row in shipped.requirements)
    expected = [f"{area}-{number:03}" for area, count in numbers.items() for number in range(1, count + 1)]
    assert [row.id for row in shipped.requirements] == expected


def test_sentences_are_whole_and_leave_the_level_to_the_registry(shipped: Registry) -> None:
    for row in shipped.requirements:
        assert row.sentence.endswith("."), row.id
        assert not re.search(r"\b(MUST|SHOULD|MAY|SHALL)\b", row.sentence), row.id


def test_choices_that_rows_speak_of_exist(shipped: Registry) -> None:
    spoken_of = re.compile(r"choice `([^`]+)`")
    texts = " ".join(f"{row.sentence} {row.note or ''}" for row in shipped.requirements)
    assert len(shipped.choices_by_name) == 22
    assert set(spoken_of.findall(texts)) <= set(shipped.choices_by_name)
    assert shipped.choices_by_name["tool-error"].variants == ("observe", "error")


def test_shipped_sources_are_the_five_documents_and_the_revision(shipped: Registry) -> None:
    assert list(shipped.sources) == ["S0", "S1", "S2", "S3", "S4", "S4+"]
    assert shipped.revision == 3


def test_line_of_a_row_is_known(shipped: Registry) -> None:
    line = shipped.lines["ERR-007"]
    text = DEFAULT_PATH.read_text(encoding="utf-8").splitlines()
    assert text[line - 1 : line + 1] == ["[[requirement]]", 'id = "ERR-007"']


def test_shipped_registry_is_read_once() -> None:
    assert load_registry() is load_registry()


# The models


def test_requirement_is_frozen(shipped: Registry) -> None:
    with pytest.raises(ValidationError):
        shipped.by_id["LOOP-001"].level = "MAY"  # type: ignore[misc]


@pytest.mark.parametrize("id_", ["LOOP-001", "SIG-001"])
def test_areas_have_three_or_four_letters(id_: str, shipped: Registry) -> None:
    assert shipped.by_id[id_].area == id_.split("-")[0]


def test_requirement_needs_a_scenario_unless_it_is_a_sanitizer_or_put_off(shipped: Registry) -> None:
    assert shipped.by_id["LOOP-001"].needs_scenario
    assert not shipped.by_id["SAN-001"].needs_scenario
    assert not shipped.by_id["LOOP-001"].model_copy(update={"pending": "later"}).needs_scenario


def test_choice_may_have_a_note() -> None:
    assert Choice(name="x", variants=("a",), note="why").note == "why"


@pytest.mark.parametrize(
    ("choice", "variant", "allowed"),
    [
        ("malformed-reply", "retries 0, then observe", True),
        ("malformed-reply", "retries 12, then error", True),
        ("malformed-reply", "observe", False),
        ("malformed-reply", "retries n, then observe", False),
        ("max-steps-default", "20", True),
        ("max-steps-default", "many", False),
        ("unknown-tool", "observe and continue", True),
        ("unknown-tool", "observe", False),
        ("extraction", "chain-of-thought, or none (submit)", True),
        ("extraction", "chain-of-thought, or else", False),
        ("repeated-field", "last", True),
        ("repeated-field", "first in chat, or last in json", True),
        ("repeated-field", "none in chat", False),
        ("tool-error", "observe in chat", False),
    ],
)
def test_a_choice_knows_its_variants(choice: str, variant: str, allowed: bool) -> None:
    assert load_registry().choices_by_name[choice].allows_variant(variant) is allowed
