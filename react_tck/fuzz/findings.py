"""Findings: kept as files, read again, and added to the features, so that every run plays them from now on."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

import react_tck
from react_tck.catalogue.feature_files import DEFAULT_ROOT, FeatureError
from react_tck.catalogue.features import ScenarioInfo, load_feature, load_features
from react_tck.catalogue.kill_matrix import build_kill_matrix, load_kill_matrix, load_sentences, write_kill_matrix
from react_tck.catalogue.registry import load_registry
from react_tck.engine.judging import examine_episode
from react_tck.files import CannotRead, CannotWrite, check_writable, read_file, write
from react_tck.fuzz.gherkin import THEN, describe_episode, find_profile, write_scenario
from react_tck.model.episode import Episode
from react_tck.model.manifest import Manifest
from react_tck.model.report import Finding, KitInfo, SubjectInfo
from react_tck.model.requirement import Requirement
from react_tck.subjects.catalogue import resolve
from react_tck.texts import read_json


class UnreadableFinding(Exception):
    """The file isn't a finding that the fuzzer has kept; the message says why."""


def make_finding(manifest: Manifest, episode: Episode, violated: Iterable[str]) -> Finding:
    """Return what is kept of an episode and its violations; none, if the harness broke or nothing was due."""
    return Finding(
        kit=KitInfo(version=react_tck.__version__),
        subject=SubjectInfo(name=manifest.name, version=manifest.version),
        requirements=tuple(id_ for id_ in violated if id_),
        episode=episode,
    )


def write_finding(finding: Finding, folder: Path) -> Path:
    """Write the finding into the folder, under its own name.

    Raises:
        CannotWrite: if the folder can't be written to.
    """
    path = folder / f"{finding.name}.json"
    # What pydantic writes itself can't hold half a surrogate pair, which a finding may be about.
    write(path, f"{json.dumps(finding.model_dump(mode='json'), indent=2, ensure_ascii=False)}\n")
    return path


def read_finding(path: Path) -> Finding:
    """Return the finding in a file.

    Raises:
        UnreadableFinding: if the file can't be read, or holds something else.
    """
    try:
        # Pydantic's own reader of JSON takes no half of a surrogate pair.
        finding = Finding.model_validate(read_json(read_file(path)))
        # What JSON has no number for, such as 1e999, would come back otherwise from a subject than it went.
        json.dumps(finding.model_dump(mode="json"), allow_nan=False)
    except CannotRead as error:
        raise UnreadableFinding(str(error)) from error
    except (ValueError, RecursionError) as error:
        first = " ".join(" ".join(str(error).splitlines()[:3]).split())
        raise UnreadableFinding(f"{path} is not a case that `react-tck fuzz` has written: {first}") from error
    if unknown := [id_ for id_ in finding.requirements if id_ not in load_registry().by_id]:
        raise UnreadableFinding(f"{path} names the requirement {unknown[0]!r}, which doesn't exist.")
    return finding


_FEATURE = "found.feature"
_RULE = "  Rule: "


class CannotFreeze(Exception):
    """The case can't become a scenario; the message says why, and what to do."""


