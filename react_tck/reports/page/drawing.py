"""An episode as a sequence: what was due beside what was seen, with a lane each for the LM, the agent and the tools."""

from collections.abc import Iterator

from react_tck.model.report import Beat, Course
from react_tck.reports.page.markup import Html, element, fragment

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
