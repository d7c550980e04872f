"""A play of an episode call by call, in its circumstances: loaded, beside another call, and resumed where it waits."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace

from react_tck.fakes.journal import Journal
from react_tck.fakes.lm import BUDGET, EpisodeLM, scripted_lm
from react_tck.fakes.tools import KitTool, ScriptedTool
from react_tck.model.case import Invocation, Options, Resumption
from react_tck.model.cue import stream_oddly
from react_tck.model.episode import Episode
from react_tck.model.intent import CallTool
from react_tck.model.lm import Completion, LMRequest
from react_tck.model.manifest import Manifest
from react_tck.model.outcome import Outcome
from react_tck.model.record import Called, Record, Returned
from react_tck.model.signature import Signature
from react_tck.model.tool import Tool
from react_tck.play.others import finish_at_once, make_concurrent_call, make_other_episode, make_sample_call
from react_tck.play.session import Session, copy_as_json, play_episode, run_call
from react_tck.record.evidence import Evidence
from react_tck.subjects.api import Endpoints, Instance, Subject

#: Seconds until a call no longer waits for the one that is made beside it: who does one after the other would hang.
_PATIENCE = 5
#: The circumstances in which a person agrees wherever a call waits.
_AGREED = {"agreed", "agreed elsewhere", "called while waiting"}
#: The circumstances in which a call waits while another is made.
_CONCURRENT = ("concurrent case", "concurrent call", "called while waiting")


class Concurrent:
    """A subject one of whose calls waits, for a reply or for a person, while another is made.

    It is a subject itself, so that who plays the episode need not know of it.
    """

    def __init__(self, subject: Subject, circumstance: str, like: Episode) -> None:
        """Prepare the other call: of the same instance, or of an instance of its own."""
        self._subject = subject
        self.waits_for_person = circumstance == "called while waiting"
        self._has_own_instance = circumstance == "concurrent case"
        if self._has_own_instance:
            self.episode = make_other_episode(subject.initialize(), like)
        else:
            self.episode = make_concurrent_call(like, takes_a_step=self.waits_for_person)
        #: What came of it, once it came to its end; for who does one call after the other, it never does.
        self.record: Record | None = None
        self._is_begun = False
        self._journal = Journal()
        #: The LM of the other call, while that is made.
        self._lm: EpisodeLM | None = None

    def initialize(self) -> Manifest:
        """Give the subject's own manifest."""
        return self._subject.initialize()

    def construct(
        self, signature: Signature, tools: tuple[Tool, ...], options: Options, endpoints: Endpoints
    ) -> Instance:
        """Build an instance; its requests come here, and the tools that only the other call uses are that one's.

        Raises:
            ConstructionError: if the subject refuses.
        """
        self._answer = endpoints.lm
        given = replace(endpoints, lm=self._complete_request, tools=tuple(map(self._share_tool, endpoints.tools)))
        self._instance = self._subject.construct(signature, tools, options, given)
        return self._instance

    def make_call(self) -> None:
        """Make the other call, unless it was made.

        Raises:
            HarnessBroken: if the harness raises instead of giving an outcome.
        """
        if not self._is_begun:
            self._is_begun, self.record = True, self._play_other()

    def _share_tool(self, tool: KitTool) -> KitTool:
        is_used = any(isinstance(step, CallTool) and step.tool == tool.tool.name for step in self.episode.script.steps)
        if self._has_own_instance or not is_used:
            return tool
        behaviours = self.episode.behaviours.get(tool.tool.name, ())
        return ScriptedTool(tool.tool, behaviours, self._journal, self.episode.nonce)

    def _complete_request(self, request: LMRequest) -> Completion:
        if self._lm and self.episode.nonce in request.text:
            return self._lm.complete(request)
        if not self.waits_for_person and not self._is_begun:
            self._is_begun = True
            self._make_call_in_thread()
        return self._answer(request)

    def _make_call_in_thread(self) -> None:
        threads = ThreadPoolExecutor(1)
        making = threads.submit(self._play_other)
        threads.shutdown(wait=False)
        with suppress(TimeoutError):
            self.record = making.result(_PATIENCE)

    def _play_other(self) -> Record:
        if self._has_own_instance:
            return play_episode(self._subject, self.episode)
        manifest, journal, call = self.initialize(), self._journal, self.episode.case.invocations[0]
        lm = scripted_lm(self.episode, manifest, journal)
        lm.begin_call(call)
        journal.add_event(Called(invocation=0))
        self._lm = lm
        try:
            outcome = run_call(lambda: self._instance.call(call.model_copy(deep=True)), journal)
        finally:
            self._lm = None
        journal.add_event(Returned(invocation=0, outcome=outcome))
        return journal.read_record(self.episode.case.id)


@dataclass(frozen=True)
class OddStreams:
    """A subject whose replies are streamed as no two providers do."""

    subject: Subject

    def initialize(self) -> Manifest:
        """Give the subject's own manifest."""
        return self.subject.initialize()

    def construct(
        self, signature: Signature, tools: tuple[Tool, ...], options: Options, endpoints: Endpoints
    ) -> Instance:
        """Build an instance; raises what the subject raises."""
        given = replace(endpoints, lm=lambda request: stream_oddly(endpoints.lm(request)))
        return self.subject.construct(signature, tools, options, given)


@dataclass
class Play:
    """An episode that is still being played, and the session that plays it."""

    episode: Episode
    session: Session
    concurrent: Concurrent | None = None

    def make_call(self, invocation: Invocation) -> Outcome:
        """Call the instance once more; where it is so, a person agrees until the call comes to its end."""
        self._add_call(invocation)
        outcome = self.session.call_instance(invocation)
        if not self.is_agreed:
            return outcome
        if self.concurrent and outcome.suspension and self.concurrent.waits_for_person:
            self.concurrent.make_call()
        agreed = Resumption(
            response="yes", mode=invocation.mode, elsewhere="agreed elsewhere" in self.episode.variations
        )
        for _ in range(BUDGET):
            if not outcome.suspension:
                break
            outcome = self.give_response(agreed)
        return outcome

    def give_response(self, resumption: Resumption) -> Outcome:
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
    circumstance = next((each for each in _CONCURRENT if each in episode.variations), None)
    subject = OddStreams(subject) if "odd streams" in episode.variations else subject
    concurrent = Concurrent(subject, circumstance, episode) if circumstance else None
    return episode, Session(concurrent or subject, episode), concurrent


def play_calls(subject: Subject, episode: Episode) -> Play:
    """Play an episode to its end, in its circumstances.

    Raises:
        HarnessBroken: if the harness raises instead of giving an outcome.
    """
    play = Play(*construct_play(subject, episode))
    for call in episode.case.invocations if play.session.is_constructed else ():
        if not play.session.is_hung:
            play.make_call(call.model_copy(update={"resumptions": ()}))
        for response in () if play.is_agreed else call.resumptions:
            if play.session.can_be_resumed and not play.session.is_hung:
                play.give_response(response)
    return play


def _save_called(subject: Subject, episode: Episode) -> object:
    """Return the state of another instance that was called, as a file would hold it; none where the case is refused."""
    case = episode.case.model_copy(update={"invocations": ()})
    session = Session(subject, episode.model_copy(update={"case": case, "script": finish_at_once(episode)}))
    if not session.is_constructed:
        return None
    session.call_instance(make_sample_call(episode))
    return copy_as_json(session.dump_state())
