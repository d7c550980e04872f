"""A library's releases as a page: requirement by release, and what each release broke and mended."""

from collections.abc import Iterator

from react_tck.model.report import Report
from react_tck.reports.asked import group_by_reason
from react_tck.reports.changes import format_scenarios
from react_tck.reports.history import History
from react_tck.reports.page import describe_runs
from react_tck.reports.page.details import render_details
from react_tck.reports.page.document import render_document
from react_tck.reports.page.filters import render_filters
from react_tck.reports.page.heat_map import Column, render_heat_map
from react_tck.reports.page.markup import Html, element, fragment, make_keys, subject_anchor
from react_tck.reports.page.packed import pack_articles
from react_tck.reports.page.subject import render_section
from react_tck.reports.regressions import ChangedRows, Comparison, RowChange

_NOTHING = "–"


def releases_page(history: History, *above: Html) -> str:
    """The page of a library's releases, and of what changed from each to the next; the last comes first.

    What is to stand above it all is given.
    """
    title = f"react-tck: {history.library} over its releases"
    keys = make_keys(history.reports)
    columns = [
        _make_column(history.library, version, report, key)
        for (version, report), key in zip(history.reports.items(), keys, strict=True)
    ]
    changes = [None, *history.comparisons][: len(columns)]
    sections = [
        render_section(column, *(_render_changes(found) if found else ()))
        for column, found in zip(columns, changes, strict=True)
    ]
    return render_document(
        title,
        len(columns),
        *above,
        element("h1", title),
        element("p", describe_runs(list(history.reports.values())), class_="quiet"),
        *_render_untested(history),
        render_filters(columns),
        render_heat_map(columns, marks_changes=True),
        element("h2", "What each release broke and mended"),
        element("div", _render_table(history), class_="scroll"),
        element("h2", "What a release is asked less often than the last one"),
        _render_asked(history),
        *reversed(sections),
        pack_articles(render_details(columns, changes)),
    )


def _make_column(library: str, version: str, report: Report, key: str) -> Column:
    heading = element("a", version, href=f"#{subject_anchor(key)}")
    return Column(heading, f"{library} {version}", key, report)


def _render_untested(history: History) -> Iterator[Html]:
    for version, why in history.untested.items():
        yield element("p", element("b", version), f" is not tested, because: {why}", class_="failed")


def _render_table(history: History) -> Html:
    head = element("tr", *(element("th", text, scope="col") for text in ("release", "broke", "mended", "choices")))
    rows = [_render_untested_row(version, why) for version, why in history.untested.items()]
    versions, keys = list(history.reports), make_keys(history.reports)
    for number, found in reversed(list(enumerate(history.comparisons, 1))):
        link = element("a", versions[number], href=f"#{subject_anchor(keys[number])}")
        choices = ", ".join(choice.name for choice in found.choices) or _NOTHING
        cells = (_render_cell(found, is_lost=True), _render_cell(found, is_lost=False), element("td", choices))
        rows.append(element("tr", element("th", link, scope="row"), *cells))
    return element("table", element("thead", head), element("tbody", *rows), class_="matrix broke")


def _render_asked(history: History) -> Html:
    """Why, and of which requirements how many rows; or that all are asked alike."""
    rows = group_by_reason(history.asked_less)
    if not rows:
        return element("p", "Each release was asked all that the last one was.", class_="quiet")
    head = element("tr", *(element("th", text, scope="col") for text in ("release", "because", "rows asked")))
    cells = (element("tr", *(element("td", cell) for cell in row)) for row in rows)
    return element("div", element("table", element("thead", head), element("tbody", *cells)), class_="scroll")


def _render_untested_row(version: str, why: str) -> Html:
    told = element("td", f"not tested, because: {why}", colspan="3", class_="quiet")
    return element("tr", element("th", version, scope="row"), told)


def _render_cell(found: Comparison, *, is_lost: bool) -> Html:
    groups = _select_groups(found, is_lost=is_lost)
    if not groups:
        return element("td", _NOTHING, class_="quiet")
    told = "; ".join(f"{group.cause} ({format_scenarios(len(group.rows))})" for group in groups)
    return element("td", told, class_="failed" if is_lost else "passed")


def _select_groups(found: Comparison, *, is_lost: bool) -> list[ChangedRows]:
    """What is a regression; or what has gone green."""
    return [
        group for group in found.changed if (group.is_regression if is_lost else group.change is RowChange.GONE_GREEN)
    ]


def _render_changes(found: Comparison) -> Iterator[Html]:
    """Each scenario that ends otherwise than in the release before, by what explains it."""
    yield element("h3", f"Since {found.before.version}")
    lines = [
        *(_render_group(group) for group in found.changed),
        *(element("li", f"{c.name}: {c.before or _NOTHING} → {c.after or _NOTHING}") for c in found.choices),
    ]
    yield element("ul", *lines, class_="changes") if lines else element("p", "Nothing has changed.")


def _render_group(group: ChangedRows) -> Html:
    count = fragment(element("b", str(group.change)), f", {group.cause}: {format_scenarios(len(group.rows))}")
    rows = (element("li", f"{row.requirement} {row.title}: {row.before} → {row.after}") for row in group.rows)
    return element("li", element("details", element("summary", count), element("ul", *rows)))
