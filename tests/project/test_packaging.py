"""What people get who install react-tck: every file once, all inside the one import package."""

import tarfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from zipfile import ZipFile

import pytest

from react_tck import __version__
from react_tck.model.schemas import schema_texts
from tests.support.distributions import build_distribution, copy_sources
from tests.support.documents import ROOT

LINKED_FOLDERS = ("steps", "fakes", "reference", "features")
#: Left out of a distribution: what Python makes itself, and notes for readers of the repository.
LEFT_OUT = ("__pycache__", "*.pyc", "*.md", ".*")


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the sources."""
    return copy_sources(tmp_path_factory.mktemp("tree"))


@pytest.fixture(scope="module")
def sdist(tree: Path) -> Path:
    return build_distribution(tree, "sdist", tree / "dist")


@pytest.fixture(scope="module", params=["tree", "sdist"])
def wheel(request: pytest.FixtureRequest, tree: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel, built from a checkout and from the source distribution."""
    out = tmp_path_factory.mktemp("wheel")
    if request.param == "tree":
        return build_distribution(tree, "wheel", out)
    with tarfile.open(request.getfixturevalue("sdist")) as archive:
        archive.extractall(out, filter="data")
    return build_distribution(out / f"react_tck-{__version__}", "wheel", out)


def shipped(root: Path) -> list[str]:
    """The files that belong into a distribution, under the names they have there."""
    return sorted(path.relative_to(root).as_posix() for path in files_below(root / "react_tck"))


def made() -> dict[str, str]:
    """The files of a wheel that are made when it is built, with their texts."""
    return {f"react_tck/schemas/{name}": text for name, text in schema_texts().items()}


def files_below(folder: Path) -> Iterator[Path]:
    for path in folder.iterdir():
        if not any(path.match(pattern) for pattern in LEFT_OUT):
            # True of a linked folder too, which the distributions hold as a real one.
            yield from files_below(path) if path.is_dir() else [path]


def test_wheel_holds_every_file_once(wheel: Path, tree: Path) -> None:
    with ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if ".dist-info/" not in name]
        schemas = {name: archive.read(name).decode() for name in made()}

    assert sorted(names) == sorted([*shipped(tree), *made()])
    assert schemas == made()


def test_wheel_has_the_features(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        features = [name for name in archive.namelist() if name.startswith("react_tck/features/")]

    assert {PurePosixPath(name).suffix for name in features} == {".feature", ".json", ".py", ".toml"}


def test_wheel_says_what_it_is(wheel: Path) -> None:
    information = f"react_tck-{__version__}.dist-info"
    with ZipFile(wheel) as archive:
        names = set(archive.namelist())
        entry_points = archive.read(f"{information}/entry_points.txt").decode()

    assert f"{information}/licenses/LICENSE" in names
    assert "react-tck = react_tck.__main__:main" in entry_points


def test_sdist_holds_every_file_once(sdist: Path, tree: Path) -> None:
    with tarfile.open(sdist) as archive:
        names = [name.partition("/")[2] for name in archive.getnames() if archive.getmember(name).isfile()]

    assert sorted(name for name in names if name.startswith("react_tck/")) == shipped(tree)


def test_folders_are_linked_into_the_package() -> None:
    assert {name: (ROOT / "react_tck" / name).readlink() for name in LINKED_FOLDERS} == {
        name: Path("..", name) for name in LINKED_FOLDERS
    }
