"""The episodes of a scenario: still being played, as told or under variations, or played at one go."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from react_tck.model.case import Invocation, Resumption
from react_tck.model.episode import Episode
from react_tck.model.intent import Fault, Garbled
from react_tck.model.outcome import Outcome
from react_tck.model.record import Asked, Event, Record, Refused, Resumed, Returned
from react_tck.play.others import make_sample_call
from react_tck.play.surroundings import Play, construct_play
from react_tck.subjects.api import Subject
from react_tck.variations.change import Combination, add_call


@dataclass
class VariedPlay(Play):
    """An episode that is played under variations: what sentences see is what they tell, and what came of that."""

    variation: Combination = field(kw_only=True)
    #: As the scenario tells it, without the variations.
    unvaried: Episode = field(kw_only=True)
    #: The scenario's events, which don't tell of what came before, by the number that each has among all.
    _told_events: dict[int, Event] = field(default_factory=dict)

    def make_call(self, invocation: Invocation) -> Outcome:
        """Call the instance once more, as the variations have it; calls that they bring in come before."""
        self.unvaried = add_call(self.unvaried, invocation)
        *before, own = self._varied_calls[len(self.episode.case.invocations) :]
        for call in before:
            super().make_call(call)
        return super().make_call(own)

    def give_response(self, resumption: Resumption) -> Outcome:
        """Resume the latest call, as the variations have it."""
        if self.is_agreed:
            return super().give_response(resumption)
        *earlier, latest = self.unvaried.case.invocations
        latest = latest.model_copy(update={"resumptions": (*latest.resumptions, resumption)})
        case = self.unvaried.case.model_copy(update={"invocations": (*earlier, latest)})
        self.unvaried = self.unvaried.model_copy(update={"case": case})
        return super().give_response(self._varied_calls[-1].resumptions[-1])

    @property
    def told(self) -> tuple[Episode, Record]:
        """The episode without what came before, and its record, calls and attempts counted as if there were no such."""
        case, script = self.episode.case, self.variation.shown.change(self.unvaried).script
        case = case.model_copy(update={"invocations": case.invocations[self._calls_before :]})
        record = self.record.model_copy(update={"events": tuple(self._list_told_events())})
        return self.episode.model_copy(update={"case": case, "script": script}), record

    @property
    def _varied_calls(self) -> tuple[Invocation, ...]:
        return self.variation.change(self.unvaried).case.invocations

    @property
    def _calls_before(self) -> int:
        return len(self.episode.case.invocations) - len(self.unvaried.case.invocations)

    def _list_told_events(self) -> Iterator[Event]:
        before, is_repeated, turns = self._calls_before, False, 0
        for number, event in enumerate(self.record.events):
            if self.is_agreed and _is_about_response(event):
                continue
            if isinstance(event, Refused) or not (before or self.variation.hides_reply):
                yield event
                continue
            if event.invocation < before:
                continue
            changes: dict[str, int] = {"invocation": event.invocation - before}
            if isinstance(event, Asked) and self.variation.hides_reply:
                if event.attempt == 0:
                    # What the scenario itself says that can't be read, in a later turn, is told.
                    is_repeated = not turns and isinstance(event.intent, Garbled | Fault)
                    turns += 1
                    if is_repeated:
                        continue
                changes["attempt"] = event.attempt - is_repeated
            if number not in self._told_events:
                self._told_events[number] = event.model_copy(update=changes)
            yield self._told_events[number]


@dataclass
class Past:
    """An episode that was played at one go."""

    episode: Episode
    record: Record
    #: Calls that were mixed up are one finding; what the invariants of each would add says nothing more.
    is_mixed_up: bool = False

    @property
    def told(self) -> tuple[Episode, Record]:
        """The episode and its record."""
        return self.episode, self.record


def begin_play(subject: Subject, episode: Episode, variation: Combination | None) -> Play:
    """Construct an instance for the episode, which is played under the variations that change something in it.

    Raises:
        Unvaried: if none does.
    """
    if variation is None:
        return Play(*construct_play(subject, episode))
    variation = variation.narrow_to_episode(episode)
    varied = variation.change(add_call(episode, make_sample_call(episode)))
    return VariedPlay(*construct_play(subject, varied), variation=variation, unvaried=episode)


def _is_about_response(event: Event) -> bool:
    """Whether a call waits for a person, or goes on after that: to who agrees it is one call with one outcome."""
    return isinstance(event, Resumed) or (isinstance(event, Returned) and event.outcome.suspension is not None)
