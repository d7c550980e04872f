"""The results that lie in the tree, where commands left them; what isn't there, with the command that makes it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from react_tck.cli.earlier_reports import UnreadableReport, read_comparable_report
from react_tck.model.report import Report
from react_tck.subjects.catalogue import BUILT_IN, LibraryMissing, require_library
from react_tck.subjects.config import FILE
from react_tck.subjects.releases import LIBRARIES

#: Where `make conformance` leaves its reports, and where there is a folder for what `matrix` writes of a library's.
REPORTS, RELEASES = "build/conformance", "build/releases"
#: The table that `make newest` leaves.
NEWEST = "build/newest/newest.md"


@dataclass(frozen=True)
class Kept:
    """What a file of results holds, the file's own text, and when it was written: reports say nothing of time."""

    content: Report
    text: str
    written: datetime


@dataclass(frozen=True)
class Results:
    """What is shown, by subject or port and by library; and why something isn't, with the command that makes it."""

    subjects: Mapping[str, Kept] = field(default_factory=dict)
    libraries: Mapping[str, Sequence[Kept]] = field(default_factory=dict)
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

    def read_kept(name: str, file: Path, how: str) -> Mapping[str, Kept]:
        why = ""
        try:
            if file.is_file():
                written = datetime.fromtimestamp(file.stat().st_mtime, UTC)
                return {name: Kept(read_comparable_report(file), file.read_text(encoding="utf-8"), written)}
        except UnreadableReport as error:
            why = f"{error} "
        missing[name] = why + how
        return {}

    subjects: dict[str, Kept] = {}
    for name in dict.fromkeys((*BUILT_IN, *(file.stem for file in sorted((root / REPORTS).glob("*.json"))))):
        file = root / REPORTS / f"{name}.json"
        subjects |= read_kept(name, file, _tell_how_played(name))
    for port in sorted(file.parent for file in (root / "ports").glob(f"*/{FILE}")):
        how = f"`make ports PORTS={port.name}` plays it."
        subjects |= read_kept(f"ports/{port.name}", port / "report.json", how)
    libraries = {}
    for name in LIBRARIES:
        how = f"`react-tck matrix {name}@VERSION… --out {RELEASES}/{name}` plays its releases."
        files = sorted((root / RELEASES / name).glob("*.json"), key=_order_version)
        if not files:
            missing[f"releases/{name}"] = how
        found = [read_kept(f"releases/{name}/{file.stem}", file, how) for file in files]
        if kept := [each for one in found for each in one.values()]:
            libraries[f"releases/{name}"] = kept
    if (root / NEWEST).is_file():
        newest = (root / NEWEST).read_text(encoding="utf-8")
    else:
        newest, missing["newest releases"] = "", "`make newest` tries the newest releases of all libraries."
    return Results(subjects, libraries, newest, missing)


def _order_version(file: Path) -> list[int]:
    """By the numbers in its name: 3.10 comes after 3.9."""
    return [int(number) for number in re.findall(r"\d+", file.stem)]


def _tell_how_played(subject: str) -> str:
    if subject not in BUILT_IN:
        return f"`react-tck run {subject} --profile all --json {REPORTS}/{subject}.json` plays it."
    _, needs, extra = BUILT_IN[subject]
    try:
        require_library(subject, needs, extra)
    except LibraryMissing as error:
        return f"{error}; then `make conformance` plays it."
    return "`make conformance` plays it."
