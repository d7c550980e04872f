"""Findings as files."""

from pathlib import Path

from pydantic import ValidationError

import react_tck
from react_tck.model.episode import Episode
from react_tck.model.found import FoundCase
from react_tck.model.manifest import Manifest
from react_tck.model.report import KitInfo, SubjectInfo
from react_tck.play.judgement import Judgement


class UnreadableCase(Exception):
    """The file isn't a case that the fuzzer has kept; the message says why."""


def found_case(manifest: Manifest, judgement: Judgement) -> FoundCase:
    """What is kept of a judgement."""
    return kept_case(manifest, judgement.episode, *judgement.violations)


def kept_case(manifest: Manifest, episode: Episode, *requirements: str) -> FoundCase:
    """What is kept of an episode; without requirements, the harness broke in it."""
    return FoundCase(
        kit=KitInfo(version=react_tck.__version__),
        subject=SubjectInfo(name=manifest.name, version=manifest.version),
        requirements=requirements,
        episode=episode,
    )


def keep(case: FoundCase, folder: Path) -> Path:
    """Write the case into the folder, under its own name.

    Raises:
        OSError: if the folder can't be written to.
    """
    path = folder / f"{case.name}.json"
    path.write_text(f"{case.model_dump_json(indent=2)}\n", encoding="utf-8")
    return path


def read_case(path: Path) -> FoundCase:
    """The case in a file.

    Raises:
        UnreadableCase: if the file can't be read, or holds something else.
    """
    try:
        return FoundCase.model_validate_json(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UnreadableCase(f"{path} can't be read: {error.strerror}.") from error
    except (ValidationError, UnicodeDecodeError) as error:
        first = str(error).splitlines()[:3]
        raise UnreadableCase(f"{path} is not a case that `react-tck fuzz` has written: {' '.join(first)}") from error
