"""Plays an episode: constructs the subject behind the kit's own LM and tools, calls it, keeps the record."""

import threading

from react_tck.fakes.caller import Caller
from react_tck.fakes.journal import Journal
from react_tck.fakes.lm import ScriptedLM
from react_tck.fakes.tools import ScriptedTool
from react_tck.model.case import Invocation
from react_tck.model.episode import Episode
from react_tck.model.outcome import Failure, Outcome
from react_tck.model.record import Called, Changed, Record, Refused, Returned
from react_tck.subjects.protocol import ConstructionError, Doors, HarnessBroken, Instance, Subject

#: Seconds granted to threads the subject left running, so that what they still do gets on record.
_SETTLE = 0.05


class Session:
    """One constructed instance and the record of what it does."""

    def __init__(self, subject: Subject, episode: Episode) -> None:
        self._case_id = episode.case.id
        self._journal = Journal()
        manifest = subject.initialize()
        has_extraction = "extraction" in manifest.capabilities
        self._lm = ScriptedLM(episode.script, manifest.dialects, self._journal, has_extraction=has_extraction)
        self._caller = Caller()
        self._calls = 0
        self._instance = self._construct(subject, episode)

    @property
    def constructed(self) -> bool:
        """Whether the subject accepted the case."""
        return self._instance is not None

    def call(self, invocation: Invocation) -> Outcome:
        """Call the instance once.

        Raises:
            HarnessBroken: if the harness raises instead of giving an outcome.
        """
        if self._instance is None:
            raise HarnessBroken("the instance was called although its construction was refused")
        self._journal.invocation = self._calls
        self._journal.add(Called(invocation=self._calls))
        before = set(threading.enumerate())
        outcome = self._outcome(self._instance, invocation.model_copy(deep=True))
        self._journal.add(Returned(invocation=self._calls, outcome=outcome))
        _settle(before)
        for change in self._caller.changes():
            self._journal.add(Changed(invocation=self._calls, **change._asdict()))
        self._calls += 1
        return outcome

    def record(self) -> Record:
        """What has been observed so far."""
        return self._journal.record(self._case_id).model_copy(update={"left_over": self._lm.left_over})

    def _construct(self, subject: Subject, episode: Episode) -> Instance | None:
        case = episode.case
        tools = tuple(
            ScriptedTool(tool, episode.behaviours.get(tool.name, ()), self._journal, episode.nonce)
            for tool in case.tools
        )
        doors = Doors(lm=self._lm.complete, tools=tools, caller=self._caller)
        try:
            return subject.construct(case.signature, case.tools, case.options, doors)
        except ConstructionError as error:
            self._journal.add(Refused(error=Failure(type=type(error).__name__, message=str(error))))
            return None
        except HarnessBroken:
            raise
        except (Exception, SystemExit) as error:
            raise HarnessBroken(f"constructing raised {type(error).__name__}: {error}") from error

    def _outcome(self, instance: Instance, invocation: Invocation) -> Outcome:
        try:
            outcome = instance.call(invocation)
        except HarnessBroken:
            raise
        except (Exception, SystemExit) as error:
            raise HarnessBroken(f"calling raised {type(error).__name__}: {error}") from error
        if not isinstance(outcome, Outcome):
            raise HarnessBroken(f"calling gave {outcome!r}, which is not an Outcome")
        return outcome


def play(subject: Subject, episode: Episode) -> Record:
    """Play a whole episode.

    Raises:
        HarnessBroken: if the harness raises instead of giving an outcome.
    """
    session = Session(subject, episode)
    if session.constructed:
        for invocation in episode.case.invocations:
            session.call(invocation)
    return session.record()


def _settle(before: set[threading.Thread]) -> None:
    for thread in set(threading.enumerate()) - before:
        if not thread.daemon:
            thread.join(_SETTLE)
