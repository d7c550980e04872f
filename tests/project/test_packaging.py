"""What people get who install react-tck: every file once, all inside the one import package; and features in pytest."""

import json
import os
import re
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from zipfile import ZipFile

import pytest

from react_tck import __version__
from react_tck.model.protocol import schema_texts
from tests.support.distributions import build_distribution, copy_sources
from tests.support.documents import ROOT, command

#: Left out of a distribution: what Python makes itself, and notes and pictures for readers of the repository.
LEFT_OUT = ("__pycache__", "*.pyc", ".*", "features/*.md", "findings", "sources", "*.png", "*.svg")
FEATURES = ("--pyargs", "react_tck.features", "--tck-subject")


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the sources."""
    return copy_sources(tmp_path_factory.mktemp("tree"))


@pytest.fixture(scope="module")
def wheel(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_distribution(tree, "wheel", tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the wheel is installed into."""
    target = tmp_path_factory.mktemp("installed")
    with ZipFile(wheel) as archive:
        archive.extractall(target)
    return target


def shipped(root: Path) -> list[str]:
    """The files that belong into a distribution, under the names they have there."""
    return sorted(path.relative_to(root).as_posix() for path in files_below(root / "react_tck"))


def files_below(folder: Path) -> Iterator[Path]:
    for path in folder.iterdir():
        if not any(path.match(pattern) for pattern in LEFT_OUT):
            # True of a linked folder too, which the distributions hold as a real one.
            yield from files_below(path) if path.is_dir() else [path]


def check_wheel(wheel: Path, tree: Path) -> None:
    """It holds every file once, the features and the schemas among them, and says what it is."""
    made = {f"react_tck/schemas/{name}": text for name, text in schema_texts().items()}
    information = f"react_tck-{__version__}.dist-info"
    with ZipFile(wheel) as archive:
        names = archive.namelist()
        entry_points = archive.read(f"{information}/entry_points.txt").decode()
        schemas = {name: archive.read(name).decode() for name in made}
    assert sorted(name for name in names if ".dist-info/" not in name) == sorted([*shipped(tree), *made])
    assert schemas == made
    features = [name for name in names if name.startswith("react_tck/features/")]
    assert {PurePosixPath(name).suffix for name in features} == {".feature", ".json", ".py", ".toml"}
    assert f"{information}/licenses/LICENSE" in names
    assert "react-tck = react_tck.__main__:main" in entry_points


def test_the_wheel_holds_every_file_once_and_says_what_it_is(wheel: Path, tree: Path) -> None:
    check_wheel(wheel, tree)


@pytest.mark.all
def test_the_source_distribution_holds_every_file_once_and_makes_the_same_wheel(tree: Path, tmp_path: Path) -> None:
    with tarfile.open(build_distribution(tree, "sdist", tmp_path)) as archive:
        names = [name.partition("/")[2] for name in archive.getnames() if archive.getmember(name).isfile()]
        archive.extractall(tmp_path, filter="data")
    assert sorted(name for name in names if name.startswith("react_tck/")) == shipped(tree)
    check_wheel(build_distribution(tmp_path / f"react_tck-{__version__}", "wheel", tmp_path / "wheel"), tree)


def outcome(installed: Path, folder: Path, *words: str, answers: str = "") -> tuple[int, str]:
    """How pytest ends in the folder, with the kit that was installed there, and what it prints."""
    pytest.importorskip("dspy", reason="needs the extra 'reference'")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:langsmith_plugin", *words],
        cwd=folder,
        env={**environment, "PYTHONPATH": str(installed), "COLUMNS": "200"},
        input=answers,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def test_a_failing_row_is_told_as_in_a_run_and_a_debugger_stops_in_its_sentence(
    installed: Path, tmp_path: Path
) -> None:
    words = (*FEATURES, "mutant:tool-run-twice", "-k", "LOOP-001 and selects", "--pdb", "--cucumberjson=c.json")
    status, said = outcome(installed, tmp_path, *words, answers="!import react_tck; print(react_tck)\nup\nargs\nq\n")
    assert status != 0
    assert str(installed / "react_tck" / "__init__.py") in said
    assert "LOOP-001 (MUST, S4 R2.1)" in said, said
    assert "expected: 'add' runs once" in said
    assert "world = <react_tck.steps.world.World" in said
    assert (
        "reproduce: react-tck run --profile core -k 'ReAct selects and executes a tool' mutant:tool-run-twice" in said
    )
    (feature,) = json.loads((tmp_path / "c.json").read_text(encoding="utf-8"))
    (element,) = feature["elements"]
    statuses = {step["name"]: step["result"]["status"] for step in element["steps"]}
    assert statuses["the LM finishes"] == "passed"
    assert statuses['the tool "add" ran once with {"a": 2, "b": 3}'] == "failed"


def test_the_page_about_the_agents_is_true_of_the_wheel(installed: Path, tmp_path: Path) -> None:
    pytest.importorskip("dspy", reason="needs the extra 'reference'")
    words = [sys.executable, *command("docs/USING.md", "python -m react_tck.examples.chat --class Tr")[1:]]
    environment = {**os.environ, "PYTHONPATH": str(installed)}
    said = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True).stdout
    assert said == "Weather in London: 12 °C, rain. Weather in Tokyo: 24 °C, humid\n"


@pytest.mark.all
def test_rows_are_selected_by_profile_and_shared(installed: Path, tmp_path: Path) -> None:
    words = (*FEATURES, "dspy", "-m", "robustness", "-k", "ERR-001 or ERR-002")
    status, said = outcome(installed, tmp_path, *words, "-n", "2")
    assert status == 1, said
    counted = re.search(r"(\d+) failed, (\d+) passed", said)
    assert counted, said

    _, again = outcome(installed, tmp_path, *words, "--lf")
    assert f"{counted[1]} failed" in again, again
    assert "passed" not in again.splitlines()[-1], again


@pytest.mark.all
def test_the_gherkin_reporter_shows_sentences_and_a_row_that_isnt_supported_says_why(
    installed: Path, tmp_path: Path
) -> None:
    words = (*FEATURES, "reference", "-k", "LOOP-001 and selects", "--gherkin-terminal-reporter", "-vv")
    status, said = outcome(installed, tmp_path, *words)
    assert status == 0, said
    assert "Given a ReAct over" in said
    status, said = outcome(installed, tmp_path, *FEATURES, "langchain-classic", "-k", "LOOP-009", "-rs")
    assert status == 0, said
    assert "does not declare" in said


def test_a_checkout_plays_its_features() -> None:
    """Under the checkout's own configuration, in which an unknown mark is an error."""
    pytest.importorskip("dspy", reason="needs the extra 'reference'")
    words = ("features", "--tck-subject", "reference", "-k", "LOOP-001 and selects", "-p", "no:cacheprovider")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *words], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, "1 passed" in done.stdout) == (0, True), done.stdout
