"""One subject: how it stands, what explains its failures, what isn't met; all else is opened by links."""

from collections.abc import Iterator

from react_tck.model.report import Cause, Report
from react_tck.reports.causes import format_extent, format_headline, list_blocked_by
from react_tck.reports.page.details import CHOICES, cause_topic
from react_tck.reports.page.heat_map import Column
from react_tck.reports.page.markup import Html, cell_link, element, fragment, subject_anchor
from react_tck.reports.standing import LEVELS, is_unmet, list_weights
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
        *_render_causes(report, key),
        *_render_unmet(report, key),
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


def _render_causes(report: Report, key: str) -> Iterator[Html]:
    """Yield what explains the failures, most of them first."""
    if report.causes:
        items = (_render_cause(cause, key, place) for place, cause in enumerate(report.causes, 1))
        yield element("h3", f"Causes ({len(report.causes)})")
        yield element("ol", *items, class_="causes")


def _render_cause(cause: Cause, key: str, place: int) -> Html:
    return element(
        "li",
        element("a", format_headline(cause), href=cell_link(key, cause_topic(place))),
        f": {format_extent(cause)}",
        element("pre", cause.reproduce),
    )


def _render_unmet(report: Report, key: str) -> Iterator[Html]:
    for weight in list_weights(report.requirements):
        ids = [result.id for result in report.requirements if result.weight == weight and is_unmet(result)]
        if ids:
            links = (fragment(" ", element("a", id_, href=cell_link(key, id_))) for id_ in ids)
            what = f"{weight} not met" if weight in LEVELS else f"{weight} practices broken"
            yield element("p", f"{what}:", *links, class_="unmet")
    for blockers, ids in list_blocked_by(report).items():
        links = (fragment(" ", element("a", id_, href=cell_link(key, id_))) for id_ in ids)
        yield element("p", f"blocked by {blockers}:", *links, class_="unmet")
