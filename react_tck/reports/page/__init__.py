"""The reports as one HTML page that needs nothing else: no script, no network, light or dark, on any screen."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from react_tck.model.report import Report
from react_tck.reports.page.markup import Html, element, fragment
from react_tck.reports.page.overview import overview
from react_tck.reports.page.subject import section
from react_tck.suite.registry import load_registry

__all__ = ["page"]

_TITLE = "react-tck: conformance"
#: Even markup that slipped through could neither run nor load anything.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def page(reports: Sequence[Report], missing: Mapping[str, str], broken: Mapping[str, str]) -> str:
    """The page of several reports; `missing` says of who isn't installed what it needs, `broken` what went wrong."""
    body = element(
        "body",
        element("h1", _TITLE),
        _about(reports),
        overview(reports, broken),
        *_missing(missing),
        *(section(report, number) for number, report in enumerate(reports, 1)),
    )
    return f"<!DOCTYPE html>\n{element('html', _head(), body, lang='en')}\n"


def _head() -> Html:
    style = Path(__file__).with_name("style.css").read_text(encoding="utf-8")
    return element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", _TITLE),
        element("style", Html(style)),
    )


def _about(reports: Iterable[Report]) -> Html:
    kits = ", ".join(dict.fromkeys(f"react-tck {report.kit.version}, seed {report.seed}" for report in reports))
    return element("p", f"{kits}, requirements of revision {load_registry().revision}.", class_="quiet")


def _missing(missing: Mapping[str, str]) -> Iterable[Html]:
    if missing:
        yield element("h2", "Not installed here")
        reasons = (element("li", element("b", name), f": {reason}") for name, reason in missing.items())
        yield element("ul", fragment(*reasons))
