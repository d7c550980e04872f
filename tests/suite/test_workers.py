"""A run shared among processes gives the report of a run in one, byte for byte."""

import shlex
import sys

import pytest

from react_tck.model.report import ScenarioResult, Verdict
from react_tck.subjects.api import HarnessBroken
from react_tck.subjects.catalogue import close, resolve
from react_tck.suite.features import ScenarioInfo, load_features
from react_tck.suite.ledger import Results, Unbalanced
from react_tck.suite.run import Run
from react_tck.suite.selection import NothingSelected, Selection
from react_tck.suite.workers import ParallelRun, deal, merged
from tests.support.suite_checks import TITLE, Heard

SOME = Selection(profile="all", tags="@LOOP-001 or @LOOP-003 or @TRJ-005")


def alone(name: str, selection: Selection) -> tuple[str, list[ScenarioResult]]:
    subject, heard = resolve(name), Heard()
    try:
        return Run(subject, name, selection).report(heard).model_dump_json(), heard.results
    finally:
        close(subject)


def shared(name: str, selection: Selection, processes: int) -> tuple[str, list[ScenarioResult]]:
    heard = Heard()
    report = ParallelRun(name, selection, 0, processes).report(heard)
    assert heard.announced == len(heard.results)
    return report.model_dump_json(), heard.results


@pytest.mark.parametrize(
    ("name", "processes"),
    [("reference", 2), ("mutant:tool-run-twice", 1), ("mutant:tool-run-twice", 3), ("cheater:exit-0", 2)],
)
def test_the_same_bytes(name: str, processes: int) -> None:
    pytest.importorskip("dspy", reason="needs the extra 'reference'")
    assert shared(name, SOME, processes) == alone(name, SOME)


def test_the_same_bytes_over_a_wire() -> None:
    pytest.importorskip("dspy", reason="needs the extra 'reference'")
    harness = f"-- {shlex.join([sys.executable, '-m', 'react_tck', 'harness', 'mutant:tool-run-twice'])}"
    assert shared(harness, SOME, 2) == alone(harness, SOME)


def test_an_empty_selection_is_an_error_here_too() -> None:
    with pytest.raises(NothingSelected):
        ParallelRun("cheater:inert", Selection(title="no such title"), 0, 2).report(Heard())


def test_a_subject_that_ends_the_process_is_told_as_such() -> None:
    with pytest.raises(HarnessBroken, match="the subject ended a process of the kit"):
        ParallelRun("python:tests.support.subjects_gone_wrong:ends_the_process", Selection(title=TITLE), 0, 2).report(
            Heard()
        )


def test_every_selected_scenario_is_dealt_once() -> None:
    scenarios = load_features()
    parts = deal(scenarios, Selection(profile="all"), 4)

    dealt = sorted(title for part in parts for title in part.titles or ())
    assert dealt == sorted(scenario.title for scenario in scenarios)


def test_scenarios_of_one_requirement_go_to_different_processes() -> None:
    scenarios = [scenario for scenario in load_features() if scenario.requirement_id == "ERR-005"]
    assert len(scenarios) > 2
    assert all(len(part.titles or ()) <= len(scenarios) / 2 + 1 for part in deal(scenarios, Selection(), 2))


def test_there_are_no_idle_processes() -> None:
    assert len(deal([s for s in load_features() if s.title == TITLE], Selection(), 8)) == 1


def test_violations_stand_in_the_order_of_the_scenarios() -> None:
    first, second = _titles(load_features(), 2)
    results = [Results(registered=2), Results(registered=2)]
    results[0].enter("sanitizers", "SAN-001", ScenarioResult(title=second, verdict=Verdict.FAILED))
    results[1].enter("sanitizers", "SAN-001", ScenarioResult(title=first, verdict=Verdict.FAILED))
    results[1].kit_errors.append("a bug")

    whole = merged([Selection(titles=frozenset())] * 2, results)

    assert [violation.title for violation in whole.violations["SAN-001"]] == [first, second]
    assert whole.kit_errors == ["a bug"]


def test_a_scenario_that_its_process_lost_is_missing_rather_than_not_selected() -> None:
    scenario = load_features()[0]
    id_, left_out = scenario.requirement_id or "", ScenarioResult(title=scenario.title, verdict=Verdict.NOT_SELECTED)
    results = [Results(registered=1), Results(registered=1, scenarios={id_: [left_out]})]
    parts = [Selection(profile="all", titles=frozenset({scenario.title})), Selection(titles=frozenset())]

    with pytest.raises(Unbalanced):
        merged(parts, results).ledger([])


def _titles(scenarios: tuple[ScenarioInfo, ...], count: int) -> list[str]:
    return [title for scenario in scenarios for title in scenario.run_titles][:count]
