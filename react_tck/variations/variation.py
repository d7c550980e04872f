"""What a variation is: what it changes, what a subject has to declare for it, and which rows it doesn't hold for."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

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
    needs: tuple[Capability, ...] = ()
    #: The dialect that it is asked for in, which the subject claims and doesn't speak by default.
    dialect: str = ""
    #: Whether a reply is asked for again where it can't be read.
    needs_retries: bool = False
    #: What is changed in the case and the script, as sentences see them.
    change_episode: Callable[[Episode], Episode] = leave_episode
    #: What is changed in each of the scenario's calls.
    change_call: Callable[[Episode, Invocation], Invocation] = leave_call
    #: What comes before in the script, and is kept from the scenario's sentences.
    begin_script: Callable[[Episode], Episode] = leave_episode
    #: The call of the same instance that comes before the scenario's own, if one does, made of that.
    make_call_before: Callable[[Episode, Invocation], Invocation] | None = None
    #: Whether a call that waits for a person is resumed by another instance with `yes`.
    agrees_elsewhere: bool = False
    #: What texts of the case end with: marks of the dialects that the subject doesn't claim.
    has_foreign_marks: bool = False

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
        return ""
