"""A hostile file is answered with a sentence that names it, at once, and nothing is changed."""

import time
from importlib.util import find_spec
from pathlib import Path

import pytest

from react_tck.catalogue.feature_files import DEFAULT_ROOT
from react_tck.cli.main import main
from tests.zoo.hostile_files import FILES, HostileFile

pytestmark = pytest.mark.skipif(find_spec("dspy") is None, reason="needs the extra 'reference'")

#: Seconds; the first replay imports dspy.
_AT_ONCE = 60


def features() -> dict[str, int]:
    return {path.name: path.stat().st_mtime_ns for path in DEFAULT_ROOT.rglob("*") if path.is_file()}


def test_a_hostile_file_is_told_of_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = features()
    for number, (name, hostile) in enumerate(FILES.items()):
        folder = tmp_path / str(number)
        folder.mkdir()
        monkeypatch.chdir(folder)
        _read(name, hostile, capsys)
        assert features() == before, name
        assert [path.name for path in folder.iterdir()] == [hostile.name], name


def _read(name: str, hostile: HostileFile, capsys: pytest.CaptureFixture[str]) -> None:
    began = time.monotonic()
    if callable(hostile.holds):
        hostile.holds(Path(hostile.name))
    else:
        Path(hostile.name).write_bytes(hostile.holds)

    status = main(hostile.words)

    out, error = capsys.readouterr()
    assert status == hostile.status, (name, error)
    if status == 2:
        assert out == "", name
        assert error.startswith("react-tck: "), (name, error)
        assert error.count("\n") <= 6, (name, error)
    assert hostile.said in (error if status in (2, 3) else out), (name, out, error)
    assert "Traceback" not in out + error, (name, error)
    assert all(character.isprintable() or character == "\n" for character in out + error), (name, out, error)
    assert len(error) < 2000, name
    assert time.monotonic() - began < _AT_ONCE, name
