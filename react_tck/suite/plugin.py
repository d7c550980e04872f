"""The pytest plugin that gives each scenario its world and turns how it ended into a verdict."""

from collections.abc import Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

import pytest

from react_tck.judges import choices
from react_tck.judges.determinism import DETERMINISM
from react_tck.judges.table import JUDGES, MANIFEST, ORACLE, Account
from react_tck.judges.verdict import Unsupported, Untestable, Violation, check
from react_tck.model.episode import Episode
from react_tck.model.record import Record
from react_tck.model.report import ScenarioResult, Verdict
from react_tck.play.episode_log import Keeper
from react_tck.record.evidence import Evidence
from react_tck.steps.world import World
from react_tck.subjects.api import HarnessBroken, Subject
from react_tck.suite import bdd
from react_tck.suite.bug_report import BugReport
from react_tck.suite.features import ScenarioInfo, load_features
from react_tck.suite.ledger import Results
from react_tck.suite.replay import Played, Replayer
from react_tck.suite.selection import Selection

#: What a scenario's steps raise, and the verdict it stands for; anything else is a bug of the kit.
_VERDICTS: Mapping[type[BaseException], Verdict] = {
    AssertionError: Verdict.FAILED,
    Unsupported: Verdict.UNSUPPORTED,
    Untestable: Verdict.UNTESTABLE,
    HarnessBroken: Verdict.ERROR,
}


class Listener(Protocol):
    """Told of the run while it goes on."""

    def started(self, scenarios: int) -> None:
        """So many scenarios are selected."""

    def ended(self, scenario: ScenarioInfo, result: ScenarioResult) -> None:
        """One has ended."""


class Unheard:
    """Where nobody listens."""

    def started(self, scenarios: int) -> None:
        """Nothing."""

    def ended(self, scenario: ScenarioInfo, result: ScenarioResult) -> None:
        """Nothing."""


