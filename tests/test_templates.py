"""What `react-tck init` writes passes as it is, in every language whose toolchain is on the machine."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import pytest

#: Of one user, and kept: the crates are compiled once a machine.
CARGO_TARGET = Path(tempfile.gettempdir()) / f"react-tck-cargo-{os.getuid()}"
ROOT = Path(__file__).parents[1]


@dataclass(frozen=True)
class Toolchain:
    """The program a harness needs, and what makes it ready."""

    program: str
    build: tuple[str, ...] = ()


TOOLCHAINS = {
    "python": Toolchain("python3"),
    "node": Toolchain("node"),
    "go": Toolchain("go", ("go", "build", "./...")),
    "rust": Toolchain("cargo", ("cargo", "build", "--quiet")),
    "elixir": Toolchain("elixir"),
    "ruby": Toolchain("ruby"),
}


def react_tck(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A command of the kit, given in the folder."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "CARGO_TARGET_DIR": str(CARGO_TARGET)}
    command = [sys.executable, "-m", "react_tck.cli.main", *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300)


@pytest.fixture(scope="module", params=TOOLCHAINS)
def harness(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a harness, as `react-tck init` writes it, and built."""
    language, toolchain = request.param, TOOLCHAINS[request.param]
    if shutil.which(toolchain.program) is None:
        pytest.skip(f"{toolchain.program} is not on this machine")
    folder = tmp_path_factory.mktemp(language)
    made = react_tck(folder, "init", language, ".")
    assert made.returncode == 0, made.stderr
    if toolchain.build:
        environment = {**os.environ, "CARGO_TARGET_DIR": str(CARGO_TARGET)}
        built = subprocess.run(toolchain.build, cwd=folder, env=environment, capture_output=True, text=True)
        _skip_without_network(built)
        assert built.returncode == 0, built.stderr
    return folder


def _skip_without_network(built: subprocess.CompletedProcess[str]) -> None:
    for sign in ("failed to download", "Could not resolve host", "failed to get `", "dial tcp", "Unable to update"):
        if built.returncode and sign in built.stderr:
            pytest.skip(f"the build can't fetch what it needs: {built.stderr.strip().splitlines()[-1]}")


def test_smoke(harness: Path) -> None:
    done = react_tck(harness, "smoke")

    assert done.returncode == 0, done.stdout + done.stderr


def test_every_must_of_core_that_is_not_declared_unsupported(harness: Path) -> None:
    done = react_tck(harness, "run", "--tags", "@must", "--json", "report.json")

    assert done.returncode == 0, done.stdout + done.stderr
    report = json.loads((harness / "report.json").read_text(encoding="utf-8"))
    verdicts = {
        scenario["verdict"]
        for requirement in report["requirements"]
        if requirement["level"] == "MUST"
        for scenario in requirement["scenarios"]
    }
    assert verdicts == {"passed", "unsupported", "not selected"}
