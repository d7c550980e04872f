"""One subject: how it stands, what isn't met and what happened; all else is opened by links."""

from collections.abc import Iterator
from itertools import groupby
from operator import attrgetter

from react_tck.model.report import Report
from react_tck.reports.defects import GROUPS, Defect, count_rows, list_defects
from react_tck.reports.page.details import CHOICES
from react_tck.reports.page.heat_map import Column
from react_tck.reports.page.markup import Html, cell_link, element, fragment, subject_anchor
from react_tck.reports.verdicts import conclude_run, describe_subject, verdict_lines
from react_tck.results.exit_status import Exit, exit_status


def render_section(column: Column) -> Html:
    """Return the section of a column's subject."""
    report, key = column.report, column.key
    return element(
        "section",
        element("h2", report.subject.name, element("small", f" {report.subject.version}")),
        *_render_verdicts(report),
        *(element("p", line, class_="quiet") for line in describe_subject(report)),
        *_render_defects(report, key),
        element("p", element("a", "what was observed at its choices", href=cell_link(key, CHOICES))),
        id=subject_anchor(key),
        data_column=key,
    )


def _render_verdicts(report: Report) -> Iterator[Html]:
    """Yield how it stands; since revision 3 a line for each specification, one for practices."""
    said = conclude_run(report).plain
    if "\n" not in said:
        yield element("p", said, class_="passed" if exit_status(report) is Exit.CONFORMANT else "failed")
        return
    for name, sentence, is_good in verdict_lines(report):
        yield element("p", element("b", name), f" {sentence}", class_="passed" if is_good else "failed")


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
