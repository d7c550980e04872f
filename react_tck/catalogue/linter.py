"""Holds the features and the registry together: what a run would pass over in silence is said here.

`python -m react_tck.catalogue.linter [FEATURES]` prints the problems and exits with 1; or what is covered,
and which rows no mutant needs, and exits with 0.
"""

import argparse
import json
import sys
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Protocol

from react_tck.catalogue.feature_files import DEFAULT_ROOT, FeatureError, list_feature_files
from react_tck.catalogue.features import ScenarioInfo, StepType, load_feature
from react_tck.catalogue.kill_matrix import FILE, KillMatrix, KillMatrixError, load_kill_matrix, load_sentences
from react_tck.catalogue.own_features import import_team_tools, registry_with
from react_tck.catalogue.registry import Registry, RegistryError, load_registry
from react_tck.catalogue.sampling import strip_variation
from react_tck.catalogue.scenario_checks import CHECKS, OWN_CHECKS, Check, Finding, Standard, suggest_name
from react_tck.catalogue.sentences import load_step_definitions


@dataclass(frozen=True, order=True)
class Problem:
    """One thing that is wrong, and where."""

    path: Path
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.message}"


class StepMatcher(Protocol):
    """Knows the step definitions; `StepDefinitions` is the real one."""

    def find_locations(self, type_: StepType, text: str) -> Sequence[str]:
        """Return where the matching definitions stand."""


def lint_features(
    features_root: Path, registry: Registry, step_matcher: StepMatcher, mutant_names: Collection[str]
) -> list[Problem]:
    """Return every problem of the features under `features_root`, in path and line order."""
    scenarios, unreadable = read_scenarios(features_root)
    problems = list(unreadable)
    if not unreadable:  # what an unreadable file covers isn't known
        problems += _find_uncovered_requirements(scenarios, registry)
    problems += _find_duplicate_titles(scenarios)
    try:
        matrix = load_kill_matrix(features_root)
    except KillMatrixError as error:
        return sorted({*problems, Problem(features_root / FILE, 1, str(error))})
    standard = Standard(features_root, registry, cache(step_matcher.find_locations), mutant_names, matrix)
    for scenario in scenarios:
        problems += _check_scenario(scenario, standard)
    if not unreadable:
        problems += _find_unknown_names(scenarios, standard)
    # The steps of a background are seen once per scenario, those of an outline once per row.
    return sorted(set(problems))


class OwnFeaturesWrong(Exception):
    """Somebody's own features can't be played as they are: a line for each problem, with file, line and what to do."""


def check_own_features(features: Path) -> None:
    """Hold somebody's own features, a folder or a file, against what is asked of them.

    Raises:
        OwnFeaturesWrong: if anything is wrong.
    """
    broken = list(import_team_tools(features))
    scenarios, problems = read_scenarios(features)
    if not problems:
        problems += _find_duplicate_titles(scenarios)
        matching = cache(load_step_definitions().find_locations)
        standard = Standard(features, registry_with(features, None), matching, (), KillMatrix({}))
        problems += [each for scenario in scenarios for each in _check_scenario(scenario, standard, OWN_CHECKS)]
    if problems:
        problems += [Problem(error.file, error.line, error.message) for error in broken]
        raise OwnFeaturesWrong("\n".join(map(str, sorted(set(problems)))))


def read_scenarios(features_root: Path) -> tuple[list[ScenarioInfo], list[Problem]]:
    """Return all scenarios, and a problem for each file that gives none."""
    scenarios: list[ScenarioInfo] = []
    problems: list[Problem] = []
    for path in list_feature_files(features_root):
        try:
            found = load_feature(path)
        except FeatureError as error:
            problems.append(Problem(error.file, error.line, error.message))
            continue
        scenarios += found
        if not found:
            problems.append(Problem(path, 1, "the file has no scenario"))
    if not (scenarios or problems):
        problems.append(Problem(features_root, 1, "there is no feature file; a run of nothing proves nothing"))
    return scenarios, problems


def _check_scenario(scenario: ScenarioInfo, standard: Standard, checks: Sequence[Check] = CHECKS) -> Iterator[Problem]:
    for check in checks:
        for line, message in check(scenario, standard):
            yield Problem(scenario.path, line, message)


