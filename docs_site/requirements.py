"""A page for each requirement: its source, its scenarios, the mutants they kill, and how the subjects stand."""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from docs_site.markdown import fenced, page, prose, table
from docs_site.results import list_cells
from react_tck.catalogue.features import ScenarioInfo, load_features
from react_tck.catalogue.kill_matrix import MUTANTS_FILE, load_kill_matrix
from react_tck.catalogue.registry import load_registry
from react_tck.model.report import Report
from react_tck.model.requirement import Requirement
from react_tck.reports.grounds import describe_grounds, describe_history, describe_weights

_FEATURES = Path(__file__).parents[1] / "features"


def requirement_pages(reports: Mapping[Path, Report]) -> dict[str, str]:
    """Return the page of each by its place, and one that lists them all; reports may be none."""
    rows = [
        (f"[{each.id}](requirements/{each.id}.md)", prose(each.title), f"{each.weight}, {each.profile}")
        for each in load_registry().requirements
    ]
    told = f"Revision {load_registry().revision} of the requirements, in the order of `features/requirements.toml`."
    listed = page("Requirements", told, table(("id", "what it asks for", "weight, profile"), rows))
    pages = {f"reference/requirements/{each.id}.md": _page(each, reports) for each in load_registry().requirements}
    return {"reference/requirements.md": listed, **pages}


def _page(requirement: Requirement, reports: Mapping[Path, Report]) -> str:
    remarks = {"Note": requirement.note, "Pending": requirement.pending, "Excluded": requirement.excluded}
    return page(
        requirement.id,
        f"**{', '.join(describe_weights(requirement))}** · profile `{requirement.profile}`"
        f" · since revision {requirement.since}",
        *(f"{prose(told[0].upper() + told[1:])}" for told in describe_grounds(requirement)),
        f"> {prose(requirement.sentence)}",
        *(prose(told[0].upper() + told[1:]) for told in describe_history(requirement)),
        *(f"{name}: {prose(said)}" for name, said in remarks.items() if said),
        *_standing(requirement, reports),
        *_scenarios(requirement),
        *_mutants(requirement),
    )


def _standing(requirement: Requirement, reports: Mapping[Path, Report]) -> Iterator[str]:
    verdicts = [
        (prose(report.subject.name), prose(report.subject.version), f"[{found.verdict}](../../{address})")
        for report, found, address in list_cells(reports, requirement.id)
    ]
    if verdicts:
        yield f"## How the subjects stand\n\n{table(('subject', 'version', 'verdict'), verdicts)}"


def _scenarios(requirement: Requirement) -> Iterator[str]:
    scenarios = [each for each in load_features() if each.requirement_id == requirement.id]
    if requirement.is_sanitizer:
        yield "No scenario is about it alone: it is judged in every episode."
    elif scenarios:
        yield "## Scenarios"
    for scenario in scenarios:
        killed = ", ".join(f"`{mutant}`" for mutant in load_kill_matrix().killed_by(scenario))
        yield f"### {prose(scenario.title)}"
        yield fenced(_gherkin(scenario), "gherkin", f"features/{scenario.profile}/{scenario.path.name}:{scenario.line}")
        yield f"It kills {killed}." if killed else ""


def _gherkin(scenario: ScenarioInfo) -> str:
    steps = [f"{step.keyword.strip()} {step.text}" for step in scenario.steps]
    rows = [f"  | {' | '.join(row)} |" for each in scenario.examples for row in (each.columns, *each.rows)]
    return "\n".join([*steps, *(["Examples:", *rows] if rows else [])])


def _mutants(requirement: Requirement) -> Iterator[str]:
    rows = [(f"`{name}`", prose(wrong)) for name, (broken, wrong) in _sentences().items() if broken == requirement.id]
    if rows:
        yield f"## Mutants\n\nCopies of the reference that violate it.\n\n{table(('mutant', 'what is wrong'), rows)}"


@cache
def _sentences() -> Mapping[str, tuple[str, str]]:
    found: Mapping[str, tuple[str, str]] = json.loads((_FEATURES / MUTANTS_FILE).read_text(encoding="utf-8"))
    return found
