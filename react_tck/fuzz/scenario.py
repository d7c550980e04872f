"""A finding as a scenario: ready to be pasted into a feature, or to be frozen there."""

from react_tck.fuzz.gherkin import told
from react_tck.model.episode import Episode
from react_tck.model.requirement import Requirement

THEN = "Then the episode keeps every invariant"


def profile_of(requirement: Requirement) -> str:
    """The profile in whose folder scenarios of a requirement live: a sanitizer shows itself in the core."""
    return "core" if requirement.is_sanitizer else requirement.profile


def scenario(episode: Episode, requirement: Requirement, title: str) -> str:
    """The text of the scenario, indented as inside a rule.

    Raises:
        Untellable: if there is no sentence for some part of the episode.
        UnknownPhrase: if there is none for a reply.
    """
    head = [f"@{requirement.id} @{requirement.level.lower()}", f"Scenario: {title}"]
    body = [f"  {line}" for line in (*told(episode), THEN)]
    return "\n".join(f"    {line}" for line in (*head, *body))
