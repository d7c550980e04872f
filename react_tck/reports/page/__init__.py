"""The reports as one HTML page that needs nothing else: no network, light or dark, on any screen, and on paper.

It begins with a line a subject, then a picture, the heat map; of one subject what isn't met comes before it. All that
can be read without a script. What a cell opens is packed, so that the page stays small; filters and what is open stand
in its address.
"""

from collections.abc import Iterable, Mapping, Sequence

from react_tck.catalogue.registry import load_registry
from react_tck.model.report import Report
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
from react_tck.reports.page.subject import render_section, render_standing

__all__ = ["describe_runs", "make_report_keys", "render_page"]

_TITLE = "react-tck: conformance"


def render_page(reports: Sequence[Report], missing: Mapping[str, str], broken: Mapping[str, str], *above: Html) -> str:
    """Return the page of several reports; `missing` says of who isn't installed what it needs, `broken` what went
    wrong.

    What is to stand above it all is given.
    """
    columns = [_make_column(report, key) for report, key in zip(reports, make_report_keys(reports), strict=True)]
    lines = [_render_standings(columns, broken)] if len(columns) + len(broken) > 1 else []
    picture = [render_filters(columns), render_heat_map(columns), *_render_missing(missing)]
    sections = map(render_section, columns)
    return render_document(
        _TITLE,
        len(columns),
        *above,
        element("h1", _TITLE),
        element("p", describe_runs(reports), class_="quiet"),
        *([*lines, *picture, *sections] if lines else [*sections, *picture]),
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


def _render_standings(columns: Sequence[Column], broken: Mapping[str, str]) -> Html:
    """Return a line a subject, with what went wrong with the `broken`."""
    errors = (
        element("li", element("b", make_breakable(subject)), element("p", f"error: {reason}", class_="error"))
        for subject, reason in broken.items()
    )
    return element("ul", *map(render_standing, columns), *errors, class_="standings")
