"""How a subject stands in a profile: its MUST requirements, counted. Counts, never percentages."""

from collections import Counter
from typing import NamedTuple

from react_tck.model.report import Report, RequirementResult, Verdict
from react_tck.model.requirement import Profile

_NOT_MET = (Verdict.FAILED, Verdict.ERROR, Verdict.UNTESTABLE)
_ASKED = (Verdict.PASSED, *_NOT_MET)


class Standing(NamedTuple):
    """So many MUST requirements; what ended with an error or couldn't be tested counts as failed."""

    passed: int
    failed: int
    unsupported: int

    def __str__(self) -> str:
        return f"{self.passed}/{self.failed}/{self.unsupported}"


def is_unmet(requirement: RequirementResult) -> bool:
    """Whether it counts as failed, whatever its level."""
    return requirement.verdict in _NOT_MET


def profiles(report: Report) -> list[Profile]:
    """The profiles of the report, in the order of its requirements."""
    return list(dict.fromkeys(requirement.profile for requirement in report.requirements))


def standing(report: Report, profile: Profile) -> Standing | None:
    """How the subject stands; None if it supports nothing of the profile."""
    mine = of_profile(report, profile)
    if not any(requirement.verdict in _ASKED for requirement in mine):
        return None
    must = Counter(requirement.verdict for requirement in mine if requirement.level == "MUST")
    return Standing(must[Verdict.PASSED], sum(must[verdict] for verdict in _NOT_MET), must[Verdict.UNSUPPORTED])


def of_profile(report: Report, profile: Profile) -> list[RequirementResult]:
    """The report's requirements of the profile."""
    return [requirement for requirement in report.requirements if requirement.profile == profile]
