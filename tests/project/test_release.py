"""`make dist` releases what is committed, and nothing that an index would refuse or that doesn't work, installed."""

import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.project.release import (
    NotReleasable,
    check_metadata,
    export_commit,
    find_objections,
    find_uncommitted,
    install,
    trials,
    try_commands,
)

pytest.importorskip("build", reason="needs the extra dev")
pytest.importorskip("twine", reason="needs the extra dev")

#: An installed kit that does what it has to; a test breaks one line of it.
WORKS = """
import sys

def main():
    import react_tck_data
    words = sys.argv[1:]
    if words == ["--version"]:
        print("react-tck 1.0.0")
    elif words == ["run", "reference"]:
        print("reference 1.0.0: conformant (MUST: 48 passed)")
    elif words == ["run", "dspy"]:
        print("ledger: 2 registered = 1 passed + 1 failed + 0 errors + 0 not run")
        sys.exit(1)
"""
METADATA = """\
Metadata-Version: 2.1
Name: react-tck
Version: 1.0.0
Summary: A kit
Description-Content-Type: text/markdown
Provides-Extra: reference

# A kit
"""


def make_wheel(folder: Path, code: str = WORKS, metadata: str = METADATA, others: tuple[str, ...] = ("data",)) -> Path:
    """A wheel in the place of the kit's, whose command is that code; it needs no other package."""
    information = "react_tck-1.0.0.dist-info"
    files = {
        "react_tck_command.py": code,
        **{f"react_tck_{name}.py": "" for name in others},
        f"{information}/METADATA": metadata,
        f"{information}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{information}/entry_points.txt": "[console_scripts]\nreact-tck = react_tck_command:main\n",
        f"{information}/RECORD": "",
    }
    path = folder / "react_tck-1.0.0-py3-none-any.whl"
    with ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


def make_program(folder: Path, code: str) -> Path:
    """An installed `react-tck`, without an installation."""
    path = folder / "react-tck"
    path.write_text(f"#!{sys.executable}\n{code}\nmain()\n", encoding="utf-8")
    path.chmod(0o755)
    return path


@pytest.mark.all
def test_what_works_when_it_is_installed_is_accepted(tmp_path: Path) -> None:
    constraints = tmp_path / "constraints.txt"
    constraints.touch()
    program = install(make_wheel(tmp_path), constraints, tmp_path / "environment")
    try_commands(program, trials("1.0.0"), tmp_path)

    # The one before is cleared away: what it had installed helps none.
    incomplete = install(make_wheel(tmp_path, others=()), constraints, tmp_path / "environment")
    with pytest.raises(NotReleasable, match="No module named 'react_tck_data'"):
        try_commands(incomplete, trials("1.0.0"), tmp_path)

    (broken := tmp_path / "broken.whl").write_bytes(b"no archive")
    with pytest.raises(NotReleasable, match=r"broken\.whl can't be installed"):
        install(broken, constraints, tmp_path / "environment")


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("import react_tck_data", "import nowhere", r"`react-tck --version`.* \(exit status 1\)"),
        ("react-tck 1.0.0", "react-tck 0.9.0", r"`react-tck --version`.* It doesn't print 'react-tck 1\.0\.0"),
        ("conformant", "nothing failed", r"`react-tck run reference`.* It doesn't print 'reference 1\.0\.0: conf"),
        ("0 errors", "1 errors", r"`react-tck run dspy`.* It doesn't print ' \+ 0 errors"),
        ("sys.exit(1)", "sys.exit(5)", r"`react-tck run dspy`.* \(exit status 5\)"),
    ],
)
def test_each_command_has_to_end_and_print_as_it_should(old: str, new: str, complaint: str, tmp_path: Path) -> None:
    code = WORKS.replace("import react_tck_data", "import json")
    try_commands(make_program(tmp_path, code), trials("1.0.0"), tmp_path)

    broken = make_program(tmp_path, WORKS.replace(old, new).replace("import react_tck_data", "import json"))
    with pytest.raises(NotReleasable, match=complaint):
        try_commands(broken, trials("1.0.0"), tmp_path)


def test_what_an_index_would_refuse_is_refused(tmp_path: Path) -> None:
    check_metadata([make_wheel(tmp_path)])
    # A warning, which `--strict` makes an error.
    undescribed = make_wheel(tmp_path, metadata=METADATA.removesuffix("# A kit\n"))
    with pytest.raises(NotReleasable, match="A package index would refuse them"):
        check_metadata([undescribed])


def test_only_what_is_committed_is_built(tmp_path: Path) -> None:
    root, tree = tmp_path / "root", tmp_path / "tree"
    root.mkdir()
    git = ["git", "-C", str(root), "-c", "user.name=t", "-c", "user.email=t@example.org"]
    (root / "committed").write_text("a", encoding="utf-8")
    (root / "linked").symlink_to("committed")
    for words in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "-m", "All"]):
        subprocess.run([*git, *words], check=True)
    assert find_uncommitted(root) == []
    (root / "committed").write_text("b", encoding="utf-8")
    (root / "lying-about").touch()

    export_commit(root, tree)

    assert sorted(path.name for path in tree.iterdir()) == ["committed", "linked"]
    assert (tree / "linked").is_symlink()
    assert (tree / "committed").read_text(encoding="utf-8") == "a"
    assert find_uncommitted(root) == [" M committed", "?? lying-about"]


@pytest.mark.parametrize(
    ("tag", "changelog", "objections"),
    [
        ("v1.0.0", "# Changelog\n\n## 1.0.0\n", []),
        ("1.0.0", "## 1.0.0\n", ["The tag is '1.0.0', and the version 1.0.0: the tag has to be v1.0.0."]),
        ("v1.0.0", "## 0.9.0\n", ["CHANGELOG.md has no section '## 1.0.0'."]),
        (
            "v1.0.0",
            "## 1.0.0 (unreleased)\n",
            ["CHANGELOG.md has '## 1.0.0 (unreleased)'; for a release it has to be '## 1.0.0'."],
        ),
    ],
)
def test_tag_version_and_changelog_agree(tag: str, changelog: str, objections: list[str]) -> None:
    assert list(find_objections(tag, "1.0.0", changelog)) == objections
