"""What a variation is: what it changes, what a subject has to declare for it, and which rows it doesn't hold for."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Literal

from react_tck.model.base import JsonObject
from react_tck.model.case import Invocation
from react_tck.model.episode import Episode
from react_tck.model.manifest import Capability, Manifest

#: What one variation at a time can settle.
Settled = Literal[
    "dialect", "beginning", "person", "limit", "company", "step", "tools", "state", "text", "args", "signature"
]


class Unvaried(Exception):
    """The variation can't be played here: the message says why."""


@dataclass(frozen=True)
class Exclusion:
    """Rows that a variation doesn't hold for, by requirement or by a sentence of theirs, and why."""

    reason: str
    #: The beginnings of requirement ids.
    requirements: tuple[str, ...] = ()
    #: A regular expression that is looked for in each sentence.
    sentence: str = ""

    def covers_row(self, requirement_id: str, sentences: Sequence[str]) -> bool:
        """Whether a row of the requirement, with these sentences, is one of them."""
        if self.requirements and requirement_id.startswith(self.requirements):
            return True
        return bool(self.sentence) and any(re.search(self.sentence, each) for each in sentences)


@dataclass(frozen=True)
class Declared:
    """A choice that has to be declared in a certain way, since the sources leave it open."""

    choice: str
    #: A regular expression that each variant which is declared has from its beginning.
    variants: str
    #: What isn't declared then, as a clause.
    meaning: str
    #: A variant that may stand beside them, since it says nothing of what is meant.
    beside: str = ""

    def covers_all(self, declared: str) -> bool:
        """Whether there is such a one among the variants, and all are that but for what may stand beside."""
        meant = [variant for variant in declared.split(", or ") if variant != self.beside]
        return bool(meant) and all(re.match(self.variants, variant) for variant in meant)


_ASKS_AGAIN = Declared("malformed-reply", "retries [1-9]", "that it always asks again")


def leave_episode(episode: Episode) -> Episode:
    """Change nothing in an episode."""
    return episode


def leave_call(_episode: Episode, call: Invocation) -> Invocation:
    """Change nothing in a call."""
    return call


# Each is one of a table: they are told apart by identity, which costs dealing least.
@dataclass(frozen=True, eq=False)
class Variation:
    """A change of how a case is played. Whatever a row asks with its own `Then` is held, and so are all judges."""

    name: str
    sentence: str
    #: Which rows it is for: a regular expression that one of their sentences has.
    only: str
    exclusions: tuple[Exclusion, ...] = ()
    #: What it settles; nothing for one that goes with any other.
    settles: tuple[Settled, ...] = ()
    needs: tuple[Capability, ...] = ()
    #: The dialect that it is asked for in, which the subject claims and doesn't speak by default.
    dialect: str = ""
    #: Whether a reply is asked for again where it can't be read.
    needs_retries: bool = False
    #: What it depends on of what the sources leave open.
    needs_choice: Declared | None = None
    #: What is changed in the case and the script, as sentences see them.
    change_episode: Callable[[Episode], Episode] = leave_episode
    #: What is changed in each of the scenario's calls.
    change_call: Callable[[Episode, Invocation], Invocation] = leave_call
    #: What comes before in the script, and is kept from the scenario's sentences.
    begin_script: Callable[[Episode], Episode] = leave_episode
    #: The call of the same instance that comes before the scenario's own, if one does, made of that.
    make_call_before: Callable[[Episode, Invocation], Invocation] | None = None
    #: How often that call is made.
    calls_before: int = 1
    #: What a person says to a call that waits, made of what it was suspended with; nothing if none is to wait.
    respond: Callable[[JsonObject], str] | None = None
    #: Whether another instance resumes it, from JSON.
    is_resumed_elsewhere: bool = False
    #: What all texts of the case end with: marks of the dialects that the subject doesn't claim.
    has_foreign_marks: bool = False
    #: Whether they end with marks of the dialects that it isn't asked for in.
    has_other_marks: bool = False
    #: What inputs and results end with.
    given_text: str = ""
    #: Whether the instance that is called has loaded the state that another one saved.
    is_loaded: bool = False
    #: Whether that one had been called before it was saved.
    is_saved_after_call: bool = False
    #: Whether before each further call another instance, which loads the state of the one there is, takes its place.
    is_replaced: bool = False
    #: Whether another case is played from beginning to end while the first request waits for its reply.
    has_company: bool = False
    #: How many requests come before the one during which the same instance is called about something else, to the end.
    requests_before_aside: int | None = None
    #: Whether the same instance is called about something else while the call waits for a person for the first time.
    is_called_while_waiting: bool = False

    def fits_row(self, requirement_id: str, sentences: Sequence[str]) -> bool:
        """Whether it holds for a row of the requirement with these sentences."""
        if not any(re.search(self.only, each) for each in sentences):
            return False
        return not any(each.covers_row(requirement_id, sentences) for each in self.exclusions)

    def find_lack(self, manifest: Manifest) -> str:
        """What the subject doesn't declare that it takes; nothing if it can be played."""
        for capability in self.needs:
            if capability not in manifest.capabilities:
                return f"{manifest.name} does not declare {capability!r}"
        if self.dialect and self.dialect not in manifest.dialects:
            return f"{manifest.name} does not claim the dialect {self.dialect!r}"
        if self.dialect and self.dialect == manifest.default_dialect:
            return f"{manifest.name} speaks {self.dialect!r} without it"
        if self.needs_retries and not manifest.retries:
            return f"{manifest.name} declares no retries"
        if self.needs_retries and not _ASKS_AGAIN.covers_all(manifest.choices.get(_ASKS_AGAIN.choice, "retries 1")):
            return f"{manifest.name} does not declare {_ASKS_AGAIN.meaning}"
        choice = self.needs_choice
        if choice and not choice.covers_all(manifest.choices.get(choice.choice, "")):
            return f"{manifest.name} does not declare {choice.meaning}"
        return ""

    def fits_with(self, other: "Variation") -> bool:
        """Whether a row can be played under both at once."""
        return not {*self.settles} & {*other.settles}

    def find_idleness(self, episode: Episode) -> str:
        """Why it would change nothing in the episode, which a row has arranged; nothing if it can be played."""
        if self.change_episode is leave_episode and self.begin_script is leave_episode:
            return ""
        try:
            is_same = self.begin_script(self.change_episode(episode)) == episode
        except Unvaried as idle:
            return str(idle)
        return f"under {self.name!r} the case stays the same" if is_same else ""


