"""`matrix` by several workers: the same bytes, however many there are and wherever they are."""

import os
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from react_tck.catalogue.selection import Selection
from react_tck.cli.commands import matrix
from react_tck.cli.main import main
from react_tck.cli.workers import gather_results
from react_tck.processes.workers.workers import Serial, start_thread_workers
from react_tck.results.exit_status import Exit
from tests.support.suite_checks import TITLE

pytestmark = pytest.mark.skipif(find_spec("dspy") is None, reason="needs the extra 'reference'")
needs_dask = pytest.mark.skipif(find_spec("distributed") is None, reason="needs the extra 'cluster'")
TOY = "toy/react-tck.toml"
SUBJECTS = ("reference", "dspy", TOY, "mutant:tool-run-twice")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a wire toy in it, and a matrix of one scenario."""
    monkeypatch.setattr(matrix, "Selection", lambda profile: Selection(profile=profile, title=TITLE))
    monkeypatch.chdir(tmp_path)
    assert main(["init", "python", "toy"]) == 0
    config = Path(TOY).read_text(encoding="utf-8")
    Path(TOY).write_text(config.replace('"python3"', f'"{sys.executable}"'), encoding="utf-8")
    # Workers elsewhere import what this process imports, from wherever it does.
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, [str(Path(__file__).parents[2]), *sys.path])))
    return tmp_path


def written(out: str, *arguments: str) -> dict[str, bytes]:
    """What a matrix writes, by the names of the files."""
    assert main(["matrix", *SUBJECTS, "--out", out, *arguments]) == 0
    return {path.name: path.read_bytes() for path in Path(out).iterdir()}


@pytest.fixture
def scheduler() -> Iterator[str]:
    """The address of a scheduler with two workers, which stand in another folder."""
    distributed = pytest.importorskip("distributed", reason="needs the extra 'cluster'")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, memory_limit=None, silence_logs=50
    ) as there:
        yield there.scheduler_address


@needs_dask
@pytest.mark.all
def test_a_matrix_is_the_same_bytes_whoever_plays_it(
    folder: Path, scheduler: str, capsys: pytest.CaptureFixture[str]
) -> None:
    one = written("one", "-n", "1")
    assert set(one) == {
        "index.html", "reference.json", "dspy.json", "toy-react-tck.toml.json", "mutant-tool-run-twice.json"
    }  # fmt: skip
    told = capsys.readouterr().out.partition("The page is")[0]
    assert written("three", "--workers", "3") == one
    assert capsys.readouterr().out.partition("The page is")[0] == told
    assert written("cluster", "--cluster", scheduler) == one
    assert capsys.readouterr().out.partition("The page is")[0] == told


@needs_dask
@pytest.mark.all
def test_a_library_that_a_worker_has_not_is_a_row_that_names_the_worker(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "sitecustomize.py").write_text(
        "import importlib.util as util\nfind = util.find_spec\n"
        "util.find_spec = lambda name, *more: None if name == 'dspy' else find(name, *more)\n"
    )
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(folder), os.environ["PYTHONPATH"]]))
    assert main(["matrix", TOY, "reference", "--cluster", "local:1"]) == 0
    out = capsys.readouterr().out
    assert "reference: not installed" in out
    assert "not installed: on the worker tcp://127.0.0.1:" in out
    assert "needs dspy, which is not installed. Run: pip install 'react-tck[reference]'" in out


@needs_dask
def test_folders_are_unpacked_where_they_stood_and_built_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from react_tck.processes.workers.cluster import UnpackedUpload, find_place, pack_folders

    monkeypatch.chdir(tmp_path)
    for name in ("one", "two"):
        (tmp_path / "ports" / name / "target").mkdir(parents=True)
        (tmp_path / "ports" / name / "harness").write_text(name)
        (tmp_path / "ports" / name / "target" / "made").touch()
    one, two = (tmp_path / "ports" / name for name in ("one", "two"))
    upload = pack_folders({one: ("cp", "harness", "built"), two: ()})
    unpacked = UnpackedUpload(upload)
    worker: Any = SimpleNamespace(local_directory=str(tmp_path / "there"), address="tcp://there:1")
    unpacked.setup(worker)
    there = Path(unpacked.folder)
    assert sorted(str(path.relative_to(there)) for path in there.rglob("*") if path.is_file()) == [
        "ports/one/built", "ports/one/harness", "ports/two/harness", "ports/two/target/made"
    ]  # fmt: skip
    assert find_place(Path("/elsewhere/port")) == Path("elsewhere/port")
    with pytest.raises(RuntimeError, match="The build `false` failed on the worker tcp://there:1: it exited with 1"):
        UnpackedUpload(pack_folders({one: ("false",)})).setup(worker)


def _named(number: int, _: object) -> tuple[str, int]:
    if number == 3:
        raise KeyboardInterrupt
    return str(number), number


def test_an_interruption_leaves_what_has_ended() -> None:
    shown: list[str] = []
    came, signal = gather_results(Serial(), _named, range(1, 6), lambda name, _: shown.append(name), are_here=False)
    assert (came, signal) == ({"1": 1, "2": 2}, "SIGINT")
    assert shown == ["1", "2"]
    with start_thread_workers(2) as workers:
        came, signal = gather_results(workers, _named, range(4, 7), lambda *_: None, are_here=True)
    assert (came, signal) == ({"4": 4, "5": 5, "6": 6}, "")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["matrix", "reference", "-n", "none"], "'none' is neither a number of processes, such as 4, nor auto"),
        (["matrix", "reference", "-n", "2", "--cluster", "local:2"], "Give -n or --cluster, not both."),
        (["matrix", "reference", "--cluster", "local:0"], "'0' is neither a number of processes, such as 4, nor auto"),
    ],
)
def test_what_cannot_be_had(
    arguments: list[str], said: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder / "toy")
    assert main(arguments) == Exit.USAGE
    assert said in capsys.readouterr().err
