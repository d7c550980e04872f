"""One subject: how it stands, what isn't met and what happened; all else is opened by links."""

from collections.abc import Iterator
from itertools import groupby
from operator import attrgetter

from react_tck.model.report import Report
from react_tck.reports.defects import GROUPS, Defect, count_rows, list_adapter_questions, list_defects
from react_tck.reports.first_screen import is_judged_whole, list_standing_lines
from react_tck.reports.page.details import CHOICES
from react_tck.reports.page.heat_map import Column
from react_tck.reports.page.markup import Html, cell_link, element, fragment, make_breakable, subject_anchor
from react_tck.reports.verdicts import conclude_run, describe_subject
from react_tck.results.exit_status import Exit, exit_status


def render_section(column: Column) -> Html:
    """Return the section of a column's subject."""
    report, key = column.report, column.key
    told = (element("p", line, class_="quiet") for line in describe_subject(report))
    return element(
        "section",
        element("h2", report.subject.name, element("small", f" {report.subject.version}")),
        *_render_verdicts(report),
        *(
            element("p", element("b", "your adapter?"), f" no row with {shared} passes ({rows}): {question}")
            for shared, rows, question in list_adapter_questions(report)
        ),
        *_render_defects(report, key),
        element("details", element("summary", "what it is held to, and what the harness changes"), *told),
        element("p", element("a", "what was observed at its choices", href=cell_link(key, CHOICES))),
        id=subject_anchor(key),
        data_column=key,
    )


def render_standing(column: Column) -> Html:
    """Return the line of a column's subject: how it stands, and the way to its section."""
    subject, anchor = column.report.subject, f"#{subject_anchor(column.key)}"
    name = element("a", make_breakable(subject.name), element("small", f" {subject.version}"), href=anchor)
    return element("li", element("b", name), *_render_verdicts(column.report))


def _render_verdicts(report: Report) -> Iterator[Html]:
    """Yield how it stands, as the first screen of a run has it, with a bar of the MUSTs that are met."""
    lines = list_standing_lines(report) if is_judged_whole(report) else []
    if not lines:
        is_good = exit_status(report) is Exit.CONFORMANT
        yield element("p", conclude_run(report).plain, class_="passed" if is_good else "failed")
    for each in lines:
        bar = (element("progress", value=str(each.met), max=str(each.asked), aria_hidden="true"), " ")
        told = (*(bar if each.asked else ()), each.counts)
        yield element("p", element("b", each.heading), " ", *told, class_="passed" if each.is_good else "failed")


def _render_defects(report: Report, key: str) -> Iterator[Html]:
    """Yield what isn't met and what happened, as the first screen of a run has it."""
    for group, found in groupby(list_defects(report), key=attrgetter("group")):
        yield element("h3", GROUPS[group])
        yield element("ul", *(_render_defect(defect, key) for defect in found), class_="defects")


def _render_defect(defect: Defect, key: str) -> Html:
    links = (fragment(element("a", id_, href=cell_link(key, id_)), " ") for id_ in defect.ids)
    return element(
        "li",
        *links,
        f"{defect.title}: {count_rows(defect.rows)}",
        element("p", defect.happened, class_="quiet"),
        element("pre", defect.shown.reproduce),
    )
