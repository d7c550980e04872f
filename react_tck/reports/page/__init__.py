"""The reports as one HTML page that needs nothing else: no network, light or dark, on any screen, and on paper.

It begins with a picture, the heat map; what explains the failures comes before them. Both can be read without a
script. What a cell opens is packed, so that the page stays small; filters and what is open stand in its address.
"""

from collections.abc import Iterable, Mapping, Sequence

from react_tck.catalogue.registry import load_registry
from react_tck.model.report import Report
from react_tck.reports.comparison import LEGEND_OF_VERDICTS, collect_standings
from react_tck.reports.page.details import render_details
from react_tck.reports.page.heat_map import Column, render_filters, render_heat_map
from react_tck.reports.page.markup import (
    Html,
    element,
    fragment,
    make_breakable,
    make_keys,
    pack_articles,
    render_document,
    subject_anchor,
)
from react_tck.reports.page.subject import render_section
from react_tck.reports.verdicts import BrokenPractices, Standing

__all__ = ["describe_runs", "make_report_keys", "render_page"]

_TITLE = "react-tck: conformance"


def render_page(reports: Sequence[Report], missing: Mapping[str, str], broken: Mapping[str, str], *above: Html) -> str:
    """Return the page of several reports; `missing` says of who isn't installed what it needs, `broken` what went
    wrong.

    What is to stand above it all is given.
    """
    columns = [_make_column(report, key) for report, key in zip(reports, make_report_keys(reports), strict=True)]
    return render_document(
        _TITLE,
        len(columns),
        *above,
        element("h1", _TITLE),
        element("p", describe_runs(reports), class_="quiet"),
        render_filters(columns),
        render_heat_map(columns),
        _render_matrix(columns, broken),
        *_render_missing(missing),
        *map(render_section, columns),
        pack_articles(render_details(columns)),
    )


def make_report_keys(reports: Sequence[Report]) -> list[str]:
    """Make what the column of each report is called in addresses."""
    return make_keys(_name_release(report, reports) for report in reports)


def _name_release(report: Report, reports: Sequence[Report]) -> str:
    """Return the subject's name; with its version where another release of it is there too."""
    name, version = report.subject.name, report.subject.version
    versions = {each.subject.version for each in reports if each.subject.name == name}
    return name if len(versions) == 1 else f"{name}-{version}"


def describe_runs(reports: Sequence[Report]) -> str:
    """Return which kit, which seed, which requirements."""
    kits = ", ".join(dict.fromkeys(f"react-tck {report.kit.version}, seed {report.seed}" for report in reports))
    return f"{kits}, requirements of revision {load_registry().revision}."


def _make_column(report: Report, key: str) -> Column:
    link = element("a", report.subject.name, href=f"#{subject_anchor(key)}")
    heading = fragment(link, element("small", f" {report.subject.version}"))
    return Column(heading, f"{report.subject.name} {report.subject.version}", key, report)


def _render_missing(missing: Mapping[str, str]) -> Iterable[Html]:
    if missing:
        yield element("h2", "Not installed here")
        reasons = (element("li", element("b", name), f": {reason}") for name, reason in missing.items())
        yield element("ul", fragment(*reasons))


def _render_matrix(subjects: Sequence[Column], broken: Mapping[str, str]) -> Html:
    """Return the numbers that `matrix` prints, with what went wrong with the `broken`."""
    found = [collect_standings(column.report) for column in subjects]
    columns = list(dict.fromkeys(column for each in found for column in each))
    head = element("tr", element("th", "subject"), *(element("th", column, scope="col") for column in columns))
    rows = [
        _render_subject(subject, [each.get(column) for column in columns])
        for subject, each in zip(subjects, found, strict=True)
    ]
    for subject, reason in broken.items():
        error = element("span", f"error: {reason}", class_="error")
        told = element("td", error, colspan=str(len(columns)), class_="broken")
        rows.append(element("tr", element("th", make_breakable(subject), scope="row"), told))
    table = element("table", element("thead", head), element("tbody", *rows), class_="matrix")
    scroll = element("div", table, class_="scroll")
    return fragment(element("h2", "In numbers"), scroll, element("p", f"{LEGEND_OF_VERDICTS}.", class_="quiet"))


def _render_subject(subject: Column, found: Sequence[Standing | BrokenPractices | None]) -> Html:
    link = element("a", make_breakable(subject.report.subject.name), href=f"#{subject_anchor(subject.key)}")
    version = element("small", f" {subject.report.subject.version}")
    cells = (element("td", str(each or "–")) for each in found)
    return element("tr", element("th", link, version, scope="row"), *cells)
