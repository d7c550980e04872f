"""One subject: how it stands, its choices, and its requirements, each with how its scenarios ended."""

from collections.abc import Iterator

from react_tck.model.report import Report, RequirementResult, ScenarioResult, Verdict
from react_tck.model.requirement import Profile
from react_tck.reports.causes import headline, likeness
from react_tck.reports.page.markup import Html, element, fragment, profile_anchor, requirement_anchor, subject_anchor
from react_tck.reports.standing import LEVELS, is_unmet, of_profile, profiles, standing
from react_tck.reports.terminal import conclusion
from react_tck.suite.exit_status import Exit, exit_status
from react_tck.suite.registry import load_registry


def section(report: Report, number: int) -> Html:
    """The section of the n-th subject."""
    conforms = exit_status(report) is Exit.CONFORMANT
    return element(
        "section",
        element("h2", report.subject.name, element("small", f" {report.subject.version}")),
        element("p", conclusion(report).plain, class_="passed" if conforms else "failed"),
        *_causes(report, number),
        *_unmet(report, number),
        *_choices(report),
        *(_profile(report, number, profile) for profile in profiles(report)),
        id=subject_anchor(number),
    )


def _causes(report: Report, number: int) -> Iterator[Html]:
    """What explains the failures, most of them first."""
    if report.causes:
        items = (
            element(
                "li",
                element("a", headline(cause), href=f"#{requirement_anchor(number, cause.requirement)}"),
                f" explains {cause.explains} failed scenarios",
                *(fragment("; ", like) for like in [likeness(cause)] if like),
                element("pre", cause.reproduce),
            )
            for cause in report.causes
        )
        yield element("details", element("summary", f"Causes ({len(report.causes)})"), element("ol", *items), open=True)


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
        rows = []
        for name in sorted(names):
            variants = (report.declared.get(name, "–"), report.choices.get(name, "–"))
            cells = (element("td", variant) for variant in variants)
            rows.append(element("tr", element("th", name, scope="row"), *cells))
        table = element("table", element("thead", head), element("tbody", *rows))
        yield element("details", element("summary", "Choices"), element("div", table, class_="scroll"))


def _profile(report: Report, number: int, profile: Profile) -> Html:
    mine = of_profile(report, profile)
    found = standing(report, profile)
    told = f"MUST: {found.passed} passed, {found.failed} failed, {found.unsupported} unsupported" if found else "–"
    summary = element("summary", element("b", profile), " ", element("span", told, class_="quiet"))
    rows = fragment(*(_requirement(result, number) for result in mine))
    anchor = profile_anchor(number, profile)
    return element("details", summary, rows, class_="profile", id=anchor, open=any(map(is_unmet, mine)))


#: Characters of a message that are shown: a harness may have flooded it.
_SHOWN = 20_000


def _requirement(result: RequirementResult, number: int) -> Html:
    """It folds out; what failed is open."""
    row = load_registry().by_id[result.id]
    verdict = element("span", str(result.verdict), class_=f"verdict {_class(result.verdict)}")
    remarks = {"Note": row.note, "Pending": row.pending, "Excluded": row.excluded}
    title, level = element("b", result.id), element("small", row.level)
    summary = element("summary", verdict, " ", title, " ", level, " ", _plain(row.sentence))
    return element(
        "details",
        summary,
        element("p", f"Source: {row.source}", class_="quiet"),
        *(element("p", f"{title}: ", _plain(remark)) for title, remark in remarks.items() if remark),
        *_scenarios(result),
        class_="requirement",
        id=requirement_anchor(number, result.id),
        open=is_unmet(result),
    )


def _plain(sentence: str) -> Html:
    """The registry's sentences have code between backquotes."""
    parts = sentence.split("`")
    return Html("".join(element("code" if at % 2 else "span", part) for at, part in enumerate(parts)))


def _scenarios(result: RequirementResult) -> Iterator[Html]:
    if result.profile == "sanitizer":
        yield from _first(result.scenarios)
    elif result.scenarios:
        yield _list(result.scenarios)
    if result.departures:
        yield element("p", "The subject departs from what the reference's loop would do:")
        yield from _first(result.departures)


def _first(found: tuple[ScenarioResult, ...]) -> Iterator[Html]:
    """What is wrong everywhere is told once."""
    if found:
        yield _list(found[:1])
    if len(found) > 1:
        yield element("p", f"and in {len(found) - 1} other episodes")


def _list(scenarios: tuple[ScenarioResult, ...]) -> Html:
    return element("ul", *(_scenario(scenario) for scenario in scenarios), class_="scenarios")


def _scenario(scenario: ScenarioResult) -> Html:
    verdict = element("span", str(scenario.verdict), class_=f"verdict {_class(scenario.verdict)}")
    if not scenario.message:
        return element("li", verdict, " ", scenario.title)
    message = scenario.message
    if len(message) > _SHOWN:
        message = f"{message[:_SHOWN]}… ({len(message)} characters)"
    if scenario.verdict is Verdict.UNSUPPORTED:
        return element("li", verdict, " ", f"{scenario.title}: {message}")
    summary = element("summary", verdict, " ", scenario.title)
    return element("li", element("details", summary, element("pre", message)))


def _class(verdict: Verdict) -> str:
    return verdict.replace(" ", "-")
