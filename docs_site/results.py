"""The results that lie in the tree, where commands left them: an overview, the heat map, the reports themselves."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

from docs_site.markdown import page, prose
from react_tck.cli.earlier_reports import UnreadableReport, read_comparable_report
from react_tck.model.report import Report, RequirementResult
from react_tck.reports.page import make_report_keys, render_page
from react_tck.reports.page.markup import cell_link, element, fragment, subject_anchor
from react_tck.reports.verdicts import verdict_lines

#: Where `make matrix` and `make ports` leave their reports, and `make newest` its table.
_REPORTS = ("build/matrix/*.json", "ports/*/report.json")
NEWEST = "build/newest/newest.md"
HEAT_MAP = "results/heat-map.html"
_TOLD = """
`make matrix` plays the subjects that are built in, `make ports` the ports. The address of a cell of the
[heat map](heat-map.html), `#cell=SUBJECT.REQUIREMENT`, stays; a part of the subject's name will do.
"""
_NOTHING = "No results lie in this tree yet: `make matrix` and `make ports` make them."


def read_reports(root: Path) -> Mapping[Path, Report]:
    """Return the reports that lie in the tree, by file; what isn't a report of these requirements is left out."""
    found = {}
    for file in (each for pattern in _REPORTS for each in sorted(root.glob(pattern))):
        try:
            found[file] = read_comparable_report(file)
        except UnreadableReport as error:
            print(f"Left out: {error}")
    return found


def result_pages(root: Path, reports: Mapping[Path, Report]) -> dict[str, str]:
    """Return the overview, the heat map and the files behind them, by place."""
    made, tried = {}, ""
    if (newest := root / NEWEST).is_file():
        made["results/newest.md"] = newest.read_text(encoding="utf-8")
        tried = "[As installed today](newest.md): the newest releases of all libraries."
    if not reports:
        return {"results/index.md": page("Results", _NOTHING, tried), **made}
    keys = make_report_keys(list(reports.values()))
    home, overview = element("a", "react-tck", href="../index.html"), element("a", "Results", href="index.html")
    above = element("p", fragment(home, " › ", overview), class_="quiet")
    made[HEAT_MAP] = render_page(list(reports.values()), {}, {}, above)
    made |= {f"results/{_name_data(file)}": file.read_text(encoding="utf-8") for file in reports}
    told = "\n".join(_tell_report(file, report, key) for (file, report), key in zip(reports.items(), keys, strict=True))
    return {"results/index.md": page("Results", _TOLD, told, tried), **made}


def list_cells(reports: Mapping[Path, Report], id_: str) -> Iterator[tuple[Report, RequirementResult, str]]:
    """Yield what each report tells of a requirement, and its cell's address, seen from the site's root."""
    keys = make_report_keys(list(reports.values()))
    for report, key in zip(reports.values(), keys, strict=True):
        for found in report.requirements:
            if found.id == id_:
                yield report, found, f"{HEAT_MAP}{cell_link(key, id_)}"


def _tell_report(file: Path, report: Report, key: str) -> str:
    """Return an item: how it stands, a line each, who is meant, and when that was tested."""
    who = f"{prose(report.subject.name)} {prose(report.subject.version)}"
    lines = [f"    - {each.name} {prose(each.sentence)}" for each in verdict_lines(report)]
    when = f"{datetime.fromtimestamp(file.stat().st_mtime, UTC):%Y-%m-%d %H:%M} UTC"
    lines += [f"    - tested {when} by kit {report.kit.version}: [JSON]({_name_data(file)})"]
    return "\n".join([f"- [**{who}**](heat-map.html#{subject_anchor(key)})", *lines])


def _name_data(file: Path) -> str:
    return f"data/{f'port-{file.parent.name}' if file.name == 'report.json' else file.stem}.json"