@dataclass(eq=False)  # pytest before 9.1 keeps plugins with fixtures in a set
class ScenarioPlugin:
    """One run of the suite against one subject."""

    subject: Subject
    subject_name: str
    selection: Selection
    seed: int
    listener: Listener
    keeper: Keeper | None = None
    replays: bool = True
    results: Results = field(default_factory=Results)

    def __post_init__(self) -> None:
        self._replayer = Replayer(self.subject)
        self._world: World | None = None
        self._sentence = ""
        self._verdict = Verdict.PASSED

    def pytest_configure(self, config: pytest.Config) -> None:
        """Nobody reads pytest's own rendering of a failure, and it costs more than the episode."""
        config.option.tbstyle = "native"

    @pytest.fixture
    def world(self, request: pytest.FixtureRequest) -> Iterator[World]:
        """The scenario's world; its episodes are examined when the scenario is over."""
        scenario = _scenario(request.node)
        case_id = f"{scenario.requirement_id}/{title(request.node)}"
        self._world = World(self.subject, self.subject_name, self.seed, case_id)
        yield self._world
        self._examine(scenario, title(request.node), self._world)

    def pytest_pycollect_makeitem(self, name: str) -> list[pytest.Item] | None:
        """What isn't selected needn't be collected."""
        scenario = _scenarios().get(name)
        return [] if scenario and not self.selection.includes(scenario) else None

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Of an outline, perhaps only some rows are selected."""
        rows = {row for scenario in _scenarios().values() for row in self.selection.rows(scenario)}
        items[:] = [item for item in items if title(item) in rows]

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """What isn't selected is on the account all the same."""
        # From the features, not from what pytest collected: what gets lost on the way leaves the ledger unbalanced.
        for scenario in load_features():
            self.results.registered += len(scenario.run_titles)
            self._leave_out(scenario)
        self.listener.started(len(session.items))

    def pytest_bdd_step_error(self, step: object) -> None:
        """Remember which sentence of the scenario failed."""
        self._sentence = str(step)

    def pytest_bdd_apply_tag(self) -> bool:
        """Tags are ours to read; pytest needn't make marks of them."""
        return True

    @pytest.hookimpl(wrapper=True)
    def pytest_pyfunc_call(self) -> Generator[None, object, object]:
        """The scenario's sentences hold; the LM's own verdict stands even if the subject swallowed it."""
        result = yield
        self._sentence = "the scripted LM's own check"
        if self._world:
            _none_refused(self._world)
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """A phase of a test is over."""
        report = yield
        self._over(item, call)
        return report

    def _over(self, item: pytest.Item, call: pytest.CallInfo[None]) -> None:
        error = call.excinfo.value if call.excinfo else None
        if call.when == "call":
            verdict = self._verdict = _verdict(error)
            self._end(item, verdict, error)
        elif error is not None:
            # The world is made and examined by the kit alone.
            self.results.kit_errors.append(f"{title(item)}: {type(error).__name__}: {error}")
            if call.when == "setup":
                self._end(item, Verdict.ERROR, error)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """A suite that can't be collected is a bug of the kit."""
        if report.failed:
            self.results.kit_errors.append(str(report.longrepr))

    def pytest_internalerror(self, excrepr: object) -> None:
        """pytest itself stopped."""
        self.results.kit_errors.append(str(excrepr))

    def pytest_sessionfinish(self) -> None:
        """The last episode is still waiting to be played again."""
        for earlier, found in self._replayer.last():
            self._found_again(earlier, found)

    def _leave_out(self, scenario: ScenarioInfo) -> None:
        selected = self.selection.rows(scenario)
        for row in scenario.run_titles:
            if row not in selected:
                self.results.add(scenario.requirement_id or "", ScenarioResult(title=row, verdict=Verdict.NOT_SELECTED))

    def _end(self, item: pytest.Item, verdict: Verdict, error: BaseException | None) -> None:
        scenario = _scenario(item)
        bug_report = self._bug_report(scenario, title(item), scenario.requirement_id or "", self._sentence)
        result = ScenarioResult(
            title=title(item),
            verdict=verdict,
            message=self._message(item, bug_report, error) if error else "",
            kind=error.kind if isinstance(error, Violation) else "",
            reproduce=bug_report.command if error and verdict is not Verdict.UNSUPPORTED else "",
        )
        self.results.add(scenario.requirement_id or "", result)
        self.listener.ended(scenario, result)

    def _message(self, item: pytest.Item, bug_report: BugReport, error: BaseException) -> str:
        if isinstance(error, Unsupported):
            return str(error)
        if not isinstance(error, tuple(_VERDICTS)):
            self.results.kit_errors.append(f"{title(item)}: {type(error).__name__}: {error}")
        plays = list(self._world.plays()) if self._world else []
        return bug_report.text(error, plays, [f"the oracle: {trace}" for trace in _traces(self.subject, plays)][:1])

    def _examine(self, scenario: ScenarioInfo, scenario_title: str, world: World) -> None:
        """Let the judges see every episode of the scenario, and play it again."""
        plays = list(world.examined())
        self.results.episodes += len(plays)
        # What a subject does with what it doesn't support is no choice of its own.
        is_supported = self._verdict is not Verdict.UNSUPPORTED
        self.results.observe(choices.observe(plays if is_supported else ()))
        for number, (episode, record) in enumerate(plays, 1):
            if self.keeper:
                self.keeper.keep(episode, record, number)
            evidence = Evidence(episode, world.manifest, record)
            for judge in JUDGES:
                if not is_supported and judge is MANIFEST:
                    continue
                for violation in judge.violations(evidence):
                    # An error before anything was due is the scenario's own affair.
                    violated = violation.requirement_id or scenario.requirement_id or ""
                    self._enter(
                        judge.account, self._bug_report(scenario, scenario_title, violated, ""), violation, evidence
                    )
            if self.replays:
                self._replay(Played(self._bug_report(scenario, scenario_title, DETERMINISM, ""), evidence))

    def _replay(self, played: Played) -> None:
        for earlier, found in self._replayer.after(played):
            self._found_again(earlier, found)

    def _found_again(self, played: Played, found: Violation | HarnessBroken) -> None:
        """The record changed; or the harness broke, which says nothing of the record."""
        if isinstance(found, Violation):
            self._enter("sanitizers", played.bug_report, found, played.evidence)
            return
        own = played.bug_report.scenario.requirement_id or ""
        bug_report = replace(played.bug_report, requirement_id=own, sentence="the case is played again")
        message = bug_report.text(found, [(played.evidence.episode, played.evidence.record)])
        result = ScenarioResult(
            title=bug_report.title, verdict=Verdict.ERROR, message=message, reproduce=bug_report.command
        )
        self.results.spoil(own, result)

    def _enter(self, account: Account, bug_report: BugReport, violation: Violation, evidence: Evidence) -> None:
        if bug_report.requirement_id not in self.selection.registry.by_id:
            return
        message = bug_report.text(violation, [(evidence.episode, evidence.record)])
        result = ScenarioResult(
            title=bug_report.title,
            verdict=Verdict.FAILED,
            message=message,
            kind=violation.kind,
            reproduce=bug_report.command,
        )
        self.results.enter(account, bug_report.requirement_id, result)

    def _bug_report(self, scenario: ScenarioInfo, title: str, requirement_id: str, sentence: str) -> BugReport:
        revision = self.selection.requirements
        return BugReport(scenario, title, requirement_id, sentence, self.subject_name, self.seed, revision)


def _traces(subject: Subject, plays: Iterable[tuple[Episode, Record]]) -> Iterator[str]:
    for episode, record in plays:
        evidence = Evidence(episode, subject.initialize(), record)
        yield from (violation.actual for violation in ORACLE.violations(evidence))


def title(item: pytest.Item) -> str:
    """The scenario's title; an outline's rows are told apart by their values."""
    scenario = _scenario(item)
    row = bdd.examples_row(item)
    return scenario.title if row is None else f"{scenario.title} [{', '.join(row)}]"


def _scenario(item: pytest.Item) -> ScenarioInfo:
    return _scenarios()[bdd.function_name(item)]


def _scenarios() -> Mapping[str, ScenarioInfo]:
    # Imported by pytest during collection, not before.
    from react_tck.suite.scenarios import SCENARIOS

    return SCENARIOS


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
