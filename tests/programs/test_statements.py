"""docs/drop_in_statements.md: what the originals' documentation says is passed, declared or open, and is counted."""

import inspect
import re
from dataclasses import dataclass

import pytest

pytest.importorskip("dspy")
pytest.importorskip("udspy")
pytest.importorskip("dspy_react_machina")

import dspy
import dspy_react_machina.react_machina
import dspy_react_machina.signatures
import udspy.module.base
import udspy.module.react

from tests.programs.table import list_verdicts, read_table, rows
from tests.support.documents import ROOT

PAGE = "drop_in_statements.md"
#: The least part of an original's statements that is passed or declared.
LEAST = {"ReAct": 0.95, "TranscriptReAct": 0.95, "ConversationReAct": 0.9, "UdspyReAct": 0.9}
#: Whose docstrings are quoted.
QUOTED = {
    "ReAct": (dspy.ReAct,),
    "TranscriptReAct": (inspect.unwrap(dspy.ReActV2),),
    "ConversationReAct": (dspy_react_machina.react_machina, dspy_react_machina.signatures),
    "UdspyReAct": (udspy.module.react, udspy.module.base),
}
each = pytest.mark.parametrize("ours", LEAST)


@dataclass(frozen=True)
class Statement:
    """What is said, where, what becomes of it, and what shows that."""

    says: str
    where: str
    verdict: str
    shown: str


def statements(ours: str) -> list[Statement]:
    """The rows of the table for this class of ours."""
    return [Statement(*cells) for cells in read_table(PAGE, ours)]


def test_as_much_is_passed_or_declared_as_was_to_be(subtests: pytest.Subtests) -> None:
    for ours in LEAST:
        with subtests.test(ours=ours):
            said = statements(ours)
            held = [each for each in said if each.verdict in ("passed", "declared")]
            assert len(said) > 25
            assert len(held) / len(said) >= LEAST[ours], f"{len(held)} of {len(said)}"


def test_what_is_passed_is_shown_by_programs_and_tests(subtests: pytest.Subtests) -> None:
    for ours in LEAST:
        with subtests.test(ours=ours):
            verdicts = list_verdicts(ours) | list_verdicts(ours, of_grid=True)
            for said in statements(ours):
                shown = re.findall(r"`([^`]+)`", said.shown) if said.verdict == "passed" else []
                assert shown or said.verdict in ("declared", "open"), said.says
                assert [name for name in shown if not (_is_test(name) or verdicts.get(name) == "same")] == [], said.says


def test_what_is_declared_is_a_row(subtests: pytest.Subtests) -> None:
    for ours in LEAST:
        with subtests.test(ours=ours):
            declared = {row.what for row in rows(ours) if row.verdict != "same"}
            told = {said.shown.strip('"') for said in statements(ours) if said.verdict == "declared"}
            assert told <= declared


def test_docstrings_say_what_is_quoted_of_them(subtests: pytest.Subtests) -> None:
    for ours in LEAST:
        with subtests.test(ours=ours):
            written = " ".join(" ".join(inspect.getsource(quoted) for quoted in QUOTED[ours]).split())
            for said in statements(ours):
                if said.where in ("docstring", "module", "docstring of `Module`") and said.says.startswith('"'):
                    (quote,) = re.findall(r'^"(.+?)"(?: |$|:|,)', said.says)
                    assert quote.replace("`", "") in written.replace("`", ""), quote


def _is_test(name: str) -> bool:
    path, _, function = name.partition("::")
    file = ROOT / path
    return bool(function) and file.is_file() and f"def {function}(" in file.read_text(encoding="utf-8")