def _find_unknown_names(scenarios: Sequence[ScenarioInfo], standard: Standard) -> Iterator[Problem]:
    """Yield what the kill matrix names and nobody knows."""
    path = standard.root / FILE
    if path.exists():
        for line, message in kill_matrix_findings(path.read_text(encoding="utf-8"), scenarios, standard):
            yield Problem(path, line, message)


def kill_matrix_findings(text: str, scenarios: Sequence[ScenarioInfo], standard: Standard) -> Iterator[Finding]:
    """Lines and messages of the entries in the file's text that name what doesn't exist."""
    rows = {row for scenario in scenarios for row in scenario.row_titles}
    for mutant, requirement_id, row in standard.kill_matrix.list_entries():
        if mutant not in standard.mutants:
            yield _find_line(text, mutant), f"there is no mutant {mutant!r}{suggest_name(mutant, standard.mutants)}"
        if requirement_id not in standard.registry.by_id:
            hint = suggest_name(requirement_id, standard.registry.by_id)
            yield _find_line(text, mutant, requirement_id), f"requirement {requirement_id} is not in the registry{hint}"
        if strip_variation(row) not in rows:
            message = f"no scenario has the row {row!r}{suggest_name(row, rows)}"
            yield _find_line(text, mutant, requirement_id, row), message


def _find_line(text: str, *names: str) -> int:
    """Return the line of the last of some names, each of which stands inside the value of the one before."""
    at = 0
    for name in names:
        at = max(at, text.find(json.dumps(name, ensure_ascii=False), at))
    return text.count("\n", 0, at) + 1


def _find_duplicate_titles(scenarios: Sequence[ScenarioInfo]) -> Iterator[Problem]:
    """Titles that two scenarios have: rows are called by them, in books and reports."""
    first: dict[str, ScenarioInfo] = {}
    for scenario in scenarios:
        other = first.setdefault(scenario.title, scenario)
        if other is not scenario:
            message = f"{other.path.name}:{other.line} has the same title: {other.title!r}"
            yield Problem(scenario.path, scenario.line, message)


def _find_uncovered_requirements(scenarios: Sequence[ScenarioInfo], registry: Registry) -> Iterator[Problem]:
    covered = _list_covered_ids(scenarios)
    for requirement in registry.requirements:
        if requirement.needs_scenario and requirement.id not in covered:
            message = f"{requirement.id} has no scenario; write one, or say why under `pending` or `excluded`"
            yield Problem(registry.path, registry.lines[requirement.id], message)


def _list_covered_ids(scenarios: Sequence[ScenarioInfo]) -> set[str]:
    return {id_ for scenario in scenarios for id_ in scenario.requirement_ids}


def summarize_coverage(scenarios: Sequence[ScenarioInfo], registry: Registry) -> str:
    """One line that balances: every requirement is covered, pending or excluded."""
    rows, tested = registry.requirements, _list_covered_ids(scenarios)
    sanitizers = sum(row.is_sanitizer and not (row.pending or row.excluded) for row in rows)
    covered = sanitizers + sum(row.needs_scenario for row in rows if row.id in tested)
    pending = sum(row.pending is not None for row in rows)
    excluded = sum(row.excluded is not None for row in rows)
    return (
        f"{len(scenarios)} scenarios; {len(rows)} requirements: {covered} covered "
        f"({sanitizers} of them by sanitizers), {pending} pending, {excluded} excluded"
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Lint the shipped features, or those in another folder with a registry of their own."""
    parser = argparse.ArgumentParser(prog="python -m react_tck.catalogue.linter", description=__doc__)
    parser.add_argument("features", nargs="?", type=Path, default=DEFAULT_ROOT)
    root = parser.parse_args(argv).features.resolve()
    try:
        registry = load_registry(root / "requirements.toml")
    except RegistryError as error:
        print(error)
        return 1
    problems = lint_features(root, registry, load_step_definitions(), load_sentences())
    for problem in problems:
        print(replace(problem, path=_from_here(problem.path)))
    if not problems:
        print(summarize_coverage(read_scenarios(root)[0], registry))
    return 1 if problems else 0


def _from_here(path: Path) -> Path:
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


if __name__ == "__main__":
    sys.exit(main())
