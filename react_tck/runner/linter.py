"""Holds the features and the registry together: what pytest-bdd would pass over in silence is said here.

`python -m react_tck.runner.linter [FEATURES]` prints the problems and exits with 1, or one line and 0.
"""

import argparse
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Protocol, get_args

from pytest_bdd.scenario import make_python_name

from react_tck.model.requirement import ID_PATTERN, Level, Profile, Requirement
from react_tck.runner.features import (
    DEFAULT_ROOT,
    ExamplesInfo,
    FeatureError,
    ScenarioInfo,
    StepInfo,
    StepType,
    feature_files,
    load_feature,
    placeholders,
)
from react_tck.runner.registry import Registry, RegistryError, load_registry
from react_tck.runner.step_definitions import load_step_definitions

PROFILES: tuple[str, ...] = get_args(Profile)
_KNOWN_TAGS = (*PROFILES, *(level.lower() for level in get_args(Level)), "smoke")


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

    def matching(self, type_: StepType, text: str) -> Sequence[str]:
        """Where the matching definitions stand."""


@dataclass(frozen=True)
class Standard:
    """What a scenario is held against."""

    root: Path
    registry: Registry
    matching: Callable[[StepType, str], Sequence[str]]
    mutants: Collection[str]


#: What a check has to say: a line of the scenario's file, and a message.
Finding = tuple[int, str]
Check = Callable[[ScenarioInfo, Standard], Iterator[Finding]]


def lint(
    features_root: Path, registry: Registry, step_matcher: StepMatcher, mutant_names: Collection[str]
) -> list[Problem]:
    """Every problem of the features under `features_root`, in path and line order."""
    scenarios, problems = read(features_root)
    if not problems:  # what an unreadable file covers isn't known
        problems += _uncovered(scenarios, registry)
    problems += _twins(scenarios)
    standard = Standard(features_root, registry, cache(step_matcher.matching), mutant_names)
    for scenario in scenarios:
        problems += _checked(scenario, standard)
    # The steps of a background are seen once per scenario, those of an outline once per row.
    return sorted(set(problems))


def read(features_root: Path) -> tuple[list[ScenarioInfo], list[Problem]]:
    """All scenarios, and a problem for each file that gives none."""
    scenarios: list[ScenarioInfo] = []
    problems: list[Problem] = []
    for path in feature_files(features_root):
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


def _checked(scenario: ScenarioInfo, standard: Standard) -> Iterator[Problem]:
    for check in CHECKS:
        for line, message in check(scenario, standard):
            yield Problem(scenario.path, line, message)


def _requirement_tag(scenario: ScenarioInfo, standard: Standard) -> Iterator[Finding]:
    match scenario.requirement_ids:
        case ():
            yield scenario.line, "the scenario has no requirement id; give it exactly one, like @LOOP-001"
        case (id_,):
            yield from ((scenario.line, message) for message in _unfit(id_, standard.registry))
        case ids:
            yield scenario.line, f"the scenario has {len(ids)} requirement ids, {_listed(ids)}; keep one"


def _unfit(id_: str, registry: Registry) -> Iterator[str]:
    requirement = registry.by_id.get(id_)
    if requirement is None:
        yield f"requirement {id_} is not in the registry"
    elif requirement.pending:
        yield f"{id_} has a scenario, yet is pending in the registry: {requirement.pending}"
    elif requirement.excluded:
        yield f"{id_} has a scenario, yet is excluded in the registry: {requirement.excluded}"


def _level_tag(scenario: ScenarioInfo, standard: Standard) -> Iterator[Finding]:
    found, requirement = scenario.level, _requirement(scenario, standard)
    if len(scenario.levels) != 1:
        tags = f"{len(scenario.levels)} level tags" if found else "no level tag"
        yield scenario.line, f"the scenario has {tags}; give it one of @must, @should, @may"
    elif requirement and found != requirement.level:
        yield scenario.line, f"{requirement.id} is {requirement.level} in the registry, {found} here"


