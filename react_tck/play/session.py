"""Plays an episode: constructs the subject behind the kit's own LM and tools, calls it, keeps the record."""

import copy
import json
import threading
from collections.abc import Callable
from typing import Any

from pydantic import JsonValue

from react_tck.adapter.results import Notice
from react_tck.adapter.tools import INTERRUPTIONS
from react_tck.adapter.values import Caller, wait_for_threads
from react_tck.fakes.journal import Journal
from react_tck.fakes.lm import scripted_lm
from react_tck.fakes.tools import scripted_tools
from react_tck.model.base import JsonObject
from react_tck.model.case import Invocation, Resumption
from react_tck.model.episode import Episode
from react_tck.model.manifest import Description
from react_tck.model.outcome import Failure, Outcome, make_error_outcome
from react_tck.model.record import Called, Changed, Hung, Record, Refused, Resumed, Returned
from react_tck.subjects.api import (
    ConstructionError,
    Endpoints,
    HarnessBroken,
    Inspectable,
    Instance,
    Observable,
    OperationRefused,
    Portable,
    Resumable,
    Subject,
    TimedOut,
    run_operation,
)
from react_tck.texts import find_excess


def load_state(instance: Instance, state: JsonValue) -> Instance:
    """Return the instance with the state that it is to load, if there is one.

    Raises:
        HarnessBroken: if it has no such operation.
        OperationRefused: if the subject refuses the state.
    """
    if state is not None:
        portable = require_portable(instance)
        run_operation(lambda: portable.load(state))
    return instance


def run_call(operation: Callable[[], Outcome], journal: Journal) -> Outcome:
    """Return what a call or a resumption comes to.

    Raises:
        HarnessBroken: if the harness raises instead of giving an outcome.
        KitFault: if the kit failed meanwhile, whatever the subject made of that.
    """
    try:
        outcome = operation()
    except HarnessBroken:
        raise
    except (Exception, SystemExit) as error:
        raise HarnessBroken(f"calling raised {type(error).__name__}: {error}") from error
    except tuple(INTERRUPTIONS.values()) as interruption:
        # A tool's ends the call, and is the outcome; the user's own ends the run.
        if not journal.is_interrupted:
            raise
        return make_error_outcome(interruption)
    finally:
        journal.faults.raise_first()
    return check_outcome(outcome)


def require_portable(instance: Instance) -> Portable:
    """Return the instance as one that saves and loads.

    Raises:
        HarnessBroken: if it has no such operations.
    """
    if not isinstance(instance, Portable):
        raise make_missing_error("save-load")
    return instance


def copy_as_json(value: JsonValue) -> Any:
    """Return the value as whoever has no more of it than its JSON text reads it."""
    return json.loads(json.dumps(value))


def make_missing_error(capability: str) -> HarnessBroken:
    """Return what is wrong where a capability is declared and its operations aren't there."""
    return HarnessBroken(f"the manifest declares {capability!r}, but the instance doesn't have its operations")


def check_outcome(outcome: Any) -> Outcome:
    """Return what a call gave, if it is an outcome.

    Raises:
        HarnessBroken: if it isn't, or says that the harness had too little memory.
    """
    if not isinstance(outcome, Outcome):
        raise HarnessBroken(f"calling gave {outcome!r}, which is not an Outcome")
    if excess := find_excess(outcome, is_counted=True):
        raise HarnessBroken(f"calling gave an outcome that holds {excess}")
    if outcome.error and outcome.error.type in ("MemoryError", "OutOfMemoryError"):
        raise HarnessBroken(f"it had too little memory: calling ended with {outcome.error.type}")
    return outcome


def pass_history_on(call: Invocation, history: JsonValue, *, as_told: bool) -> Invocation:
    """Return the call with the history that the one before gave, if it gave any: as its outcome told it."""
    if call.follows is None:
        return call
    if not as_told:  # the instance has the object that it returned
        return call if history is not None else call.model_copy(update={"follows": None})
    return call.model_copy(update={"follows": None, "history": read_entries(history)})


