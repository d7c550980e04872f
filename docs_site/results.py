"""The results on the site: the pages that `matrix` writes, their data, and what was tested when."""

from collections.abc import Iterator, Sequence

from docs_site.kept_results import Kept, Results
from docs_site.markdown import page, prose, table
from react_tck.model.report import Report, RequirementResult
from react_tck.model.schemas import schema_texts
from react_tck.reports.page import render_page
from react_tck.reports.page.markup import Html, cell_link, element, fragment, make_keys
from react_tck.reports.standing import is_unmet
from react_tck.reports.verdicts import verdict_lines

FOLDER = "results"
HEAT_MAP = "heat-map.html"
_INDEX = "index"
_SCHEMA = "report.schema.json"
_HOW_IT_IS_READ = """
Each subject was played by the kit, with the scripted LM. A cell of the [heat map](heat-map.html) opens what was found
there: the sentence, the quote or harm it stands on, what failed, the episode drawn beside what was due, and the command
that shows it again. The page of each [requirement](../reference/requirements.md) leads to its cells.
"""
_ADDRESSES = """
`results/heat-map.html#cell=SUBJECT.REQUIREMENT` is where a subject stands with a requirement, and
`results/releases/LIBRARY.html#cell=SUBJECT-VERSION.REQUIREMENT` where a release does. SUBJECT is the name that the
subject gives itself, in which `-` stands for what is no letter, digit, `.`, `_` or `-`. These addresses stay.
"""
_NOTHING = "No results lie in this tree yet: they are shown as soon as a command below has made them."


def result_pages(results: Results) -> dict[str, str]:
    """The overview, the heat map, a page for each library over its releases, and the files behind them."""
    overview = f"{FOLDER}/{_INDEX}.md"
    if not (results.subjects or results.libraries or results.newest):
        return {overview: page("Results", _NOTHING, *_tell_missing(results))}
    made = {f"{FOLDER}/data/{_SCHEMA}": schema_texts()[_SCHEMA]}
    if results.newest:
        made[f"{FOLDER}/newest.md"] = results.newest
    if results.subjects:
        made[f"{FOLDER}/{HEAT_MAP}"] = render_page(results.reports, {}, {}, _lead_back(""))
    for name, report in results.subjects.items():
        made[f"{FOLDER}/data/{name}.json"] = report.text
    for name, releases in results.libraries.items():
        made |= {_name_data(name, release): release.text for release in releases}
        reports = [release.content for release in releases]
        made[f"{FOLDER}/{name}.html"] = render_page(reports, {}, {}, _lead_back("../"))
    return {overview: _overview(results), **made}


def cell_addresses(reports: list[Report], id_: str) -> Iterator[tuple[Report, RequirementResult, str]]:
    """Of each report that tells of a requirement: what it tells, and where the heat map does, seen from its folder."""
    keys = make_keys(report.subject.name for report in reports)
    for report, key in zip(reports, keys, strict=True):
        for found in report.requirements:
            if found.id == id_:
                yield report, found, f"{HEAT_MAP}{cell_link(key, id_)}"


def _overview(results: Results) -> str:
    return page(
        "Results",
        _HOW_IT_IS_READ if results.subjects else "",
        *_tell_subjects(results),
        *_tell_libraries(results),
        *(["[As installed today](newest.md): the newest releases of all libraries."] if results.newest else []),
        "## Addresses",
        _ADDRESSES,
        *_tell_example(results),
        "## Data",
        f"The files of the tables are described by [{_SCHEMA}](data/{_SCHEMA}).",
        *_tell_missing(results),
    )


def _tell_subjects(results: Results) -> Iterator[str]:
    if results.subjects:
        yield "## Subjects"
        head = ("subject", "version", "kit", "what it comes to", "tested", "data")
        yield table(head, (_tell_subject(*each) for each in results.subjects.items()))


def _tell_subject(name: str, kept: Kept) -> tuple[str, ...]:
    report = kept.content
    told = "; ".join(f"{whose} {sentence}" for whose, sentence, _ in verdict_lines(report))
    subject, kit = report.subject, report.kit
    return (prose(subject.name), prose(subject.version), kit.version, prose(told), _tell_time(kept), _tell_data(name))


def _tell_libraries(results: Results) -> Iterator[str]:
    if results.libraries:
        yield "## Libraries over their releases"
        head = ("library", "release", "tested", "data")
        yield table(head, (row for each in results.libraries.items() for row in _tell_library(*each)))


def _tell_library(name: str, releases: Sequence[Kept]) -> Iterator[tuple[str, ...]]:
    link = f"[{prose(name.rpartition('/')[2])}]({name}.html)"
    for release in releases:
        data = _tell_data(_name_data(name, release).removeprefix(f"{FOLDER}/data/").removesuffix(".json"))
        yield link, prose(release.content.subject.version), _tell_time(release), data


def _name_data(library: str, release: Kept) -> str:
    version = "".join(c if c.isalnum() or c in "-_." else "-" for c in release.content.subject.version)
    return f"{FOLDER}/data/{library}-{version}.json"


def _tell_time(kept: Kept) -> str:
    return f"{kept.written:%Y-%m-%d %H:%M} UTC"


def _tell_data(name: str) -> str:
    return f"[JSON](data/{name}.json)"


def _tell_example(results: Results) -> Iterator[str]:
    """The address of something that isn't met, if there is such."""
    unmet = (found.id for report in results.reports for found in report.requirements if is_unmet(found))
    if id_ := next(unmet, ""):
        found = next(each for each in cell_addresses(results.reports, id_) if is_unmet(each[1]))
        yield f"Such as [`results/{found[2]}`]({found[2]})."


def _tell_missing(results: Results) -> Iterator[str]:
    if results.missing:
        yield "## Not here"
        yield table(("what", "how it comes here"), ((prose(name), prose(how)) for name, how in results.missing.items()))


def _lead_back(up: str) -> Html:
    """What stands above a page that isn't made of Markdown."""
    home = element("a", "react-tck", href=f"{up}../index.html")
    results = element("a", "Results", href=f"{up}{_INDEX}.html")
    return element("p", fragment(home, " › ", results), class_="quiet")
