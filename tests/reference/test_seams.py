"""The seams of the reference: each is called at one place, and does nothing there."""

import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("dspy")

from react_tck.prove.mutants.mutant import Mutant, join_tables, mutant
from react_tck.reference import ConversationReAct, ReAct, TranscriptReAct, UdspyReAct
from react_tck.reference.seams import Seams, call_genuine, pass_through

SOURCES = [path.read_text(encoding="utf-8") for path in sorted((Path(__file__).parents[2] / "reference").rglob("*.py"))]
SEAMS = [field.name for field in fields(Seams)]


@pytest.mark.parametrize("seam", SEAMS)
def test_every_seam_is_called_at_one_place(seam: str) -> None:
    assert sum(len(re.findall(rf"\bseams\.{seam}\(", source)) for source in SOURCES) == 1


@pytest.mark.parametrize("react", [ReAct, ConversationReAct, TranscriptReAct, UdspyReAct])
def test_no_operator_acts_in_the_reference(react: Any) -> None:
    assert react.seams == Seams()
    assert {getattr(Seams(), seam) for seam in SEAMS} == {pass_through, call_genuine}


SOUND = {"tool-run-twice": mutant("LOOP-001", "Runs every tool twice.", perform=pass_through)}


@pytest.mark.parametrize(
    ("tables", "complaint"),
    [
        ((SOUND, SOUND), "two mutants named 'tool-run-twice'"),
        (({"idle": mutant("LOOP-001", "Does nothing.")},), "'idle' does nothing wrong"),
        (
            ({"silent": mutant("LOOP-001", "", perform=pass_through)},),
            "'silent' .* doesn't say what",
        ),
    ],
)
def test_a_row_that_is_no_mutant_is_refused(tables: tuple[dict[str, Mutant], ...], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        join_tables(tables)


def test_an_operator_where_no_seam_is_is_refused() -> None:
    with pytest.raises(TypeError, match="prompts"):
        mutant("LOOP-001", "Misspelt.", prompts=pass_through)
