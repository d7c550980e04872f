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


def _always_retries(declared: str) -> bool:
    """Whether each variant that is declared has further requests."""
    return all(re.match("retries [1-9]", variant) for variant in declared.split(", or "))


def _always_fails(declared: str) -> bool:
    """Whether each variant that is declared ends with an error."""
    return all(variant.endswith("error") for variant in declared.split(", or "))


def leave_episode(episode: Episode) -> Episode:
    """Change nothing in an episode."""
    return episode


def leave_call(_episode: Episode, call: Invocation) -> Invocation:
    """Change nothing in a call."""
    return call


@dataclass(frozen=True)
class Variation:
    """A change of how a case is played. Whatever a row asks with its own `Then` is held, and so are all judges."""

    name: str
    sentence: str
    #: Which rows it is for: a regular expression that one of their sentences has.
    only: str
    exclusions: tuple[Exclusion, ...] = ()
    #: What it settles that one variation at a time can settle; nothing for one that goes with any other.
    settles: tuple[Literal["dialect", "beginning", "person", "limit", "company"], ...] = ()
    needs: tuple[Capability, ...] = ()
    #: The dialect that it is asked for in, which the subject claims and doesn't speak by default.
    dialect: str = ""
    #: Whether a reply is asked for again where it can't be read.
    needs_retries: bool = False
    #: Whether a request is made again that the provider has failed to answer.
    needs_repeated_requests: bool = False
    #: Whether a call ends with an error where the provider has failed for good.
    needs_failing_calls: bool = False
    #: What is changed in the case and the script, as sentences see them.
    change_episode: Callable[[Episode], Episode] = leave_episode
    #: What is changed in each of the scenario's calls.
    change_call: Callable[[Episode, Invocation], Invocation] = leave_call
    #: What comes before in the script, and is kept from the scenario's sentences.
    begin_script: Callable[[Episode], Episode] = leave_episode
    #: The call of the same instance that comes before the scenario's own, if one does, made of that.
    make_call_before: Callable[[Episode, Invocation], Invocation] | None = None
    #: What a person says to a call that waits, made of what it was suspended with; nothing if none is to wait.
    respond: Callable[[JsonObject], str] | None = None
    #: Whether another instance resumes it, from JSON.
    is_resumed_elsewhere: bool = False
    #: What all texts of the case end with: marks of the dialects that the subject doesn't claim.
    has_foreign_marks: bool = False
    #: What inputs and results end with: marks of all dialects.
    has_given_marks: bool = False
    #: Whether the instance that is called has loaded the state that another one saved.
    is_loaded: bool = False
    #: Whether another case is played from beginning to end while the first request waits for its reply.
    has_company: bool = False
    #: Whether the same instance is called about something else, and that call ends, while the first request waits.
    is_called_aside: bool = False

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
        if self.needs_retries and not _always_retries(manifest.choices.get("malformed-reply", "retries 1")):
            return f"{manifest.name} does not declare that it always asks again"
        if self.needs_repeated_requests and not _always_retries(manifest.choices.get("lm-fault", "")):
            return f"{manifest.name} does not declare that a provider that has failed is asked again"
        if self.needs_failing_calls and not _always_fails(manifest.choices.get("lm-fault", "")):
            return f"{manifest.name} does not declare that its call ends with an error where the provider fails"
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
    def has_given_marks(self) -> bool:
        """Whether inputs and results end with marks of all dialects."""
        return any(part.has_given_marks for part in self.parts)

    @property
    def is_loaded(self) -> bool:
        """Whether the instance that is called has loaded the state that another one saved."""
        return any(part.is_loaded for part in self.parts)

    @property
    def has_company(self) -> bool:
        """Whether another case is played while the first request waits for its reply."""
        return any(part.has_company for part in self.parts)

    @property
    def is_called_aside(self) -> bool:
        """Whether the same instance is called about something else while the first request waits for its reply."""
        return any(part.is_called_aside for part in self.parts)
