"""The pytest plugin that gives each scenario its world and turns how it ended into a verdict."""

from collections.abc import Collection, Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal, cast

import pytest

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
from react_tck.steps.world import World
from react_tck.subjects.api import HarnessBroken, Subject, expecting_exceptions
from react_tck.suite import bdd
from react_tck.suite.books import Watch
from react_tck.suite.bug_report import BugReport
from react_tck.suite.features import ScenarioInfo
from react_tck.suite.ledger import Results
from react_tck.suite.registry import requirements_of
from react_tck.suite.replay import Afterwards, Played, Replayer, Watched
from react_tck.suite.scenarios import SCENARIOS, provide

#: What a scenario's steps raise, and the verdict it stands for; anything else is a bug of the kit.
_VERDICTS: Mapping[type[BaseException], Verdict] = {
    AssertionError: Verdict.FAILED,
    Unsupported: Verdict.UNSUPPORTED,
    Untestable: Verdict.UNTESTABLE,
    HarnessBroken: Verdict.ERROR,
}


@dataclass(eq=False)  # pytest before 9.1 keeps plugins with fixtures in a set
class ScenarioPlugin:
    """One run of the suite against one subject."""

    subject: Subject
    subject_name: str
    #: The titles of the rows to be played.
    rows: Collection[str]
    seed: int
    watch: Watch
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
        self._verdict = Verdict.PASSED

    @pytest.fixture
    def world(self, request: pytest.FixtureRequest) -> Iterator[World]:
        """The scenario's world; its episodes are examined when the scenario is over."""
        scenario = _scenario(request.node)
        case_id = f"{scenario.requirement_id}/{title(request.node)}"
        self._world = self._new_world(case_id)
        yield self._world
        self._examine(scenario, title(request.node), self._world)

    def _new_world(self, case_id: str) -> World:
        try:
            with expecting_exceptions(*self.watch.spared):
                return World(self.subject, self.subject_name, self.seed, case_id)
        except Exception as error:
            raise HarnessBroken(f"initializing raised {type(error).__name__}: {error}") from error

    def pytest_collection(self) -> None:
        """What is to be played has test functions now."""
        provide(self.rows)

    def pytest_pycollect_makeitem(self, name: str) -> list[pytest.Item] | None:
        """What isn't to be played needn't be collected."""
        scenario = SCENARIOS.get(name)
        return [] if scenario and not any(row in self.rows for row in scenario.run_titles) else None

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Of an outline, perhaps only some rows are to be played; in the order of the features, whoever came first."""
        items[:] = sorted((item for item in items if title(item) in self.rows), key=bdd.function_name)

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """A row begins."""
        self._world, self._sentence = None, ""
        self.watch.begun(title(item))

    def pytest_bdd_step_error(self, step: bdd.Step) -> None:
        """Remember which sentence of the scenario failed."""
        self._sentence = f"{step.keyword} {step.name}"

    @pytest.hookimpl(wrapper=True)
    def pytest_pyfunc_call(self) -> Generator[None, object, object]:
        """The scenario's sentences hold; the LM's own verdict stands even if the subject swallowed it."""
        with expecting_exceptions(*self.watch.spared):
            result = yield
        self._sentence = "the scripted LM's own check"
        if self._world:
            _none_refused(self._world)
        return result

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> pytest.TestReport:
        """A phase of a test is over; pytest's own rendering of a failure is dear, and nobody reads it."""
        self._over(item, call)
        when = cast(Literal["setup", "call", "teardown"], call.when)
        outcome: Literal["passed", "failed"] = "failed" if call.excinfo else "passed"
        return pytest.TestReport(item.nodeid, item.location, {}, outcome, None, when)

    def _over(self, item: pytest.Item, call: pytest.CallInfo[None]) -> None:
        error = call.excinfo.value if call.excinfo else None
        if call.when == "call":
            error = self._harmed(error)
            verdict = self._verdict = _verdict(error)
            self._end(item, verdict, error)
        elif call.when == "setup" and error is not None:
            self._end(item, Verdict.ERROR, error)
        elif error is not None:
            # The world is examined by the kit alone.
            self._blame_kit(item, error)
        if call.when == "teardown":
            self._hand_over(item)

    def _harmed(self, error: BaseException | None) -> BaseException | None:
        """What the subject did to the process explains whatever came of it."""
        damage = self.watch.damage(error)
        if not damage:
            return error
        return HarnessBroken(f"{damage}\nbesides, {type(error).__name__}: {error}" if error else damage)

    def _hand_over(self, item: pytest.Item) -> None:
        found, self.results = self.results, Results()
        self.watch.ended(title(item), found)
        if self.watch.is_damaged:
            item.session.shouldstop = "the process is damaged"

    def _blame_kit(self, item: pytest.Item, error: BaseException) -> None:
        self.results.kit_errors.append(f"{title(item)}: {type(error).__name__}: {error}")

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """A suite that can't be collected is a bug of the kit."""
        if report.failed:
            self.results.kit_errors.append(str(report.longrepr))

    def pytest_internalerror(self, excrepr: object) -> None:
        """pytest itself stopped."""
        self.results.kit_errors.append(str(excrepr))

    def pytest_sessionfinish(self) -> None:
        """The last episode is still waiting to be played again."""
        if not self.watch.is_damaged:
            self._found_later(self._replayer.last(), "the case is played again")
        self._found_later(self._afterwards.last(), "the call has come back")

    def _end(self, item: pytest.Item, verdict: Verdict, error: BaseException | None) -> None:
        scenario = _scenario(item)
        bug_report = self._bug_report(scenario, title(item), scenario.requirement_id or "", self._sentence)
        result = ScenarioResult(title=title(item), verdict=verdict, message=str(error or ""))
        if error and verdict is not Verdict.UNSUPPORTED:
            if not isinstance(error, tuple(_VERDICTS)):
                self._blame_kit(item, error)
            plays = list(self._world.plays()) if self._world else []
            result = bug_report.result(verdict, error, plays, next(_departures(self.subject, plays), None))
        self.results.add(scenario.requirement_id or "", result)

    def _examine(self, scenario: ScenarioInfo, scenario_title: str, world: World) -> None:
        """Let the judges see every episode of the scenario, and play it again."""
        plays = list(world.examined())
        judged: list[Evidence] = []
        self.results.episodes += len(plays)
        # What a subject does with what it doesn't support is no choice of its own.
        is_supported = self._verdict is not Verdict.UNSUPPORTED
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
                    violated = violation.requirement_id or scenario.requirement_id or ""
                    bug_report = self._bug_report(scenario, scenario_title, violated, "")
                    self._enter(self.results, judge.account, bug_report, violation, evidence)
            if self.replays and not self.watch.is_damaged:
                self._replay(Played(self._bug_report(scenario, scenario_title, DETERMINISM, ""), evidence))
        self.results.witness(scenario_title, (record for _, record in plays), is_wanted=self.keeps_records)
        for number, evidence in enumerate(judged):
            self._watch(Played(self._bug_report(scenario, scenario_title, LATE, ""), evidence), world, number)

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

    def _bug_report(self, scenario: ScenarioInfo, title: str, requirement_id: str, sentence: str) -> BugReport:
        return BugReport(scenario, title, requirement_id, sentence, self.subject_name, self.seed, self.revision)


