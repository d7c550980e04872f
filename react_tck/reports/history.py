"""A library over its releases: what came of each, and what changed from one to the next."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from json import dumps

from react_tck.model.report import Report
from react_tck.reports.regressions import Comparison, compare_reports


@dataclass(frozen=True)
class Untested:
    """A release of which there is no report."""

    #: Why it wasn't tested, such as that it can't be installed.
    why: str


@dataclass(frozen=True)
class History:
    """What came of each release, by its version, in the order in which they were asked for."""

    library: str
    releases: Mapping[str, Report | Untested]

    @cached_property
    def reports(self) -> dict[str, Report]:
        """The reports of those that were tested, by version."""
        return {version: each for version, each in self.releases.items() if isinstance(each, Report)}

    @cached_property
    def untested(self) -> dict[str, str]:
        """Why the others weren't, by version."""
        return {version: each.why for version, each in self.releases.items() if isinstance(each, Untested)}

    @cached_property
    def comparisons(self) -> tuple[Comparison, ...]:
        """What changed from each that was tested to the next one."""
        return tuple(compare_reports(before, after) for before, after in pairwise(self.reports.values()))

    def render_json(self) -> str:
        """All of it as a JSON text."""
        found = {
            "library": self.library,
            "reports": {version: report.model_dump(mode="json") for version, report in self.reports.items()},
            "untested": self.untested,
            "comparisons": [changes.model_dump(mode="json") for changes in self.comparisons],
        }
        return f"{dumps(found, indent=2, ensure_ascii=False)}\n"
