"""The files that a run can point at: a port's author has none of the kit's, only the subject's and the baseline."""

import posixpath
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from react_tck.gate.baseline import FILE, file_of
from react_tck.subjects.catalogue import is_harness
from react_tck.subjects.config import is_config

#: Where the root of a repository is while GitHub's and GitLab's runners work on it.
_ROOTS = ("GITHUB_WORKSPACE", "CI_PROJECT_DIR")


@dataclass(frozen=True)
class Places:
    """Paths as the user names them, from where the user stands."""

    baseline: Path = Path(FILE)
    #: What can be opened of the subject itself, if it has a file here.
    subject: Path | None = None
    #: Where the user stands, seen from the root of the repository.
    folder: Path = Path()

    def in_repository(self, path: Path) -> str:
        """Return the path as a reviewer's page knows it, with slashes."""
        return posixpath.normpath(posixpath.join(self.folder.as_posix(), path.as_posix()))


def places_of(subject: str, environment: Mapping[str, str]) -> Places:
    """Return the files of a subject; a runner's environment says where its checkout of the repository begins."""
    here = Path.cwd()
    root = Path(next(filter(None, map(environment.get, _ROOTS)), here)).resolve()
    folder = here.relative_to(root) if here.is_relative_to(root) else Path()
    return Places(file_of(subject), _file_of_subject(subject), folder)


def _file_of_subject(subject: str) -> Path | None:
    """Its configuration, its module, or the first word of its command that is a file here."""
    if is_config(subject):
        return Path(subject)
    if subject.startswith("python:"):
        words = [f"{subject.split(':')[1].replace('.', '/')}.py"]
    else:
        words = shlex.split(subject.removeprefix("-- ")) if is_harness(subject) else []
    files = (Path(word) for word in words if not word.startswith("/"))
    return next((file for file in files if file.is_file()), None)
