"""A requirement: one sentence with an immutable id, and who says so. And a choice."""

import re
from collections.abc import Collection, Mapping
from typing import Annotated, Literal, Self, get_args

from pydantic import AfterValidator, Field, model_validator

from react_tck.model.base import Value

Level = Literal["MUST", "SHOULD", "MAY"]
#: The tags of scenarios, one for each level and for what has none.
LEVEL_TAGS = ("must", "should", "may", "practice", "retired")
#: Those of scenarios that somebody has written about their own agent.
OWN_LEVEL_TAGS = LEVEL_TAGS[:3]
#: A source says it; it can't be otherwise where the quoted sentence holds; nobody says it, and users are hurt without.
Basis = Literal["stated", "follows", "practice"]
#: Of a practice, by what happens to a user, the worst first.
Severity = Literal["critical", "major", "minor"]
#: From which severity on a broken practice is held against a subject.
Threshold = Literal["critical", "major", "minor", "off"]
#: What a subject may claim to be: each is said by documents of its own.
Specification = Literal["react-module", "conversation", "transcript", "confirmation", "udspy"]
Profile = Literal["core", "sanitizer", "robustness", "conversation", "transcript", "confirmation", "udspy", "upstream"]

#: Areas have three or four letters: `SIG-001`, `LOOP-001`.
ID_PATTERN = re.compile(r"[A-Z]{3,4}-\d{3}")
#: The tag of a scenario that is newer than its requirement: the revision in which it came.
SINCE_PATTERN = re.compile(r"since-\d+")
CHOICE_PATTERN = re.compile(r"[a-z]+(-[a-z]+)*")


def _check_id(value: str) -> str:
    if not ID_PATTERN.fullmatch(value):
        raise ValueError("an id is three or four capitals, a hyphen and three digits, like LOOP-001")
    return value


def _check_choice_name(value: str) -> str:
    if not CHOICE_PATTERN.fullmatch(value):
        raise ValueError("a choice is named in lower-case words joined by hyphens, like unknown-tool")
    return value


def _check_text(value: str) -> str:
    if not value or value != value.strip():
        raise ValueError("a text is not empty and has no blanks around it")
    return value


def _check_title(value: str) -> str:
    if len(value.split()) > _TITLE_WORDS or "`" in value:
        raise ValueError(f"a title has at most {_TITLE_WORDS} words, and no backticks")
    return value


Text = Annotated[str, AfterValidator(_check_text)]
#: Words of a requirement's title at the most.
_TITLE_WORDS = 10

#: The first revision in which a requirement says who says so.
FIRST_WITH_BASIS = 3
#: The specification that a document is, or belongs to.
_SAID_BY: Mapping[str, Specification] = {
    "S0": "conversation",
    "S1": "react-module",
    "S2": "transcript",
    "S3": "udspy",
    "S4": "react-module",
    "S4+": "react-module",
}


SEVERITIES: tuple[Severity, ...] = get_args(Severity)
THRESHOLDS: tuple[Threshold, ...] = get_args(Threshold)
SPECIFICATIONS: tuple[Specification, ...] = get_args(Specification)


def weight_of(level: Level | None, severity: Severity | None) -> str:
    """In a word: a level, a severity, or a dash for what counts in no verdict."""
    return level or severity or "–"


def weight_in_words(level: Level | None, severity: Severity | None) -> str:
    """Such as `MUST`, or `practice, critical`."""
    return f"practice, {severity}" if severity else level or "counts in no verdict"


def is_held_against(severity: Severity | None, threshold: Threshold) -> bool:
    """Tell whether a practice of the severity counts where those from the threshold on do."""
    return severity is not None and threshold in SEVERITIES[SEVERITIES.index(severity) :]


