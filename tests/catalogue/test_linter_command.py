"""`python -m react_tck.catalogue.linter`: what it prints, and its exit status."""

from pathlib import Path

import pytest

from react_tck.catalogue import linter
from tests.support.lint_stage import FIRST, MUTANTS, FakeSteps, change, sound_features


@pytest.fixture(name="root")
def _root(tmp_path: Path) -> Path:
    return sound_features(tmp_path)


@pytest.fixture(name="kit")
def _kit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linter, "load_sentences", lambda: MUTANTS)
    monkeypatch.setattr(linter, "load_step_definitions", FakeSteps)


@pytest.mark.usefixtures("kit")
def test_command_sums_up_sound_features(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert linter.main([str(root)]) == 0
    assert capsys.readouterr().out == (
        "2 scenarios; 4 requirements: 2 covered (1 of them by sanitizers), 1 pending, 1 excluded\n"
        "1 rows of outlines are needed by no mutant; in 0 of them none fails "
        "(python -m react_tck.catalogue.spare_rows names them all)\n"
    )


@pytest.mark.usefixtures("kit")
def test_command_prints_problems_from_where_it_stands(
    root: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    change(root / "core" / "loop.feature", FIRST, f"{FIRST} @slow")
    monkeypatch.chdir(root.parent)
    assert linter.main(["features"]) == 1
    assert capsys.readouterr().out == "features/core/loop.feature:10: unknown tag @slow\n"


@pytest.mark.usefixtures("kit")
def test_command_reports_a_broken_registry(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(root / "requirements.toml", 'level = "MAY"', 'level = "CAN"')
    assert linter.main([str(root)]) == 1
    assert capsys.readouterr().out.startswith(f"{root}/requirements.toml:39: requirement TRJ-009: level = 'CAN'")
