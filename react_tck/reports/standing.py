"""How requirements stand: counted by profile, by area and level. Counts, never percentages."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rich.table import Table
from rich.text import Text

from react_tck.model.report import NOT_ASKED, Report, RequirementResult, Verdict
from react_tck.model.requirement import SEVERITIES, Profile, Specification
from react_tck.model.verdicts import Robustness

_MET = (Verdict.PASSED, Verdict.UNEXPECTED_PASS)
_NOT_MET = (Verdict.FAILED, Verdict.ERROR, Verdict.EXPECTED_FAILURE, Verdict.FLAKY)
_ASKED = (*_MET, *_NOT_MET, Verdict.BLOCKED)


class Standing(NamedTuple):
    """So many MUST requirements.

    Errors, what is flaky and what is expected to fail count as failed; what can't be tested counts as unsupported.
    """

    passed: int
    failed: int
    unsupported: int
    blocked: int = 0

    def __str__(self) -> str:
        beside = f" ({self.blocked} blocked)" if self.blocked else ""
        return f"{self.passed}/{self.failed}/{self.unsupported}{beside}"

    @property
    def style(self) -> str:
        """How it is shown in a terminal."""
        return "bold red" if self.failed or self.blocked else "yellow" if self.unsupported else "green"


class BrokenPractices(NamedTuple):
    """So many practices that are broken, by severity, of those that were judged."""

    critical: int
    major: int
    minor: int
    judged: int

    @classmethod
    def from_verdict(cls, found: Robustness) -> "BrokenPractices":
        """Return the counts of a verdict."""
        critical, major, minor = (len(found.broken[each]) for each in SEVERITIES)
        return cls(critical, major, minor, found.judged)

    def __str__(self) -> str:
        return f"{self.critical}/{self.major}/{self.minor} of {self.judged}"

    @property
    def style(self) -> str:
        """How it is shown in a terminal."""
        return "bold red" if self.critical else "yellow" if self.major or self.minor else "green"


def is_unmet(requirement: RequirementResult) -> bool:
    """Tell whether it counts as failed, whatever its level."""
    return requirement.verdict in _NOT_MET


def list_profiles(report: Report) -> list[Profile]:
    """Return the profiles of the report, in the order of its requirements."""
    return list(dict.fromkeys(requirement.profile for requirement in report.requirements))


def find_standing(report: Report, profile: Profile) -> Standing | None:
    """Return how the subject stands; None if it supports nothing of the profile."""
    return _count_standing(of_profile(report, profile))


def standing_to(report: Report, specification: Specification) -> Standing | None:
    """Return how the subject stands to a specification; None if it doesn't claim it, or supports nothing of it."""
    return _count_standing([each for each in report.requirements if each.specification == specification])


def _count_standing(mine: Sequence[RequirementResult]) -> Standing | None:
    if not any(requirement.verdict in _ASKED for requirement in mine):
        return None
    must = Counter(requirement.verdict for requirement in mine if requirement.level == "MUST")
    met, not_met = (sum(must[verdict] for verdict in verdicts) for verdicts in (_MET, _NOT_MET))
    return Standing(met, not_met, sum(must[verdict] for verdict in NOT_ASKED), must[Verdict.BLOCKED])


def of_profile(report: Report, profile: Profile) -> list[RequirementResult]:
    """Return the report's requirements of the profile."""
    return [requirement for requirement in report.requirements if requirement.profile == profile]


LEVELS = ("MUST", "SHOULD", "MAY")


def list_weights(requirements: Iterable[RequirementResult]) -> tuple[str, ...]:
    """Return the levels, and the severities if any of the requirements is a practice."""
    return (*LEVELS, *SEVERITIES) if any(row.severity for row in requirements) else LEVELS


_STYLES = {
    Verdict.PASSED: "green",
    Verdict.FAILED: "bold red",
    Verdict.BLOCKED: "red",
    Verdict.ERROR: "bold red",
    Verdict.UNTESTABLE: "yellow",
    Verdict.UNSUPPORTED: "yellow",
}


def by_area(requirements: Iterable[RequirementResult]) -> Table:
    """Return a row an area, a column a level or a severity."""
    rows = list(requirements)
    columns = list_weights(rows)
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("area", *columns):
        table.add_column(heading)
    for area in dict.fromkeys(area_of(row) for row in rows):
        mine = [row for row in rows if area_of(row) == area]
        table.add_row(area, *(format_counts(row for row in mine if row.weight == weight) for weight in columns))
    table.add_row(
        "all", *(format_counts(row for row in rows if row.weight == weight) for weight in columns), style="bold"
    )
    return table


def format_counts(requirements: Iterable[RequirementResult]) -> Text:
    """Such as `8 passed, 1 failed`."""
    found = Counter(requirement.verdict for requirement in requirements)
    parts = [Text(f"{found[each]} {each}", style=_STYLES.get(each, "dim")) for each in Verdict if found[each]]
    return Text(", ").join(parts) if parts else Text("–", style="dim")


def list_areas(report: Report) -> list[str]:
    """Return the areas of the report's requirements, sanitizers apart."""
    return list(dict.fromkeys(area_of(row) for row in report.requirements if row.profile != "sanitizer"))


def list_judged_areas(report: Report) -> list[str]:
    """Those in which some requirement was judged."""
    judged = {area_of(row) for row in report.requirements if row.verdict in _ASKED}
    return [area for area in list_areas(report) if area in judged]


def area_of(requirement: RequirementResult) -> str:
    """Return the part of the id before the hyphen."""
    return requirement.id.partition("-")[0]
