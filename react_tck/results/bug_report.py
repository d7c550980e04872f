"""A failure as a bug report: what is demanded and where, what was seen, the transcript, and how to see it again."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from react_tck.catalogue.features import ScenarioRow
from react_tck.catalogue.selection import Selection
from react_tck.judges.verdict import ScriptWrong, Violation
from react_tck.model.base import without_addresses
from react_tck.model.episode import Episode
from react_tck.model.manifest import Manifest
from react_tck.model.record import Event, Record
from react_tck.model.report import Beat, Course, ScenarioResult, Verdict
from react_tck.record.course import draw_course, find_lane
from react_tck.record.transcript import write_transcript
from react_tck.subjects.api import HarnessBroken

#: Characters of a fault at the most.
_LINE = 160
#: With fewer words, what was seen tells nothing without what was due.
_WORDS = 5


def quote_subject(name: str) -> str:
    """Return a subject's name for a command line; a harness's command is quoted already, word by word."""
    return name if name.startswith("-- ") else shlex.quote(name)


@dataclass(frozen=True)
class BugReport:
    """What a report says whatever went wrong: the scenario, the requirement, the sentence that failed, and the run."""

    row: ScenarioRow
    requirement_id: str
    sentence: str
    subject_name: str
    seed: int
    #: What the run is about.
    selection: Selection = field(default_factory=Selection)
    #: Of the subject: what binds it follows from that. None where it couldn't be had.
    manifest: Manifest | None = None
    #: The variations that the row was played under, by name.
    variation: str = ""
    #: What they changed, and where the play parts from that without it.
    difference: str = ""

    def render_text(
        self, error: BaseException, plays: Sequence[tuple[Episode, Record]], departure: Violation | None = None
    ) -> str:
        """Return the report, for people; `departure` is what the oracle would have seen otherwise."""
        if isinstance(error, ScriptWrong):  # nothing is held against a requirement
            return "\n\n".join([str(error), *self._write_transcripts(error, plays), f"reproduce: {self.command}"])
        registry = self.selection.registry_for(self.manifest) if self.manifest else self.selection.registry
        requirement = registry.by_id[self.requirement_id]
        paragraphs = [
            f"{requirement.label}: {requirement.plain_sentence}",
            f"scenario: {self.row.title}\n  {self._place}\nat: {self.sentence}" if self.sentence else self._place,
            _describe_error(error),
            *([f"the oracle: {departure.actual}"] if departure else []),
            *([self.difference] if self.difference else []),
            *self._write_transcripts(error, plays),
        ]
        # A report is the same bytes from run to run; the command is the user's own.
        return "\n\n".join([*map(without_addresses, paragraphs), f"reproduce: {self.command}"])

    def make_result(
        self,
        verdict: Verdict,
        error: BaseException,
        plays: Sequence[tuple[Episode, Record]] = (),
        departure: Violation | None = None,
    ) -> ScenarioResult:
        """Return the end that the row came to with that error; `departure` is what the oracle saw besides."""
        return ScenarioResult(
            title=self.row.title,
            verdict=verdict,
            variation=self.variation,
            message=self.render_text(error, plays, departure),
            kind=getattr(error, "kind", ""),
            fault=self.describe_fault(error),
            actual=_describe_actual(error),
            reproduce=self.command,
            course=_draw_failure(departure or error, plays),
        )

    @property
    def _place(self) -> str:
        scenario = self.row.scenario
        own = self.selection.features
        file = scenario.path if own else Path("features", scenario.path.parent.name, scenario.path.name)
        return f"{file}:{scenario.line}"

    @property
    def command(self) -> str:
        """What shows the failure again: the row alone, against the same subject."""
        seed = ["--seed", str(self.seed)] if self.seed else []
        selected = self.selection.narrow_to_row(self.row).as_arguments()
        own = shlex.join(["react-tck", "run", *selected, *seed])
        return f"{own} {quote_subject(self.subject_name)}"

    def describe_fault(self, error: BaseException) -> str:
        """Return what is wrong, in a line that is the same from run to run: how it departs, or what it should do.

        Of a harness that broke it is how it did, wherever that was.
        """
        kind, expected = (error.kind, error.expected) if isinstance(error, Violation) else ("", str(error))
        kind = kind or (str(error) if isinstance(error, HarnessBroken | ScriptWrong) else "")
        return " ".join((kind or self.sentence or expected).split())[:_LINE]

    def _write_transcripts(self, error: BaseException, plays: Sequence[tuple[Episode, Record]]) -> list[str]:
        at = error.at if isinstance(error, Violation) else None
        return [write_transcript(*play, at) for play in _select_plays(at, plays)]


def _describe_actual(error: BaseException) -> str:
    """Say what was seen, in a line, and what was due where that is but a word or two."""
    seen = error.actual if isinstance(error, Violation) else str(error)
    if isinstance(error, Violation) and len(seen.split()) < _WORDS:
        seen = f"{seen}; due: {error.expected}"
    return " ".join(without_addresses(seen).split())[:_LINE]


def _select_plays(at: Event | None, plays: Sequence[tuple[Episode, Record]]) -> Sequence[tuple[Episode, Record]]:
    """Those that hold the event; else the last is the one the failing sentence looks at."""
    holding = [play for play in plays if at is not None and any(e is at for e in play[1].events)]
    return holding or plays[-1:]


def _draw_failure(error: BaseException, plays: Sequence[tuple[Episode, Record]]) -> Course | None:
    """Return the episode that it is seen in; what the requirement demands is due where the oracle knows no better."""
    if not isinstance(error, Violation) or not plays:
        return None
    due = error.due or (Beat(lane=find_lane(error.at) if error.at else "agent", does=error.expected),)
    return draw_course(*_select_plays(error.at, plays)[0], error.at, due)


def _describe_error(error: BaseException) -> str:
    if isinstance(error, Violation):
        return str(error)
    return f"{type(error).__name__}: {error}"
