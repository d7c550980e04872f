"""A report that somebody else has written shows no control character on the terminal, whatever stands in it."""

import json
from pathlib import Path
from typing import Any

import pytest

from react_tck.catalogue.selection import Selection
from react_tck.cli.main import main
from react_tck.engine.run import Run
from react_tck.results.books import Unheard
from react_tck.subjects.catalogue import resolve
from tests.support.suite_checks import TITLE

_MOVES = "\x1b[2J"


@pytest.fixture(name="foreign")
def _foreign(tmp_path: Path) -> Path:
    report: dict[str, Any] = (
        Run(resolve("python:tests.support.cheaters:inert"), "inert", Selection(profile="all", title=TITLE))
        .report(Unheard())
        .model_dump(mode="json")
    )
    report["subject"] = {"name": f"inert{_MOVES}", "version": f"1{_MOVES}"}
    report["choices"] = {f"tool-error{_MOVES}": f"raise{_MOVES}"}
    report["declared"] = {f"tool-error{_MOVES}": f"raise{_MOVES}"}
    report["profile"] += _MOVES
    for requirement in report["requirements"]:
        requirement["blocked_by"] = [f"LOOP-001{_MOVES}"]
    file = tmp_path / "foreign.json"
    file.write_text(json.dumps(report), encoding="utf-8")
    return file


def test_matrix_moves_no_cursor(foreign: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["matrix", str(foreign)])

    out, error = capsys.readouterr()
    assert "inert\\x1b[2J" in out
    assert _MOVES not in out + error
