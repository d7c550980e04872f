"""What a cell of the heat map opens: a requirement with its scenarios, or the choices of a subject."""

from collections.abc import Iterator, Sequence

from react_tck.catalogue.registry import load_registry
from react_tck.model.report import NOT_ASKED, Beat, Course, Report, RequirementResult, ScenarioResult, Verdict
from react_tck.reports.grounds import describe_grounds
from react_tck.reports.page.heat_map import Column, verdict_class
from react_tck.reports.page.markup import Html, article_name, element, fragment

#: Characters of a message that are shown: a harness may have flooded it.
_SHOWN = 20_000
CHOICES = "choices"


def render_details(columns: Sequence[Column]) -> dict[str, Html]:
    """Return all articles of the columns by their names."""
    return {
        article_name(column.key, topic): article
        for column in columns
        for topic, article in _render_articles(column.report)
    }


def _render_articles(report: Report) -> Iterator[tuple[str, Html]]:
    yield from ((result.id, _render_requirement(result, report)) for result in report.requirements)
    yield CHOICES, _render_choices(report)


def _render_article(title: Html, *content: Html) -> Html:
    return fragment(element("h2", title), *content)


def _name_subject(report: Report) -> Html:
    return element("p", f"{report.subject.name} {report.subject.version}", class_="quiet")


def _render_requirement(result: RequirementResult, report: Report) -> Html:
    row = load_registry().by_id[result.id]
    remarks = {"Note": row.note, "Pending": row.pending, "Excluded": row.excluded}
    return _render_article(
        fragment(_render_verdict(result.verdict), " ", result.id, element("small", f" {result.weight}")),
        _name_subject(report),
        element("p", _render_sentence(row.sentence)),
        *(element("p", _render_sentence(told), class_="quiet") for told in describe_grounds(row)),
        *(element("p", f"{title}: ", _render_sentence(remark)) for title, remark in remarks.items() if remark),
        *(element("p", f"Blocked by {id_}: that made it fail.") for id_ in result.blocked_by),
        *_render_scenarios(result),
    )


def _render_sentence(sentence: str) -> Html:
    """Mark up the code that the registry's sentences have between backquotes."""
    parts = sentence.split("`")
    return Html("".join(element("code" if at % 2 else "span", part) for at, part in enumerate(parts)))


def _render_scenarios(result: RequirementResult) -> Iterator[Html]:
    if result.profile == "sanitizer":
        yield from _render_first(result.scenarios)
    elif result.scenarios:
        yield _render_list(result.scenarios)
    if result.departures:
        yield element("p", "The subject departs from what the reference's loop would do:")
        yield from _render_first(result.departures)


def _render_first(found: tuple[ScenarioResult, ...]) -> Iterator[Html]:
    """Tell once what is wrong everywhere."""
    if found:
        yield _render_list(found[:1])
    if len(found) > 1:
        yield element("p", f"and in {len(found) - 1} other episodes")


def _render_list(scenarios: tuple[ScenarioResult, ...]) -> Html:
    """Return what failed comes first; of what can be opened the first is open."""
    ranked = sorted(scenarios, key=lambda each: not (each.course or each.fault))
    opened = next((each for each in ranked if each.course or each.fault), None)
    shown = (_render_scenario(each, is_open=each is opened) for each in ranked)
    return element("ul", *shown, class_="scenarios")


def _render_scenario(scenario: ScenarioResult, *, is_open: bool) -> Html:
    head = fragment(_render_verdict(scenario.verdict), " ")
    if not scenario.message:
        return element("li", head, scenario.title)
    if scenario.verdict in NOT_ASKED:
        return element("li", head, f"{scenario.title}: {_cut_message(scenario.message)}")
    summary = element("summary", head, scenario.title)
    return element("li", element("details", summary, *_render_failure(scenario), open=is_open))


def _render_failure(scenario: ScenarioResult) -> Iterator[Html]:
    if scenario.course:
        yield render_course(scenario.course)
    yield element("pre", _cut_message(scenario.message))


def _render_choices(report: Report) -> Html:
    head = element("tr", *(element("th", text, scope="col") for text in ("choice", "declared", "observed")))
    rows = []
    for name in sorted({*report.declared, *report.choices}):
        variants = (report.declared.get(name, "–"), report.choices.get(name, "–"))
        rows.append(element("tr", element("th", name, scope="row"), *(element("td", variant) for variant in variants)))
    table = element("table", element("thead", head), element("tbody", *rows))
    return _render_article(fragment("Choices"), _name_subject(report), element("div", table, class_="scroll"))


def _render_verdict(verdict: Verdict) -> Html:
    return element("span", str(verdict), class_=f"verdict {verdict_class(verdict)}")


def _cut_message(message: str) -> str:
    return message if len(message) <= _SHOWN else f"{message[:_SHOWN]}… ({len(message)} characters)"


#: Both sides are as wide as their lanes, in this order.
_LANES = ("LM", "agent", "tools")


def render_course(course: Course) -> Html:
    """Return the two sides agree up to the first departure, which is marked."""
    lanes = element("span", *(element("i", lane) for lane in _LANES), class_="lanes", aria_hidden="true")
    head = element("tr", *(element("th", side, lanes, scope="col") for side in ("expected", "seen")))
    return element("table", element("thead", head), element("tbody", *_render_rows(course)), class_="course")


def _render_rows(course: Course) -> Iterator[Html]:
    if course.before:
        yield _render_both_sides(f"… {course.before} events before")
    for number, beat in enumerate(course.beats):
        if number == course.departure:
            yield _render_row(_render_expected(course), fragment(_MARK, _render_beat(beat)), class_="departure")
        elif course.departure is not None and number > course.departure:
            yield _render_row(Html(""), _render_beat(beat), class_="after")
        else:
            yield _render_row(_render_beat(beat), _render_beat(beat))
    if course.departure is None:
        yield _render_row(
            _render_expected(course), fragment(_MARK, element("span", "not so", class_="own")), class_="departure"
        )
    if course.after:
        yield _render_both_sides(f"… {course.after} events after")


_MARK = element("strong", "departs here", class_="mark")
_OR = element("span", "or", class_="or")


def _render_expected(course: Course) -> Html:
    first, *others = map(_render_beat, course.due)
    return fragment(first, *(part for beat in others for part in (_OR, beat)))


def _render_beat(beat: Beat) -> Html:
    """Return an arrow from the agent to the lane, and one back; what the agent does alone is a box of its own."""
    if beat.lane == "agent":
        return element("span", beat.does, *_render_reply(beat), class_="own")
    whom = element("span", f"agent to {beat.lane}: ", class_="spoken")
    return element("span", whom, element("span", beat.does, class_="to"), *_render_reply(beat), class_=beat.lane)


def _render_reply(beat: Beat) -> Iterator[Html]:
    if beat.reply:
        yield element("span", beat.reply, class_="back")


def _render_row(due: Html, seen: Html, class_: str = "") -> Html:
    cells = element("td", due, class_="due"), element("td", seen)
    return element("tr", *cells, class_=class_) if class_ else element("tr", *cells)


def _render_both_sides(text: str) -> Html:
    return element("tr", element("td", text, colspan="2", class_="quiet"))
