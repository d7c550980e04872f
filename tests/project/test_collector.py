"""When Python looks for garbage: not while modules are imported, rarely in a process without a subject."""

import gc
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from react_tck.catalogue.selection import Selection
from react_tck.collector import import_without_gc
from react_tck.processes import worker
from react_tck.processes.supervised import SupervisedRun
from react_tck.results.books import Unheard
from react_tck.subjects.catalogue import UnknownSubject
from tests.support.suite_checks import TITLE


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Of a module that says whether a collector was at work while it was imported."""
    path = tmp_path / "brings_many.py"
    path.write_text("import gc\nwas_on = gc.isenabled()\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, path.stem, raising=False)
    return path


def test_nothing_is_collected_while_a_module_is_imported(module: Path) -> None:
    assert not import_without_gc(module.stem).was_on
    assert gc.isenabled()


def resolved(_: str) -> object:
    raise UnknownSubject(f"after {gc.get_threshold()[0]} objects")


def test_who_plays_over_the_wire_collects_rarely(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "resolve", resolved)

    with pytest.raises(UnknownSubject, match="after 100000 objects"):
        SupervisedRun("-- harness", Selection(title=TITLE)).report(Unheard())


@pytest.fixture
def collections() -> Iterator[list[int]]:
    """The generation of each of the collector's looks from now on."""
    seen, often = list[int](), gc.get_threshold()

    def look(phase: str, told: dict[str, int]) -> None:
        if phase == "stop":
            seen.append(told["generation"])

    gc.callbacks.append(look)
    yield seen
    gc.callbacks.remove(look)
    gc.set_threshold(*often)