class Ground(Value):
    """Who says so: a quote, and where it stands; or, of a practice, what happens to a user without it."""

    basis: Basis | None = None
    #: Of what a source says.
    level: Level | None = None
    #: Of a practice.
    severity: Severity | None = None
    #: The source's own words; an ellipsis where some are left out.
    quote: Text | None = None
    #: The key of the source, and the place in it.
    where: Text | None = None
    #: Why it follows from the quote.
    because: Text | None = None
    #: What happens to a user.
    harm: Text | None = None
    #: Choices, and the variant of each by which it isn't asked of who declares that, and nothing else.
    unless: Mapping[str, Text] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _check_basis_fields(self) -> Self:
        needed = _NEEDED.get(self.basis or "", ())
        for key in _GROUNDS:
            if key in needed and getattr(self, key) is None:
                raise ValueError(f"what is of the basis {self.basis!r} has {_join_keys(needed)}; there is no {key!r}")
            if self.basis and key not in needed and getattr(self, key) is not None:
                raise ValueError(f"what is of the basis {self.basis!r} has {_join_keys(needed)}, and no {key!r}")
        return self

    @property
    def weight(self) -> str:
        """Its level or severity in a word; a dash where it counts in no verdict."""
        return weight_of(self.level, self.severity)

    @property
    def source(self) -> str:
        """The key of the document that says it; empty where none does."""
        return (self.where or "").partition(" ")[0].rstrip(",")


_GROUNDS = ("level", "severity", "quote", "where", "because", "harm")
_NEEDED: Mapping[str, tuple[str, ...]] = {
    "stated": ("level", "quote", "where"),
    "follows": ("level", "quote", "where", "because"),
    "practice": ("severity", "harm"),
}


def _join_keys(keys: tuple[str, ...]) -> str:
    return f"{', '.join(map(repr, keys[:-1]))} and {keys[-1]!r}"


class Former(Value):
    """What a row was up to a revision, as far as it was something else."""

    level: Level | None = None
    sentence: Text | None = None
    where: Text | None = None


class Requirement(Ground):
    """One row of the registry."""

    id: Annotated[str, AfterValidator(_check_id)]
    #: What it demands in at most ten words; empty where a user's own feature is the requirement.
    title: Annotated[str, AfterValidator(_check_title)] = ""
    profile: Profile
    sentence: Text
    #: The requirement-set revision the row first appeared in.
    since: Annotated[int, Field(ge=1)]
    #: The requirement that it was a part of before: under an earlier revision its older scenarios are that one's.
    split_from: Text | None = None
    #: What it was up to a revision, by the number of that revision.
    was: Mapping[int, Former] = Field(default_factory=dict)
    #: The revision since which it counts in no verdict; what is seen of it is told all the same.
    retired: Annotated[int, Field(ge=FIRST_WITH_BASIS)] | None = None
    #: The capabilities that whoever is asked it declares, all of them; one of several with `, or ` between them.
    asked_of: tuple[Text, ...] = ()
    #: Requirements with which it is told as one: where one of them is violated too, one fault shows in both.
    told_with: tuple[Text, ...] = ()
    #: The capability without which its ground doesn't bind a subject.
    needs: Text | None = None
    #: Its ground for a subject that claims another specification, or lacks what it needs.
    elsewhere: Ground | None = None
    note: Text | None = None
    #: Why no scenario tests it yet.
    pending: Text | None = None
    #: Why it can't be observed.
    excluded: Text | None = None

    @model_validator(mode="after")
    def _check_exclusion(self) -> Self:
        if self.pending is not None and self.excluded is not None:
            raise ValueError("a requirement is pending or excluded, not both; remove one of the two")
        return self

    @model_validator(mode="after")
    def _check_ground(self) -> Self:
        if self.basis is None and self.retired is None:
            raise ValueError("nobody says so: a row has a `basis` (stated, follows or practice), or is `retired`")
        if self.retired is not None and (self.basis or self.level or self.severity):
            raise ValueError("what is retired has no basis, no level and no severity")
        if self.elsewhere is not None and (self.elsewhere.basis is None or self.basis == "practice"):
            raise ValueError("`elsewhere` is a ground of its own, beside one that binds a system only")
        if self.needs is not None and self.elsewhere is None:
            raise ValueError("what `needs` a capability says under `elsewhere` what holds without it")
        return self

    @model_validator(mode="after")
    def _check_former_rows(self) -> Self:
        for revision, former in self.was.items():
            if revision < self.since or former == Former():
                raise ValueError(f"was.{revision} says what the row was in that revision, from {self.since} on")
        if self.since < FIRST_WITH_BASIS and self.level is None:
            before = self.was.get(FIRST_WITH_BASIS - 1)
            if before is None or before.level is None:
                raise ValueError(f"was.{FIRST_WITH_BASIS - 1} says which level it had: every row had one")
        return self

    def as_of(self, revision: int) -> Self | None:
        """Return the row as it stands in a revision, with its sentence and level; None if it isn't there yet."""
        if self.since > revision:
            return None
        changes: dict[str, object] = {"was": {until: was for until, was in self.was.items() if until < revision}}
        if revision < FIRST_WITH_BASIS:
            changes |= dict.fromkeys((*_UNGROUNDED, *(("where",) if self.basis == "practice" else ())))
        for until in sorted(self.was, reverse=True):
            if until >= revision:
                changes |= self.was[until].model_dump(exclude_none=True)
        return self.model_copy(update=changes)

    def is_asked_of(self, claims: Collection[Specification]) -> bool:
        """Tell whether it is asked of a subject that claims these specifications."""
        return self.specification is None or self.specification in claims or self.elsewhere is not None

    def resolve_ground(self, claims: Collection[Specification], capabilities: Collection[str]) -> Self:
        """Return the row as it binds a subject that claims these specifications and declares these capabilities.

        It is the row itself where it isn't asked of the subject.
        """
        is_claimed = self.specification is None or self.specification in claims
        if self.elsewhere is None or (is_claimed and (self.needs is None or self.needs in capabilities)):
            return self
        ground = {key: getattr(self.elsewhere, key) for key in Ground.model_fields}
        return self.model_copy(update={**ground, "needs": None, "elsewhere": None})

    @property
    def specification(self) -> Specification | None:
        """The one that it is a sentence of; None for a practice, and for what counts in no verdict."""
        if self.basis in (None, "practice"):
            return None
        return "confirmation" if self.profile == "confirmation" else _SAID_BY.get(self.source)

    @property
    def label(self) -> str:
        """Such as `LOOP-001 (MUST, S4 R2.1)` or `SAN-006 (practice, critical)`."""
        where = f", {self.where}" if self.where else ""
        return f"{self.id} ({weight_in_words(self.level, self.severity)}{where})"

    @property
    def plain_sentence(self) -> str:
        """Its sentence as a terminal shows it, where backticks mean nothing."""
        return self.sentence.replace("`", "")

    @property
    def tag(self) -> str:
        """What its scenarios are tagged with, for readers: `must`, `should`, `may`, `practice` or `retired`."""
        return "practice" if self.severity else (self.level or "retired").lower()

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


