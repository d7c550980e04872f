"""A release of a library made ready to be tested: what is installed, by which commands, where, and the subject it is.

A release of a Python library gets an environment of its own, which is kept. Of a library in another language a port
is tested: a copy of the folder that holds its `react-tck.toml`, in which that release is installed; it is made anew
each time, for the port may have changed, and stays there, so that a failure can be reproduced.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from react_tck.files import read_file
from react_tck.subjects.catalogue import LibraryMissing, UnknownSubject, is_release
from react_tck.subjects.config import FILE, read_config
from react_tck.texts import UnreadableText, read_json

#: Python libraries by the names they are installed under, and the subject each is.
LIBRARIES = {"dspy": "dspy", "udspy": "udspy", "dspy-react-machina": "machina"}
#: It asks for Python 3.12, and runs on 3.11 all the same.
_ASKS_FOR_MORE = {"dspy-react-machina": (3, 12)}
_FROM_A_PORT = ("npm", "go")
_VERSIONS = {
    "npm": (re.compile(r"\d[\w.+-]*"), "6.0.1"),
    "go": (re.compile(r"v\d[\w.+-]*"), "v0.7.1"),
    "": (re.compile(r"\d[\w.+!]*"), "3.0.4"),
}
#: A module in go.mod, in a block or on a line of its own.
_REQUIRED = re.compile(r"^(?:require)?\s+([^\s()]+)\s+v\d", re.MULTILINE)
#: Characters of an installer's complaint that are shown: it may name every version there ever was.
_SHOWN = 120
#: Written into an environment when it is complete: an interrupted installation is begun anew.
_READY = ".ready"

Command = tuple[str, ...]


class ReleaseMissing(LibraryMissing):
    """A release can't be installed here; the message says why."""


@dataclass(frozen=True)
class Release:
    """How a release gets ready."""

    #: What is installed and with what, in words.
    installs: str
    folder: Path
    commands: tuple[Command, ...]
    #: Under this name the kit tests it, once it is ready.
    subject: str
    #: The folder of the port, of which it is a copy.
    port: Path | None = None
    #: The interpreter that has it.
    python: str = ""

    @property
    def is_ready(self) -> bool:
        """Whether an earlier run has made it ready."""
        return self.port is None and (self.folder / _READY).is_file()

    def make(self) -> None:
        """Install it.

        Raises:
            ReleaseMissing: if one of the commands fails, its program isn't here, or the port can't be copied; nothing
                is left behind.
        """
        shutil.rmtree(self.folder, ignore_errors=True)
        if self.port:
            self._copy_port(self.port)
        for command in self.commands:
            self._run_command(command)
        (self.folder / _READY).touch()

    def _copy_port(self, port: Path) -> None:
        """Links stay links: one to nowhere is no reason to stop."""
        try:
            shutil.copytree(port, self.folder, symlinks=True, ignore=shutil.ignore_patterns("node_modules", ".git"))
        except OSError as error:
            shutil.rmtree(self.folder, ignore_errors=True)
            # What copies a tree keeps source, target and reason of everything that it couldn't copy.
            why = error.args[0][0][2] if isinstance(error, shutil.Error) else error
            raise ReleaseMissing(f"{port} can't be copied: {why}.") from error

    def _run_command(self, command: Command) -> None:
        cwd = self.folder if self.port else None
        try:
            done = subprocess.run(
                command,
                cwd=cwd,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
            )
        except OSError as error:
            shutil.rmtree(self.folder, ignore_errors=True)
            raise ReleaseMissing(f"{command[0]} can't be run: {error.strerror}.") from error
        if done.returncode:
            shutil.rmtree(self.folder, ignore_errors=True)
            said = "\n".join(_cut_line(line) for line in f"{done.stdout}{done.stderr}".strip().splitlines()[-5:])
            raise ReleaseMissing(f"{self.installs}: `{' '.join(command[:3])} …` failed. It was said:\n{said}")


def install_release(name: str, say: Callable[[str], object]) -> str:
    """Return the name under which a release is a subject, once it is installed; of any other subject its own.

    What is installed is said.

    Raises:
        UnknownSubject: if the library has no releases here, or what is said to be a version is none.
        ConfigError: if the port's configuration file isn't here, or can't be understood.
        ReleaseMissing: if it can't be installed.
    """
    if not is_release(name):
        return name
    made = plan_release(name)
    if not made.is_ready:
        say(f"installing {made.installs} into {made.folder}")
        made.make()
    return made.subject


def find_python(name: str) -> str:
    """Return the interpreter that has the release of a Python library.

    Raises:
        UnknownSubject: if there can't be such a release.
        ReleaseMissing: if it isn't installed.
    """
    made = plan_release(name)
    if not made.is_ready:
        raise ReleaseMissing(f"{name} isn't installed; `react-tck check {name}` installs it.")
    return made.python


