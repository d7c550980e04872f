"""A play of an episode call by call, in its circumstances: loaded, beside another call, and resumed where it waits."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace

from react_tck.fakes.lm import BUDGET
from react_tck.model.case import Invocation, Resumption
from react_tck.model.episode import Episode
from react_tck.model.manifest import Manifest
from react_tck.model.outcome import Outcome
from react_tck.model.record import Record
from react_tck.play.operations import copy_as_json
from react_tck.play.others import finish_at_once, make_concurrent_call, make_other_episode, make_sample_call
from react_tck.play.session import Session, play_episode
from react_tck.record.evidence import Evidence
from react_tck.subjects.api import Subject

#: Seconds until a call no longer waits for the one that is made beside it: who does one after the other would hang.
_PATIENCE = 5
#: The circumstances in which a person agrees wherever a call waits.
_AGREED = {"agreed", "agreed elsewhere", "called while waiting"}


@dataclass
class Concurrent:
    """A call about something else that is made while this one waits: for a reply, or for a person."""

    episode: Episode
    make_call: Callable[[Session, Episode], Record]
    #: What came of it, once it came to its end; for who does one call after the other, it never does.
    record: Record | None = None
    is_begun: bool = False

    def make(self, session: Session) -> None:
        """Make it, unless it was made; raises what `play` raises."""
        if not self.is_begun:
            self.is_begun, self.record = True, self.make_call(session, self.episode)

    def play(self, session: Session) -> None:
        """Make it from beginning to end in a thread of its own, unless it was made.

        Raises:
            HarnessBroken: if the harness raises instead of giving an outcome.
        """
        if self.is_begun:
            return
        self.is_begun = True
        threads = ThreadPoolExecutor(1)
        making = threads.submit(self.make_call, session, self.episode)
        threads.shutdown(wait=False)
        with suppress(TimeoutError):
            self.record = making.result(_PATIENCE)


@dataclass
class Play:
    """An episode that is still being played, and the session that plays it."""

    episode: Episode
    session: Session
    concurrent: Concurrent | None = None

    def call(self, invocation: Invocation) -> Outcome:
        """Call the instance once more; where it is so, a person agrees until the call comes to its end."""
        self._add_call(invocation)
        outcome = self.session.call_instance(invocation)
        if not self.is_agreed:
            return outcome
        if self.concurrent and outcome.suspension and "called while waiting" in self.episode.variations:
            self.concurrent.make(self.session)
        agreed = Resumption(
            response="yes", mode=invocation.mode, elsewhere="agreed elsewhere" in self.episode.variations
        )
        for _ in range(BUDGET):
            if not outcome.suspension:
                break
            outcome = self.resume(agreed)
        return outcome

    def resume(self, resumption: Resumption) -> Outcome:
        """Resume the latest call with this response, and give back its outcome."""
        *earlier, latest = self.episode.case.invocations
        latest = latest.model_copy(update={"resumptions": (*latest.resumptions, resumption)})
        self._keep_calls(*earlier, latest)
        return self.session.resume_call(resumption)

    @property
    def is_agreed(self) -> bool:
        """Whether a person agrees wherever a call waits."""
        return not _AGREED.isdisjoint(self.episode.variations)

    @property
    def record(self) -> Record:
        """What has been observed so far."""
        return self.session.read_record()

    @property
    def told(self) -> tuple[Episode, Record]:
        """The episode and its record as the scenario's sentences see them."""
        return self.episode, self.record

    def collect_evidence(self, manifest: Manifest) -> Evidence:
        """Return what there is to judge, with what was played while its call waited."""
        evidence = Evidence(self.episode, manifest, self.record)
        if self.concurrent is None or self.concurrent.record is None:
            return evidence
        return replace(evidence, beside=Evidence(self.concurrent.episode, manifest, self.concurrent.record))

    def _add_call(self, invocation: Invocation) -> None:
        self._keep_calls(*self.episode.case.invocations, invocation)

    def _keep_calls(self, *calls: Invocation) -> None:
        case = self.episode.case.model_copy(update={"invocations": calls})
        self.episode = self.episode.model_copy(update={"case": case})


def construct_play(subject: Subject, episode: Episode) -> tuple[Episode, Session, Concurrent | None]:
    """Return what a play of the episode begins with, in its circumstances: no call of its is made yet."""
    case = episode.case.model_copy(update={"invocations": ()})
    if "loaded" in episode.variations:
        case = case.model_copy(update={"state": _save_called(subject, episode)})
    episode = episode.model_copy(update={"case": case})
    concurrent = _find_concurrent(subject, episode)
    is_waited_for = concurrent and "called while waiting" not in episode.variations
    session = Session(subject, episode, interlude=concurrent.play if concurrent and is_waited_for else None)
    return episode, session, concurrent


def play_calls(subject: Subject, episode: Episode) -> Play:
    """Play an episode to its end, in its circumstances.

    Raises:
        HarnessBroken: if the harness raises instead of giving an outcome.
    """
    play = Play(*construct_play(subject, episode))
    for call in episode.case.invocations if play.session.is_constructed else ():
        if not play.session.is_hung:
            play.call(call.model_copy(update={"resumptions": ()}))
        for response in () if play.is_agreed else call.resumptions:
            if play.session.can_be_resumed and not play.session.is_hung:
                play.resume(response)
    return play


def _find_concurrent(subject: Subject, episode: Episode) -> Concurrent | None:
    if "concurrent case" in episode.variations:
        other = make_other_episode(subject.initialize(), episode)
        return Concurrent(other, lambda _, other: play_episode(subject, other))
    if "concurrent call" in episode.variations:
        return Concurrent(make_concurrent_call(episode), lambda session, other: session.call_beside(other))
    if "called while waiting" in episode.variations:
        waiting = make_concurrent_call(episode, takes_a_step=True)
        return Concurrent(waiting, lambda session, other: session.call_beside(other))
    return None


def _save_called(subject: Subject, episode: Episode) -> object:
    """Return the state of another instance that was called, as a file would hold it; none where the case is refused."""
    case = episode.case.model_copy(update={"invocations": ()})
    session = Session(subject, episode.model_copy(update={"case": case, "script": finish_at_once(episode)}))
    if not session.is_constructed:
        return None
    session.call_instance(make_sample_call(episode))
    return copy_as_json(session.dump_state())
