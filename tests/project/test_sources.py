"""docs/sources/: each sentence of the sources that says what a system does has its answer, and is counted."""

import re
import tomllib

import pytest

from tests.support.documents import ROOT

#: How many sentences each document has at least.
LEAST = {"000": 69, "001": 47, "002": 34, "003": 87, "004": 19}


def list_sentences(source: str) -> list[list[str]]:
    """The rows of a document's table: number, words, requirements, note."""
    lines = (ROOT / "docs" / "sources" / f"{source}.md").read_text(encoding="utf-8").splitlines()
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines if re.match(r"\| \d", line)]


def list_requirements() -> list[dict[str, str]]:
    """Those that count, as they are written."""
    registry = tomllib.loads((ROOT / "features" / "requirements.toml").read_text(encoding="utf-8"))
    return [each for each in registry["requirement"] if not each.get("retired")]


def test_no_sentence_is_without_an_answer(subtests: pytest.Subtests) -> None:
    known = {each["id"] for each in list_requirements()}
    for source, least in LEAST.items():
        with subtests.test(source=source):
            said = list_sentences(source)
            assert [int(number) for number, *_ in said] == [*range(1, len(said) + 1)]
            assert len(said) >= least
            open_ones = [row for row in said if not re.match(r"excluded: \w.{8}", row[2])]
            assert [row for row in open_ones if not set(row[2].split(", ")) <= known] == []


def test_what_a_requirement_quotes_is_a_sentence_of_its_source() -> None:
    held = {(source, id_) for source in LEAST for row in list_sentences(source) for id_ in row[2].split(", ")}
    quoting = {
        (f"00{each['where'][1]}", each["id"])
        for each in list_requirements()
        if "where" in each and each["where"] != "S4+"
    }

    assert {(source, id_) for source, id_ in quoting if source in LEAST} - held == set()
