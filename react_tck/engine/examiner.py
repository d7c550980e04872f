"""Examines rows: of each its end, what judges find violated in it, and another play of its episodes."""

import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from react_tck.catalogue.features import ScenarioRow
from react_tck.catalogue.manifests import manifest_of
from react_tck.catalogue.selection import Selection
from react_tck.catalogue.sentences import find_first_needs
from react_tck.engine.judging import PlayedRow, describe_violation, find_verdict, is_kit_bug, is_played, judge_row
from react_tck.engine.replay import Afterwards, Played, Replayer, Watched, make_spoilt_result
from react_tck.engine.varied import list_failed, reduce_combination
from react_tck.files import CannotWrite
from react_tck.judges.choices.declared import observe_beside, observe_evidence
from react_tck.judges.determinism import DETERMINISM
from react_tck.judges.in_play import find_tested_sanitizers
from react_tck.judges.sanitizers import LASTING, LATE
from react_tck.judges.verdict import Unsupported, Violation, check
from react_tck.model.episode import Episode
from react_tck.model.record import Record
from react_tck.model.report import ScenarioResult, Verdict
from react_tck.play.episode_log import EpisodeWriter
from react_tck.play.left_over import LeftOverThread, await_lasting_threads
from react_tck.record.evidence import Evidence
from react_tck.results.books import UNVARIED_FAILS, Watch, leave_out_variation
from react_tck.results.ledger import Results
from react_tck.steps.world import World
from react_tck.subjects.api import HarnessBroken, Separate, Subject, expecting_exceptions
from react_tck.variations.change import Combination


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
        #: The variations that the row is played under now, where they are fewer than its own; what came of that.
        self._under: Combination | None = None
        self._held: Results | None = None
        #: The latest row that was played as it is: its title, how it ended, and what judges found violated in it.
        self._unvaried: tuple[str, Verdict, frozenset[str]] = ("", Verdict.PASSED, frozenset())

    def begin_row(self, row: ScenarioRow) -> None:
        """Note which row is played now."""
        how = (self.subject, self.subject_name, self.selection, self.seed, self.watch.spared)
        self._played = PlayedRow(row, *how)
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
                world = World(self.subject, self.subject_name, self.seed, case_id, self._under or row.variation)
        except HarnessBroken:
            raise
        except Exception as error:
            raise HarnessBroken(f"initializing raised {type(error).__name__}: {error}") from error
        world.has_team_tools = row.scenario.is_own
        self._played.world = world
        if why := world.manifest.find_exemption(self.selection.registry.by_id[row.requirement_id], row.row.title):
            raise Unsupported(why)
        world.needs(*find_first_needs(row))
        return world

    def check_requests(self) -> None:
        """See that the LM was asked only for what the script holds: that stands even if the subject swallowed it.

        Raises:
            Violation: if it was asked for something else.
        """
        for _, record in self._played.plays:
            for asked in record.requests:
                expected = "the LM is asked only for what the script holds"
                check(asked.refusal is None, expected, str(asked.refusal), asked)
        self._played.check_left_over()

    def end_row(self, row: ScenarioRow, error: Exception | None, sentence: str) -> None:
        """Enter how the row ended, and what the judges see in it; the error came out of that sentence."""
        error = self._find_damage(self._played.find_gap(error))
        lasting = [*self.left_at_start, *await_lasting_threads(self._threads_before)]
        if is_kit_bug(error):
            self._blame_kit(row, error)
        verdict = find_verdict(error)
        try:
            end = judge_row(self._played, error, sentence, lasting, self._list_known(row))
            self._results.add_end(end)
            self._keep_observations(row, is_supported=is_played(verdict))
            self._play_others_again(row)
        except Exception as mistake:  # whatever it is: the world is examined by the kit alone
            self._blame_kit(row, mistake)
            if row.requirement_id not in self._results.scenarios:
                ended = ScenarioResult(title=row.title, verdict=verdict, message=str(error or ""))
                self._results.add_result(row.requirement_id, ended)
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
        variation = self._played.world.variation if self._played.world else None
        if held is None or variation is None:
            return
        shown = {combination.parts: found for combination, found in [(variation, held)]}

        def fails(fewer: Combination) -> bool:
            self.begin_row(row)
            self._under = fewer
            play_row()
            self._under, found, self._held = None, self._held, None
            if found and not self.watch.is_damaged and list_failed(held) & list_failed(found):
                shown[fewer.parts] = found
            return fewer.parts in shown

        self.watch.end_row(row.title, shown[reduce_combination(variation, fails).parts])

    @property
    def _may_be_reduced(self) -> bool:
        variation = self._played.world.variation if self._played.world else None
        return variation is not None and len(variation.parts) > 1 and not self.watch.is_damaged

    def close(self) -> None:
        """Play the last episode again, which still waits for it, and look once more at what came after the outcomes."""
        if not self.watch.is_damaged:
            self._enter_later(self._replayer.replay_last(), "the case is played again")
        if isinstance(self.subject, Separate):
            self.subject.await_unasked()
        self._enter_later(self._afterwards.check_remaining(), "the call has come back")

    def _find_damage(self, error: Exception | None) -> Exception | None:
        """Return what the subject did to the process explains whatever came of it."""
        damage = self.watch.find_damage(error)
        if not damage:
            return error
        return HarnessBroken(f"{damage}\nbesides, {type(error).__name__}: {error}" if error else damage)

    def _blame_kit(self, row: ScenarioRow, error: Exception | None) -> None:
        self._results.kit_errors.append(f"{row.title}: {type(error).__name__}: {error}")

    def _list_known(self, row: ScenarioRow) -> frozenset[str]:
        """Return what judges found in the row without its variation, too: then the variation shows nothing."""
        title, _, violated = self._unvaried
        return violated if row.variation is not None and title == row.row.title else frozenset()

    def _keep_observations(self, row: ScenarioRow, *, is_supported: bool) -> None:
        """Keep what the episodes show besides: the subject's choices, and records that another play is held against."""
        world = self._played.world
        if world is None:
            return
        examined = self._played.examined
        for number, (episode, record) in enumerate(examined, 1):
            self._write_episode(episode, record, number)
            evidence = Evidence(episode, world.manifest, record)
            self._results.tested |= find_tested_sanitizers(evidence)
            # What a subject does with what it doesn't support is no choice of its own.
            if is_supported:
                self._results.add_variants(observe_evidence(evidence), *observe_beside(evidence))
        self._results.varies = world.manifest.varies
        self._results.unseen = (LASTING,) if isinstance(self.subject, Separate) else ()
        self._results.keep_records(row.title, (record for _, record in examined), is_wanted=self.keeps_records)

    def _play_others_again(self, row: ScenarioRow) -> None:
        """Play the episode again that was to be, now that others have come between; have these wait and be watched."""
        world = self._played.world
        if world is None:
            return
        judged = [Evidence(episode, world.manifest, record) for episode, record in self._played.examined]
        for evidence in judged if self.replays else ():
            if self.watch.is_damaged:
                break
            if self._replayer.is_waiting:
                self._enter_later(self._replayer.replay_last(), "the case is played again")
                self.watch.begin_row(row.title)
            if row.title in self.selection.replayed_rows:
                self._replayer.await_turn(Played(self._played.make_bug_report(DETERMINISM), evidence))
        for number, evidence in enumerate(judged):
            self._watch_episode(Played(self._played.make_bug_report(LATE), evidence), world, number)

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

    def _enter_later(self, found: Iterable[tuple[Played, Violation | HarnessBroken]], sentence: str) -> None:
        """Enter a record that changed later, or a harness that broke, which says nothing of the record."""
        for played, error in found:
            later, bug_report = Results(), played.bug_report
            if isinstance(error, Violation):
                for told in describe_violation(bug_report, "sanitizers", error, played.evidence, self._played):
                    later.add_violation(told.account, told.requirement_id, told.result)
            else:
                later.add_spoiled(bug_report.row.requirement_id, make_spoilt_result(played, error, sentence))
            self.watch.end_row(bug_report.row.title, later, again=True)
