"""What stands first: the subjects by profile, and every requirement side by side."""

from collections.abc import Mapping, Sequence

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
from react_tck.reports.standing import profiles, standing

#: For narrow columns; the word is there for who points at it or has it read out.
_SIGNS = {
    Verdict.PASSED: "✓",
    Verdict.FAILED: "✗",
    Verdict.ERROR: "✗",
    Verdict.UNTESTABLE: "?",
    Verdict.UNSUPPORTED: "u",
}


def overview(reports: Sequence[Report], broken: Mapping[str, str]) -> Html:
    """The matrix, with what went wrong with the `broken`, and under it the requirements."""
    compared = element("details", element("summary", "Every requirement, side by side"), _requirements(reports))
    return fragment(_matrix(reports, broken), compared)


def _matrix(reports: Sequence[Report], broken: Mapping[str, str]) -> Html:
    columns = profiles(reports[0])
    head = element("tr", element("th", "subject"), *(element("th", column, scope="col") for column in columns))
    rows = [_subject(report, number, columns) for number, report in enumerate(reports, 1)]
    rows += [_broken(subject, reason, len(columns)) for subject, reason in broken.items()]
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


def _broken(subject: str, reason: str, columns: int) -> Html:
    told = element("td", element("span", f"error: {reason}", class_="error"), colspan=str(columns), class_="broken")
    return element("tr", element("th", breakable(subject), scope="row"), told)


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
    rows = (_requirement(row) for row in zip(*(report.requirements for report in reports), strict=True))
    return element("div", element("table", element("thead", head), element("tbody", *rows)), class_="scroll")


def _requirement(row: tuple[RequirementResult, ...]) -> Html:
    title = element("th", row[0].id, element("small", f" {row[0].level}"), scope="row")
    return element("tr", title, *(_sign(found, number) for number, found in enumerate(row, 1)))


def _sign(found: RequirementResult, number: int) -> Html:
    sign = element("span", _SIGNS.get(found.verdict, "·"), class_=found.verdict.replace(" ", "-"))
    link = element("a", sign, href=f"#{requirement_anchor(number, found.id)}", title=str(found.verdict))
    return element("td", link)
