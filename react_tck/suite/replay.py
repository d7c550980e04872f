"""SAN-009: plays each episode of a run again, after the next one."""

from collections.abc import Iterator
from dataclasses import dataclass

from react_tck.judges.determinism import difference
from react_tck.judges.verdict import Violation
from react_tck.model.episode import Episode
from react_tck.model.record import Record
from react_tck.play.session import play
from react_tck.subjects.api import HarnessBroken, Subject
from react_tck.suite.bug_report import BugReport


@dataclass(frozen=True)
class Played:
    """An episode and its record, and where a difference would have been found."""

    finding: BugReport
    episode: Episode
    record: Record


class Replayer:
    """Plays each episode again after the next one, and compares the records."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._waiting: Played | None = None

    def after(self, played: Played) -> Iterator[tuple[Played, Violation]]:
        """Play the episode before this one again; gives it, with the difference, if its record changed."""
        yield from self.last()
        self._waiting = played

    def last(self) -> Iterator[tuple[Played, Violation]]:
        """Play the episode again that is still waiting, if there is one."""
        played, self._waiting = self._waiting, None
        if played and _came_back(played) and (violation := self._again(played)):
            yield played, violation

    def _again(self, played: Played) -> Violation | None:
        try:
            return difference(played.record, play(self._subject, played.episode))
        except HarnessBroken as error:
            return Violation("the case can be played again", str(error))


def _came_back(played: Played) -> bool:
    """Whether the harness held out the first time; if not, that has been told already."""
    return len(played.record.outcomes) == sum(i.outcomes for i in played.episode.case.invocations)
