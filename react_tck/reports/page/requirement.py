"""One requirement of one subject: its sentence and source, and how each of its scenarios ended."""

from collections.abc import Iterator

from react_tck.model.report import RequirementResult, ScenarioResult, Verdict
from react_tck.model.requirement import Requirement
from react_tck.reports.page.markup import Html, element, requirement_anchor
from react_tck.reports.standing import is_unmet
from react_tck.suite.registry import load_registry

#: Characters of a message that are shown: a harness may have flooded it.
_SHOWN = 20_000


def requirement(result: RequirementResult, number: int) -> Html:
    """It folds out; what failed is open."""
    row = load_registry().by_id[result.id]
    verdict = element("span", str(result.verdict), class_=f"verdict {_class(result.verdict)}")
    title = element("b", result.id)
    summary = element("summary", verdict, " ", title, " ", element("small", row.level), " ", _plain(row.sentence))
    return element(
        "details",
        summary,
        element("p", f"Source: {row.source}", class_="quiet"),
        *_remarks(row),
        *_scenarios(result),
        class_="requirement",
        id=requirement_anchor(number, result.id),
        open=is_unmet(result),
    )


def _plain(sentence: str) -> Html:
    """The registry's sentences have code between backquotes."""
    parts = sentence.split("`")
    return Html("".join(element("code" if at % 2 else "span", part) for at, part in enumerate(parts)))


def _remarks(row: Requirement) -> Iterator[Html]:
    remarks = {"Note": row.note, "Pending": row.pending, "Excluded": row.excluded}
    for title, remark in remarks.items():
        if remark:
            yield element("p", f"{title}: ", _plain(remark))


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
    message = _cut(scenario.message)
    if scenario.verdict is Verdict.UNSUPPORTED:
        return element("li", verdict, " ", f"{scenario.title}: {message}")
    summary = element("summary", verdict, " ", scenario.title)
    return element("li", element("details", summary, element("pre", message)))


def _cut(message: str) -> str:
    return message if len(message) <= _SHOWN else f"{message[:_SHOWN]}… ({len(message)} characters)"


def _class(verdict: Verdict) -> str:
    return verdict.replace(" ", "-")
