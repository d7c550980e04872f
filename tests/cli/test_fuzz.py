"""`fuzz`, `replay` and `python -m react_tck.prove --by fuzz`: what they print, and how they end."""

import re
import shutil
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import pytest
from rich.console import Console

from react_tck.catalogue.feature_files import DEFAULT_ROOT
from react_tck.catalogue.features import load_feature
from react_tck.catalogue.kill_matrix import build_kill_matrix, load_kill_matrix, write_kill_matrix
from react_tck.cli.commands import fuzz as fuzz_command
from react_tck.cli.main import main
from react_tck.fuzz import findings
from react_tck.fuzz.findings import CannotFreeze, freeze_finding, read_finding
from react_tck.fuzz.gherkin import write_scenario
from react_tck.fuzz.shards import Budget
from react_tck.model.report import Finding
from react_tck.prove.__main__ import show_by_fuzz
from react_tck.prove.proof import FuzzProof, Search
from tests.cli.test_cli import is_a_paragraph, told

needs_dspy = pytest.mark.skipif(find_spec("dspy") is None, reason="needs the extra 'reference'")
MUTANT = "mutant:call-repeated"
_HASTY = partial(Budget, attempts=20)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, int]:
    """A mutant fuzzed once: the case that was kept, what was printed, and the exit status."""
    folder = tmp_path_factory.mktemp("found")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        console = Console(record=True, width=100, highlight=False, soft_wrap=True, file=(folder / "out").open("w"))
        patch.setattr(fuzz_command, "terminal", lambda _: console)
        patch.setattr(fuzz_command, "Budget", _HASTY)  # tests/fuzz/test_campaign.py is about how small it gets
        status = main(["fuzz", MUTANT, "--profile", "robustness", "--examples", "80", "--seed", "2"])
    cases = {path: read_finding(path) for path in sorted(folder.glob(".react-tck/case-*.json"))}
    path = next(path for path, case in cases.items() if "SAN-003" in case.requirements and not case.episode.variations)
    return path, console.export_text(), status


@needs_dspy
def test_a_mutant_is_found_shrunk_and_told(found: tuple[Path, str, int]) -> None:
    path, printed, status = found
    case = read_finding(path)
    assert status == 1
    assert "SAN-003" in case.requirements
    assert case.subject.name == MUTANT
    assert f"reproduce: react-tck replay .react-tck/{path.name} {MUTANT}" in printed
    assert re.search(r"SAN-003.* violated in example \d+, kept as \.react-tck/case-", printed)
    assert "Scenario: Found by fuzzing" in printed
    assert "Then the episode keeps every invariant" in printed


@needs_dspy
def test_a_finding_is_replayed(found: tuple[Path, str, int], capsys: pytest.CaptureFixture[str]) -> None:
    path, _, _ = found
    status, out, error = told(capsys, "replay", str(path), MUTANT)
    assert (status, error) == (1, "")
    assert "SAN-003 violated" in out
    status, out, error = told(capsys, "replay", str(path), "reference")
    assert (status, error) == (0, "")
    assert "nothing is violated; it was found violating SAN-003" in out


@needs_dspy
def test_a_finding_is_frozen(found: tuple[Path, str, int], tmp_path: Path) -> None:
    root = tmp_path / "features"
    shutil.copytree(DEFAULT_ROOT / "core", root / "core")
    before = build_kill_matrix([("mute", "LOOP-001", "A row")])
    write_kill_matrix(before, root)
    path = freeze_finding(read_finding(found[0]), "Something that nobody thought of", None, root)
    assert path == root / "core" / "found.feature"
    frozen = load_feature(path)[-1]
    assert (frozen.title, frozen.requirement_id) == ("Something that nobody thought of", "SAN-003")
    matrix = load_kill_matrix(root)
    assert "call-repeated" in matrix.killed_by(frozen)
    assert set(matrix.list_entries()) > set(before.list_entries())


@needs_dspy
def test_a_finding_that_kills_nothing_is_not_frozen(found: tuple[Path, str, int], tmp_path: Path) -> None:
    with pytest.raises(CannotFreeze, match=r"No mutant of SAN-003 fails the case \(observation-hidden\)"):
        freeze_finding(_without_a_task(read_finding(found[0])), "A title", "observation-hidden", tmp_path)


@needs_dspy
@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("{}\n\n    @LOOP-001 @must\n    Scenario: Injected\n      Then nothing", "it would hold .*'Injected'"),
        ("{}\n      And something else", "would say something else than the case does"),
        ("{}\n      Nonsense", "couldn't be read as it is meant: .*this is not Gherkin"),
    ],
)
def test_a_scenario_that_would_be_read_otherwise_is_not_frozen(
    found: tuple[Path, str, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, written: str, said: str
) -> None:
    monkeypatch.setattr(findings, "write_scenario", lambda *case: written.format(write_scenario(*case)))
    with pytest.raises(CannotFreeze, match=said):
        freeze_finding(read_finding(found[0]), "A title", None, tmp_path)
    assert not list(tmp_path.iterdir())


def _without_a_task(finding: Finding) -> Finding:
    return finding.model_copy(update={"episode": finding.episode.model_copy(update={"case": _uncalled(finding)})})


def _uncalled(finding: Finding):  # type: ignore[no-untyped-def]
    return finding.episode.case.model_copy(update={"invocations": ()})


@needs_dspy
def test_a_title_is_frozen_once(found: tuple[Path, str, int], capsys: pytest.CaptureFixture[str]) -> None:
    status, _, error = told(capsys, "replay", str(found[0]), "--freeze", "ReAct selects and executes a tool")
    assert status == 2
    assert is_a_paragraph(error)
    assert "titles are unique" in error


@pytest.mark.parametrize(
    "command", [["fuzz", "dspi"], ["replay", "none.json", "reference"], ["replay", "none.json", "--freeze", "T"]]
)
def test_mistakes_are_told_in_a_paragraph(command: list[str], here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, error = told(capsys, *command)
    assert (status, out) == (2, "")
    assert is_a_paragraph(error)


@pytest.mark.parametrize("words", [["--examples", "0"], ["--examples", "many"], ["--examples", "1", "--seconds", "1"]])
def test_an_amount_is_one_number(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    status, _, error = told(capsys, "fuzz", "reference", *words)
    assert status == 2
    assert "--examples" in error


def test_a_survivor_and_a_finding_in_the_reference_are_problems() -> None:
    proof = FuzzProof(
        (Search("found", "ERR-001", 5, ("ERR-001",)), Search("hidden", "ERR-002", None, ())),
        (Search("reference", "", None, ()), Search("reference-udspy", "", 7, ("SAN-002",))),
    )
    assert list(proof.list_problems()) == [
        "reference-udspy violates SAN-002",
        "the mutant 'hidden' (ERR-002) survives the fuzzer",
    ]
    console = Console(record=True, width=100)
    show_by_fuzz(proof, console)
    assert "1 of 2 mutants found by fuzzing alone: 2 problems" in console.export_text()


def test_what_is_proven_is_said_so() -> None:
    console = Console(record=True, width=100)
    show_by_fuzz(
        FuzzProof((Search("found", "ERR-001", 5, ("ERR-001",)),), (Search("reference", "", None, ()),)), console
    )
    assert "1 of 1 mutants found by fuzzing alone: proven" in console.export_text()
