"""A report is the same bytes wherever, whenever and by however many processes it is made."""

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
#: Rows that fail and quote what the harness says, one that hangs on the LM, and some that pass.
SELECTED = ("--profile", "all", "--tags", "@TRJ-002 or @EXT-002 or @ERR-012 or @ERR-025", "-k", "t [")
#: Words and environments of runs that are to say the same.
RUNS: tuple[tuple[tuple[str, ...], dict[str, str]], ...] = (
    ((), {"PYTHONHASHSEED": "0", "TZ": "UTC"}),
    ((), {"PYTHONHASHSEED": "1", "TZ": "Asia/Kolkata", "LC_ALL": "C", "LANG": "C"}),
    (("-n", "3"), {"PYTHONHASHSEED": "7"}),
)


@pytest.fixture(scope="module")
def harness(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The toy, which loses thoughts and writes the address it was given into its errors."""
    folder = tmp_path_factory.mktemp("port")
    text = (ROOT / "tests" / "harnesses" / "plain.py").read_text(encoding="utf-8")
    for old, new in (
        ('{"thought": thought,', '{"thought": "",'),
        # The script holds nothing behind a finish: such rows fail, and quote the refusal.
        ("                break\n", "                self.ask(step, inputs, trajectory)\n"),
        ('raise RuntimeError(f"{error.code}: ', 'raise RuntimeError(f"{url} {key} {error.code}: '),
    ):
        assert old in text
        text = text.replace(old, new)
    (folder / "harness.py").write_text(text, encoding="utf-8")
    return folder / "harness.py"


def report(harness: Path, folder: Path, *arguments: str, python: str = sys.executable, **environment: str) -> bytes:
    """The report of a run in a folder, with an environment of its own."""
    command = [python, "-m", "react_tck", "run", *SELECTED, "--json", "report.json", *arguments]
    done = subprocess.run(
        [*command, "--", sys.executable, str(harness)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 1, done.stdout.decode() + done.stderr.decode()
    return (folder / "report.json").read_bytes()


@pytest.fixture(scope="module")
def reports(harness: Path, tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    """Those of all runs, made at once: most of the time each waits for the row that hangs."""
    with ThreadPoolExecutor(len(RUNS)) as threads:
        made = [threads.submit(report, harness, tmp_path_factory.mktemp("run"), *words, **env) for words, env in RUNS]
    return [each.result() for each in made]


def test_of_some_runs(reports: list[bytes]) -> None:
    expected, *others = reports
    assert b"TRJ-002" in expected
    assert b"RuntimeError: (an address)/v1/chat/completions (an address) 400" in expected
    assert others == [expected] * 2


@pytest.mark.all
@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13"])
def test_of_every_python_that_has_the_kit(version: str, harness: Path, reports: list[bytes], tmp_path: Path) -> None:
    named = f"REACT_TCK_PYTHON_{version.replace('.', '_')}"
    python = os.environ.get(named) or shutil.which(f"python{version}")
    probe = [python or "", "-c", "import gherkin, parse, pydantic, rich, httptools"]
    if python is None or subprocess.run(probe, capture_output=True, check=False).returncode:
        pytest.skip(f"no Python {version} here has what the kit needs; name one in {named}")
    assert report(harness, tmp_path, python=python) == reports[0]
