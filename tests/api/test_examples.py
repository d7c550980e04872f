"""What docs/API.md shows runs: each in a folder with nothing else in it, by its own words."""

import runpy
import sys
from pathlib import Path

import pytest

import react_tck
from react_tck.cli.main import main
from tests.support.documents import ROOT, titled_blocks

SMOKE = ("--tags", "@smoke")
ASYNC = ("--profile", "all", "--tags", "@ASY-001", "-k")
RUN: dict[str, tuple[str, tuple[str, ...], int]] = {
    "a function agent": ("function_agent", SMOKE, 13),
    "an agent with OpenAI's client": ("client_agent", SMOKE, 13),
    "an agent that is awaited": ("async_agent", SMOKE, 13),
    "as its sync self": ("async_agent", (*ASYNC, "An async call of several steps gives the same record"), 13),
    "with a limit for one call": ("async_agent", (*ASYNC, "An async call keeps to a max_steps of its own"), 13),
    "a transcript": ("transcript_agent", ("--profile", "transcript", "--tags", "@TRN-008 or @TRN-010"), 15),
    "a parser": ("parser", ("--profile", "robustness", "--tags", "@PRS-001 or @PRS-002"), 41),
    "a harness": ("-- harness.py", SMOKE, 13),
}


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(("module", "words", "passed"), RUN.values(), ids=RUN)
def test_it_runs_from_the_command_line(
    module: str, words: tuple[str, ...], passed: int, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("openai", reason="needs the package openai")
    program = module.removeprefix("-- ")
    subject = [f"python:{module}:Mine"] if program == module else ["--", sys.executable, program]
    status = main(["run", *words, *subject])
    said = capsys.readouterr().out

    assert status == 0, said
    assert f"= {passed} passed + 0 failed" in said


def test_it_runs_from_python(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(folder / "run_it.py"))

    assert capsys.readouterr().out == "function-agent passed 13 failed 0\n"


@pytest.mark.parametrize("module", ["examples.own_agent", "examples.openai_agent"])
def test_examples_of_the_repository_run(module: str, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("openai", reason="needs the package openai")
    status = main(["run", *SMOKE, f"python:{module}:Mine"])

    assert (status, "= 13 passed + 0 failed" in capsys.readouterr().out) == (0, True)


def test_what_the_readme_shows_runs(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "my_module.py").write_text(titled_blocks("README.md")["my_module.py"], encoding="utf-8")
    library = (ROOT / "examples" / "own_agent.py").read_text(encoding="utf-8").replace("TinyReAct", "MyReAct")
    (folder / "my_library.py").write_text(library, encoding="utf-8")

    assert main(["run", *SMOKE, "python:my_module:Mine"]) == 0
    assert "= 13 passed + 0 failed" in capsys.readouterr().out


def test_a_fresh_process_finds_what_is_imported_here(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "elsewhere").mkdir()
    monkeypatch.chdir("elsewhere")
    from function_agent import Mine  # type: ignore[import-not-found]

    report = react_tck.run(Mine, "all", title="fresh process")
    (row,) = (row for each in report.requirements for row in each.scenarios if row.verdict is react_tck.Verdict.PASSED)

    assert "fresh process" in row.title


def test_every_example_is_run() -> None:
    run = {f"{module.removeprefix('-- ').removesuffix('.py')}.py" for module, _, _ in RUN.values()}

    assert titled_blocks("docs/API.md").keys() == run | {"run_it.py", "test_conformance.py"}
