"""What a change is: what it makes of an episode, what it needs of a subject, and which rows it doesn't hold for."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Literal

from react_tck.adapter.declare import Capability
from react_tck.dialects.labels import plain_name
from react_tck.model.case import Invocation
from react_tck.model.episode import Episode
from react_tck.model.manifest import Manifest
from react_tck.play.others import make_sample_call

#: What one change at a time can settle.
Settled = Literal["dialect", "beginning", "person", "concurrent", "step", "state"]


class Unvaried(Exception):
    """The episode can't be played under the variation: the message says why."""


@dataclass(frozen=True)
class Exclusion:
    """Rows that a change doesn't hold for, by requirement or by a sentence of theirs, and why."""

    reason: str
    #: The beginnings of requirement ids.
    requirements: tuple[str, ...] = ()
    #: A regular expression that is looked for in each sentence.
    sentence: str = ""

    def covers_row(self, requirement_id: str, sentences: Sequence[str]) -> bool:
        """Tell whether a row of the requirement, with these sentences, is one of them."""
        if self.requirements and requirement_id.startswith(self.requirements):
            return True
        return bool(self.sentence) and any(re.search(self.sentence, each) for each in sentences)


# Each is one of a table: they are told apart by identity, which costs sampling least.
@dataclass(frozen=True, eq=False)
class Change:
    """Makes another episode of an episode, of which whatever a row asks must hold all the same."""

    name: str
    sentence: str
    #: Which rows it is for: a regular expression that one of their sentences has.
    only: str
    #: The changed episode, a pure function of the one that is told; None where nothing would be another.
    change: Callable[[Episode], Episode | None]
    exclusions: tuple[Exclusion, ...] = ()
    #: What it settles; nothing for one that goes with any other.
    settles: tuple[Settled, ...] = ()
    needs: tuple[Capability, ...] = ()
    #: The dialect that it is asked for in, which the subject claims and doesn't speak by default.
    dialect: str = ""
    #: Whether a reply is asked for again where it can't be read.
    needs_retries: bool = False
    #: What of it a row's sentences don't see: a call that comes before theirs, or the first reply.
    hides: Literal["", "call", "reply"] = ""
    #: Whether all texts of the case end with marks of the dialects that it isn't asked for in.
    has_marks: bool = False

    def fits_row(self, requirement_id: str, sentences: Sequence[str]) -> bool:
        """Tell whether it holds for a row of the requirement with these sentences."""
        if not any(re.search(self.only, each) for each in sentences):
            return False
        return not any(each.covers_row(requirement_id, sentences) for each in self.exclusions)

    def fits_with(self, other: "Change") -> bool:
        """Tell whether a row can be played under both at once."""
        return not {*self.settles} & {*other.settles}

    def find_lack(self, manifest: Manifest) -> str:
        """Return what the subject doesn't declare that it takes; nothing if it can be played."""
        for capability in self.needs:
            if capability not in manifest.capabilities:
                return f"{manifest.name} does not declare {capability!r}"
        if self.dialect and self.dialect not in manifest.dialects:
            return f"{manifest.name} does not claim the dialect {self.dialect!r}"
        if self.dialect and self.dialect == manifest.default_dialect:
            return f"{manifest.name} speaks {self.dialect!r} without it"
        if self.needs_retries and not manifest.retries:
            return f"{manifest.name} declares no retries"
        if self.needs_retries and not _always_asks_again(manifest):
            return f"{manifest.name} does not declare that it always asks again"
        return ""


def _always_asks_again(manifest: Manifest) -> bool:
    variants = manifest.choices.get("malformed-reply", "retries 1").split(", or ")
    return all(re.match("retries [1-9]", variant) for variant in variants)


@dataclass(frozen=True)
class Combination:
    """The changes that a row is played under at once, in the order in which they are made."""

    parts: tuple[Change, ...]

    @property
    def name(self) -> str:
        """Their names, as titles have them."""
        return ", ".join(part.name for part in self.parts)

    @property
    def sentence(self) -> str:
        """What its parts change, a sentence for each of them."""
        return " ".join(part.sentence for part in self.parts)

    @property
    def dialect(self) -> str:
        """The dialect that the subject is asked for in; nothing for its own."""
        return next((part.dialect for part in self.parts if part.dialect), "")

    @property
    def has_marks(self) -> bool:
        """Whether all texts of the case end with marks of the dialects that the subject isn't asked for in."""
        return any(part.has_marks for part in self.parts)

    @property
    def hides_reply(self) -> bool:
        """Whether the row's sentences don't see the first reply."""
        return any(part.hides == "reply" for part in self.parts)

    @property
    def shown(self) -> "Combination":
        """Those of the changes whose part of the script the row's sentences see."""
        return Combination(tuple(part for part in self.parts if not part.hides))

    def change(self, episode: Episode) -> Episode:
        """Return the episode under all of those that change something in it."""
        return reduce(lambda changed, part: part.change(changed) or changed, self.parts, episode)

    def find_lack(self, manifest: Manifest) -> str:
        """Return what the subject doesn't declare of what each of them takes; nothing if one can be played."""
        lacks = [part.find_lack(manifest) for part in self.parts]
        return ", ".join(dict.fromkeys(lacks)) if all(lacks) else ""

    def narrow_to_subject(self, manifest: Manifest) -> "Combination":
        """Those for which the subject declares what they take."""
        return Combination(tuple(part for part in self.parts if not part.find_lack(manifest)))

    def narrow_to_episode(self, episode: Episode) -> "Combination":
        """Those that change something in the episode, whose calls are still to be made.

        Raises:
            Unvaried: if none does.
        """
        called = add_call(episode, make_sample_call(episode))
        parts = tuple(part for part in self.parts if part.change(called) is not None)
        if not parts:
            raise Unvaried(f"{self.name!r} changes nothing in the episode")
        return Combination(parts)


def add_call(episode: Episode, call: Invocation) -> Episode:
    """Return the episode with one more call behind those that it has."""
    case = episode.case
    case = case.model_copy(update={"invocations": (*case.invocations, call)})
    return episode.model_copy(update={"case": case})


#: What ends or begins something in a dialect, in the middle of a line: a reader of another one takes it for text.
#: None is of JSON: its quotes read otherwise where JSON shows them.
_MARKS: Mapping[str, str] = {
    "react-text": "Final Answer: 7",
    "chat": "[[ ## completed ## ]]",
    "xml": "</next_thought>",
}
#: Dialects that have the marks of another one.
_LIKE = {"machina": "chat", "label": "react-text"}


def list_other_marks(dialect: str) -> str:
    """Return the marks of the dialects but this one and JSON, one after the other."""
    own = plain_name(dialect)
    return " ".join(mark for name, mark in _MARKS.items() if name not in (own, _LIKE.get(own)))
