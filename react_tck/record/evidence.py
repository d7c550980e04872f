"""What there is to judge: an episode, who played it, and what was recorded."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from react_tck.dialects.fields import FINISH, SUBMIT
from react_tck.dialects.markup import as_text
from react_tck.dialects.reading import takes_submit
from react_tck.fakes.lm import SPENT
from react_tck.model.case import Case, Invocation
from react_tck.model.episode import Episode
from react_tck.model.manifest import Manifest
from react_tck.model.record import Called, Event, Record, Resumed, Returned
from react_tck.model.tool import Tool
from react_tck.record.turns import Turn, split_turns
from react_tck.record.visibility import hides_value


@dataclass(frozen=True)
class Scene:
    """One call of an episode: its part of the record, and what it was to do."""

    episode: Episode
    manifest: Manifest
    number: int
    record: Record

    @property
    def case(self) -> Case:
        """The case that the episode is of."""
        return self.episode.case

    @property
    def invocation(self) -> Invocation:
        """What the call was given."""
        return self.case.invocations[self.number]

    @property
    def is_given_a_history(self) -> bool:
        """Whether the call is told of earlier ones: by the history of one of them, or by one that is written out."""
        return self.invocation.follows is not None or self.invocation.history is not None

    @property
    def max_steps(self) -> int:
        """How many steps the call may take."""
        return self.manifest.max_steps(self.invocation, self.case.options)

    @cached_property
    def used_up_its_steps(self) -> bool:
        """Whether the call took all the steps that it may."""
        asked = (event for event in self.record.requests if event.ask and event.ask.phase == "step")
        return sum(event.attempt == 0 for event in asked) >= self.max_steps

    @property
    def is_cut_short(self) -> bool:
        """Whether no step was left and the caller was told so, with no extraction to see what the last one led to."""
        has_failed = any(outcome.status == "error" for outcome in self.record.outcomes)
        is_over = self.used_up_its_steps or self._may_end_in_a_forced_submit
        return has_failed and is_over and "extraction" not in self.manifest.capabilities

    @property
    def has_come_back(self) -> bool:
        """Whether the call ended by itself.

        Not so where the kit ended it, because it took too long, broke off, or asked more than an episode may.
        """
        ways = [event for event in self.record.events if isinstance(event, Called | Resumed | Returned)]
        is_spent = any((asked.refusal or "").startswith(SPENT) for asked in self.record.requests)
        return isinstance(ways[-1], Returned) and not is_spent

    @property
    def _may_end_in_a_forced_submit(self) -> bool:
        """Whether a prompt didn't fit, and the last request may ask for the submit that is forced then (TRN-006).

        Where calls are written as text, nothing in a request says that only `submit` is left to call.
        """
        *_, broken, last = (None, None, *self.record.requests)
        if broken is None or last is None or not takes_submit(last):
            return False
        return broken.is_overflow and self.manifest.may_force_submit

    @cached_property
    def turns(self) -> tuple[Turn, ...]:
        """The call's turns; what happens after an outcome belongs to none of them."""
        in_time = tuple(event for event, is_late in self.mark_late_events() if not is_late)
        return tuple(split_turns(self.record.model_copy(update={"events": in_time})))

    @cached_property
    def tools(self) -> dict[str, Tool]:
        """The tools whose name is theirs alone; what becomes of the others is TOOL-005's and TOOL-014's affair."""
        count = Counter([FINISH, SUBMIT, *(tool.name for tool in self.case.tools)])
        return {tool.name: tool for tool in self.case.tools if count[tool.name] == 1}

    def has_lost(self, thought: str) -> bool:
        """Tell whether the call's own trajectory lacks a thought: that is TRJ-002's affair, and no other's."""
        told = [outcome.trajectory for outcome in self.record.outcomes if outcome.trajectory]
        can_tell = "trajectory" in self.manifest.capabilities and bool(told)
        return can_tell and all(hides_value(as_text(each), thought) for each in told)

    def mark_late_events(self) -> Iterator[tuple[Event, bool]]:
        """Yield every event, and whether it comes after an outcome from which the call hasn't been resumed."""
        returned = False
        for event in self.record.events:
            returned = returned and not isinstance(event, Resumed)
            yield event, returned
            returned = returned or isinstance(event, Returned)


@dataclass(frozen=True)
class Counterpart:
    """A record, and that of the same episode without one thing that a requirement says makes no difference."""

    requirement_id: str
    record: Record
    without: Record


@dataclass(frozen=True)
class Evidence:
    """An episode as a subject played it; and as it played it again, if it did."""

    episode: Episode
    manifest: Manifest
    record: Record
    replayed: Record | None = None
    #: What was played while its first request waited for a reply, if anything was.
    beside: "Evidence | None" = None
    #: What it is held against, where that was played.
    counterparts: tuple[Counterpart, ...] = ()

    @cached_property
    def scenes(self) -> tuple[Scene, ...]:
        """The calls, each with its part of the record; every judge sees the same, so what one has read is read."""
        numbers = sorted({event.invocation for event in self.record.events if isinstance(event, Called)})
        return tuple(Scene(self.episode, self.manifest, number, self.record.of_call(number)) for number in numbers)
