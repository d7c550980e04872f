"""Findings as files."""

from collections.abc import Iterable
from pathlib import Path

from pydantic import ValidationError

import react_tck
from react_tck.model.episode import Episode
from react_tck.model.manifest import Manifest
from react_tck.model.report import Finding, KitInfo, SubjectInfo


class UnreadableFinding(Exception):
    """The file isn't a finding that the fuzzer has kept; the message says why."""


def finding_of(manifest: Manifest, episode: Episode, violated: Iterable[str]) -> Finding:
    """What is kept of an episode and the requirements violated in it; without any, the harness broke."""
    return Finding(
        kit=KitInfo(version=react_tck.__version__),
        subject=SubjectInfo(name=manifest.name, version=manifest.version),
        requirements=tuple(violated),
        episode=episode,
    )


def keep(finding: Finding, folder: Path) -> Path:
    """Write the finding into the folder, under its own name.

    Raises:
        OSError: if the folder can't be written to.
    """
    path = folder / f"{finding.name}.json"
    path.write_text(f"{finding.model_dump_json(indent=2)}\n", encoding="utf-8")
    return path


def read_finding(path: Path) -> Finding:
    """The finding in a file.

    Raises:
        UnreadableFinding: if the file can't be read, or holds something else.
    """
    try:
        return Finding.model_validate_json(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UnreadableFinding(f"{path} can't be read: {error.strerror}.") from error
    except (ValidationError, UnicodeDecodeError) as error:
        first = str(error).splitlines()[:3]
        raise UnreadableFinding(f"{path} is not a case that `react-tck fuzz` has written: {' '.join(first)}") from error
