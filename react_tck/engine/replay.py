"""What becomes of an episode that has been judged: it is played again (SAN-009), and watched each time (SAN-006)."""

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from react_tck.judges.determinism import find_replay_difference
from react_tck.judges.sanitizers import find_late_activity
from react_tck.judges.verdict import Violation
from react_tck.model.record import Record
from react_tck.model.report import ScenarioResult, Verdict
from react_tck.play.session import play_session
from react_tck.record.evidence import Evidence
from react_tck.results.books import Watch
from react_tck.results.bug_report import BugReport
from react_tck.subjects.api import HarnessBroken, Subject, expecting_exceptions

#: Episodes that are watched; the lanes of earlier ones are closed.
_WATCHED = 16


@dataclass(frozen=True)
class Played:
    """An episode as it was played, and what a difference would be reported in."""

    bug_report: BugReport
    evidence: Evidence


class Replayer:
    """Plays an episode again after the next one, compares the records, and hands the second play on to be watched."""

    def __init__(self, subject: Subject, watch: Watch, watch_later: Callable[["Watched"], None]) -> None:
        self._subject = subject
        self._watch = watch
        self._watch_later = watch_later
        self._waiting: Played | None = None

    @property
    def is_waiting(self) -> bool:
        """Whether an episode waits to be played again."""
        return self._waiting is not None

    def await_turn(self, played: Played) -> None:
        """Keep the episode, to be played again when another one has come between."""
        self._waiting = played

    def replay_last(self) -> Iterator[tuple[Played, Violation | HarnessBroken]]:
        """Play the episode again that waits, if there is one; gives it with the difference, or with what broke."""
        played, self._waiting = self._waiting, None
        if played and _came_back(played.evidence):
            self._watch.begin_row(played.bug_report.row.title, again=True)
            for violation in self._play_again(played):
                yield played, violation
            if damage := self._watch.find_damage():
                yield played, HarnessBroken(damage)

    def _play_again(self, played: Played) -> Iterator[Violation | HarnessBroken]:
        evidence = played.evidence
        try:
            with expecting_exceptions(*self._watch.spared):
                session = play_session(self._subject, evidence.episode)
        except HarnessBroken as error:
            yield error
        else:
            yield from find_replay_difference(replace(evidence, replayed=session.read_record()))
            self._watch_later(Watched(played, session.read_record))


def _came_back(evidence: Evidence) -> bool:
    """Tell whether the harness held out the first time; if not, that has been told already."""
    return len(evidence.record.outcomes) == sum(i.outcome_count for i in evidence.episode.case.invocations)


@dataclass(frozen=True)
class Watched:
    """An episode as it was judged, and what the journal of one of its plays says now."""

    played: Played
    record: Callable[[], Record]


class Afterwards:
    """Reads the journals of judged episodes once more, before their lanes are closed."""

    def __init__(self) -> None:
        self._watched: deque[Watched] = deque()
        #: Of which something late has been told: that of the other play says nothing more.
        self._late: list[Evidence] = []

    def watch_episode(self, watched: Watched) -> Iterator[tuple[Played, Violation | HarnessBroken]]:
        """Watch an episode; gives what became of one that needn't be watched any longer."""
        self._watched.append(watched)
        if len(self._watched) > _WATCHED:
            yield from self._find_late_events(self._watched.popleft())

    def check_remaining(self) -> Iterator[tuple[Played, Violation | HarnessBroken]]:
        """Yield what became of those that are still watched."""
        while self._watched:
            yield from self._find_late_events(self._watched.popleft())

    def _find_late_events(self, watched: Watched) -> Iterator[tuple[Played, Violation | HarnessBroken]]:
        """Yield what came since: the first thing that is late, unless one was before, and what the harness did."""
        judged, now = watched.played.evidence, watched.record()
        evidence = replace(judged, record=now)
        played = replace(watched.played, evidence=evidence)
        if not any(judged is told for told in self._late) and not any(_find_late_activity(judged)):
            for violation in list(_find_late_activity(evidence))[:1]:
                self._late.append(judged)
                yield played, violation
        if now.breach:
            yield played, HarnessBroken(now.breach)


def _find_late_activity(evidence: Evidence) -> Iterator[Violation]:
    for scene in evidence.scenes:
        yield from find_late_activity(scene)


def make_spoilt_result(played: Played, error: HarnessBroken, sentence: str) -> ScenarioResult:
    """Return the result of a row judged before its harness broke; the error came out of that sentence."""
    own = played.bug_report.row.requirement_id
    bug_report = replace(played.bug_report, requirement_id=own, sentence=sentence)
    return bug_report.make_result(Verdict.ERROR, error, [(played.evidence.episode, played.evidence.record)])