#: What revisions before the first with a basis don't know.
_UNGROUNDED = ("basis", "severity", "quote", "because", "harm", "retired", "needs", "elsewhere")
#: What the manifest declares isn't what was seen: that is about the manifest, and no requirement since revision 3.
DECLARED_OTHERWISE = "SAN-010"
#: How a violation of it is told, behind the name of the choice.
AS_DECLARED = "is not as declared"
#: How a subject departs to which no provider gives an answer any more.
PROTOCOL_BROKEN = "breaks the message protocol"
#: What stands between several variants that a subject declares of one choice.
OR = ", or "


def variants_of(declared: str) -> list[str]:
    """Return the variants that are declared of a choice."""
    return declared.split(OR)


class Choice(Value):
    """A point where the sources allow several behaviours; the variant is observed and reported."""

    name: Annotated[str, AfterValidator(_check_choice_name)]
    variants: Annotated[tuple[Text, ...], Field(min_length=1)]
    note: Text | None = None
    #: Whether it may be another one in each dialect: `first in chat, or last in json`.
    by_dialect: bool = False

    @model_validator(mode="after")
    def _check_variants(self) -> Self:
        if len(set(self.variants)) != len(self.variants):
            raise ValueError("the variants of a choice differ from each other")
        return self

    def allows_variant(self, variant: str) -> bool:
        """Tell whether this is one of its variants, or several with `, or ` between them.

        In a variant `n` and `a number` stand for any number.
        """
        known = "|".join(f"(?:{_build_pattern(each)})" for each in self.variants)
        dialect = "(?: in [a-z-]+)?" if self.by_dialect else ""
        return all(re.fullmatch(f"(?:{known}){dialect}", each) for each in variants_of(variant))


def _build_pattern(variant: str) -> str:
    return re.sub(r"\ba\\ number\b|\bn\b", r"\\d+", re.escape(variant))
