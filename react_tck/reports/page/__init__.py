"""The reports as one HTML page that needs nothing else: no script, no network, light or dark, on any screen."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from react_tck.model.report import Report, RequirementResult, Verdict
from react_tck.model.requirement import Profile
from react_tck.reports.page.markup import (
    Html,
    breakable,
    element,
    fragment,
    profile_anchor,
    requirement_anchor,
    subject_anchor,
)
from react_tck.reports.page.subject import section
from react_tck.reports.standing import profiles, standing
from react_tck.suite.registry import load_registry

__all__ = ["page"]

_TITLE = "react-tck: conformance"
#: Even markup that slipped through could neither run nor load anything.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def page(reports: Sequence[Report], missing: Mapping[str, str], broken: Mapping[str, str]) -> str:
    """The page of several reports; `missing` says of who isn't installed what it needs, `broken` what went wrong."""
    kits = ", ".join(dict.fromkeys(f"react-tck {report.kit.version}, seed {report.seed}" for report in reports))
    about = f"{kits}, requirements of revision {load_registry().revision}."
    body = element(
        "body",
        element("h1", _TITLE),
        element("p", about, class_="quiet"),
        _overview(reports, broken),
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


def _missing(missing: Mapping[str, str]) -> Iterable[Html]:
    if missing:
        yield element("h2", "Not installed here")
        reasons = (element("li", element("b", name), f": {reason}") for name, reason in missing.items())
        yield element("ul", fragment(*reasons))


#: For narrow columns; the word is there for who points at it or has it read out.
_SIGNS = {
    Verdict.PASSED: "✓",
    Verdict.UNEXPECTED_PASS: "✓",
    Verdict.FAILED: "✗",
    Verdict.EXPECTED_FAILURE: "✗",
    Verdict.ERROR: "✗",
    Verdict.FLAKY: "~",
    Verdict.UNTESTABLE: "?",
    Verdict.UNSUPPORTED: "u",
}


def _overview(reports: Sequence[Report], broken: Mapping[str, str]) -> Html:
    """The matrix, with what went wrong with the `broken`, and under it the requirements."""
    compared = element("details", element("summary", "Every requirement, side by side"), _requirements(reports))
    return fragment(_matrix(reports, broken), compared)


def _matrix(reports: Sequence[Report], broken: Mapping[str, str]) -> Html:
    columns = profiles(reports[0])
    head = element("tr", element("th", "subject"), *(element("th", column, scope="col") for column in columns))
    rows = [_subject(report, number, columns) for number, report in enumerate(reports, 1)]
    for subject, reason in broken.items():
        error = element("span", f"error: {reason}", class_="error")
        told = element("td", error, colspan=str(len(columns)), class_="broken")
        rows.append(element("tr", element("th", breakable(subject), scope="row"), told))
    legend = fragment(
        "MUST requirements ",
        _number(1, "passed", "passed"),
        " / ",
        _number(1, "failed", "failed"),
        " / ",
        _number(1, "unsupported", "unsupported by declaration"),
        "; – where the subject supports nothing of the profile.",
    )
    table = element("table", element("thead", head), element("tbody", *rows), class_="matrix")
    return fragment(element("div", table, class_="scroll"), element("p", legend, class_="quiet"))


def _subject(report: Report, number: int, columns: Sequence[Profile]) -> Html:
    link = element("a", breakable(report.subject.name), href=f"#{subject_anchor(number)}")
    version = element("small", f" {report.subject.version}")
    cells = (_cell(report, number, profile) for profile in columns)
    return element("tr", element("th", link, version, scope="row"), *cells)


def _cell(report: Report, number: int, profile: Profile) -> Html:
    found = standing(report, profile)
    if found is None:
        return element("td", "–", class_="quiet")
    told = f"{found.passed} passed, {found.failed} failed, {found.unsupported} unsupported"
    slash = element("span", "/", class_="quiet")
    numbers = (_number(found.passed, "passed"), _number(found.failed, "failed"), _number(found.unsupported))
    counts = fragment(numbers[0], slash, numbers[1], slash, numbers[2])
    return element("td", element("a", counts, href=f"#{profile_anchor(number, profile)}", title=told))


def _number(count: int, verdict: str = "unsupported", text: str = "") -> Html:
    return element("span", text or str(count), class_=verdict if count else "quiet")


def _requirements(reports: Sequence[Report]) -> Html:
    names = (element("th", report.subject.name, scope="col") for report in reports)
    head = element("tr", element("th", "requirement"), *names)
    rows = []
    for row in zip(*(report.requirements for report in reports), strict=True):
        title = element("th", row[0].id, element("small", f" {row[0].level}"), scope="row")
        rows.append(element("tr", title, *(_sign(found, number) for number, found in enumerate(row, 1))))
    return element("div", element("table", element("thead", head), element("tbody", *rows)), class_="scroll")


def _sign(found: RequirementResult, number: int) -> Html:
    sign = element("span", _SIGNS.get(found.verdict, "·"), class_=found.verdict.replace(" ", "-"))
    link = element("a", sign, href=f"#{requirement_anchor(number, found.id)}", title=str(found.verdict))
    return element("td", link)
