"""Which scenarios a run is about."""

from dataclasses import dataclass

from cucumber_tag_expressions import parse

from react_tck.catalogue.features import ScenarioInfo
from react_tck.catalogue.registry import Registry, load_registry, requirements_of


class NothingSelected(ValueError):
    """No scenario fits the selection: a run of nothing proves nothing."""


@dataclass(frozen=True)
class Selection:
    """Scenarios by profile, tag expression and a part of their title; what isn't given selects everything.

    A row of an outline has a title of its own, `scenario [value, value]`.
    """

    profile: str = "core"
    tags: str | None = None
    title: str | None = None
    #: These titles, exactly.
    titles: frozenset[str] | None = None
    #: The revision of the requirements; None for the newest.
    requirements: int | None = None

    @property
    def registry(self) -> Registry:
        """The requirements that count."""
        return requirements_of(self.requirements)

    @classmethod
    def one(cls, profile: str, row: str, requirements: int | None = None) -> "Selection":
        """The row of that title, and those that have it in theirs."""
        return cls(profile=profile, title=row, requirements=requirements)

    def narrowed_to(self, profile: str, row: str) -> "Selection":
        """The row of that title, of the same requirements."""
        return self.one(profile, row, self.requirements)

    def as_arguments(self) -> list[str]:
        """The options that select the same on the command line."""
        revision = None if self.requirements is None else str(self.requirements)
        given = {"--profile": self.profile, "--tags": self.tags, "-k": self.title, "--requirements": revision}
        return [word for option, value in given.items() if value is not None for word in (option, value)]

    @property
    def is_whole_profile(self) -> bool:
        """Whether nothing but the profile is given."""
        return self.tags is None and self.title is None and self.titles is None

    def rows(self, scenario: ScenarioInfo) -> tuple[str, ...]:
        """The titles of the scenario's rows that are selected.

        Raises:
            TagExpressionError: if the tag expression can't be read.
        """
        if not self._allows(scenario):
            return ()
        wanted = (self.title or "").lower()
        return tuple(row for row in scenario.row_titles if wanted in row.lower())

    def includes(self, scenario: ScenarioInfo) -> bool:
        """Whether the scenario is selected, or a row of it.

        Raises:
            TagExpressionError: if the tag expression can't be read.
        """
        return bool(self.rows(scenario))

    def _allows(self, scenario: ScenarioInfo) -> bool:
        return (
            self.profile in ("all", scenario.profile)
            and self._was_there(scenario)
            and (self.titles is None or scenario.title in self.titles)
            and (self.tags is None or parse(self.tags).evaluate([f"@{tag}" for tag in scenario.tags]))
        )

    def _was_there(self, scenario: ScenarioInfo) -> bool:
        requirement = load_registry().by_id.get(scenario.requirement_id or "")
        since = scenario.since or (requirement.since if requirement else 1)
        return since <= self.registry.revision
