"""`react-tck explain form:NAME` and `choice:NAME`: every form and every choice can be explained."""

from typing import cast, get_args

import pytest

from react_tck.catalogue.registry import load_registry
from react_tck.dialects import DIALECTS
from react_tck.fakes.malformed import requirement_of
from react_tck.model.intent import GarbledForm
from tests.cli.test_cli import is_a_paragraph, told

FORMS = get_args(GarbledForm)
CHOICES = tuple(load_registry().choices_by_name)


def test_every_form_is_shown_in_every_dialect(capsys: pytest.CaptureFixture[str]) -> None:
    for form in FORMS:
        status, out, _ = told(capsys, "explain", f"form:{form}")
        assert status == 0
        step = load_registry().by_id[requirement_of(cast(GarbledForm, form), "step")]
        assert f"step: {step.id} (practice, {step.severity}): A " in out
        assert "ERR-011 (MUST, S4 R4): A malformed extraction reply" in out
        assert [dialect for dialect in DIALECTS if f"\n{dialect}, step: " not in out] == []


def test_every_choice_is_shown_with_its_question_and_requirement(capsys: pytest.CaptureFixture[str]) -> None:
    for choice in CHOICES:
        status, out, _ = told(capsys, "explain", f"choice:{choice}")
        assert status == 0
        assert f"variants: {', '.join(load_registry().choices_by_name[choice].variants)}" in out
        assert "question: " in out
        assert "question: None" not in out
        assert "left open by " in out
        assert "`" not in out


def test_of_a_requirement_backticks_are_a_scenarios_alone(capsys: pytest.CaptureFixture[str]) -> None:
    for row in load_registry().requirements:
        if "`" in f"{row.sentence} {row.note} {row.quote}":
            _, out, _ = told(capsys, "explain", row.id)
            assert "`" not in out.partition("  features/")[0], out


@pytest.mark.parametrize(("kind", "names"), [("form", FORMS), ("choice", CHOICES)])
def test_without_a_name_all_are_listed(kind: str, names: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = told(capsys, "explain", f"{kind}:")
    assert status == 0
    assert sorted(out.split()) == sorted(f"{kind}:{name}" for name in names)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("form:fence", "There is no form 'fence'. Did you mean fenced? There are no-opening, "),
        ("choice:tool-eror", "There is no choice 'tool-eror'. Did you mean tool-error? There are unknown-tool, "),
        ("choice:zzz", "There is no choice 'zzz'. There are unknown-tool, "),
        ("shape:round", "give an id such as LOOP-001, form:NAME or choice:NAME"),
        ("zzz", "`react-tck list --profile all` names them all."),
    ],
)
def test_an_unknown_name_is_a_usage_error(name: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, error = told(capsys, "explain", name)
    assert (status, out) == (2, "")
    assert is_a_paragraph(error)
    assert said in error