@dataclass(frozen=True)
class Combination:
    """The variations that a row is played under at once; mostly it is one."""

    parts: tuple[Variation, ...]

    @property
    def name(self) -> str:
        """Their names, as titles have them."""
        return ", ".join(part.name for part in self.parts)

    @property
    def sentence(self) -> str:
        """What its parts change, a sentence for each of them."""
        return " ".join(part.sentence for part in self.parts)

    def find_lack(self, manifest: Manifest) -> str:
        """What the subject doesn't declare of what each of them takes; nothing if one can be played."""
        lacks = [part.find_lack(manifest) for part in self.parts]
        return ", ".join(dict.fromkeys(lacks)) if all(lacks) else ""

    def narrow_to_subject(self, manifest: Manifest) -> "Combination":
        """Those for which the subject declares what they take."""
        return Combination(tuple(part for part in self.parts if not part.find_lack(manifest)))

    def narrow_to_episode(self, episode: Episode) -> "Combination":
        """Those that change something in the episode.

        Raises:
            Unvaried: if none does.
        """
        idle = [part.find_idleness(episode) for part in self.parts]
        if all(idle):
            raise Unvaried(", ".join(dict.fromkeys(idle)))
        return Combination(tuple(part for part, why in zip(self.parts, idle, strict=True) if not why))

    def change_episode(self, episode: Episode) -> Episode:
        """The case and the script as sentences see them."""
        return reduce(lambda changed, part: part.change_episode(changed), self.parts, episode)

    def begin_script(self, episode: Episode) -> Episode:
        """The episode with what comes before, which sentences don't see."""
        return reduce(lambda changed, part: part.begin_script(changed), self.parts, episode)

    def change_call(self, episode: Episode, call: Invocation) -> Invocation:
        """One of the scenario's calls."""
        return reduce(lambda changed, part: part.change_call(episode, changed), self.parts, call)

    def make_call_before(self, episode: Episode, call: Invocation) -> Invocation | None:
        """The call of the same instance that comes before the scenario's own, if one does."""
        makers = (part.make_call_before for part in self.parts)
        return next((maker(episode, call) for maker in makers if maker), None)

    @property
    def calls_before(self) -> int:
        """How often that call is made."""
        return max(part.calls_before for part in self.parts)

    @property
    def begins_script(self) -> bool:
        """Whether something comes before in the script."""
        return any(part.begin_script is not leave_episode for part in self.parts)

    @property
    def respond(self) -> Callable[[JsonObject], str] | None:
        """What a person says to a call that waits, made of what it was suspended with; nothing if none is to wait."""
        return next((part.respond for part in self.parts if part.respond), None)

    @property
    def is_resumed_elsewhere(self) -> bool:
        """Whether another instance resumes a call that waits, from JSON."""
        return any(part.is_resumed_elsewhere for part in self.parts)

    @property
    def has_foreign_marks(self) -> bool:
        """Whether texts of the case end with marks of dialects that the subject doesn't claim."""
        return any(part.has_foreign_marks for part in self.parts)

    @property
    def has_other_marks(self) -> bool:
        """Whether they end with marks of the dialects that the subject isn't asked for in."""
        return any(part.has_other_marks for part in self.parts)

    @property
    def dialect(self) -> str:
        """The dialect that the subject is asked for in; nothing for its own."""
        return next((part.dialect for part in self.parts if part.dialect), "")

    @property
    def given_text(self) -> str:
        """What inputs and results end with."""
        return next((part.given_text for part in self.parts if part.given_text), "")

    @property
    def is_loaded(self) -> bool:
        """Whether the instance that is called has loaded the state that another one saved."""
        return any(part.is_loaded for part in self.parts)

    @property
    def is_saved_after_call(self) -> bool:
        """Whether that one had been called before it was saved."""
        return any(part.is_saved_after_call for part in self.parts)

    @property
    def is_replaced(self) -> bool:
        """Whether before each further call another instance, with the state of the one there is, takes its place."""
        return any(part.is_replaced for part in self.parts)

    @property
    def has_company(self) -> bool:
        """Whether another case is played while the first request waits for its reply."""
        return any(part.has_company for part in self.parts)

    @property
    def requests_before_aside(self) -> int | None:
        """How many requests come before the one during which the same instance is called about something else."""
        asides = (part.requests_before_aside for part in self.parts)
        return next((number for number in asides if number is not None), None)

    @property
    def is_called_while_waiting(self) -> bool:
        """Whether the same instance is called about something else while the call waits for a person."""
        return any(part.is_called_while_waiting for part in self.parts)
