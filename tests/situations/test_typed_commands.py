"""What documents have their readers type is typed: in a folder of theirs, and an environment with nothing in it.

`make test` does so for README and the pages where somebody begins, `make nightly` for all.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from react_tck.cli.main import main
from tests.support.documents import ROOT, list_commands, titled_blocks, written

pytest.importorskip("dspy", reason="needs the extra 'reference'")

START = ("README.md", "docs/KINDS.md", "docs/API.md", "docs/USING.md", "docs/SCRIPTED_LM.md")
PAGES = (*START, "features/README.md", *(f"docs/{file.name}" for file in sorted((ROOT / "docs").glob("*.md"))))
#: What somebody types, or only talks of.
PROGRAMS = r"(react-tck [a-z-]+|(python|pytest|make|pip|uvx|go|git) \S)"
#: What isn't typed here, and why.
LEFT_OUT: Mapping[str, str] = {
    "make *": "a target of the checkout, which nightly makes",
    "python -m [!r]*": "a program of the checkout's",
    "python -m react_tck.prove*": "a program of the checkout's",
    "pip *": "asks an index",
    "uvx *": "asks an index",
    "git *": "changes a repository",
    "react-tck matrix*": "installs releases, or plays all libraries, as nightly does",
    "react-tck * --cluster *": "needs a cluster",
    "react-tck serve*": "goes on until it is ended; tests/situations/test_ten_users.py does that",
    "react-tck play*": "waits for somebody's debugger",
    "react-tck replay *": "a finding that only the page has",
    "react-tck repro *": "a failure of the page's port",
    'react-tck run * -k "part of the title"': "a title that its reader knows",
    "react-tck run * --features *": "a project of its own: examples/own_features",
    "react-tck compare": "no more than the command's name",
    "react-tck init": "no more than the command's name",
    "go *": "stands in a folder of Go's, which tests/cli/test_templates.py builds",
}
#: What is put behind the beginning of a command that would play all there is.
SHORT: Mapping[str, str] = {
    "react-tck run": "--tags @smoke",
    "react-tck baseline": "--tags @smoke",
    "react-tck fuzz": "--examples 20",
    "pytest": "-k LOOP-001",
}


def list_typed() -> dict[str, str]:
    """The first page that has each command."""
    typed: dict[str, str] = {}
    for page in PAGES:
        for line in list_commands(page, PROGRAMS):
            if not any(fnmatchcase(line, pattern) for pattern in LEFT_OUT):
                typed.setdefault(line, page)
    return typed


TYPED = list_typed()


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what its owner has by then: the files of the pages, a harness, the environment of a library."""
    folder = tmp_path_factory.mktemp("desk")
    assert main(["init", "python", str(folder)]) == 0
    for page in START:
        written(folder, page)
    library = (ROOT / "examples" / "own_agent.py").read_text(encoding="utf-8").replace("TinyReAct", "MyReAct")
    (folder / "my_library.py").write_text(library, encoding="utf-8")
    (folder / "harness").write_text("#!/bin/sh\nexec python3 harness.py\n", encoding="utf-8")
    (folder / "harness").chmod(0o755)
    shutil.copy(ROOT / "ports" / "perl" / "harness.pl", folder / "my_harness.pl")
    (folder / ".venv").symlink_to(sys.prefix)
    return folder


@pytest.mark.parametrize(
    "line", [line if page in START else pytest.param(line, marks=pytest.mark.all) for line, page in TYPED.items()]
)
def test_it_can_be_typed(line: str, desk: Path) -> None:
    shutil.rmtree(desk / "react-tck-harness", ignore_errors=True)
    start = next((each for each in SHORT if line.startswith(each)), "")
    is_long = start and not any(each in line for each in ("-k ", "--tags ", "confirmation", "test_my_agent"))
    done = subprocess.run(
        ["sh", "-c", line.replace(start, f"{start} {SHORT[start]}", 1) if is_long else line],
        cwd=desk,
        env={"PATH": os.pathsep.join((str(Path(sys.executable).parent), os.defpath)), "HOME": str(desk)},
        input="c\n" * 99,  # what a debugger is told
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    may_fail = any(each in line for each in ("dspy", "mutant:", "confirmation", "pytest", "fuzz"))
    assert done.returncode in ((0, 1) if may_fail else (0,)), done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_every_file_of_the_api_page_has_a_user() -> None:
    used = (*TYPED, "run_it", "test_conformance")
    assert [name for name in titled_blocks("docs/API.md") if not any(Path(name).stem in each for each in used)] == []
