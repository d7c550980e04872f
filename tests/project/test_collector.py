"""When Python looks for garbage: not while modules are imported, and rarely in processes of the kit's own."""

import gc
import sys
from pathlib import Path

import pytest

from react_tck.collector import imported
from react_tck.fakes.strategies import episodes
from react_tck.fuzz import engine
from react_tck.subjects.catalogue import UnknownSubject
from react_tck.suite.books import Unheard
from react_tck.suite.selection import Selection
from react_tck.suite.supervised import SupervisedRun
from react_tck.suite.workers.processes import processes
from react_tck.suite.workers.workers import Beat
from tests.fakes.test_strategies import RICH
from tests.support.subjects_gone_wrong import tells_when_garbage_is_looked_for
from tests.support.suite_checks import TITLE

RARELY = "after 100000 objects"


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


def look(_: int, __: Beat) -> object:
    return tells_when_garbage_is_looked_for()


def test_the_processes_of_a_run_collect_rarely() -> None:
    name = "python:tests.support.subjects_gone_wrong:tells_when_garbage_is_looked_for"

    with pytest.raises(UnknownSubject, match=RARELY):
        SupervisedRun(name, Selection(title=TITLE)).report(Unheard())


def test_the_processes_of_tasks_collect_rarely() -> None:
    with processes(1) as workers, pytest.raises(ValueError, match=RARELY):
        list(workers.map(look, [1]))


def test_fuzzing_collects_rarely_and_leaves_it_as_it_was() -> None:
    before, seen = gc.get_threshold(), set[int]()

    engine.generate(episodes(RICH), 0, 3, lambda _: seen.add(gc.get_threshold()[0]))

    assert seen == {100_000}
    assert gc.get_threshold() == before
    assert gc.get_freeze_count() == 0
