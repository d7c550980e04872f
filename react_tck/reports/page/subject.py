"""One subject: how it stands, its choices, and its verdicts by profile and requirement."""

from collections.abc import Iterator

from react_tck.model.report import Report
from react_tck.model.requirement import Profile
from react_tck.reports.page.markup import Html, element, fragment, profile_anchor, requirement_anchor, subject_anchor
from react_tck.reports.page.requirement import requirement
from react_tck.reports.standing import is_unmet, of_profile, profiles, standing
from react_tck.reports.tables import LEVELS
from react_tck.reports.terminal import conclusion
from react_tck.suite.conformance import Exit, exit_status


def section(report: Report, number: int) -> Html:
    """The section of the n-th subject."""
    conforms = exit_status(report) is Exit.CONFORMANT
    return element(
        "section",
        element("h2", report.subject.name, element("small", f" {report.subject.version}")),
        element("p", conclusion(report).plain, class_="passed" if conforms else "failed"),
        *_unmet(report, number),
        *_choices(report),
        *(_profile(report, number, profile) for profile in profiles(report)),
        id=subject_anchor(number),
    )


def _unmet(report: Report, number: int) -> Iterator[Html]:
    for level in LEVELS:
        ids = [result.id for result in report.requirements if result.level == level and is_unmet(result)]
        if ids:
            links = (fragment(" ", element("a", id_, href=f"#{requirement_anchor(number, id_)}")) for id_ in ids)
            yield element("p", f"{level} not met:", *links, class_="unmet")


def _choices(report: Report) -> Iterator[Html]:
    names = dict.fromkeys([*report.declared, *report.choices])
    if names:
        head = element("tr", *(element("th", text, scope="col") for text in ("choice", "declared", "observed")))
        rows = (_choice(report, name) for name in sorted(names))
        table = element("table", element("thead", head), element("tbody", *rows))
        yield element("details", element("summary", "Choices"), element("div", table, class_="scroll"))


def _choice(report: Report, name: str) -> Html:
    variants = (report.declared.get(name, "–"), report.choices.get(name, "–"))
    return element("tr", element("th", name, scope="row"), *(element("td", variant) for variant in variants))


def _profile(report: Report, number: int, profile: Profile) -> Html:
    mine = of_profile(report, profile)
    found = standing(report, profile)
    told = f"MUST: {found.passed} passed, {found.failed} failed, {found.unsupported} unsupported" if found else "–"
    summary = element("summary", element("b", profile), " ", element("span", told, class_="quiet"))
    rows = fragment(*(requirement(result, number) for result in mine))
    anchor = profile_anchor(number, profile)
    return element("details", summary, rows, class_="profile", id=anchor, open=any(map(is_unmet, mine)))
