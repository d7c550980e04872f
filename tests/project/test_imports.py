"""How modules are imported that bring many others."""

import gc
import sys
from pathlib import Path

import pytest

from react_tck.imports import imported


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Of a module that says whether a collector was at work while it was imported."""
    path = tmp_path / "brings_many.py"
    path.write_text("import gc\nwas_on = gc.isenabled()\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, path.stem, raising=False)
    return path


def test_nothing_is_collected_while_a_module_is_imported(module: Path) -> None:
    assert not imported(module.stem).was_on
    assert gc.isenabled()


def test_the_collector_works_on_after_an_import_that_fails(module: Path) -> None:
    module.write_text("raise RuntimeError('not today')\n", encoding="utf-8")

    with pytest.raises(RuntimeError, match="not today"):
        imported(module.stem)

    assert gc.isenabled()


def test_who_has_turned_the_collector_off_finds_it_off(module: Path) -> None:
    gc.disable()
    try:
        imported(module.stem)

        assert not gc.isenabled()
    finally:
        gc.enable()
