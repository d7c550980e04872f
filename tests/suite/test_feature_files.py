"""What is kept of features that were read: only what was read of this very text, and only where it may be kept."""

import json
import shutil
from pathlib import Path

import pytest

from react_tck.suite import feature_files
from react_tck.suite.feature_files import FeatureError, document

TEXT = "Feature: f\n  Scenario: s\n    Given a\n"


@pytest.fixture(name="feature")
def _feature(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(feature_files, "DEFAULT_ROOT", tmp_path)
    monkeypatch.setattr("sys.dont_write_bytecode", False)
    monkeypatch.setattr("sys.pycache_prefix", None)
    path = tmp_path / "core" / "f.feature"
    path.parent.mkdir()
    path.write_text(TEXT, encoding="utf-8")
    return path


@pytest.fixture(name="unread")
def _unread(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What gherkin had to read."""
    read: list[str] = []
    parsed = feature_files._parsed

    def reading(path: Path, text: str) -> object:
        read.append(text)
        return parsed(path, text)

    monkeypatch.setattr(feature_files, "_parsed", reading)
    return read


def test_a_feature_is_read_once_and_is_the_same_afterwards(feature: Path, unread: list[str]) -> None:
    first = document(feature)
    assert document(feature) == first == json.loads(json.dumps(first))
    assert unread == [TEXT]


def test_another_text_is_read_anew(feature: Path, unread: list[str]) -> None:
    document(feature)
    feature.write_text(TEXT.replace("Given a", "Given b"), encoding="utf-8")
    assert json.dumps(document(feature)).count('"b"') == 1
    assert len(unread) == 2


def test_another_gherkin_reads_anew(feature: Path, unread: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    document(feature)
    monkeypatch.setattr(feature_files, "_gherkin", lambda: "another")
    document(feature)
    assert len(unread) == 2


@pytest.mark.parametrize("spoilt", [b"", b"\xff", b"half a name", b"cut"])
def test_what_is_spoilt_is_read_anew(feature: Path, unread: list[str], spoilt: bytes) -> None:
    first = document(feature)
    kept = feature_files._place(feature)
    kept.write_bytes(kept.read_bytes()[:-1] if spoilt == b"cut" else spoilt)
    assert document(feature) == first
    assert len(unread) == 2
    assert document(feature) == first
    assert len(unread) == 2


def test_nothing_is_kept_where_python_keeps_nothing(feature: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.dont_write_bytecode", True)
    document(feature)
    assert [path.name for path in feature.parent.iterdir()] == ["f.feature"]


def test_nothing_is_kept_of_others_features(feature: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feature_files, "DEFAULT_ROOT", tmp_path / "elsewhere")
    document(feature)
    assert [path.name for path in feature.parent.iterdir()] == ["f.feature"]


def test_a_place_that_takes_nothing_costs_nothing(feature: Path) -> None:
    shutil.rmtree(feature.parent / "__pycache__", ignore_errors=True)
    (feature.parent / "__pycache__").write_text("in the way", encoding="utf-8")
    assert document(feature) == document(feature)


def test_a_mistake_is_told_again_and_again(feature: Path) -> None:
    feature.write_text("Nothing\n", encoding="utf-8")
    for _ in range(2):
        with pytest.raises(FeatureError, match="this is not Gherkin"):
            document(feature)
