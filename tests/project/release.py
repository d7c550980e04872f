"""`make dist`: a wheel and a source distribution of what is committed, checked as a package index would and tried out.

`make nightly` must have passed with it. Each is installed into an empty environment, where `react-tck run reference`
has to end as conformant and `react-tck run dspy` with a verdict. What passes all of it is then in `dist/`.
"""

import argparse
import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[2]
_WHEEL_NAME = re.compile(r"react_tck-(?P<version>[^-]+)-py3-none-any\.whl")
#: What pip installs with either: the reference, and dspy with it.
_EXTRA = "reference"


class NotReleasable(Exception):
    """Something has to be mended before a release; the message says what."""


@dataclass(frozen=True)
class Trial:
    """A command of an installed kit, the exit statuses that it may have, and what it has to print."""

    words: tuple[str, ...]
    statuses: tuple[int, ...]
    output: str


def trials(version: str) -> tuple[Trial, ...]:
    """What everybody does first who has installed that version."""
    return (
        Trial(("--version",), (0,), f"react-tck {version}\n"),
        Trial(("run", "reference"), (0,), f"reference {version}: conformant"),
        # What dspy meets changes with dspy. That it is judged doesn't.
        Trial(("run", "dspy"), (0, 1), " + 0 errors + "),
    )


def export_commit(root: Path, folder: Path) -> None:
    """Write the files of the commit that a checkout is at into a folder, without what else lies in the checkout."""
    archive = subprocess.run(["git", "-C", str(root), "archive", "HEAD"], capture_output=True, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        files.extractall(folder, filter="data")


def find_uncommitted(root: Path) -> list[str]:
    """What differs in a checkout from its commit, a line a file as git has it."""
    words = ["git", "-C", str(root), "status", "--porcelain"]
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout.splitlines()


def check_nightly(root: Path) -> None:
    """See whether `make nightly` has passed with the commit that a checkout is at.

    Raises:
        NotReleasable: if it hasn't.
    """
    words = ["git", "-C", str(root), "rev-parse", "HEAD"]
    commit = subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()
    passed = root / "build" / "nightly"
    if not passed.exists() or passed.read_text(encoding="utf-8").strip() != commit:
        raise NotReleasable(
            f"make nightly has not passed with {commit[:8]}. Run it; then build/nightly names the commit."
        )


def build_distributions(tree: Path, out: Path) -> list[Path]:
    """The source distribution of a tree, and the wheel that is built from it.

    Raises:
        NotReleasable: if one of them can't be built.
    """
    _run([sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), str(tree)], "They can't be built")
    return sorted(out.iterdir())


def check_metadata(files: Sequence[Path]) -> None:
    """Hold what the distributions say of themselves against the rules of a package index; a warning is an error.

    Raises:
        NotReleasable: if one breaks a rule.
    """
    words = [sys.executable, "-m", "twine", "check", "--strict", *map(str, files)]
    _run(words, "A package index would refuse them")


def version_of(files: Sequence[Path]) -> str:
    """The version in the name of the wheel.

    Raises:
        NotReleasable: if there isn't one wheel, for every system, and one source distribution of the same version.
    """
    names = sorted(file.name for file in files)
    version = next((found["version"] for name in names if (found := _WHEEL_NAME.fullmatch(name))), "")
    if names != sorted([f"react_tck-{version}-py3-none-any.whl", f"react_tck-{version}.tar.gz"]):
        raise NotReleasable(f"A wheel for every system and a source distribution were to be built, not {names}.")
    return version


def find_objections(tag: str, version: str, changelog: str) -> Iterator[str]:
    """What speaks against releasing a version under a tag, a sentence each."""
    if tag != f"v{version}":
        yield f"The tag is {tag!r}, and the version {version}: the tag has to be v{version}."
    heading = next((line for line in changelog.splitlines() if line.startswith(f"## {version}")), None)
    if heading is None:
        yield f"CHANGELOG.md has no section '## {version}'."
    elif heading != f"## {version}":
        yield f"CHANGELOG.md has {heading!r}; for a release it has to be '## {version}'."


def install(file: Path, constraints: Path, environment: Path) -> Path:
    """Make an environment, and install a distribution there with what its users need; gives the `react-tck` of it.

    Raises:
        NotReleasable: if it can't be installed.
    """
    programs = environment / ("Scripts" if os.name == "nt" else "bin")
    _run([sys.executable, "-m", "venv", "--clear", str(environment)], "There is no environment to install it into")
    pip = [str(programs / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    _run([*pip, "-c", str(constraints), f"{file}[{_EXTRA}]"], f"{file.name} can't be installed")
    return programs / "react-tck"


def try_commands(program: Path, commands: Sequence[Trial], folder: Path) -> None:
    """Run commands of an installed kit in a folder outside of the checkout, which would hide what it lacks.

    Raises:
        NotReleasable: if one ends otherwise than it has to, or doesn't print what it has to.
    """
    for trial in commands:
        failure = f"`react-tck {' '.join(trial.words)}`, installed, doesn't do what it has to"
        printed = _run([str(program), *trial.words], failure, folder, trial.statuses)
        if trial.output not in printed:
            raise NotReleasable(f"{failure}. It doesn't print {trial.output!r}:\n{printed}")


def _run(words: Sequence[str], failure: str, folder: Path | None = None, statuses: Sequence[int] = (0,)) -> str:
    """What a command prints, if it ends with one of the statuses."""
    around = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}
    done = subprocess.run(words, cwd=folder, env=around, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode not in statuses:
        raise NotReleasable(f"{failure} (exit status {done.returncode}):\n{done.stdout}")
    return done.stdout


def make_release(root: Path, tag: str | None) -> list[Path]:
    """Build, check and try out what the checkout's commit holds; gives the files in its `dist/`.

    Raises:
        NotReleasable: if anything is wrong with it; then `dist/` is what it was.
    """
    with TemporaryDirectory() as name:
        tree, out = Path(name, "tree"), Path(name, "dist")
        export_commit(root, tree)
        files = build_distributions(tree, out)
        version = version_of(files)
        if tag is not None:
            changelog = (tree / "CHANGELOG.md").read_text(encoding="utf-8")
            if objections := list(find_objections(tag, version, changelog)):
                raise NotReleasable("\n".join(objections))
        check_metadata(files)
        environment, empty = Path(name, "environment"), Path(name, "empty")
        empty.mkdir()
        for file in files:
            print(f"{file.name} is installed and tried out", flush=True)
            try_commands(install(file, tree / "constraints.txt", environment), trials(version), empty)
        shutil.rmtree(root / "dist", ignore_errors=True)
        shutil.copytree(out, root / "dist")
    return sorted((root / "dist").iterdir())


def main() -> int:
    """Say what became of it; gives the exit status."""
    parser = argparse.ArgumentParser("python -m tests.project.release", description=__doc__)
    parser.add_argument("--tag", help="the tag that is being released: version and changelog have to agree with it")
    tag = parser.parse_args().tag
    if uncommitted := find_uncommitted(ROOT):
        print("Not in it, for it isn't committed:", *uncommitted, sep="\n", flush=True)
    try:
        check_nightly(ROOT)
        files = make_release(ROOT, tag)
    except NotReleasable as error:
        print(error, file=sys.stderr)
        return 1
    print(*(f"{file.relative_to(ROOT)} can be released" for file in files), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