def plan_release(name: str) -> Release:
    """Return how a release is installed, for the kit's own version of Python.

    Raises:
        UnknownSubject: if the library has no releases here, or what is said to be a version is none.
        ConfigError: if the port's configuration file isn't here, or can't be understood.
    """
    library, _, version = name.rpartition("@")
    kind, package = _split_library(library)
    if not kind and package not in LIBRARIES:
        raise UnknownSubject(
            f"There are no releases of {library!r} here, only of {', '.join(LIBRARIES)} and, "
            "from the folder of a port, npm:PACKAGE and go:MODULE."
        )
    pattern, such_as = _VERSIONS[kind]
    if not pattern.fullmatch(version):
        raise UnknownSubject(f"{version!r} is no version of {package}: write one such as {such_as}.")
    if not kind:
        return _of_python(package, version)
    read_config(Path(FILE))
    _check_dependency(kind, package)
    return _of_port(kind, package, version)


def cache_folder() -> Path:
    """Return the folder that all releases are installed in: `react-tck` in the user's cache."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "react-tck"


def _split_library(library: str) -> tuple[str, str]:
    kind, colon, name = library.partition(":")
    return (kind, name) if colon and kind in _FROM_A_PORT else ("", library)


def _of_python(library: str, version: str) -> Release:
    base, running_on = sys.executable, sys.version_info[:2]
    folder = cache_folder() / "environments" / f"{library}-{version}-py{running_on[0]}.{running_on[1]}"
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    requirement = f"{library}=={version}"
    least = _ASKS_FOR_MORE.get(library, running_on)
    uv = shutil.which("uv")
    if uv:
        environment: Command = (uv, "venv", "--quiet", "--python", base, str(folder))
        # Else the first call would compile it, in the time that a harness has to start.
        install: Command = (uv, "pip", "install", "--quiet", "--compile-bytecode", "--python", str(python))
        regardless: Command = ("--python-version", ".".join(map(str, least)))
    else:
        environment = (base, "-m", "venv", str(folder))
        install = (str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
        regardless = ("--ignore-requires-python",)
    installed: list[Command] = [(*install, requirement)]
    if running_on < least:
        installed = [(*install, "--no-deps", *regardless, requirement), (*install, "dspy")]
    what = f"{requirement} with {'uv' if uv else 'venv and pip'} for Python {running_on[0]}.{running_on[1]}"
    return Release(what, folder, (environment, *installed), f"{library}@{version}", python=str(python))


def _of_port(kind: str, name: str, version: str) -> Release:
    port = Path.cwd()
    # Two ports of one library are two folders.
    digest = hashlib.sha256(os.fsencode(port)).hexdigest()[:8]
    folder = cache_folder() / "ports" / f"{kind}-{name.replace('/', '-')}-{version}-{digest}"
    wanted = f"{name}@{version}"
    if kind == "npm":
        install = ("npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--save-exact", wanted)
        commands: tuple[Command, ...] = (install, ("npm", "run", "build", "--if-present"))
    else:
        commands = (("go", "get", wanted), *_go_builds(port))
    subject = str(folder / FILE)
    return Release(f"{wanted} with {kind} in a copy of {port}", folder, commands, subject, port)


def _go_builds(port: Path) -> Iterable[Command]:
    """Yield what makes the program that the configuration starts, unless that is `go run`."""
    program = read_config(port / FILE).command[0]
    if program.startswith("."):
        # What the release needs besides may not be in go.sum yet.
        yield ("go", "build", "-mod=mod", "-o", program, ".")


def _check_dependency(kind: str, name: str) -> None:
    file = Path("package.json" if kind == "npm" else "go.mod")
    if not file.is_file():
        raise UnknownSubject(
            f"There is no {file} here: releases of {kind}:{name} are played with the port in whose folder you are."
        )
    text = read_file(file)
    known = _npm_dependencies(file, text) if kind == "npm" else _REQUIRED.findall(text)
    if name not in known:
        raise UnknownSubject(f"{file} here doesn't depend on {name!r}; it does on {', '.join(known) or 'nothing'}.")


def _npm_dependencies(file: Path, text: str) -> list[str]:
    try:
        package = read_json(text)
    except UnreadableText as error:
        raise UnknownSubject(f"{file} here can't be read: {error}.") from error
    kinds = ("dependencies", "devDependencies", "optionalDependencies", "peerDependencies")
    tables = [package.get(kind) for kind in kinds] if isinstance(package, dict) else []
    return [name for table in tables if isinstance(table, dict) for name in table]


def _cut_line(line: str) -> str:
    return line if len(line) <= _SHOWN else f"{line[:_SHOWN]}…"
