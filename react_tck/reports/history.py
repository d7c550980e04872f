"""A library over its releases: what came of each, and what changed from one to the next."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from json import dumps

from react_tck.model.base import Value
from react_tck.model.report import Report
from react_tck.reports.asked import AskedLess, find_asked_less
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

    @cached_property
    def asked_less(self) -> tuple[AskedLess, ...]:
        """What each was asked less often than the last one, and why."""
        return find_asked_less(self.reports)

    def render_json(self) -> str:
        """All of it as a JSON text: a `HistoryFile`."""
        found = HistoryFile(
            library=self.library,
            reports=self.reports,
            untested=self.untested,
            comparisons=self.comparisons,
            asked_less=self.asked_less,
        )
        return f"{dumps(found.model_dump(mode='json'), indent=2, ensure_ascii=False)}\n"


class HistoryFile(Value):
    """What `react-tck history --json` writes: the releases of a library, and what changed from each to the next."""

    library: str
    #: By version, in the order in which they were asked for.
    reports: dict[str, Report]
    #: Why the others weren't tested, by version.
    untested: dict[str, str]
    #: From each that was tested to the next one.
    comparisons: tuple[Comparison, ...]
    #: What each was asked less often than the last one, and why; empty where all were asked alike.
    asked_less: tuple[AskedLess, ...] = ()

    @property
    def history(self) -> History:
        """What came of each release; those that weren't tested come last."""
        untested = {version: Untested(why) for version, why in self.untested.items()}
        return History(self.library, {**self.reports, **untested})
