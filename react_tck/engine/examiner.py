"""What becomes of a row when its steps have ended: a verdict, what the judges see, and another play of its episodes."""

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from react_tck.catalogue.features import ScenarioRow
from react_tck.catalogue.manifests import manifest_of
from react_tck.catalogue.selection import Selection
from react_tck.catalogue.step_definitions import find_first_needs
from react_tck.engine.replay import Afterwards, Played, Replayer, Watched, make_spoilt_result
from react_tck.engine.varied import describe_difference, list_failed, reduce_combination
from react_tck.files import CannotWrite
from react_tck.judges.choices.declared import observe_beside, observe_evidence
from react_tck.judges.determinism import DETERMINISM
from react_tck.judges.isolation import LASTING, LATE
from react_tck.judges.table import JUDGES, MANIFEST, ORACLE, Account
from react_tck.judges.verdict import Unsupported, Untestable, Violation, check
from react_tck.model.episode import Episode
from react_tck.model.intent import Fault
from react_tck.model.record import Record
from react_tck.model.report import ScenarioResult, Verdict
from react_tck.play.episode_log import EpisodeWriter
from react_tck.play.left_over import LeftOverThread, await_lasting_threads, describe_threads
from react_tck.record.evidence import Evidence
from react_tck.results.books import UNVARIED_FAILS, Watch, leave_out_variation
from react_tck.results.bug_report import BugReport
from react_tck.results.ledger import Results
from react_tck.steps.world import World
from react_tck.subjects.api import HarnessBroken, Separate, Subject, expecting_exceptions
from react_tck.variations.change import Combination, Unvaried

#: What a scenario's steps raise, and the verdict it stands for; anything else is a bug of the kit.
_VERDICTS: Mapping[type[BaseException], Verdict] = {
    AssertionError: Verdict.FAILED,
    Unsupported: Verdict.UNSUPPORTED,
    Untestable: Verdict.UNTESTABLE,
    HarnessBroken: Verdict.ERROR,
    Unvaried: Verdict.NOT_SELECTED,
}
#: What nobody is asked, and no bug report is written of.
_NOT_PLAYED = (Verdict.UNSUPPORTED, Verdict.NOT_SELECTED)

#: What is asked only where the LM failed as a provider does.
_AFTER_A_FAULT = frozenset({"ERR-012", "ERR-025", "ERR-026", "ERR-027"})


