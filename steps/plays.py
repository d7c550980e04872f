"""The episodes of a scenario: still being played, as told or under a variation, or played at one go."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace

from react_tck.fakes.lm import BUDGET
from react_tck.model.base import JsonObject
from react_tck.model.case import Invocation, Resumption
from react_tck.model.episode import Episode
from react_tck.model.intent import Fault, Garbled
from react_tck.model.manifest import Manifest
from react_tck.model.outcome import Outcome
from react_tck.model.record import Asked, Event, Record, Refused, Resumed, Returned
from react_tck.play.operations import copy_as_json
from react_tck.play.session import Session, play_episode
from react_tck.record.evidence import Evidence
from react_tck.subjects.api import Subject
from react_tck.variations.changes import resume_async
from react_tck.variations.company import make_aside, make_company
from react_tck.variations.earlier import finish_at_once, make_sample_call
from react_tck.variations.variation import Combination, Unvaried

#: Seconds until a call no longer waits for the one that is made beside it: who does one after the other would hang.
_PATIENCE = 5


@dataclass
class Play:
    """An episode that is still being played, and the session that plays it."""

    episode: Episode
    session: Session

    def call(self, invocation: Invocation) -> Outcome:
        """Call the instance once more."""
        self.episode = _add_call(self.episode, invocation)
        return self.session.call_instance(invocation)

    def resume(self, resumption: Resumption) -> Outcome:
        """Resume the latest call with this response, and give back its outcome."""
        self.episode = _add_resumption(self.episode, resumption)
        return self.session.resume_call(resumption)

    @property
    def record(self) -> Record:
        """What has been observed so far."""
        return self.session.read_record()

    @property
    def told(self) -> tuple[Episode, Record]:
        """The episode and its record as the scenario's sentences see them."""
        return self.episode, self.record


@dataclass
class VariedPlay(Play):
    """An episode that is played under a variation: what sentences see is what they tell, and what came of that."""

    variation: Combination
    #: As the scenario tells it, without the variation.
    unvaried: Episode
    company: "Company | None" = None
    #: The scenario's events, which don't tell of what came before, by the number that each has among all.
    _told_events: dict[int, Event] = field(default_factory=dict)

    def call(self, invocation: Invocation) -> Outcome:
        """Call the instance once more, as the variation has it; calls that it brings in come before and after."""
        varied = self.variation.change_call(self.episode, invocation)
        if not self.unvaried.case.invocations and (before := self.variation.make_call_before(self.episode, varied)):
            for _ in range(self.variation.calls_before):
                self._respond_until_end(super().call(before), before, lambda _: "no")
        if self.variation.is_replaced and self.unvaried.case.invocations:
            self.session.replace_instance()
        self.unvaried = _add_call(self.unvaried, invocation)
        outcome = super().call(varied)
        if self.variation.is_called_while_waiting and self.company and not self.company.record and outcome.suspension:
            self.company.make(self.session)
        return self._respond_until_end(outcome, varied, self.variation.respond) if self.variation.respond else outcome

    def _respond_until_end(self, outcome: Outcome, call: Invocation, respond: Callable[[JsonObject], str]) -> Outcome:
        """What the call comes to that a person responds to, in the mode in which it was made, wherever it waits."""
        elsewhere = self.variation.is_resumed_elsewhere
        for _ in range(BUDGET):
            if not outcome.suspension:
                break
            said = Resumption(response=respond(outcome.suspension), mode=call.mode, elsewhere=elsewhere)
            outcome = super().resume(said)
        return outcome

    def resume(self, resumption: Resumption) -> Outcome:
        """Resume the latest call, in the mode in which the variation calls."""
        self.unvaried = _add_resumption(self.unvaried, resumption)
        is_async = self.variation.change_call(self.episode, Invocation(inputs={})).mode == "async"
        return super().resume(resume_async(resumption) if is_async else resumption)

    @property
    def told(self) -> tuple[Episode, Record]:
        """The episode without what came before, and its record, calls and attempts counted as if there were no such."""
        case, script = self.episode.case, self.variation.change_episode(self.unvaried).script
        case = case.model_copy(update={"invocations": case.invocations[self._calls_before :]})
        record = self.record.model_copy(update={"events": tuple(self._list_told_events())})
        return self.episode.model_copy(update={"case": case, "script": script}), record

    @property
    def _calls_before(self) -> int:
        return len(self.episode.case.invocations) - len(self.unvaried.case.invocations)

    def _list_told_events(self) -> Iterator[Event]:
        before, is_repeated, turns = self._calls_before, False, 0
        hides_first_reply = self.variation.begins_script and not before
        for number, event in enumerate(self.record.events):
            if self.variation.respond and _is_about_response(event):
                continue
            if isinstance(event, Refused) or not (before or hides_first_reply):
                yield event
                continue
            if event.invocation < before:
                continue
            changes: dict[str, int] = {"invocation": event.invocation - before}
            if isinstance(event, Asked) and hides_first_reply:
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
class Company:
    """A call about something else that is made while this one waits: for a reply, or for a person."""

    episode: Episode
    make_call: Callable[[Session, Episode], Record]
    #: The requests that come before the one that waits for its reply; None if none does.
    after: int | None = 0
    #: What came of it, once it came to its end; for who does one call after the other, it never does.
    record: Record | None = None

    def make(self, session: Session) -> None:
        """Make it; raises what `play` raises."""
        self.record = self.make_call(session, self.episode)

    def play(self, session: Session) -> None:
        """Make it from beginning to end in a thread of its own, if it is this request that is to wait.

        Raises:
            HarnessBroken: if the harness raises instead of giving an outcome.
        """
        if self.after is None:
            return
        self.after -= 1
        if self.after != -1:
            return
        threads = ThreadPoolExecutor(1)
        making = threads.submit(self.make_call, session, self.episode)
        threads.shutdown(wait=False)
        with suppress(TimeoutError):
            self.record = making.result(_PATIENCE)


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
        return Play(episode, Session(subject, episode))
    variation = variation.narrow_to_episode(episode)
    varied = variation.begin_script(variation.change_episode(episode))
    if variation.is_loaded:
        varied = _load_own_state(subject, varied, variation.is_saved_after_call)
    company = _find_company(subject, varied, variation)
    session = Session(subject, varied, interlude=company.play if company else None)
    return VariedPlay(varied, session, variation, episode, company)


