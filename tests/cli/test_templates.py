"""What `react-tck init` writes passes as it is, in every language whose toolchain is on the machine."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from react_tck.catalogue.selection import Selection
from react_tck.cli.commands.init import load_languages
from react_tck.cli.main import main
from react_tck.model.report import Verdict
from react_tck.results.exit_status import Exit, exit_status
from tests.support.subject_checks import report_of

#: Of one user, and kept: the crates are compiled once a machine.
CARGO_TARGET = Path(tempfile.gettempdir()) / f"react-tck-cargo-{os.getuid()}"
ROOT = Path(__file__).parents[2]


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


@pytest.fixture(
    scope="module",
    params=[each if each == "node" else pytest.param(each, marks=pytest.mark.all) for each in load_languages()],
)
def harness(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a harness, as `react-tck init` writes it, and built."""
    language, toolchain = request.param, TOOLCHAINS[request.param.partition("-")[0]]
    if shutil.which(toolchain.program) is None:
        pytest.skip(f"{toolchain.program} is not on this machine")
    folder = tmp_path_factory.mktemp(language)
    name, _, kind = language.partition("-")
    assert main(["init", name, str(folder), *(["--kind", kind] if kind else [])]) == 0
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


@pytest.fixture
def inside(harness: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Standing in the harness's folder."""
    monkeypatch.chdir(harness)
    monkeypatch.setenv("CARGO_TARGET_DIR", str(CARGO_TARGET))
    # In an environment that isn't activated `python3` is another's; it has to have the kit, installed or not.
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    return harness


@pytest.mark.usefixtures("inside")
def test_check(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check"]) == 0, capsys.readouterr().out


@pytest.mark.usefixtures("inside")
def test_of_core_fails_what_the_readme_says_and_no_must() -> None:
    report = report_of("react-tck.toml", Selection(), replays=False)
    musts = [requirement for requirement in report.requirements if requirement.level == "MUST"]
    ended = {(each.verdict, each.message) for must in musts for each in must.scenarios}
    assert exit_status(report) is Exit.CONFORMANT, ended
    assert {verdict for verdict, _ in ended} == {Verdict.PASSED, Verdict.UNSUPPORTED}

    (told,) = re.findall(r"^The toy fails .*", Path("README.md").read_text(encoding="utf-8"), re.M)
    failed = {each.id for each in report.requirements if each.verdict is Verdict.FAILED}
    assert set(re.findall(r"[A-Z]{3,4}-\d{3}", told)) == failed