def freeze_finding(finding: Finding, title: str, kills: str | None, root: Path = DEFAULT_ROOT) -> Path:
    """Add the finding as a scenario of the first requirement it violated; gives the feature's path.

    The mutants that it kills are added to the kill matrix.

    Raises:
        CannotFreeze: if the title is taken, or no mutant is known that fails it.
        Untellable: if there is no sentence for some part of the episode.
        KillMatrixError: if the kill matrix can't be read.
        CannotWrite: if the feature or the kill matrix can't be written; neither has changed then.
    """
    if title != " ".join(title.split()) or not title.isprintable() or not title:
        raise CannotFreeze(f"The title {title!r} isn't words on one line.")
    if any(other.title == title for other in load_features()):
        raise CannotFreeze(f"There is a scenario {title!r} already; titles are unique.")
    if not finding.requirements:
        raise CannotFreeze("The case violates no requirement that it could be a scenario of.")
    requirement = load_registry().by_id[finding.requirements[0]]
    text = write_scenario(finding.episode, requirement, title)
    path = root / find_profile(requirement) / _FEATURE
    before = read_file(path) if path.exists() else _write_feature_head(requirement)
    rule = requirement.sentence.rstrip(".")
    after = add_scenario(before, rule, text)
    _check_added(before, after, path, (rule, title, requirement.id, (*describe_episode(finding.episode), THEN)))
    killed = _find_killed_mutants(finding, requirement, kills)
    shows = ((mutant, id_, title) for mutant, violated in killed.items() for id_ in violated)
    shipped = load_kill_matrix(root)
    check_writable(path)
    write_kill_matrix(build_kill_matrix((*shipped.list_entries(), *shows)), root)
    try:
        write(path, after)
    except CannotWrite:
        write_kill_matrix(shipped, root)
        raise
    return path


def _check_added(before: str, after: str, path: Path, meant: object) -> None:
    """Hold what the feature says now against what it is to say: what there was, and the one scenario meant.

    Raises:
        CannotFreeze: if it says anything else.
    """
    try:
        said = [_describe_scenario(one) for one in load_feature(path, after)]
        for one in load_feature(path, before):
            said.remove(_describe_scenario(one))
    except (FeatureError, ValueError) as error:
        raise CannotFreeze(f"With the scenario, {path.name} couldn't be read as it is meant: {error}.") from error
    if said != [meant]:
        titles = ", ".join(repr(one.title) for one in load_feature(path, after))
        raise CannotFreeze(
            f"With the scenario, {path.name} would say something else than the case does; it would hold {titles}."
        )


def _describe_scenario(scenario: ScenarioInfo) -> object:
    steps = tuple(f"{step.keyword} {step.text}" for step in scenario.steps)
    return scenario.rule, scenario.title, ", ".join(scenario.requirement_ids), steps


def add_scenario(feature: str, rule: str, scenario_text: str) -> str:
    """Return the text of a feature with one more scenario at the end of a rule, which is added if it isn't there."""
    lines = feature.rstrip("\n").split("\n")
    if f"{_RULE}{rule}" not in lines:
        return "\n".join([*lines, "", f"{_RULE}{rule}", "", scenario_text, ""])
    at = _find_end_of_rule(lines, lines.index(f"{_RULE}{rule}"))
    return "\n".join([*lines[:at], "", scenario_text, *lines[at:], ""])


def _find_end_of_rule(lines: Sequence[str], rule: int) -> int:
    later = (number for number in range(rule + 1, len(lines)) if lines[number].startswith(_RULE))
    end = next(later, len(lines))
    while not lines[end - 1].strip():
        end -= 1
    return end


def _write_feature_head(requirement: Requirement) -> str:
    return "\n".join(
        [
            f"@{find_profile(requirement)}",
            "Feature: Found by fuzzing",
            "  Episodes that nobody thought of, each as small as it gets: somebody once got it wrong.",
        ]
    )


def _find_killed_mutants(
    finding: Finding, requirement: Requirement, kills: str | None
) -> Mapping[str, Collection[str]]:
    """Return the mutants of the requirement that the finding shows broken, or one named, with what they violate."""
    of_requirement = [name for name, (broken, _) in load_sentences().items() if broken == requirement.id]
    candidates = [kills] if kills else of_requirement
    killed = {name: violated for name in candidates if (violated := _find_violated_requirements(name, finding))}
    if not killed:
        tried = ", ".join(candidates) or "there are none"
        raise CannotFreeze(
            f"No mutant of {requirement.id} fails the case ({tried}). A scenario has to kill one: write it, or name "
            "one of another requirement with --kills."
        )
    return killed


def _find_violated_requirements(mutant_name: str, finding: Finding) -> Collection[str]:
    return examine_episode(resolve(f"mutant:{mutant_name}"), finding.episode, again=True)[1].keys()
