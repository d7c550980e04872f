"""What each release is asked less often than the last one, and why: what it doesn't declare, in the run's own words."""

from collections.abc import Iterator, Mapping
from itertools import chain

from rich.table import Table
from rich.text import Text

from react_tck.model.base import Value
from react_tck.model.report import NOT_ASKED, Report, ScenarioResult, Verdict
from react_tck.reports.printing import escape_line

#: What says nothing of the release: these rows weren't this run's.
_NOT_OF_THE_RUN = (Verdict.NOT_SELECTED, Verdict.NOT_RUN, Verdict.EXCLUDED)


class AskedLess(Value):
    """A requirement of which a release was asked fewer rows than the last one."""

    version: str
    requirement: str
    #: Rows that were asked, and how many of the last release were.
    asked: int
    of: int
    #: Why the others weren't, each reason once.
    why: tuple[str, ...]


def find_asked_less(reports: Mapping[str, Report]) -> tuple[AskedLess, ...]:
    """Each requirement that a release was asked less often than the last one; none, where all are asked alike.

    Args:
        reports: by version, in the order in which they were asked for.
    """
    if not reports:
        return ()
    *_, last = reports.values()
    wanted = {id_: _list_asked(rows) for id_, rows in _rows_by_requirement(last).items()}
    return tuple(chain.from_iterable(_compare_with_last(version, each, wanted) for version, each in reports.items()))


def make_table_of_asked(found: tuple[AskedLess, ...]) -> Table:
    """A row for each reason that a release has, with the requirements it leaves out: `ASY-001 0 of 6`."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("release", "asked less than the last one, because", "rows asked, of those of the last one"):
        table.add_column(heading)
    for version, why, told in group_by_reason(found):
        table.add_row(*(Text(escape_line(cell)) for cell in (version, why, told)))
    return table


def group_by_reason(found: tuple[AskedLess, ...]) -> list[tuple[str, str, str]]:
    """Release, reason, and the requirements it leaves out."""
    groups: dict[tuple[str, str], list[str]] = {}
    for each in found:
        told = f"{each.requirement} {each.asked} of {each.of}"
        groups.setdefault((each.version, "; ".join(each.why)), []).append(told)
    return [(version, why, ", ".join(told)) for (version, why), told in groups.items()]


def _compare_with_last(version: str, report: Report, wanted: Mapping[str, set[str]]) -> Iterator[AskedLess]:
    found = _rows_by_requirement(report)
    for id_, titles in wanted.items():
        missing = titles - _list_asked(found.get(id_, {}))
        if missing:
            rows = (found.get(id_, {}).get(title) for title in sorted(missing))
            reasons = sorted({_tell_reason(row, report.subject.name) for row in rows})
            yield AskedLess(
                version=version,
                requirement=id_,
                asked=len(titles) - len(missing),
                of=len(titles),
                why=tuple(reasons),
            )


def _rows_by_requirement(report: Report) -> dict[str, dict[str, ScenarioResult]]:
    """The scenarios' rows; what judges see has no title."""
    return {each.id: {row.title: row for row in each.scenarios if row.title} for each in report.requirements}


def _list_asked(rows: Mapping[str, ScenarioResult]) -> set[str]:
    return {title for title, row in rows.items() if row.verdict not in (*NOT_ASKED, *_NOT_OF_THE_RUN)}


def _tell_reason(row: ScenarioResult | None, subject: str) -> str:
    if row is None:
        return "the run didn't have it"
    if row.verdict in _NOT_OF_THE_RUN:
        return str(row.verdict)
    return (row.message or "").removeprefix(f"{subject} ") or str(row.verdict)