def _folder(scenario: ScenarioInfo, standard: Standard) -> Iterator[Finding]:
    requirement = _requirement(scenario, standard)
    folder = scenario.path.relative_to(standard.root).parts[0]
    if requirement and folder not in _homes(requirement):
        yield scenario.line, f"{requirement.id} belongs into the folder {requirement.profile}/ of its profile"


def _profile_tag(scenario: ScenarioInfo, standard: Standard) -> Iterator[Finding]:
    requirement = _requirement(scenario, standard)
    tags = [tag for tag in scenario.tags if tag in PROFILES]
    if requirement and (len(tags) != 1 or tags[0] not in _homes(requirement)):
        found = _listed([f"@{tag}" for tag in tags]) or "none"
        wanted = f"{requirement.id} needs @{requirement.profile} on its feature or rule"
        yield scenario.line, f"{wanted}; the profile tags are: {found}"


def _homes(requirement: Requirement) -> tuple[str, ...]:
    """The profiles a requirement's scenarios may live in; a sanitizer's may show themselves in core."""
    return ("sanitizer", "core") if requirement.is_sanitizer else (requirement.profile,)


def _rule(scenario: ScenarioInfo, _: Standard) -> Iterator[Finding]:
    if scenario.rule is None:
        yield scenario.line, "the scenario is under no Rule:; a rule states the requirement it tests"


def _outcome(scenario: ScenarioInfo, _: Standard) -> Iterator[Finding]:
    if not any(step.type == "then" for step in scenario.steps if not step.from_background):
        yield scenario.line, "the scenario has no Then; pytest-bdd would pass it whatever happens"


def _kills(scenario: ScenarioInfo, standard: Standard) -> Iterator[Finding]:
    if not scenario.kills:
        yield scenario.line, "the scenario names no mutant; prove it can be red with @kills:<mutant>"
    for name in scenario.kills:
        if name not in standard.mutants:
            yield scenario.line, f"there is no mutant {name!r}{_suggestion(name, standard.mutants)}"


def _known_tags(scenario: ScenarioInfo, _: Standard) -> Iterator[Finding]:
    for tag in scenario.tags:
        if tag not in _KNOWN_TAGS and not tag.startswith("kills:") and not ID_PATTERN.fullmatch(tag):
            yield scenario.line, f"unknown tag @{tag}{_suggestion(tag, _KNOWN_TAGS)}"


def _test_name(scenario: ScenarioInfo, _: Standard) -> Iterator[Finding]:
    if not make_python_name(scenario.title):
        yield scenario.line, f"no test name can be made of the title {scenario.title!r}; use words"


def _docstrings(scenario: ScenarioInfo, _: Standard) -> Iterator[Finding]:
    for step in scenario.steps:
        if step.docstring_line is not None:
            yield (
                step.docstring_line,
                "pytest-bdd dedents docstrings; put the text in a table or a fault name",
            )


def _steps(scenario: ScenarioInfo, standard: Standard) -> Iterator[Finding]:
    for steps in scenario.expanded():
        for step in steps:
            yield from ((step.line, message) for message in _unclear(step, standard))


def _unclear(step: StepInfo, standard: Standard) -> Iterator[str]:
    found = standard.matching(step.type, step.text)
    shown = f"{step.type.capitalize()} {step.text}"
    if not found:
        yield f"undefined step: {shown}"
    elif len(found) > 1:
        yield f"ambiguous step: {shown}; it matches {_listed(found)}"


def _misspelt_steps(scenario: ScenarioInfo, standard: Standard) -> Iterator[Finding]:
    # Gherkin takes whatever stands before the first step for a description, a misspelt step too.
    for line in scenario.description.splitlines():
        text = line.strip().partition(" ")[2]
        if any(standard.matching(type_, text) for type_ in get_args(StepType)):
            yield scenario.line, f"this is read as a description, not as a step: {line.strip()}"


