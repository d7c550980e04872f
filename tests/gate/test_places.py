"""What a run can point at: a file that the user has, as the repository knows it."""

from pathlib import Path

import pytest

from react_tck.gate.baseline import Places, places_of


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "repository" / "port"
    (folder / "src").mkdir(parents=True)
    for name in ("harness.mjs", "react-tck.toml", "src/mine.py"):
        (folder / name).touch()
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.parametrize(
    ("subject", "file"),
    [
        ("react-tck.toml", "react-tck.toml"),
        ("-- node harness.mjs --fast", "harness.mjs"),
        ("-- /bin/sh -c ./harness.mjs", "harness.mjs"),
        ("-- node elsewhere.mjs", None),
        ("python:src.mine:subject", "src/mine.py"),
        ("python:not_here:subject", None),
        ("reference", None),
        ("dspy@/usr/bin/python3", None),
    ],
)
def test_the_file_of_a_subject(subject: str, file: str | None, here: Path) -> None:
    assert places_of(subject, {}).subject == (file and Path(file))


@pytest.mark.parametrize("name", ["GITHUB_WORKSPACE", "CI_PROJECT_DIR"])
def test_a_runner_says_where_the_repository_begins(name: str, here: Path) -> None:
    places = places_of("react-tck.toml", {name: str(here.parent)})
    assert places.baseline == Path("react-tck.baseline.toml")
    assert places.in_repository(places.baseline) == "port/react-tck.baseline.toml"
    assert places.in_repository(Path("../other/x.toml")) == "other/x.toml"


def test_elsewhere_the_repository_begins_where_the_user_stands(here: Path) -> None:
    assert places_of("sub/react-tck.toml", {}).in_repository(Path("sub/b.toml")) == "sub/b.toml"
    assert places_of("reference", {"GITHUB_WORKSPACE": "/elsewhere"}).folder == Path()
    assert Places().in_repository(Path("/absolute/b.toml")) == "/absolute/b.toml"
