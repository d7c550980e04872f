"""Plays the rows of a run: each scenario gets its world, and how it ended becomes a verdict."""

import warnings
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from react_tck.files import CannotWrite
from react_tck.judges import choices
from react_tck.judges.determinism import DETERMINISM
from react_tck.judges.lateness import LATE
from react_tck.judges.table import JUDGES, MANIFEST, ORACLE, Account
from react_tck.judges.verdict import Unsupported, Untestable, Violation, check
from react_tck.model.episode import Episode
from react_tck.model.record import Record
from react_tck.model.report import ScenarioResult, Verdict
from react_tck.play.episode_log import Keeper
from react_tck.record.evidence import Evidence
from react_tck.steps.definitions import Definitions
from react_tck.steps.world import World
from react_tck.subjects.api import HarnessBroken, Subject, expecting_exceptions
from react_tck.suite.books import Watch
from react_tck.suite.bug_report import BugReport
from react_tck.suite.features import ScenarioInfo, StepInfo, load_features
from react_tck.suite.ledger import Results
from react_tck.suite.registry import requirements_of
from react_tck.suite.replay import Afterwards, Played, Replayer, Watched

#: What a scenario's steps raise, and the verdict it stands for; anything else is a bug of the kit.
_VERDICTS: Mapping[type[BaseException], Verdict] = {
    AssertionError: Verdict.FAILED,
    Unsupported: Verdict.UNSUPPORTED,
    Untestable: Verdict.UNTESTABLE,
    HarnessBroken: Verdict.ERROR,
}


@dataclass(frozen=True)
class ScenarioRow:
    """One run of a scenario: an outline's rows are told apart by their values."""

    scenario: ScenarioInfo
    title: str
    steps: tuple[StepInfo, ...]

    @property
    def requirement_id(self) -> str:
        """Of the requirement that it is of."""
        return self.scenario.requirement_id or ""


