"""Fuzzes a parser: round trips of odd fields, texts near the grammar, and the difference to our own parser.

The texts are cut into shards, which workers show the parser; what is found is the same whoever the workers are.
"""

from collections.abc import Callable, Sequence

from react_tck.fuzz.parser.differential import ParserFinding
from react_tck.fuzz.parser.shards import (
    BEAT,
    Found,
    TextSearchSettings,
    ToShorten,
    ToShow,
    introduce_parser,
    merge_finding,
    require_parser,
    shorten_finding,
    show_texts,
    yield_findings,
)
from react_tck.fuzz.shards import Budget, Source
from react_tck.model.manifest import Manifest
from react_tck.play.parsing.texts import Schemas
from react_tck.processes.workers.workers import Serial, TaskSilent, Workers, ignore_beat
from react_tck.subjects.api import HarnessBroken

#: Told how many examples have been shown, and how many classes of differences were found.
Progress = Callable[[int, int], None]


class ParserCampaign:
    """One search. The same seed shows the same texts."""

    def __init__(
        self,
        source: Source,
        budget: Budget,
        *,
        manifest: Manifest | None = None,
        schemas: Schemas | None = None,
        workers: Workers | None = None,
        progress: Progress = lambda _, __: None,
    ) -> None:
        self._budget = budget
        self._workers: Workers = workers or Serial()
        self._progress = progress
        until = None if budget.seconds is None else budget.begun + budget.seconds
        self._settings = TextSearchSettings(source, manifest or introduce_parser(source, ignore_beat), schemas, until)
        #: How many examples were shown.
        self.shown = 0
        #: Whether somebody pressed Ctrl-C.
        self.is_interrupted = False

    def find_differences(self) -> Sequence[ParserFinding]:
        """All classes of differences, those that break a requirement first, each with a text as short as it gets.

        Raises:
            HarnessBroken: if the parser hangs.
            WorkersLost: if the workers are lost.
        """
        found: Found = {}
        try:
            self._search_texts(found)
        except KeyboardInterrupt:
            self.is_interrupted = True
        kept = sorted(found.values(), key=lambda f: (f.sort, f.dialect, f.kind))
        return kept if self.is_interrupted else self._shorten_findings(kept)

    def find_first(self) -> tuple[int, str] | None:
        """Return the first example that breaks a requirement, counted from 1, and that requirement."""
        with self._settings.source.open_subject() as subject:
            for shard in self._budget.yield_shards():
                for number, findings in enumerate(
                    yield_findings(self._settings, require_parser(subject), shard), shard.start + 1
                ):
                    for finding in findings:
                        if finding.sort == "broken" and finding.requirement_id:
                            return number, finding.requirement_id
        return None

    def _search_texts(self, found: Found) -> None:
        tasks = (ToShow(self._settings, shard) for shard in self._budget.yield_shards())
        try:
            for shown in self._workers.map(show_texts, tasks):
                for finding in shown.found.values():
                    merge_finding(found, finding)
                self.shown += shown.examples
                self._progress(self.shown, len(found))
        except TaskSilent as error:
            first = self.shown + max(0, error.beats - 1) * BEAT + 1
            said = (
                f"one of the texts {first} to {first + BEAT - 1} hasn't been read in {error.seconds:g} seconds, twice"
            )
            raise HarnessBroken(f"the parser hangs: {said}") from error

    def _shorten_findings(self, found: Sequence[ParserFinding]) -> Sequence[ParserFinding]:
        shortened = list(found)
        tasks = (ToShorten(self._settings, finding) for finding in found)
        try:
            for number, finding in enumerate(self._workers.map(shorten_finding, tasks)):
                shortened[number] = finding
        except KeyboardInterrupt:
            self.is_interrupted = True
        return shortened
