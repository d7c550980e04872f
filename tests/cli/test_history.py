"""`react-tck history` of a port: real installers, packages made up here, and what the second release breaks."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from react_tck.catalogue.selection import Selection
from react_tck.cli.arguments import selection
from react_tck.cli.commands import history
from react_tck.cli.main import main
from react_tck.subjects import releases
from react_tck.subjects.catalogue import HARNESSES
from tests.support.packages import VERSIONS, go_proxy, go_versions, npm_registry, wheel


@pytest.fixture(autouse=True)
def few_scenarios(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The scenarios about thoughts alone; and what installers keep goes into the test's own folder."""
    if shutil.which("go"):
        # But what go has compiled of its own library is what it was before.
        kept = subprocess.run(("go", "env", "GOCACHE"), capture_output=True, text=True, check=True)
        monkeypatch.setenv("GOCACHE", kept.stdout.strip())
    monkeypatch.setattr(history, "selection", lambda *_: Selection(tags="@TRJ-002"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("npm_config_cache", str(tmp_path / "npm"))
    monkeypatch.setenv("GOMODCACHE", str(tmp_path / "go"))
    monkeypatch.setenv("GOFLAGS", "-buildvcs=false -modcacherw")
    monkeypatch.setenv("GOSUMDB", "off")


def port(language: str, folder: Path, *changes: tuple[str, str]) -> None:
    """What `init` writes, changed so that the library keeps the thoughts."""
    assert main(["init", language, str(folder)]) == 0
    harness = next(folder.glob("harness.*"))
    text = harness.read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    harness.write_text(text, encoding="utf-8")


@pytest.fixture
def in_node(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    if shutil.which("npm") is None:
        pytest.skip("there is no npm here")
    folder = tmp_path / "port"
    port(
        "node",
        folder,
        ("\n", '\nimport { kept } from "toy-react";\n'),
        ("push({ thought,", "push({ thought: kept(thought),"),
    )
    (folder / "package.json").write_text('{"type": "module", "dependencies": {"toy-react": "1.0.0"}}', encoding="utf-8")
    monkeypatch.chdir(folder)
    with npm_registry() as address:
        monkeypatch.setenv("npm_config_registry", address)
        yield folder


def test_releases_from_npm(in_node: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = sorted(in_node.rglob("*"))
    capsys.readouterr()

    assert main(["history", "npm:toy-react", *VERSIONS, "--json", "../history.json", "--out", "../page"]) == 1

    out = capsys.readouterr().out
    assert f"npm:toy-react 2.0.0: installing toy-react@2.0.0 with npm in a copy of {in_node} into " in out
    assert re.search(r"^TRJ-002 +MUST +passed", out, re.MULTILINE)
    assert "  TRJ-002 (MUST): passed → failed" in out
    assert "regression: " in out.splitlines()[-1]
    assert sorted(in_node.rglob("*")) == before
    found = json.loads(Path("../history.json").read_text(encoding="utf-8"))
    assert list(found["reports"]) == list(VERSIONS)
    assert [each["is_regression"] for each in found["comparisons"]] == [True]
    page = Path("../page/index.html").read_text(encoding="utf-8")
    assert "npm:toy-react over its releases" in page
    assert 'aria-label="failed, changed"' in page
    # What is printed to reproduce it finds the port that it was seen in.
    said = found["comparisons"][0]["changed"][0]["rows"][0]["reproduce"]
    assert Path(said.split()[-1]).is_file()

    assert main(["history", "npm:toy-react", *VERSIONS, "--workers", "2", "--json", "../shared.json"]) == 1
    assert "2.0.0: installing toy-react" in capsys.readouterr().out
    assert Path("../shared.json").read_bytes() == Path("../history.json").read_bytes()


#: Releases of a library: one that works, one that doesn't start, one that starts slowly, and one that never does.
_CODES = {"9.1": "", "9.2": "raise OSError('it is broken')", "9.3": "time.sleep(1)", "9.4": "time.sleep(600)"}
_UNPACK = "import sys, zipfile; zipfile.ZipFile(sys.argv[1]).extractall(sys.argv[2])"


@pytest.fixture
def made_up_udspy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in which the releases of udspy are these, installed without an installer."""
    for version, code in _CODES.items():
        wheel(tmp_path, "udspy", version, f"import time\n{code}")
    plan = releases._of_python

    def plan_without_installer(library: str, version: str, base: str) -> releases.Release:
        made = plan(library, version, base)
        packages = next(Path(base).parents[1].glob("lib/python*")).name
        place = made.folder / "lib" / packages / "site-packages"
        file = tmp_path / f"udspy-{version}-py3-none-any.whl"
        environment = (sys.executable, "-m", "venv", "--without-pip", str(made.folder))
        commands = (environment, (sys.executable, "-c", _UNPACK, str(file), str(place)))
        return replace(made, commands=commands, needs="udspy", python=made.python)

    monkeypatch.setattr(releases, "_of_python", plan_without_installer)
    monkeypatch.setattr(releases, "_PATIENCE", 2)
    harness = Path(__file__).parents[1] / "harnesses" / "plain.py"
    served = tmp_path / "harness.py"
    served.write_text(f"import udspy\n{harness.read_text(encoding='utf-8')}", encoding="utf-8")
    monkeypatch.setitem(HARNESSES, "udspy", served)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_history_survives_what_cannot_be_tested(
    made_up_udspy: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    versions = ["9.1", "9.2", "9.4", "9.9", "9.3"]
    files = ["--json", "history.json", "--out", "page"]

    status = main(["history", "udspy", *versions, "--initialize-timeout", "8", *files])

    out = " ".join(capsys.readouterr().out.split())
    found = json.loads((made_up_udspy / "history.json").read_text(encoding="utf-8"))
    assert list(found["reports"]) == ["9.1", "9.3"]
    assert list(found["untested"]) == ["9.2", "9.4", "9.9"]
    assert "OSError: it is broken" in found["untested"]["9.2"]
    assert "8 s" in found["untested"]["9.4"]
    assert "udspy==9.9" in found["untested"]["9.9"]
    page = (made_up_udspy / "page" / "index.html").read_text(encoding="utf-8")
    for version, why in found["untested"].items():
        assert f"{version} is not tested, because: {why.split()[0]}" in out
        assert f"<b>{version}</b> is not tested, because: " in page
    assert re.search(r"TRJ-002 MUST passed not tested not tested not tested passed", out)
    # The last one's own result.
    assert status == 0


@pytest.mark.parametrize(("last", "status"), [("9.2", 3), ("9.9", 2)])
def test_the_last_releases_end_is_the_status(made_up_udspy: Path, last: str, status: int) -> None:
    assert main(["history", "udspy", "9.1", last, "--json", "history.json"]) == status
    assert list(json.loads((made_up_udspy / "history.json").read_text(encoding="utf-8"))["reports"]) == ["9.1"]


def test_the_files_are_written_after_each_release(made_up_udspy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[list[str]] = []
    test_release = history._test_release

    def look_first(wanted: history.WantedRelease, console: Console) -> history.Came:
        file = made_up_udspy / "history.json"
        seen.append(list(json.loads(file.read_text(encoding="utf-8"))["reports"]) if file.exists() else [])
        return test_release(wanted, console)

    monkeypatch.setattr(history, "_test_release", look_first)
    main(["history", "udspy", "9.1", "9.2", "9.3", "--json", "history.json"])
    assert seen == [[], ["9.1"], ["9.1"]]


def test_a_folder_is_made_for_the_page_and_asked_for_of_a_file(
    made_up_udspy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["history", "udspy", "9.1", "--json", "nowhere/history.json"]) == 2
    told = capsys.readouterr()
    assert "nowhere/history.json can't be written: there is no folder nowhere." in " ".join(told.err.split())
    assert told.out == ""  # nothing was installed

    assert main(["history", "udspy", "9.1", "--out", "made/page", "--json", "made/page/history.json"]) == 0
    assert sorted(file.name for file in (made_up_udspy / "made" / "page").iterdir()) == ["history.json", "index.html"]


def test_a_port_says_in_its_own_file_how_long_it_may_take(in_node: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["history", "npm:toy-react", "1.0.0", "--initialize-timeout", "9"]) == 2
    assert "write `initialize` under [timeouts] in its react-tck.toml" in capsys.readouterr().err


def test_releases_by_workers_of_a_cluster(in_node: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed", reason="needs the extra 'cluster'")
    monkeypatch.setattr(history, "selection", selection)
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    files = []
    for crew in (["-n", "1"], ["--cluster", "local:2"]):
        files.append(in_node.parent / f"{crew[-1]}.json")
        profile = ["--profile", "confirmation", "--json", str(files[-1])]
        assert main(["history", "npm:toy-react", *VERSIONS, *profile, *crew]) == 1  # nothing of it is claimed
    assert files[0].read_bytes() == files[1].read_bytes()


def test_releases_of_a_module_for_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if shutil.which("go") is None:
        pytest.skip("there is no go here")
    (tmp_path / "proxy").mkdir()
    monkeypatch.setenv("GOPROXY", go_proxy(tmp_path / "proxy"))
    folder = tmp_path / "port"
    port(
        "go",
        folder,
        ('\t"bufio"', '\ttoy "example.org/toy-react"\n\t"bufio"'),
        ("Step{thought,", "Step{toy.Kept(thought),"),
    )
    config = (folder / "react-tck.toml").read_text(encoding="utf-8")
    assert '["go", "run", "."]' in config
    (folder / "react-tck.toml").write_text(config.replace('["go", "run", "."]', '["./harness"]'), encoding="utf-8")
    with (folder / "go.mod").open("a", encoding="utf-8") as module:
        module.write("\nrequire example.org/toy-react v0.1.0\n")
    monkeypatch.chdir(folder)
    capsys.readouterr()

    assert main(["history", "go:example.org/toy-react", *go_versions()]) == 1

    out = capsys.readouterr().out
    assert "go:example.org/toy-react v0.2.0: installing example.org/toy-react@v0.2.0 with go in a copy of " in out
    assert "  TRJ-002 (MUST): passed → failed" in out