@dataclass
class Player:
    """One run of the suite against one subject."""

    subject: Subject
    subject_name: str
    seed: int
    watch: Watch
    definitions: Definitions
    #: Of the requirements; None for the newest.
    revision: int | None = None
    keeper: Keeper | None = None
    replays: bool = True
    keeps_records: bool = False

    def __post_init__(self) -> None:
        self.results = Results()
        self._replayer = Replayer(self.subject, self.watch)
        self._afterwards = Afterwards()
        self._world: World | None = None
        self._sentence = ""

    def play(self, titles: Collection[str]) -> None:
        """Play the rows of these titles, in the order of the features."""
        for row in rows_of(titles):
            self._play(row)
            if self.watch.is_damaged:
                break
        else:
            # The last episode is still waiting to be played again.
            self._found_later(self._replayer.last(), "the case is played again")
        self._found_later(self._afterwards.last(), "the call has come back")

    def _play(self, row: ScenarioRow) -> None:
        self._world = None
        self.watch.begun(row.title)
        # Filters that a subject sets are its own, and what it warns of is told to nobody.
        with warnings.catch_warnings(record=True):
            error = self._harmed(self._error(row))
            verdict = _verdict(error)
            self._end(row, verdict, error)
            try:
                if self._world:
                    self._examine(row, self._world, is_supported=verdict is not Verdict.UNSUPPORTED)
            except Exception as mistake:  # whatever it is: the world is examined by the kit alone
                self._blame_kit(row, mistake)
        found, self.results = self.results, Results()
        self.watch.ended(row.title, found)

    def _error(self, row: ScenarioRow) -> Exception | None:
        """What the row's sentences raise; the LM's own verdict stands even if the subject swallowed it."""
        try:
            with expecting_exceptions(*self.watch.spared):
                for step in row.steps:
                    self._sentence = f"{step.keyword} {step.text}"
                    self._world = self._world or self._new_world(row)
                    self.definitions.find(step.type, step.text).do(self._world, step.table)
            self._sentence = "the scripted LM's own check"
            if self._world:
                _none_refused(self._world)
        except Exception as error:
            return error
        return None

    def _new_world(self, row: ScenarioRow) -> World:
        try:
            with expecting_exceptions(*self.watch.spared):
                return World(self.subject, self.subject_name, self.seed, f"{row.requirement_id}/{row.title}")
        except Exception as error:
            raise HarnessBroken(f"initializing raised {type(error).__name__}: {error}") from error

    def _harmed(self, error: Exception | None) -> Exception | None:
        """What the subject did to the process explains whatever came of it."""
        damage = self.watch.damage(error)
        if not damage:
            return error
        return HarnessBroken(f"{damage}\nbesides, {type(error).__name__}: {error}" if error else damage)

    def _blame_kit(self, row: ScenarioRow, error: Exception) -> None:
        self.results.kit_errors.append(f"{row.title}: {type(error).__name__}: {error}")

    def _end(self, row: ScenarioRow, verdict: Verdict, error: Exception | None) -> None:
        result = ScenarioResult(title=row.title, verdict=verdict, message=str(error or ""))
        if error and verdict is not Verdict.UNSUPPORTED:
            if not isinstance(error, tuple(_VERDICTS)):
                self._blame_kit(row, error)
            plays = list(self._world.plays()) if self._world else []
            bug_report = self._bug_report(row, row.requirement_id, self._sentence)
            result = bug_report.result(verdict, error, plays, next(_departures(self.subject, plays), None))
        self.results.add(row.requirement_id, result)

    def _examine(self, row: ScenarioRow, world: World, *, is_supported: bool) -> None:
        """Let the judges see every episode of the scenario, and play it again."""
        plays = list(world.examined())
        judged: list[Evidence] = []
        self.results.episodes += len(plays)
        # What a subject does with what it doesn't support is no choice of its own.
        self.results.observe(choices.observe(plays if is_supported else ()))
        for number, (episode, record) in enumerate(plays, 1):
            self._keep(episode, record, number)
            evidence = Evidence(episode, world.manifest, record)
            judged.append(evidence)
            for judge in JUDGES:
                if not is_supported and judge is MANIFEST:
                    continue
                for violation in judge.violations(evidence):
                    # An error before anything was due is the scenario's own affair, if it asks anything of the subject.
                    if not is_supported and not violation.requirement_id:
                        continue
                    bug_report = self._bug_report(row, violation.requirement_id or row.requirement_id, "")
                    self._enter(self.results, judge.account, bug_report, violation, evidence)
            if self.replays and not self.watch.is_damaged:
                self._replay(Played(self._bug_report(row, DETERMINISM, ""), evidence))
        self.results.witness(row.title, (record for _, record in plays), is_wanted=self.keeps_records)
        for number, evidence in enumerate(judged):
            self._watch(Played(self._bug_report(row, LATE, ""), evidence), world, number)

    def _watch(self, played: Played, world: World, number: int) -> None:
        watched = Watched(played, lambda: list(world.examined())[number][1])
        self._found_later(self._afterwards.after(watched), "the call has come back")

    def _keep(self, episode: Episode, record: Record, number: int) -> None:
        try:
            if self.keeper:
                self.keeper.keep(episode, record, number)
        except CannotWrite as error:
            self.results.unwritten.append(str(error))

    def _replay(self, played: Played) -> None:
        self._found_later(self._replayer.after(played), "the case is played again")
        self.watch.begun(played.bug_report.title)

    def _found_later(self, found: Iterable[tuple[Played, Violation | HarnessBroken]], sentence: str) -> None:
        """The record changed; or the harness broke, which says nothing of the record."""
        for played, error in found:
            later, bug_report = Results(), played.bug_report
            if isinstance(error, Violation):
                self._enter(later, "sanitizers", bug_report, error, played.evidence)
            else:
                later.spoil(bug_report.scenario.requirement_id or "", _spoilt(played, error, sentence))
            self.watch.ended(bug_report.title, later, again=True)

    def _enter(
        self, results: Results, account: Account, bug_report: BugReport, violation: Violation, evidence: Evidence
    ) -> None:
        if bug_report.requirement_id not in requirements_of(self.revision).by_id:
            return
        result = bug_report.result(Verdict.FAILED, violation, [(evidence.episode, evidence.record)])
        results.enter(account, bug_report.requirement_id, result)

    def _bug_report(self, row: ScenarioRow, requirement_id: str, sentence: str) -> BugReport:
        how = (self.subject_name, self.seed, self.revision)
        return BugReport(row.scenario, row.title, requirement_id, sentence, *how)


def rows_of(titles: Collection[str]) -> Iterator[ScenarioRow]:
    """The rows of these titles, in the order of the features."""
    wanted = frozenset(titles)
    for scenario in load_features():
        if not wanted.isdisjoint(scenario.run_titles):
            yield from (ScenarioRow(scenario, title, steps) for title, steps in scenario.runs() if title in wanted)


def _spoilt(played: Played, error: HarnessBroken, sentence: str) -> ScenarioResult:
    own = played.bug_report.scenario.requirement_id or ""
    bug_report = replace(played.bug_report, requirement_id=own, sentence=sentence)
    return bug_report.result(Verdict.ERROR, error, [(played.evidence.episode, played.evidence.record)])


def _departures(subject: Subject, plays: Iterable[tuple[Episode, Record]]) -> Iterator[Violation]:
    """What the oracle would have seen otherwise."""
    for episode, record in plays:
        yield from ORACLE.violations(Evidence(episode, subject.initialize(), record))


def _none_refused(world: World) -> None:
    for _, record in world.plays():
        for asked in record.requests:
            check(
                asked.refusal is None,
                "the LM is asked only for what the script holds",
                str(asked.refusal),
                asked,
            )


def _verdict(error: Exception | None) -> Verdict:
    if error is None:
        return Verdict.PASSED
    return next((verdict for kind, verdict in _VERDICTS.items() if isinstance(error, kind)), Verdict.ERROR)
