"""`matrix` by several workers: the same bytes, however many there are and wherever they are."""

import os
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from react_tck.cli.main import main
from react_tck.results.exit_status import Exit
from tests.support.suite_checks import TITLE

pytestmark = pytest.mark.skipif(find_spec("dspy") is None, reason="needs the extra 'reference'")
needs_dask = pytest.mark.skipif(find_spec("distributed") is None, reason="needs the extra 'cluster'")
TOY = "toy/react-tck.toml"
SUBJECTS = ("reference", "dspy", TOY, "mutant:tool-run-twice")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a wire toy in it, to play one scenario of."""
    monkeypatch.chdir(tmp_path)
    assert main(["init", "python", "toy"]) == 0
    config = Path(TOY).read_text(encoding="utf-8")
    Path(TOY).write_text(config.replace('"python3"', f'"{sys.executable}"'), encoding="utf-8")
    # Workers elsewhere import what this process imports, from wherever it does.
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, [str(Path(__file__).parents[2]), *sys.path])))
    return tmp_path


def written(out: str, *arguments: str) -> dict[str, bytes]:
    """What a matrix writes, by the names of the files."""
    assert main(["matrix", *SUBJECTS, "-k", TITLE, "--out", out, *arguments]) == 0
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
