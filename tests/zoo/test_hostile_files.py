"""A hostile file is answered with a sentence that names it, at once, and nothing is changed."""

import time
from importlib.util import find_spec
from pathlib import Path

import pytest

from react_tck.catalogue.feature_files import DEFAULT_ROOT
from react_tck.cli.main import main
from tests.zoo.hostile_files import FILES

pytestmark = pytest.mark.skipif(find_spec("dspy") is None, reason="needs the extra 'reference'")

#: Seconds; the first replay imports dspy.
_AT_ONCE = 60


def features() -> dict[str, int]:
    return {path.name: path.stat().st_mtime_ns for path in DEFAULT_ROOT.rglob("*") if path.is_file()}


@pytest.mark.parametrize("name", FILES)
def test_a_hostile_file_is_told_of_in_a_sentence(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    hostile, before, began = FILES[name], features(), time.monotonic()
    monkeypatch.chdir(tmp_path)
    if callable(hostile.holds):
        hostile.holds(Path(hostile.name))
    else:
        Path(hostile.name).write_bytes(hostile.holds)

    status = main(hostile.words)

    out, error = capsys.readouterr()
    assert status == hostile.status, error
    if status == 2:
        assert out == ""
        assert error.startswith("react-tck: ")
        assert error.count("\n") <= 6
    assert hostile.said in (error if status in (2, 3) else out)
    assert "Traceback" not in out + error
    assert all(character.isprintable() or character == "\n" for character in out + error)
    assert len(error) < 2000
    assert time.monotonic() - began < _AT_ONCE
    assert features() == before
    assert [path.name for path in tmp_path.iterdir()] == [hostile.name]


def test_there_are_enough_of_them() -> None:
    assert len(FILES) >= 20
