"""Revision 3 of the requirements: every row says who says so, and the quotes stand in the sources."""

import hashlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

from react_tck.catalogue.registry import DEFAULT_PATH, load_registry, requirements_of
from react_tck.model.requirement import Ground

_CHECK_QUOTES = Path(__file__).parents[2].parent / "shared" / "check_quotes"
_ROWS = load_registry().requirements
#: Of the lines `ID LEVEL SENTENCE` of all rows of a revision, as the revision was released.
_RELEASED = {
    1: "4464c278e20de959c0d33151e35bdb57d19beeda6bf2f7d4dc6e807828c4fe0b",
    2: "4bb60a75941e781ea19a1e7ffe0285135f9a7a38186714937e74a2ec7057467f",
}
#: What counts in no verdict: a choice, what another row asks, and what is about the manifest.
_RETIRED = {"TRJ-004", "SAN-005", "SAN-010"}


def test_every_row_has_what_its_basis_needs(subtests: pytest.Subtests) -> None:
    for row in _ROWS:
        with subtests.test(row=row):
            if row.id in _RETIRED:
                assert (row.basis, row.level, row.severity, row.retired) == (None, None, None, 3)
                assert row.note is not None
            elif row.basis == "practice":
                assert row.severity is not None
                assert row.harm is not None
                assert (row.level, row.quote, row.where, row.because) == (None, None, None, None)
            else:
                assert row.level is not None
                assert row.quote is not None
                assert (row.because is not None) == (row.basis == "follows")
                assert (row.severity, row.harm) == (None, None)
                assert row.specification is not None
            texts = [row.harm, row.because, *([row.elsewhere.harm] if row.elsewhere else [])]
            assert all(text.endswith(".") for text in texts if text)


def test_what_binds_one_system_only_is_a_practice_or_less_elsewhere() -> None:
    others = [row.elsewhere for row in _ROWS if row.elsewhere]
    assert others
    assert all(other.level != "MUST" for other in others)


def test_an_earlier_revision_has_the_levels_and_sentences_that_it_was_released_with(subtests: pytest.Subtests) -> None:
    for revision in _RELEASED:
        with subtests.test(revision=revision):
            rows = requirements_of(revision).requirements
            lines = "\n".join(f"{row.id} {row.level} {row.sentence}" for row in rows)
            assert hashlib.sha256(lines.encode()).hexdigest() == _RELEASED[revision]
            assert all((row.basis, row.severity, row.retired, row.elsewhere) == (None,) * 4 for row in rows)


def test_no_row_cites_what_is_not_among_the_sources() -> None:
    assert "DESIGN.md" not in DEFAULT_PATH.read_text(encoding="utf-8")


@pytest.mark.skipif(not _CHECK_QUOTES.exists(), reason=f"the sources aren't here: there is no {_CHECK_QUOTES}")
def test_every_quote_is_found_in_its_source(tmp_path: Path) -> None:
    assert _checked(DEFAULT_PATH)[-1] == f"{len(_ROWS)} of {len(_ROWS)} requirements say who says so"
    others = tmp_path / "elsewhere.toml"
    grounds = {row.id: row.elsewhere for row in _ROWS if row.elsewhere}
    others.write_text("\n".join(_row(id_, ground) for id_, ground in grounds.items()), encoding="utf-8")
    assert _checked(others)[-1] == f"{len(grounds)} of {len(grounds)} requirements say who says so"


def _row(id_: str, ground: Ground) -> str:
    said = {"id": id_, **ground.model_dump(exclude_none=True, exclude={"unless"})}
    return "\n".join(["[[requirement]]", *(f"{key} = {json.dumps(value)}" for key, value in said.items())])


def _checked(file: Path) -> list[str]:
    """What the program says of a registry, by lines; the last is the count."""
    command = [sys.executable, str(_CHECK_QUOTES), str(file)]
    told = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    assert told.returncode == 0, told.stdout + told.stderr
    return told.stdout.splitlines()
