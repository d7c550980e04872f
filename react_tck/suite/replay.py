"""SAN-009: plays each episode of a run again, after the next one."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from react_tck.judges.determinism import changed
from react_tck.judges.verdict import Violation
from react_tck.play.session import play
from react_tck.record.evidence import Evidence
from react_tck.subjects.api import HarnessBroken, Subject
from react_tck.suite.bug_report import BugReport


@dataclass(frozen=True)
class Played:
    """An episode as it was played, and what a difference would be reported in."""

    bug_report: BugReport
    evidence: Evidence


class Replayer:
    """Plays each episode again after the next one, and compares the records."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._waiting: Played | None = None

    def after(self, played: Played) -> Iterator[tuple[Played, Violation | HarnessBroken]]:
        """Play the episode before this one again; gives it, with the difference, or with what came in between."""
        yield from self.last()
        self._waiting = played

    def last(self) -> Iterator[tuple[Played, Violation | HarnessBroken]]:
        """Play the episode again that is still waiting, if there is one."""
        played, self._waiting = self._waiting, None
        if played and _came_back(played.evidence):
            for violation in self._again(played.evidence):
                yield played, violation

    def _again(self, evidence: Evidence) -> Iterator[Violation | HarnessBroken]:
        try:
            replayed = replace(evidence, replayed=play(self._subject, evidence.episode))
        except HarnessBroken as error:
            yield error
        else:
            yield from changed(replayed)


def _came_back(evidence: Evidence) -> bool:
    """Whether the harness held out the first time; if not, that has been told already."""
    return len(evidence.record.outcomes) == sum(i.outcomes for i in evidence.episode.case.invocations)
