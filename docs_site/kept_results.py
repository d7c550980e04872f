"""The results that lie in the tree, where commands left them; what isn't there, with the command that makes it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Generic, TypeVar

from react_tck.cli.earlier_reports import UnreadableReport, read_comparable_report, read_history
from react_tck.model.report import Report
from react_tck.reports.history import History
from react_tck.subjects.catalogue import BUILT_IN, LibraryMissing, require_library
from react_tck.subjects.config import FILE
from react_tck.subjects.releases import LIBRARIES

#: Where `make matrix` leaves its reports, and in which folder there is one for what `history` writes of a library.
REPORTS, RELEASES = "build/matrix", "build/history"
_HISTORY = "history.json"
#: The table that `make newest` leaves.
NEWEST = "build/newest/newest.md"

Content = TypeVar("Content", Report, History)


@dataclass(frozen=True)
class Kept(Generic[Content]):
    """What a file of results holds, the file's own text, and when it was written: reports say nothing of time."""

    content: Content
    text: str
    written: datetime


@dataclass(frozen=True)
class Results:
    """What is shown, by subject or port and by library; and why something isn't, with the command that makes it."""

    subjects: Mapping[str, Kept[Report]] = field(default_factory=dict)
    libraries: Mapping[str, Kept[History]] = field(default_factory=dict)
    #: What `make newest` found, as a page; empty if it wasn't run.
    newest: str = ""
    missing: Mapping[str, str] = field(default_factory=dict)

    @property
    def reports(self) -> list[Report]:
        """Those of subjects and ports, in the order of the heat map."""
        return [each.content for each in self.subjects.values()]


def gather_results(root: Path) -> Results:
    """What lies in the tree: nothing is played, and a file that can't be used is told like one that isn't there."""
    missing: dict[str, str] = {}

    def read_kept(name: str, file: Path, read: Callable[[Path], Content], how: str) -> Mapping[str, Kept[Content]]:
        why = ""
        try:
            if file.is_file():
                written = datetime.fromtimestamp(file.stat().st_mtime, UTC)
                return {name: Kept(read(file), file.read_text(encoding="utf-8"), written)}
        except UnreadableReport as error:
            why = f"{error} "
        missing[name] = why + how
        return {}

    subjects: dict[str, Kept[Report]] = {}
    for name in dict.fromkeys((*BUILT_IN, *(file.stem for file in sorted((root / REPORTS).glob("*.json"))))):
        file = root / REPORTS / f"{name}.json"
        subjects |= read_kept(name, file, read_comparable_report, _tell_how_played(name))
    for port in sorted(file.parent for file in (root / "ports").glob(f"*/{FILE}")):
        how = f"`make ports PORTS={port.name}` plays it."
        subjects |= read_kept(f"ports/{port.name}", port / "report.json", read_comparable_report, how)
    libraries: dict[str, Kept[History]] = {}
    for name in dict.fromkeys(
        (*LIBRARIES, *(file.parent.name for file in sorted((root / RELEASES).glob(f"*/{_HISTORY}"))))
    ):
        into = f"{RELEASES}/{name}"
        how = f"`react-tck history {name} VERSION… --out {into} --json {into}/{_HISTORY}` plays its releases."
        libraries |= read_kept(f"releases/{name}", root / into / _HISTORY, read_history, how)
    if (root / NEWEST).is_file():
        newest = (root / NEWEST).read_text(encoding="utf-8")
    else:
        newest, missing["newest releases"] = "", "`make newest` tries the newest releases of all libraries."
    return Results(subjects, libraries, newest, missing)


def _tell_how_played(subject: str) -> str:
    if subject not in BUILT_IN:
        return f"`react-tck run {subject} --profile all --json {REPORTS}/{subject}.json` plays it."
    _, needs, extra = BUILT_IN[subject]
    try:
        require_library(subject, needs, extra)
    except LibraryMissing as error:
        return f"{error}; then `make matrix` plays it."
    return "`make matrix` plays it."
