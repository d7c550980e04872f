"""`react-tck history` of a port: real installers, packages made up here, and what the second release breaks."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from react_tck.catalogue.selection import Selection
from react_tck.cli.arguments import selection
from react_tck.cli.commands import history
from react_tck.cli.main import main
from tests.support.packages import VERSIONS, go_proxy, go_versions, npm_registry


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
