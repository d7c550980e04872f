"""Whatever users can name of an original's class stands in docs/DROP_IN.md, and it is as that says.

The names are computed from what is installed: a release with another one fails here until the table says what of it.
"""

import pytest

pytest.importorskip("dspy")
pytest.importorskip("udspy")
pytest.importorskip("dspy_react_machina")

import dspy

from tests.programs.originals import ORIGINALS
from tests.programs.table import rows


def test_every_public_name_is_in_one_row(subtests: pytest.Subtests) -> None:
    for original in ORIGINALS:
        with subtests.test(original=original):
            listed = [name for row in rows(original.ours.__name__) for name in row.names]
            assert len(listed) == len(set(listed))
            missing = sorted(original.names() - set(listed))
            assert not missing, f"docs/DROP_IN.md says nothing of {', '.join(missing)} of {original.theirs.__name__}"


def test_what_the_table_says_ours_has_it_has_and_nothing_else(subtests: pytest.Subtests) -> None:
    for original in ORIGINALS:
        with subtests.test(original=original):
            said = {name: row.verdict for row in rows(original.ours.__name__) for name in row.names}
            wrong = [name for name, verdict in said.items() if original.has(name) == (verdict == "not offered")]
            assert not wrong, f"of {original.ours.__name__} docs/DROP_IN.md is wrong about {', '.join(wrong)}"


def test_every_row_of_what_ours_has_names_programs(subtests: pytest.Subtests) -> None:
    for original in ORIGINALS:
        with subtests.test(original=original):
            shown = [
                row.what for row in rows(original.ours.__name__) if row.verdict != "not offered" and not row.programs
            ]
            assert not shown, f"no program shows {', '.join(shown)} of {original.ours.__name__}"


def test_whatever_is_not_the_same_has_a_reason(subtests: pytest.Subtests) -> None:
    for original in ORIGINALS:
        with subtests.test(original=original):
            assert all(row.why for row in rows(original.ours.__name__) if row.verdict != "same")


def test_what_is_inherited_from_dspy_is_inherited_by_ours_too(subtests: pytest.Subtests) -> None:
    for original in ORIGINALS:
        with subtests.test(original=original):
            if original.shared is dspy.Module:
                assert issubclass(original.ours, dspy.Module)
