"""`matrix NAME@VERSION…`: releases side by side, packages made up here, and what the second one breaks."""

import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from react_tck.cli.main import main
from react_tck.subjects import releases
from react_tck.subjects.catalogue import BUILT_IN
from tests.support.packages import wheel


@pytest.fixture(autouse=True)
def few_scenarios(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What installers keep goes into the test's own folder."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("npm_config_cache", str(tmp_path / "npm"))


#: The scenarios about thoughts alone.
THOUGHTS = ("--tags", "@TRJ-002")
#: Releases of a library: one that works, one that doesn't start, and one that loses thoughts.
_CODES = {"9.1": "KEEPS = True", "9.2": "raise OSError('it is broken')", "9.3": "KEEPS = False"}
_UNPACK = "import sys, zipfile; zipfile.ZipFile(sys.argv[1]).extractall(sys.argv[2])"


@pytest.fixture
def made_up_udspy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder in which the releases of udspy are these, installed without an installer."""
    for version, code in _CODES.items():
        wheel(tmp_path, "udspy", version, code)
    plan = releases._of_python

    def plan_without_installer(library: str, version: str) -> releases.Release:
        made = plan(library, version)
        packages = next(Path(sys.executable).parents[1].glob("lib/python*")).name
        place = made.folder / "lib" / packages / "site-packages"
        file = tmp_path / f"udspy-{version}-py3-none-any.whl"
        environment = (sys.executable, "-m", "venv", "--without-pip", str(made.folder))
        return replace(made, commands=(environment, (sys.executable, "-c", _UNPACK, str(file), str(place))))

    monkeypatch.setattr(releases, "_of_python", plan_without_installer)
    adapter = (Path(__file__).parents[2] / "examples" / "own_agent.py").read_text(encoding="utf-8")
    assert "append({**step, " in adapter
    lossy = adapter.replace("append({**step, ", 'append({**step, **({} if udspy.KEEPS else {"next_thought": ""}), ')
    lossy = lossy.replace("import react_tck\n", "import react_tck\nimport udspy\n", 1)
    (tmp_path / "lossy_agent.py").write_text(lossy, encoding="utf-8")
    monkeypatch.setitem(BUILT_IN, "udspy", ("lossy_agent:Mine", "udspy", "udspy"))
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("made_up_udspy")
def test_releases_stand_side_by_side_with_what_changed(capsys: pytest.CaptureFixture[str]) -> None:
    names = [f"udspy@{version}" for version in ("9.1", "9.2", "9.9", "9.3")]

    assert main(["matrix", *names, *THOUGHTS, "--out", "page"]) == 0

    told = capsys.readouterr()
    assert "installing udspy==9.1 with " in told.err
    assert "udspy@9.2: error" in told.out
    assert "OSError: it is broken" in told.out
    assert "udspy@9.9: not installed" in told.out
    assert "udspy==9.9" in told.out
    assert re.search(r"^TRJ-002 +MUST +passed +FAILED", told.out, re.MULTILINE)
    assert "\nworse than the first\n  TRJ-" in told.out
    assert sorted(file.name for file in Path("page").iterdir()) == ["index.html", "udspy-9.1.json", "udspy-9.3.json"]

    assert main(["run", "-v", "udspy@9.3", *THOUGHTS]) == 1
    told = capsys.readouterr()
    assert "installing" not in told.err
    assert re.search(r"^reproduce: react-tck run .* udspy@9.3$", told.out, re.MULTILINE)
