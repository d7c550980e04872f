"""Runs the suite against a subject and gives the report."""

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path

import react_tck
from react_tck.catalogue.linter import check_own_features
from react_tck.catalogue.manifests import manifest_of
from react_tck.catalogue.registry import load_registry
from react_tck.catalogue.selection import Selection
from react_tck.engine.examiner import Examiner
from react_tck.engine.session import CollectedRows, collect_rows
from react_tck.model.manifest import Manifest
from react_tck.model.report import KitInfo, Report, SubjectInfo
from react_tck.model.requirement import FIRST_WITH_BASIS
from react_tck.play.episode_log import EpisodeWriter
from react_tck.play.left_over import LeftOverThread
from react_tck.results.books import Books, Listener, Unheard, Watch
from react_tck.results.causes import explain_symptoms
from react_tck.results.exit_status import verdicts_of
from react_tck.results.ledger import Results
from react_tck.subjects.api import Subject


class KitBroken(Exception):
    """The kit itself failed: a feature that can't be read, a step without definition, an unbalanced ledger."""


@dataclass(frozen=True)
class Run:
    """What is to be run, in this process."""

    subject: Subject
    subject_name: str
    selection: Selection = field(default_factory=Selection)
    seed: int = 0
    #: Where to keep the episodes, if anywhere.
    transcripts: Path | None = None
    #: Whether rows are played again (SAN-009); not when a person plays the harness.
    replays: bool = True
    #: Whether the records of all rows are among the results, rather than of those in which something is wrong.
    keeps_records: bool = False
    #: The threads that the subject left as it was imported and made.
    left_at_start: Sequence[LeftOverThread] = ()

    def report(self, listener: Listener) -> Report:
        """Run it; raises what `collect_results` raises."""
        return self.run_with_results(listener)[0]

    def run_with_results(self, listener: Listener) -> tuple[Report, Results]:
        """Run it; gives what the report is made of, too. Raises what `collect_results` raises."""
        results = self.collect_results(listener)
        return report_of(results, self.subject.initialize(), self.selection, self.seed), results

    def play_again(self, rows: Iterable[str]) -> Results:
        """Play these rows once more, each alone, as far as that can be had in this process."""
        books = Books(self.selection, Unheard())
        alone = replace(self, transcripts=None, keeps_records=True)
        wanted = list(rows)

        def play_each(collected: CollectedRows) -> None:
            for row in wanted:
                alone.play_rows(collected, [row], books)

        collect_rows([books.owed[row] for row in wanted], play_each)
        return books.close_books()

    def collect_results(self, listener: Listener) -> Results:
        """Run it; what went wrong in the kit itself is among the results.

        Raises:
            NothingSelected: if no scenario is selected.
            FeatureError: if a feature file can't be read.
            HarnessBroken: if the subject can't even say who it is.
            KitBroken: if a scenario belongs to no requirement.
            OwnFeaturesWrong: if somebody's own features can't be played as they are.
        """
        check_features(self.selection)
        books = Books(self.selection, listener)
        manifest_of(self.subject)
        collect_rows(books.owed.values(), lambda collected: self.play_rows(collected, books.owed, books))
        return books.close_books()

    def play_rows(self, collected: CollectedRows, rows: Iterable[str], watch: Watch) -> None:
        """Play these of the collected rows under that watch."""
        keeper = EpisodeWriter(self.transcripts) if self.transcripts else None
        how = (keeper, self.replays, self.keeps_records, self.left_at_start)
        examiner = Examiner(self.subject, self.subject_name, self.selection, self.seed, watch, *how)
        with nullcontext() if watch.is_overheard else _silence_subject():
            collected.play_rows(rows, examiner)


def report_of(results: Results, manifest: Manifest, selection: Selection, seed: int) -> Report:
    """Return the report of what has ended."""
    registry = selection.registry_for(manifest)
    ledger = results.make_ledger()
    told_with = {row.id: row.told_with for row in registry.requirements}
    found = explain_symptoms(tuple(results.list_symptoms(registry)), told_with)
    has_claims = registry.revision >= FIRST_WITH_BASIS
    report = Report(
        subject=SubjectInfo(name=manifest.name, version=manifest.version),
        kit=KitInfo(version=react_tck.__version__),
        seed=seed,
        profile=selection.profile,
        is_whole_profile=selection.is_whole_profile,
        features=None if selection.features is None else str(selection.features),
        revision=registry.revision,
        claims=manifest.claimed_specifications if has_claims else (),
        without=manifest.lacking_predictors if has_claims else (),
        deviations=manifest.deviations,
        varies=manifest.varies,
        ledger=ledger,
        causes=found.causes,
        requirements=tuple(results.judge_requirements(selection, manifest, found.blockers)),
        declared=dict(sorted(manifest.choices.items())),
        choices=results.observed_choices,
        kit_errors=tuple(results.kit_errors),
        unwritten=tuple(results.unwritten),
    )
    return report.model_copy(update={"verdicts": verdicts_of(report)})


def check_features(selection: Selection) -> None:
    """Hold the features against the registry, as far as a run needs it; somebody's own, against all that is asked.

    Raises:
        FeatureError: if a feature file can't be read.
        KitBroken: if a scenario of the kit's belongs to no requirement.
        OwnFeaturesWrong: if somebody's own features can't be played as they are.
    """
    if selection.features:
        check_own_features(selection.features)
        return
    known = load_registry().by_id
    for scenario in selection.scenarios:
        if scenario.requirement_id not in known:
            place = f"{scenario.path}:{scenario.line}"
            raise KitBroken(f"{place}: the scenario is bound to no requirement of the registry; tag it with an id")


@contextmanager
def _silence_subject() -> Iterator[None]:
    """Let what a subject prints go nowhere, and leave it nothing to read."""
    streams = sys.stdin, sys.stdout, sys.stderr
    with Path(os.devnull).open(encoding="utf-8") as empty, Path(os.devnull).open("w", encoding="utf-8") as sink:
        sys.stdin, sys.stdout, sys.stderr = empty, sink, sink
        try:
            yield
        finally:
            sys.stdin, sys.stdout, sys.stderr = streams
