"""Which scenarios a run is about."""

from dataclasses import dataclass

from cucumber_tag_expressions import parse

from react_tck.suite.features import ScenarioInfo


class NothingSelected(ValueError):
    """No scenario fits the selection: a run of nothing proves nothing."""


@dataclass(frozen=True)
class Selection:
    """Scenarios by profile, tag expression and a part of their title; what isn't given selects everything."""

    profile: str = "core"
    tags: str | None = None
    title: str | None = None
    #: These titles, exactly.
    titles: frozenset[str] | None = None

    @property
    def is_whole_profile(self) -> bool:
        """Whether nothing but the profile is given."""
        return self.tags is None and self.title is None and self.titles is None

    def includes(self, scenario: ScenarioInfo) -> bool:
        """Whether the scenario is selected.

        Raises:
            TagExpressionError: if the tag expression can't be read.
        """
        return (
            self.profile in ("all", scenario.profile)
            and (self.title is None or self.title.lower() in scenario.title.lower())
            and (self.titles is None or scenario.title in self.titles)
            and (self.tags is None or parse(self.tags).evaluate([f"@{tag}" for tag in scenario.tags]))
        )