def read_entries(history: JsonValue) -> tuple[JsonObject, ...] | None:
    """Return the entries of a history that an outcome told, copied; None if it told none."""
    if not isinstance(history, list):
        return None
    return tuple(copy.deepcopy(entry) for entry in history if isinstance(entry, dict))


class Session:
    """One constructed instance and the record of what it does."""

    def __init__(self, subject: Subject, episode: Episode, *, is_watched: bool = True) -> None:
        self._is_watched = is_watched
        self._case_id = episode.case.id
        self._options = episode.case.options
        self._journal = Journal()
        self._lm = scripted_lm(episode, subject.initialize(), self._journal)
        self._caller = Caller()
        self._calls = 0
        self._suspension: JsonObject | None = None
        self._is_hung = False
        #: The history that each call gave.
        self._histories: dict[int, JsonValue] = {}
        #: What the framework's callbacks had heard when the latest call came back.
        self._heard: tuple[Notice, ...] | None = None
        #: The state that an instance loads when it is constructed.
        self._state = episode.case.state
        self._build = self._make_builder(subject, episode)
        self._instance = self._construct_instance()

    @property
    def can_be_resumed(self) -> bool:
        """Whether the latest call was suspended; what it made of a response doesn't matter."""
        return self._suspension is not None

    @property
    def is_hung(self) -> bool:
        """Whether a call never came back from an LM that said nothing: there is nobody left to be called."""
        return self._is_hung

    @property
    def is_constructed(self) -> bool:
        """Whether the subject accepted the case."""
        return self._instance is not None

    def call_instance(self, invocation: Invocation) -> Outcome:
        """Call the instance once.

        Raises:
            HarnessBroken: if the harness raises instead of giving an outcome.
        """
        instance = self._require_instance()
        self._begin_call()
        self._lm.begin_call(invocation)
        history = None if invocation.follows is None else self._histories.get(invocation.follows)
        as_told = self._options.system == "conversation"
        given = pass_history_on(invocation.model_copy(deep=True), history, as_told=as_told)
        return self._record_return(lambda: instance.call(given))

    def adopt_call(self, suspension: JsonObject) -> None:
        """Begin a call that another instance suspended: all that is done to it here is to resume it."""
        self._begin_call()
        self._suspension = suspension

    def resume_call(self, resumption: Resumption) -> Outcome:
        """Resume the latest call with what it was suspended with.

        Raises:
            HarnessBroken: if it wasn't suspended, or the harness raises instead of giving an outcome.
        """
        if resumption.elsewhere:
            self._instance = self._construct_instance()
        instance = self._require_resumable()
        suspension = self._find_suspension(resumption)
        self._journal.add_event(Resumed(invocation=self._journal.invocation, resumption=resumption))
        return self._record_return(lambda: instance.resume(suspension, resumption))

    def read_status(self, confirmation_id: str) -> str:
        """Return what became of a confirmation.

        Raises:
            OperationRefused: if the subject doesn't say.
        """
        return run_operation(lambda: self._require_resumable().status(confirmation_id))

    def describe_instance(self) -> Description:
        """Return what the instance says of itself.

        Raises:
            OperationRefused: if it says nothing.
        """
        instance = self._require_instance()
        if not isinstance(instance, Inspectable):
            raise make_missing_error("inspection")
        return run_operation(instance.describe)

    def dump_state(self) -> JsonValue:
        """Return the state of the instance.

        Raises:
            OperationRefused: if it gives none.
        """
        return run_operation(require_portable(self._require_instance()).dump)

    def read_record(self) -> Record:
        """Return what has been observed so far."""
        record = self._journal.read_record(self._case_id)
        seen = {"left_over": self._lm.left_over, "heard": self._heard}
        return record.model_copy(update=seen) if any(seen.values()) else record

    def _list_notices(self) -> tuple[Notice, ...] | None:
        """Return what the framework's callbacks have heard so far, where they listen to the latest instance."""
        if not self._options.callbacks:
            return None
        instance = self._require_instance()
        if not isinstance(instance, Observable):
            raise make_missing_error("callbacks")
        return tuple(instance.heard)

    def _make_builder(self, subject: Subject, episode: Episode) -> Callable[[JsonValue], Instance]:
        """Return what makes an instance of the case; the kit's LM and tools are the same for all."""
        case, journal = episode.case, self._journal
        endpoints = Endpoints(
            lm=self._lm.complete,
            tools=scripted_tools(episode, journal),
            caller=self._caller,
            stray=journal.add_stray,
            faults=journal.faults,
            broke=journal.add_breach if self._is_watched else None,
        )
        return lambda state: load_state(subject.construct(case.signature, case.tools, case.options, endpoints), state)

    def _construct_instance(self) -> Instance | None:
        try:
            return self._build(self._state)
        except (ConstructionError, OperationRefused) as error:
            self._journal.add_event(Refused(error=Failure(type=type(error).__name__, message=str(error))))
            return None
        except HarnessBroken:
            raise
        except (Exception, SystemExit) as error:
            raise HarnessBroken(f"constructing raised {type(error).__name__}: {error}") from error
        finally:
            self._journal.faults.raise_first()

    def _require_instance(self) -> Instance:
        if self._instance is None:
            raise HarnessBroken("the instance was used although its construction was refused")
        return self._instance

    def _require_resumable(self) -> Resumable:
        instance = self._require_instance()
        if not isinstance(instance, Resumable):
            raise make_missing_error("confirmation")
        return instance

    def _begin_call(self) -> None:
        self._journal.invocation = self._calls
        self._journal.add_event(Called(invocation=self._calls))
        self._suspension = None
        self._calls += 1

    def _find_suspension(self, resumption: Resumption) -> JsonObject:
        if self._suspension is None:
            raise HarnessBroken("the call was resumed although it had not been suspended")
        suspension = copy_as_json(self._suspension) if resumption.elsewhere else self._suspension
        own = resumption.confirmation_id
        return suspension if own is None else {**suspension, "confirmation_id": own}

    def _record_return(self, operation: Callable[[], Outcome]) -> Outcome:
        before = set(threading.enumerate())
        try:
            outcome = run_call(operation, self._journal)
        except TimedOut as late:
            if not self._lm.is_silent:
                raise
            return self._record_hang(late)
        self._suspension = outcome.suspension or self._suspension
        self._histories[self._journal.invocation] = outcome.history
        self._journal.add_event(Returned(invocation=self._journal.invocation, outcome=outcome))
        self._heard = self._list_notices()
        wait_for_threads(before)
        for change in self._caller.find_changes():
            self._journal.add_event(Changed(invocation=self._journal.invocation, **change._asdict()))
        return outcome

    def _record_hang(self, late: TimedOut) -> Outcome:
        """Return what a call comes to that an LM's silence was never to end: nothing that the subject said."""
        self._is_hung = True
        self._journal.add_event(
            Hung(invocation=self._journal.invocation, message=f"after an LM that said nothing, {late}")
        )
        return make_error_outcome(late)


def play_episode(subject: Subject, episode: Episode, *, is_watched: bool = True) -> Record:
    """Return the record of a whole episode; raises what `play_session` raises."""
    return play_session(subject, episode, is_watched=is_watched).read_record()


def play_session(subject: Subject, episode: Episode, *, is_watched: bool = True) -> Session:
    """Play a whole episode; its session goes on to record what the subject does afterwards, where that is watched.

    Raises:
        HarnessBroken: if the harness raises instead of giving an outcome.
    """
    session = Session(subject, episode, is_watched=is_watched)
    if session.is_constructed:
        for invocation in episode.case.invocations:
            if not session.is_hung:
                _play_invocation(session, invocation)
    return session


def _play_invocation(session: Session, invocation: Invocation) -> None:
    if invocation.suspension is None:
        session.call_instance(invocation)
    else:
        session.adopt_call(invocation.suspension)
    for resumption in invocation.resumptions:
        if session.can_be_resumed and not session.is_hung:
            session.resume_call(resumption)