def _outline(scenario: ScenarioInfo, _: Standard) -> Iterator[Finding]:
    if scenario.is_outline and not scenario.examples:
        yield scenario.line, "the outline has no Examples:"
    cells = (cell for step in scenario.steps for row in step.table for cell in row)
    used = placeholders(scenario.title, *(step.text for step in scenario.steps), *cells)
    for table in scenario.examples:
        yield from ((table.line, message) for message in _unusable(table, used))


def _unusable(table: ExamplesInfo, used: Sequence[str]) -> Iterator[str]:
    if not table.rows:
        yield "the examples have no row"
    if table.tags:
        yield f"the examples have tags, {_listed(table.tags)}; the kit reads those of the scenario only"
    for name in used:
        if name not in table.columns:
            yield f"the examples have no column for <{name}>"
    for column in dict.fromkeys(table.columns):
        if column not in used:
            yield f"no step uses the column {column!r}"
        if table.columns.count(column) > 1:
            yield f"the examples have the column {column!r} twice"


CHECKS: tuple[Check, ...] = (
    _requirement_tag,
    _level_tag,
    _folder,
    _profile_tag,
    _rule,
    _outcome,
    _kills,
    _known_tags,
    _test_name,
    _docstrings,
    _steps,
    _misspelt_steps,
    _outline,
)


def _twins(scenarios: Sequence[ScenarioInfo]) -> Iterator[Problem]:
    """Titles that are one to pytest-bdd: of two in a file it silently drops the first."""
    first: dict[str, ScenarioInfo] = {}
    for scenario in scenarios:
        other = first.setdefault(make_python_name(scenario.title), scenario)
        if other is not scenario:
            same = "the same title" if other.title == scenario.title else "a title of the same test name"
            message = f"{other.path.name}:{other.line} has {same}: {other.title!r}"
            yield Problem(scenario.path, scenario.line, message)


def _uncovered(scenarios: Sequence[ScenarioInfo], registry: Registry) -> Iterator[Problem]:
    covered = _covered(scenarios)
    for requirement in registry.requirements:
        if requirement.needs_scenario and requirement.id not in covered:
            message = f"{requirement.id} has no scenario; write one, or say why under `pending` or `excluded`"
            yield Problem(registry.path, registry.lines[requirement.id], message)


def _covered(scenarios: Sequence[ScenarioInfo]) -> set[str]:
    return {id_ for scenario in scenarios for id_ in scenario.requirement_ids}


def _requirement(scenario: ScenarioInfo, standard: Standard) -> Requirement | None:
    return standard.registry.by_id.get(scenario.requirement_id or "")


def _suggestion(name: str, known: Collection[str]) -> str:
    close = get_close_matches(name, sorted(known), n=1)
    return f"; did you mean {close[0]!r}?" if close else ""


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names)


def summary(scenarios: Sequence[ScenarioInfo], registry: Registry) -> str:
    """One line that balances: every requirement is covered, pending or excluded."""
    rows, tested = registry.requirements, _covered(scenarios)
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
    parser = argparse.ArgumentParser(prog="python -m react_tck.runner.linter", description=__doc__)
    parser.add_argument("features", nargs="?", type=Path, default=DEFAULT_ROOT)
    root = parser.parse_args(argv).features.resolve()
    try:
        registry = load_registry(root / "requirements.toml")
    except RegistryError as error:
        print(error)
        return 1
    problems = lint(root, registry, load_step_definitions(), _mutants())
    for problem in problems:
        print(replace(problem, path=_from_here(problem.path)))
    if not problems:
        print(summary(read(root)[0], registry))
    return 1 if problems else 0


def _mutants() -> Mapping[str, object]:
    # Late, because the mutants bring the reference and with it much that the checks don't need.
    from react_tck.fakes.mutants import catalogue

    return catalogue()


def _from_here(path: Path) -> Path:
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


if __name__ == "__main__":
    sys.exit(main())