@dataclass
class Examiner:
    """Examines the rows of one run against one subject, in the order in which they are played."""

    subject: Subject
    subject_name: str
    selection: Selection
    seed: int
    watch: Watch
    keeper: EpisodeWriter | None = None
    #: Whether the rows that the selection says are played again (SAN-009).
    replays: bool = True
    #: Whether the records of all rows are among the results, rather than of those in which something is wrong.
    keeps_records: bool = False
    #: The threads that the subject left before the first row.
    left_at_start: Sequence[LeftOverThread] = ()

    def __post_init__(self) -> None:
        self._results = Results()
        self._replayer = Replayer(self.subject, self.watch, self._watch_later)
        self._afterwards = Afterwards()
        self._world: World | None = None
        #: Where the row that is played parts from that without its variation, once that was played.
        self._difference: str | None = None
        #: The variations that the row is played under now, where they are fewer than its own; what came of that.
        self._under: Combination | None = None
        self._held: Results | None = None
        #: The latest row that was played as it is: its title, how it ended, and what judges found violated in it.
        self._unvaried: tuple[str, Verdict, frozenset[str]] = ("", Verdict.PASSED, frozenset())

    def begin_row(self, row: ScenarioRow) -> None:
        """Note which row is played now."""
        self._world, self._difference = None, None
        self._threads_before = frozenset(threading.enumerate())
        self.watch.begin_row(row.title)

    def leaves_out(self, row: ScenarioRow) -> bool:
        """Tell whether the row is one under a variation that isn't played against this subject; its end is entered."""
        if row.variation is None:
            return False
        title, verdict, _ = self._unvaried
        fails = title == row.row.title and verdict is not Verdict.PASSED
        why = UNVARIED_FAILS if fails else row.variation.find_lack(self.subject.initialize())
        if why:
            found = Results()
            found.add_result(row.requirement_id, leave_out_variation(row, why))
            self.watch.end_row(row.title, found)
        return bool(why)

    def make_world(self, row: ScenarioRow) -> World:
        """Return the world of the row that is played.

        Raises:
            HarnessBroken: if the subject can't say who it is, or says what can't be meant.
            Unsupported: if the row is about a specification that it doesn't claim, or what its harness can't judge, or
                what is asked first is about something that it doesn't declare.
        """
        try:
            with expecting_exceptions(*self.watch.spared):
                manifest_of(self.subject)
                case_id = f"{row.requirement_id}/{row.title}"
                self._world = World(self.subject, self.subject_name, self.seed, case_id, self._under or row.variation)
        except HarnessBroken:
            raise
        except Exception as error:
            raise HarnessBroken(f"initializing raised {type(error).__name__}: {error}") from error
        if why := self._world.manifest.find_exemption(self.selection.registry.by_id[row.requirement_id], row.row.title):
            raise Unsupported(why)
        self._world.needs(*find_first_needs(row))
        return self._world

    def check_requests(self) -> None:
        """See that the LM was asked only for what the script holds: that stands even if the subject swallowed it.

        Raises:
            Violation: if it was asked for something else.
        """
        for _, record in self._world.plays() if self._world else ():
            for asked in record.requests:
                expected = "the LM is asked only for what the script holds"
                check(asked.refusal is None, expected, str(asked.refusal), asked)

    def end_row(self, row: ScenarioRow, error: Exception | None, sentence: str) -> None:
        """Enter how the row ended, and what the judges see in it; the error came out of that sentence."""
        error = self._find_damage(self._find_gap(row, error))
        lasting = [*self.left_at_start, *await_lasting_threads(self._threads_before)]
        verdict = _verdict_of(error)
        self._enter_end(row, verdict, error, sentence)
        try:
            if self._world:
                self._enter_lasting_threads(row, self._world, lasting)
                self._examine_episodes(row, self._world, is_supported=verdict not in _NOT_PLAYED)
        except Exception as mistake:  # whatever it is: the world is examined by the kit alone
            self._blame_kit(row, mistake)
        found, self._results = self._results, Results()
        if row.variation is None:
            self._unvaried = (row.title, verdict, frozenset({*found.violations, *found.departures}))
        if self._under or (self._may_be_reduced and list_failed(found)):
            self._held = found
        else:
            self.watch.end_row(row.title, found)

    def reduce_failure(self, row: ScenarioRow, play_row: Callable[[], None]) -> None:
        """Enter a failure under several variations at once, played again under those of them alone that it takes."""
        held, self._held = self._held, None
        if held is None or self._world is None or self._world.variation is None:
            return
        shown = {combination.parts: found for combination, found in [(self._world.variation, held)]}

        def fails(fewer: Combination) -> bool:
            self.begin_row(row)
            self._under = fewer
            play_row()
            self._under, found, self._held = None, self._held, None
            if found and not self.watch.is_damaged and list_failed(held) & list_failed(found):
                shown[fewer.parts] = found
            return fewer.parts in shown

        self.watch.end_row(row.title, shown[reduce_combination(self._world.variation, fails).parts])

    @property
    def _may_be_reduced(self) -> bool:
        played = self._world.variation if self._world else None
        return played is not None and len(played.parts) > 1 and not self.watch.is_damaged

    def close(self) -> None:
        """Play the last episode again, which still waits for it, and look once more at what came after the outcomes."""
        if not self.watch.is_damaged:
            self._enter_later(self._replayer.replay_last(), "the case is played again")
        if isinstance(self.subject, Separate):
            self.subject.await_unasked()
        self._enter_later(self._afterwards.check_remaining(), "the call has come back")

    def _find_gap(self, row: ScenarioRow, error: Exception | None) -> Exception | None:
        """Leave to other requirements what goes wrong where the provider was to fail, and wasn't asked before."""
        plays = self._world.plays() if self._world else ()
        was_served = any(isinstance(asked.intent, Fault) for _, record in plays for asked in record.requests)
        if isinstance(error, AssertionError | None) and row.requirement_id in _AFTER_A_FAULT and not was_served:
            return Unsupported("the LM wasn't asked where it was to fail")
        return error

    def _find_damage(self, error: Exception | None) -> Exception | None:
        """Return what the subject did to the process explains whatever came of it."""
        damage = self.watch.find_damage(error)
        if not damage:
            return error
        return HarnessBroken(f"{damage}\nbesides, {type(error).__name__}: {error}" if error else damage)

    def _blame_kit(self, row: ScenarioRow, error: Exception) -> None:
        self._results.kit_errors.append(f"{row.title}: {type(error).__name__}: {error}")

    def _enter_end(self, row: ScenarioRow, verdict: Verdict, error: Exception | None, sentence: str) -> None:
        bug_report = self._bug_report(row, row.requirement_id, sentence)
        result = ScenarioResult(
            title=row.title, verdict=verdict, variation=bug_report.variation, message=str(error or "")
        )
        if error and verdict not in (*_NOT_PLAYED, Verdict.UNTESTABLE):
            if not isinstance(error, tuple(_VERDICTS)):
                self._blame_kit(row, error)
            plays = list(self._world.plays()) if self._world else []
            # Sentences see what they tell; the oracle sees what was played.
            played = list(self._world.list_examined()) if self._world and self._world.variation else plays
            departure = next(_find_departures(self.subject, played), None)
            bug_report = replace(bug_report, difference=self._describe_difference())
            result = bug_report.make_result(verdict, error, played if departure else plays, departure)
            result = result.model_copy(update={"moment": self._find_moment(error)})
        self._results.add_result(row.requirement_id, result)

    def _examine_episodes(self, row: ScenarioRow, world: World, *, is_supported: bool) -> None:
        """Let the judges see every episode of the scenario, and play it again."""
        plays = list(world.list_examined())
        judged: list[Evidence] = []
        self._results.episodes += len(plays)
        for number, (episode, record) in enumerate(plays, 1):
            self._write_episode(episode, record, number)
            evidence = Evidence(episode, world.manifest, record)
            judged.append(evidence)
            # What a subject does with what it doesn't support is no choice of its own.
            if is_supported:
                self._results.add_variants(observe_evidence(evidence), *observe_beside(evidence))
            self._judge_evidence(row, evidence, is_supported=is_supported)
            if self.replays and not self.watch.is_damaged:
                self._replay_previous(row)
                if row.title in self.selection.replayed_rows:
                    self._replayer.await_turn(Played(self._bug_report(row, DETERMINISM, ""), evidence))
        self._results.varies = world.manifest.varies
        self._results.unseen = (LASTING,) if isinstance(self.subject, Separate) else ()
        self._results.keep_records(row.title, (record for _, record in plays), is_wanted=self.keeps_records)
        for number, evidence in enumerate(judged):
            self._watch_episode(Played(self._bug_report(row, LATE, ""), evidence), world, number)

    def _enter_lasting_threads(self, row: ScenarioRow, world: World, found: Sequence[LeftOverThread]) -> None:
        """Report threads that last: a program that used the agent would wait for them, and never end."""
        plays = list(world.list_examined())
        if found and plays and not self._is_unvaried_too(row, LASTING):
            violation = Violation("no thread is left that keeps the process alive", describe_threads(found))
            episode, record = plays[-1]
            evidence, bug_report = Evidence(episode, world.manifest, record), self._bug_report(row, LASTING, "")
            self._enter_violation(self._results, "sanitizers", bug_report, violation, evidence)

    def _judge_evidence(self, row: ScenarioRow, evidence: Evidence, *, is_supported: bool) -> None:
        for judge in JUDGES:
            if not is_supported and judge is MANIFEST:
                continue
            for violation in judge.find_violations(evidence):
                # An error before anything was due is the scenario's own affair, if it asks anything of the subject.
                if is_supported or violation.requirement_id:
                    id_ = self.selection.registry.whole_of(violation.requirement_id or row.requirement_id)
                    if self._is_unvaried_too(row, id_):
                        continue
                    bug_report = replace(self._bug_report(row, id_, ""), difference=self._describe_difference())
                    self._enter_violation(self._results, judge.account, bug_report, violation, evidence)

    def _is_unvaried_too(self, row: ScenarioRow, requirement_id: str) -> bool:
        """Tell whether judges found that in the row without its variation, too: then the variation shows nothing."""
        title, _, violated = self._unvaried
        return row.variation is not None and title == row.row.title and requirement_id in violated

    def _watch_episode(self, played: Played, world: World, number: int) -> None:
        self._watch_later(Watched(played, lambda: list(world.list_examined())[number][1]))

    def _watch_later(self, watched: Watched) -> None:
        late = replace(watched.played, bug_report=replace(watched.played.bug_report, requirement_id=LATE))
        self._enter_later(self._afterwards.watch_episode(replace(watched, played=late)), "the call has come back")

    def _write_episode(self, episode: Episode, record: Record, number: int) -> None:
        try:
            if self.keeper:
                self.keeper.write_episode(episode, record, number)
        except CannotWrite as error:
            self._results.unwritten.append(str(error))

    def _replay_previous(self, row: ScenarioRow) -> None:
        """Play the episode again that was to be, now that another one has come between."""
        if self._replayer.is_waiting:
            self._enter_later(self._replayer.replay_last(), "the case is played again")
            self.watch.begin_row(row.title)

    def _enter_later(self, found: Iterable[tuple[Played, Violation | HarnessBroken]], sentence: str) -> None:
        """Enter a record that changed later, or a harness that broke, which says nothing of the record."""
        for played, error in found:
            later, bug_report = Results(), played.bug_report
            if isinstance(error, Violation):
                self._enter_violation(later, "sanitizers", bug_report, error, played.evidence)
            else:
                later.add_spoiled(bug_report.row.requirement_id, make_spoilt_result(played, error, sentence))
            self.watch.end_row(bug_report.row.title, later, again=True)

    def _enter_violation(
        self, results: Results, account: Account, bug_report: BugReport, violation: Violation, evidence: Evidence
    ) -> None:
        requirement = self.selection.registry.by_id.get(bug_report.requirement_id)
        if requirement is not None and not evidence.manifest.find_exemption(requirement):
            result = bug_report.make_result(Verdict.FAILED, violation, [(evidence.episode, evidence.record)])
            result = result.model_copy(update={"moment": self._find_moment(violation)})
            results.add_violation(account, bug_report.requirement_id, result)

    def _find_moment(self, error: BaseException) -> int | None:
        """Return how many events of the row come before that in which it is seen."""
        if not isinstance(error, Violation) or not self._world:
            return None
        events = chain.from_iterable(record.events for _, record in self._world.plays())
        return next((number for number, event in enumerate(events) if event is error.at), None)

    def _bug_report(self, row: ScenarioRow, requirement_id: str, sentence: str) -> BugReport:
        how = (self.subject_name, self.seed, self.selection, self._world.manifest if self._world else None)
        played = self._world.variation if self._world else None
        return BugReport(row, requirement_id, sentence, *how, variation=played.name if played else row.variation_name)

    def _describe_difference(self) -> str:
        if self._difference is None:
            with expecting_exceptions(*self.watch.spared):
                self._difference = describe_difference(self.subject, self._world) if self._world else ""
        return self._difference


def _find_departures(subject: Subject, plays: Iterable[tuple[Episode, Record]]) -> Iterator[Violation]:
    """Yield what the oracle would have seen otherwise."""
    for episode, record in plays:
        yield from ORACLE.find_violations(Evidence(episode, subject.initialize(), record))


def _verdict_of(error: Exception | None) -> Verdict:
    if error is None:
        return Verdict.PASSED
    return next((verdict for kind, verdict in _VERDICTS.items() if isinstance(error, kind)), Verdict.ERROR)
