"""Search and filters of a page; its script reads them from the address and writes them there."""

from collections.abc import Iterable, Sequence

from react_tck.reports.page.heat_map import Column
from react_tck.reports.page.markup import Html, element
from react_tck.reports.standing import list_profiles, list_weights

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
