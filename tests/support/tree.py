"""Holds that tests leave the checkout as it was: no file changed, no compiled file that can't be read.

`TreeCheck` is a plugin of pytest. It looks when all tests are over, in the one process that sees their end whatever
`-n` says, and adds a failure to them: it counts in the closing line and in the exit status.
"""

import marshal
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path

import pytest

#: Folders in which nothing is compiled by a test of ours, or by other tools.
_NOT_LOOKED_INTO = {"build", "dist", "node_modules", "target", "venv"}
#: What stands before the code in a compiled file (PEP 552).
_HEADER = 16


class TreeCheck:
    """Compares the checkout in a folder before and after a session of pytest."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._before = find_changes(root)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Report what is wrong as a failed test."""
        if not (problems := [*self._describe_changes(), *describe_unreadable(self._root)]):
            return
        name = "the checkout after all tests"
        report = pytest.TestReport(
            nodeid=name,
            location=(name, None, name),
            keywords={},
            outcome="failed",
            longrepr="\n".join(problems),
            when="call",
        )
        session.config.hook.pytest_runtest_logreport(report=report)
        if session.exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def _describe_changes(self) -> Iterator[str]:
        after = find_changes(self._root)
        for path in sorted(self._before.keys() | after.keys()):
            if self._before.get(path) != after.get(path):
                yield f"{path} was changed while the tests ran: by one of them, or by you"


def is_needed(config: pytest.Config) -> bool:
    """Whether this session sees the end of all tests: no worker of another does, and no session in somebody's test."""
    return not hasattr(config, "workerinput") and "PYTEST_CURRENT_TEST" not in os.environ


def find_changes(root: Path) -> Mapping[str, str]:
    """The files that differ from the commit or are new, with what each holds; none where there is no repository."""
    git = ("git", "--no-optional-locks", "-C", str(root))
    words = (*git, "status", "--porcelain", "-z", "--no-renames", "--untracked-files=all")
    try:
        done = subprocess.run(words, capture_output=True, text=True)
    except FileNotFoundError:  # there is no git
        return {}
    return {line[3:]: f"{line[:2]} {_hash(root / line[3:])}" for line in done.stdout.split("\0") if line}


def describe_unreadable(root: Path) -> Iterator[str]:
    """A sentence for each compiled file below the folder that this Python couldn't import."""
    for folder, inner, names in os.walk(root):
        inner[:] = [name for name in inner if not (name.startswith(".") or name in _NOT_LOOKED_INTO)]
        for name in sorted(names):
            if not name.endswith(".pyc") or f".{sys.implementation.cache_tag}" not in name:
                continue
            path = Path(folder, name)
            try:
                marshal.loads(path.read_bytes()[_HEADER:])
            except (EOFError, ValueError, TypeError) as error:
                yield f"{path.relative_to(root)} can't be imported: {error}; remove it"


def _hash(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
