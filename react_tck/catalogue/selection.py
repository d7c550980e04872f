"""Which rows a run is about."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path

from cucumber_tag_expressions import parse

from react_tck.catalogue.features import ScenarioInfo, ScenarioRow, load_features
from react_tck.catalogue.own_features import registry_with
from react_tck.catalogue.registry import Registry, load_registry, requirements_of
from react_tck.catalogue.sampling import Replay, Varied, Vary, choose_replayed_rows, vary_rows
from react_tck.model.manifest import Manifest
from react_tck.model.requirement import Requirement, Specification


class NothingSelected(ValueError):
    """No scenario fits the selection: a run of nothing proves nothing."""


@dataclass(frozen=True)
class Selection:
    """Scenarios by profile, tag expression and a part of their title or their id; what isn't given selects all.

    A row of an outline has a title of its own, `scenario [value, value]`.

    >>> from react_tck.catalogue.selection import Selection
    >>> [row.title for row in Selection(tags="@LOOP-001", title="[json]").rows]
    ['The agent executes the tool whatever the dialect of the step [json]']
    >>> Selection(profile="robustness", title="[json]").as_arguments()
    ['--profile', 'robustness', '-k', '[json]']
    """

    profile: str = "core"
    tags: str | None = None
    title: str | None = None
    #: These titles of scenarios or rows, exactly.
    titles: frozenset[str] | None = None
    #: The revision of the requirements; None for the newest.
    requirements: int | None = None
    #: A folder of somebody's own features, or one file; None for the kit's.
    features: Path | None = None
    #: What is played of them besides, under variations.
    vary: Vary = "none"
    #: What is played again to compare the records (SAN-009), where the selection is a whole profile of the kit's.
    replay: Replay = "sample"

    @property
    def registry(self) -> Registry:
        """The requirements of the selected revision, and those of the user's own features if there are any."""
        return _load_registry(self.features, self.requirements)

    def registry_for(self, manifest: Manifest) -> Registry:
        """Return the requirements that count, as they bind a subject of that manifest."""
        return _load_bound_registry(
            self.features, self.requirements, manifest.claimed_specifications, manifest.capabilities
        )

    @property
    def scenarios(self) -> tuple[ScenarioInfo, ...]:
        """All scenarios there are, selected or not; each under the requirement that it was of in the chosen revision.

        Raises:
            FeatureError: if a feature file can't be read.
        """
        return _load_scenarios(self.features, self.requirements)

    @property
    def rows(self) -> list[ScenarioRow]:
        """The rows that are selected, in the order of the features; behind each, those that vary it.

        Raises:
            FeatureError: if a feature file can't be read.
            TagExpressionError: if the tag expression can't be read.
        """
        sampled = vary_rows(self.scenarios, self.vary)
        return [row for scenario in self.scenarios for row in self._select_rows(scenario, sampled)]

    def narrow_to_row(self, row: ScenarioRow) -> "Selection":
        """Return the row, of the same features and requirements; and those that have its title in theirs."""
        vary = self.vary if row.variation else "none"
        return replace(self, profile=row.scenario.profile, tags=None, title=row.title, titles=None, vary=vary)

    def as_arguments(self) -> list[str]:
        """Return the options that select the same on the command line."""
        given = {
            "--features": self.features,
            "--profile": self.profile,
            "--tags": self.tags,
            "-k": self.title,
            "--requirements": self.requirements,
            "--vary": None if self.vary == "none" else self.vary,
            "--replay": None if self.replay == "sample" else self.replay,
        }
        return [word for option, value in given.items() if value is not None for word in (option, str(value))]

    @property
    def is_whole_profile(self) -> bool:
        """Whether nothing but the profile is given."""
        return self.tags is None and self.title is None and self.titles is None

    @cached_property
    def replayed_rows(self) -> frozenset[str]:
        """The titles of the rows that are played again: all of a narrow selection, and of a user's own features."""
        if self.replay == "all" or self.features or not self.is_whole_profile:
            return frozenset(title for scenario in self.scenarios for title in scenario.row_titles)
        return choose_replayed_rows(self.scenarios)

    def asks_for(self, requirement: Requirement) -> bool:
        """Tell whether the requirement is one of those that a run of the whole profile is about."""
        is_ours = requirement.id in load_registry().by_id
        return is_ours is (self.features is None) and self.profile in ("all", requirement.profile)

    def includes_scenario(self, scenario: ScenarioInfo) -> bool:
        """Tell whether the scenario is selected, or a row of it.

        Raises:
            TagExpressionError: if the tag expression can't be read.
        """
        return any(self._allows_row(scenario, title) for title in scenario.row_titles)

    def _select_rows(self, scenario: ScenarioInfo, sampled: Varied) -> Iterator[ScenarioRow]:
        """Yield the rows of a scenario; one that is selected under a variation alone is played as it is, too."""
        for row in scenario.rows:
            varied = [ScenarioRow(scenario, row, variation) for variation in sampled.get(row.title, ())]
            chosen = [each for each in varied if self._allows_row(scenario, row.title, each.title)]
            if chosen or self._allows_row(scenario, row.title):
                yield from (ScenarioRow(scenario, row), *chosen)

    def _allows_row(self, scenario: ScenarioInfo, *titles: str) -> bool:
        """Tell whether the row of these titles is selected: its own, and the one that it has under a variation."""
        is_meant = self.titles is None or not self.titles.isdisjoint((scenario.title, *titles))
        text = (self.title or "").lower()
        is_named = text in titles[-1].lower() or text == (scenario.requirement_id or "").lower()
        return is_meant and is_named and self._allows_scenario(scenario)

    def _allows_scenario(self, scenario: ScenarioInfo) -> bool:
        return (
            self.profile in ("all", scenario.profile)
            and self._was_there(scenario)
            and (self.tags is None or parse(self.tags).evaluate([f"@{tag}" for tag in scenario.tags]))
        )

    def _was_there(self, scenario: ScenarioInfo) -> bool:
        requirement = load_registry().by_id.get(scenario.requirement_id or "")
        since = scenario.since or (requirement.since if requirement else 1)
        return since <= self.registry.revision


def _load_scenarios(features: Path | None, revision: int | None) -> tuple[ScenarioInfo, ...]:
    scenarios = load_features(features)
    return scenarios if revision is None else _return_to_revision(scenarios, revision)


@cache
def _return_to_revision(scenarios: tuple[ScenarioInfo, ...], revision: int) -> tuple[ScenarioInfo, ...]:
    return tuple(_as_of(scenario, revision) for scenario in scenarios)


def _as_of(scenario: ScenarioInfo, revision: int) -> ScenarioInfo:
    """Return the scenario, under the requirement that its own was a part of up to that revision."""
    requirement = load_registry().by_id.get(scenario.requirement_id or "")
    if requirement is None or requirement.split_from is None or requirement.since <= revision:
        return scenario
    tags = tuple(requirement.split_from if tag == requirement.id else tag for tag in scenario.tags)
    return _as_of(replace(scenario, tags=tags), revision)


def _load_registry(features: Path | None, revision: int | None) -> Registry:
    return requirements_of(revision) if features is None else registry_with(features, revision)


@cache
def _load_bound_registry(
    features: Path | None, revision: int | None, claims: tuple[Specification, ...], capabilities: tuple[str, ...]
) -> Registry:
    return _load_registry(features, revision).bind_requirements(claims, capabilities)
