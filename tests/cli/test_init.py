"""`react-tck init`: what it writes, and what it leaves alone."""

import shlex
from pathlib import Path

import pytest

from react_tck.cli.arguments import load_config
from react_tck.cli.commands.init import TEMPLATES, files_for, load_languages
from react_tck.cli.main import main
from react_tck.distribution import kit_for_others
from tests.support.actions import read_yaml

LANGUAGES = tuple(load_languages())
WORKFLOW = ".github/workflows/react-tck.yml"
#: Lines of code a harness may have around the toy; Go and Rust say more of types, native agents of the task.
HARNESS_LINES = {"python": 25, "python-native": 25, "node-native": 120, "go": 160, "go-native": 220, "rust": 105}
COMMENTS = ("#", "//", '"""')


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(["init", *arguments])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def texts(language: str, folder: str = ".") -> dict[str, str]:
    return {name: text for name, text in files_for(language, folder).items() if isinstance(text, str)}


def tree(folder: Path) -> dict[str, bytes]:
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_is_written(language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = told(capsys, language, str(tmp_path / "new" / "port"))

    written = tree(tmp_path / "new" / "port")
    assert status == 0
    own = {*load_languages()[language]["files"], "react-tck.toml", "README.md", WORKFLOW}
    assert own | kit_for_others().files.keys() == set(written)
    assert out.count("\n") == 4
    assert all(name in out for name in written)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_written_is_the_template(language: str, tmp_path: Path) -> None:
    files = texts(language)
    name, harness = next(iter(files.items()))
    before, _, rest = harness.partition("replace me with your library: from here")
    toy, _, after = rest.partition("to here")
    lines = [line for line in map(str.strip, (before + after).splitlines()) if line]
    (tmp_path / "react-tck.toml").write_text(files["react-tck.toml"], encoding="utf-8")
    config = load_config(tmp_path / "react-tck.toml")

    assert harness == (TEMPLATES / language / name).read_text(encoding="utf-8")
    kept = {file.name for file in (TEMPLATES / language).iterdir() if file.is_file()}
    assert kept == ({name} if "-" in language else {*load_languages()[language]["files"], "react-tck.toml"})
    assert toy
    assert after
    assert sum(not line.startswith(COMMENTS) for line in lines) <= HARNESS_LINES.get(language, 100)
    assert [line for text in files.values() for line in text.splitlines() if len(line) > 120] == []
    # What the toy does at the choice points is declared.
    assert (config.profile, config.choices) == ("core", {})
    assert "$" not in files["README.md"] + files[WORKFLOW]


#: Folders as they are named, and as a workflow says where they are.
FOLDERS = [
    *((".", "."), ("ports/tck", "ports/tck"), ("/srv/tck", "."), ("../tck", ".")),
    *((name, name) for name in ("a: b", "a #b", "- a", "*a", "a\n  b: c", "'a\"", "a\\b", "yes", "10", "é😀", "$kit")),
    ("a/${{ secrets.KEY }}", "a/${{ '${{' }} secrets.KEY }}"),
]


@pytest.mark.parametrize(("folder", "seen"), FOLDERS)
def test_the_workflow_runs_the_kit_in_the_folder(folder: str, seen: str) -> None:
    workflow = texts("node", folder)[WORKFLOW]

    job = read_yaml(workflow)["jobs"]["conformance"]
    assert job["defaults"]["run"]["working-directory"] == seen
    assert job["steps"][-1]["with"]["path"] == f"{seen}/react-tck-report.json"
    assert f"pip install {shlex.quote(kit_for_others().requirement)}\n" in workflow


def test_an_existing_file_is_never_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "README.md").write_text("mine", encoding="utf-8")

    status, _, error = told(capsys, "python", str(tmp_path))

    assert status == 2
    assert error.startswith(f"react-tck: {tmp_path / 'README.md'} is there already; nothing was written.")
    assert error.count("\n") == 1
    assert tree(tmp_path) == {"README.md": b"mine"}


def test_a_file_where_the_folder_should_be(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "taken").write_text("mine", encoding="utf-8")

    status, _, error = told(capsys, "python", str(tmp_path / "taken"))

    assert status == 2
    assert error == f"react-tck: {tmp_path / 'taken'} is there already, and no folder; nothing was written.\n"


def test_at_a_terminal_it_asks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr("click.confirm", lambda _: True)
    assert told(capsys, "go", str(tmp_path))[0] == 0
    assert "natively" in (tmp_path / "harness.go").read_text(encoding="utf-8")


def test_an_unknown_language(capsys: pytest.CaptureFixture[str]) -> None:
    status, _, error = told(capsys, "cobol")

    assert status == 2
    assert error == f"react-tck: There is no template for 'cobol'; there are {', '.join(LANGUAGES)}.\n"