def _spoilt(played: Played, error: HarnessBroken, sentence: str) -> ScenarioResult:
    own = played.bug_report.scenario.requirement_id or ""
    bug_report = replace(played.bug_report, requirement_id=own, sentence=sentence)
    return bug_report.result(Verdict.ERROR, error, [(played.evidence.episode, played.evidence.record)])


def _departures(subject: Subject, plays: Iterable[tuple[Episode, Record]]) -> Iterator[Violation]:
    """What the oracle would have seen otherwise."""
    for episode, record in plays:
        yield from ORACLE.violations(Evidence(episode, subject.initialize(), record))


def title(item: pytest.Item) -> str:
    """The scenario's title; an outline's rows are told apart by their values."""
    scenario = _scenario(item)
    row = bdd.examples_row(item)
    return scenario.title if row is None else f"{scenario.title} [{', '.join(row)}]"


def _scenario(item: pytest.Item) -> ScenarioInfo:
    return SCENARIOS[bdd.function_name(item)]


def _none_refused(world: World) -> None:
    for _, record in world.plays():
        for asked in record.requests:
            check(
                asked.refusal is None,
                "the LM is asked only for what the script holds",
                str(asked.refusal),
                asked,
            )


def _verdict(error: BaseException | None) -> Verdict:
    if error is None:
        return Verdict.PASSED
    return next((verdict for kind, verdict in _VERDICTS.items() if isinstance(error, kind)), Verdict.ERROR)
