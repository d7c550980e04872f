"""When Python looks for garbage: not while modules are imported, rarely in a process without a subject."""

import gc
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from react_tck.catalogue.selection import Selection
from react_tck.collector import collect_rarely, import_without_gc
from react_tck.fakes.server import LaneServer
from react_tck.processes import worker
from react_tck.processes.supervised import SupervisedRun
from react_tck.results.books import Unheard
from react_tck.subjects.catalogue import UnknownSubject
from tests.support.server_checks import chat_bytes, exchange, saying
from tests.support.suite_checks import TITLE

PYTHONS = f"after {gc.get_threshold()[0]} objects"


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


def test_the_collector_works_on_after_an_import_that_fails(module: Path) -> None:
    module.write_text("raise RuntimeError('not today')\n", encoding="utf-8")

    with pytest.raises(RuntimeError, match="not today"):
        import_without_gc(module.stem)

    assert gc.isenabled()


def test_who_has_turned_the_collector_off_finds_it_off(module: Path) -> None:
    gc.disable()
    try:
        import_without_gc(module.stem)

        assert not gc.isenabled()
    finally:
        gc.enable()


def resolved(_: str) -> object:
    raise UnknownSubject(f"after {gc.get_threshold()[0]} objects")


def test_who_plays_over_the_wire_collects_rarely(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "resolve", resolved)

    with pytest.raises(UnknownSubject, match="after 100000 objects"):
        SupervisedRun("-- harness", Selection(title=TITLE)).report(Unheard())


def test_a_subject_in_python_has_the_pace_of_python() -> None:
    name = "python:tests.support.subjects_gone_wrong:tells_when_garbage_is_looked_for"

    with pytest.raises(UnknownSubject, match=PYTHONS):
        SupervisedRun(name, Selection(title=TITLE)).report(Unheard())


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


def test_process_that_only_serves_is_not_held_up_by_its_collector(collections: list[int]) -> None:
    with LaneServer() as server:
        lane = server.open_lane(saying("5"), {})
        collect_rarely()
        gc.collect()
        collections.clear()

        exchange(server.root, chat_bytes(lane) * 1000)

        assert collections == []
        assert gc.collect() < 100  # what requests leave goes without the collector; a connection leaves some
