"""The shipped registry is complete: every requirement, its level, sentence and source, and every choice."""

import re
from collections import Counter

import pytest

from react_tck.catalogue.registry import Registry, load_registry


@pytest.fixture(name="shipped")
def _shipped() -> Registry:
    return load_registry()


# The shipped registry


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


# The models


def test_a_choice_knows_its_variants(subtests: pytest.Subtests) -> None:
    cases: list[tuple[str, str, bool]] = [
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
    ]
    for choice, variant, allowed in cases:
        with subtests.test(choice=choice, variant=variant, allowed=allowed):
            assert load_registry().choices_by_name[choice].allows_variant(variant) is allowed
