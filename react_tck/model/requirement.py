"""A requirement: one normative sentence with an immutable id, a level and a profile. And a choice."""

import re
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from react_tck.model.base import Value

Level = Literal["MUST", "SHOULD", "MAY"]
Profile = Literal["core", "sanitizer", "robustness", "conversation", "transcript", "confirmation", "udspy", "upstream"]

#: Areas have three or four letters: `SIG-001`, `LOOP-001`.
ID_PATTERN = re.compile(r"[A-Z]{3,4}-\d{3}")
#: The tag of a scenario that is newer than its requirement: the revision in which it came.
SINCE_PATTERN = re.compile(r"since-\d+")
CHOICE_PATTERN = re.compile(r"[a-z]+(-[a-z]+)*")


def _checked_id(value: str) -> str:
    if not ID_PATTERN.fullmatch(value):
        raise ValueError("an id is three or four capitals, a hyphen and three digits, like LOOP-001")
    return value


def _checked_choice_name(value: str) -> str:
    if not CHOICE_PATTERN.fullmatch(value):
        raise ValueError("a choice is named in lower-case words joined by hyphens, like unknown-tool")
    return value


def _checked_text(value: str) -> str:
    if not value or value != value.strip():
        raise ValueError("a text is not empty and has no blanks around it")
    return value


Text = Annotated[str, AfterValidator(_checked_text)]


class Requirement(Value):
    """One row of the registry."""

    id: Annotated[str, AfterValidator(_checked_id)]
    level: Level
    profile: Profile
    sentence: Text
    source: Text
    #: The requirement-set revision the row first appeared in.
    since: Annotated[int, Field(ge=1)]
    #: The revision in which the sentence was made precise.
    revised: Annotated[int, Field(ge=2)] | None = None
    #: The sentence as it read before.
    earlier: Text | None = None
    note: Text | None = None
    #: Why no scenario tests it yet.
    pending: Text | None = None
    #: Why it can't be observed.
    excluded: Text | None = None

    @model_validator(mode="after")
    def _is_pending_or_excluded(self) -> Self:
        if self.pending is not None and self.excluded is not None:
            raise ValueError("a requirement is pending or excluded, not both; remove one of the two")
        return self

    @model_validator(mode="after")
    def _is_revised_from_something(self) -> Self:
        if (self.revised is None) != (self.earlier is None):
            raise ValueError("`revised` and `earlier` stand together: when the sentence changed, and how it read")
        if self.revised is not None and self.revised <= self.since:
            raise ValueError("a sentence is made precise in a later revision than its row first appeared in")
        return self

    def as_of(self, revision: int) -> Self | None:
        """The row as it stands in a revision, with the sentence it had then; None if it isn't there yet."""
        if self.since > revision:
            return None
        is_later = self.revised is not None and self.revised > revision
        return self.model_copy(update={"sentence": self.earlier, "revised": None, "earlier": None} if is_later else {})

    @property
    def area(self) -> str:
        """The part of the id before the hyphen: `LOOP`."""
        return self.id.partition("-")[0]

    @property
    def is_sanitizer(self) -> bool:
        """Sanitizers are code that runs after every episode; they need no scenario."""
        return self.profile == "sanitizer"

    @property
    def needs_scenario(self) -> bool:
        """Whether the registry promises that a scenario tests it."""
        return not (self.is_sanitizer or self.pending or self.excluded)


#: What stands between several variants that a subject declares of one choice.
OR = ", or "


def variants_of(declared: str) -> list[str]:
    """The variants that are declared of a choice."""
    return declared.split(OR)


class Choice(Value):
    """A point where the sources allow several behaviours; the variant is observed and reported."""

    name: Annotated[str, AfterValidator(_checked_choice_name)]
    variants: Annotated[tuple[Text, ...], Field(min_length=1)]
    note: Text | None = None
    #: Whether it may be another one in each dialect: `first in chat, or last in json`.
    by_dialect: bool = False

    @model_validator(mode="after")
    def _variants_differ(self) -> Self:
        if len(set(self.variants)) != len(self.variants):
            raise ValueError("the variants of a choice differ from each other")
        return self

    def allows(self, variant: str) -> bool:
        """Whether this is one of its variants, or several with `, or ` between them.

        In a variant `n` and `a number` stand for any number.
        """
        known = "|".join(f"(?:{_pattern(each)})" for each in self.variants)
        dialect = "(?: in [a-z-]+)?" if self.by_dialect else ""
        return all(re.fullmatch(f"(?:{known}){dialect}", each) for each in variants_of(variant))


def _pattern(variant: str) -> str:
    return re.sub(r"\ba\\ number\b|\bn\b", r"\\d+", re.escape(variant))