def collect_evidence(play: Play, manifest: Manifest) -> Evidence:
    """What there is to judge of a play, with what was played while its first request waited."""
    evidence = Evidence(play.episode, manifest, play.record)
    company = play.company if isinstance(play, VariedPlay) else None
    if company is None or company.record is None:
        return evidence
    return replace(evidence, beside=Evidence(company.episode, manifest, company.record))


def _find_company(subject: Subject, episode: Episode, variation: Combination) -> Company | None:
    if variation.has_company:
        company = make_company(episode, subject.initialize())
        return Company(company, lambda _, other: play_episode(subject, other))
    if variation.requests_before_aside is not None:
        after = variation.requests_before_aside
        return Company(make_aside(episode, after), lambda session, other: session.call_aside(other), after)
    if variation.is_called_while_waiting:
        return Company(make_aside(episode, 1), lambda session, other: session.call_aside(other), None)
    return None


def _load_own_state(subject: Subject, episode: Episode, is_called: bool) -> Episode:
    """The episode with the state of an instance of its own, which may have been called, as a file would hold it.

    Raises:
        Unvaried: if the subject refuses the case: there is no instance.
    """
    session = Session(subject, episode.model_copy(update={"script": finish_at_once(episode)}))
    if not session.is_constructed:
        raise Unvaried("there is no instance that could be saved")
    if is_called:
        session.call_instance(make_sample_call(episode))
    state = copy_as_json(session.dump_state())
    return episode.model_copy(update={"case": episode.case.model_copy(update={"state": state})})


def _is_about_response(event: Event) -> bool:
    """Whether a call waits for a person, or goes on after that: to who agrees it is one call with one outcome."""
    return isinstance(event, Resumed) or (isinstance(event, Returned) and event.outcome.suspension is not None)


def _add_call(episode: Episode, invocation: Invocation) -> Episode:
    case = episode.case
    case = case.model_copy(update={"invocations": (*case.invocations, invocation)})
    return episode.model_copy(update={"case": case})


def _add_resumption(episode: Episode, resumption: Resumption) -> Episode:
    *earlier, latest = episode.case.invocations
    latest = latest.model_copy(update={"resumptions": (*latest.resumptions, resumption)})
    case = episode.case.model_copy(update={"invocations": (*earlier, latest)})
    return episode.model_copy(update={"case": case})
