"""Requirements by columns as a picture that is a table: each cell has a colour, a sign, and a word that is read out."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from react_tck.catalogue.registry import load_registry
from react_tck.model.report import Report, RequirementResult, Verdict
from react_tck.reports.comparison import by_requirement
from react_tck.reports.page.markup import Html, element, fragment
from react_tck.reports.verdicts import LEVELS, area_of, list_profiles, list_weights

#: What isn't here was not judged.
_SIGNS = {
    Verdict.PASSED: "✓",
    Verdict.UNEXPECTED_PASS: "✓",
    Verdict.FAILED: "✗",
    Verdict.EXPECTED_FAILURE: "✗",
    Verdict.BLOCKED: "■",
    Verdict.ERROR: "!",
    Verdict.FLAKY: "~",
    Verdict.UNTESTABLE: "?",
    Verdict.UNSUPPORTED: "–",
}
_NOT_JUDGED = "·"
_LEGEND = (
    (Verdict.PASSED, "passed"),
    (Verdict.FAILED, "failed"),
    (Verdict.BLOCKED, "blocked by another's failure"),
    (Verdict.EXPECTED_FAILURE, "failed, as its baseline says"),
    (Verdict.FLAKY, "flaky"),
    (Verdict.ERROR, "the harness broke"),
    (Verdict.UNTESTABLE, "untestable here"),
    (Verdict.UNSUPPORTED, "unsupported by declaration"),
    (Verdict.PENDING, "not judged"),
)


@dataclass(frozen=True)
class Column:
    """A report as a column: what stands above it, and what it is called where there is room."""

    heading: Html
    name: str
    #: In addresses.
    key: str
    report: Report


def render_heat_map(columns: Sequence[Column]) -> Html:
    """Return the table, grouped by area, and what its signs mean.

    What specifications say comes first, then practices, and what counts in no verdict.
    """
    names = (
        element("th", column.heading, scope="col", data_name=column.name, data_key=column.key) for column in columns
    )
    head = element("thead", element("tr", element("th", "requirement", class_="corner"), *names))
    rows = sorted(by_requirement([column.report for column in columns]), key=_is_practice)
    areas = groupby(rows, key=lambda row: (_is_practice(row), area_of(next(found for found in row[2] if found))))
    bodies = (_render_area(area, list(rows), len(columns)) for (_, area), rows in areas)
    table = element("table", head, *bodies, class_="map", role="grid", aria_label="Requirements by column")
    told = element("p", class_="told", aria_hidden="true")
    return fragment(_render_legend(columns), element("div", table, class_="strips"), told)


def verdict_class(verdict: Verdict) -> str:
    """Return what the style sheet calls it."""
    return verdict.replace(" ", "-")


_Row = tuple[str, str, list[RequirementResult | None]]


def _is_practice(row: _Row) -> bool:
    """Tell whether it is no sentence of a specification for any of the columns."""
    return row[1].partition("/")[0] not in LEVELS


def _render_area(area: str, rows: Sequence[_Row], width: int) -> Html:
    profile = next(found.profile for found in rows[0][2] if found)
    told = "practice" if _is_practice(rows[0]) else profile
    name = element("th", area, element("small", f" {told}"), scope="rowgroup", colspan=str(width + 1))
    lines = (_render_line(*row) for row in rows)
    return element("tbody", element("tr", name, class_="area"), *lines, data_profile=profile)


def _render_line(id_: str, weight: str, found: list[RequirementResult | None]) -> Html:
    row = load_registry().by_id[id_]
    title = element("th", id_, element("small", f" {row.title}"), scope="row", title=row.sentence)
    return element("tr", title, *map(_render_cell, found), class_=weight.replace("/", " "), data_id=id_)


def _render_cell(found: RequirementResult | None) -> Html:
    verdict = found.verdict if found else Verdict.NOT_SELECTED
    return element("td", _SIGNS.get(verdict, _NOT_JUDGED), class_=verdict_class(verdict), aria_label=str(verdict))


def _render_legend(columns: Sequence[Column]) -> Html:
    seen = {found.verdict for column in columns for found in column.report.requirements}
    parts = (
        element("li", element("span", _SIGNS.get(verdict, _NOT_JUDGED), class_=verdict_class(verdict)), f" {word}")
        for verdict, word in _LEGEND
        if verdict in seen
    )
    has_practices = any(found.severity for column in columns for found in column.report.requirements)
    remarks = _render_remarks(has_practices)
    return element("ul", *parts, *remarks, class_="legend")


def _render_remarks(has_practices: bool) -> Iterator[Html]:
    yield element("li", element("b", "MUST"), ", SHOULD, ", element("i", "MAY"), ": darker where it weighs more")
    if has_practices:
        yield element("li", "practices come last: ", element("b", "critical"), ", major, minor")


_SHOW = (
    ("", "all verdicts"),
    ("failed", "failed somewhere"),
    ("unsupported", "unsupported somewhere"),
    ("differs", "not the same everywhere"),
)


def render_filters(columns: Sequence[Column]) -> Html:
    """Hidden until there is a script; without one everything is shown."""
    known = dict.fromkeys(profile for column in columns for profile in list_profiles(column.report))
    weighed = list_weights(found for column in columns for found in column.report.requirements)
    subjects = ((column.key, column.name) for column in columns)
    search = element("input", type="search", name="q", placeholder="search", aria_label="search requirements")
    form = element(
        "form",
        search,
        _render_select("show", "verdicts", _SHOW),
        _render_select("level", "levels", (("", "all levels"), *((weight, weight) for weight in weighed))),
        _render_select("profile", "profiles", (("", "all profiles"), *((profile, profile) for profile in known))),
        _render_select("column", "columns", (("", "all columns"), *subjects)),
        element("button", "reset", type="reset"),
        element("output", class_="quiet"),
        role="search",
        hidden=True,
    )
    told = "What a cell stands for opens with JavaScript; it is in the reports too, which are JSON."
    return Html(form + element("noscript", element("p", told, class_="quiet")))


def _render_select(name: str, label: str, options: Iterable[tuple[str, str]]) -> Html:
    inner = (element("option", text, value=value) for value, text in options)
    return element("select", *inner, name=name, aria_label=label)
