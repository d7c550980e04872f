"""The kill matrix: what it says of each mutant is held against what the suite finds in it, both ways."""

from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

import pytest

from react_tck.catalogue.feature_files import DEFAULT_ROOT
from react_tck.catalogue.features import ScenarioInfo, load_features
from react_tck.catalogue.kill_matrix import (
    MUTANTS_FILE,
    KillMatrix,
    KillMatrixError,
    build_kill_matrix,
    load_kill_matrix,
    load_sentences,
    sentences_text,
    write_kill_matrix,
)
from react_tck.processes.workers.processes import start_process_workers
from react_tck.prove.by_scenarios import (
    PRELOADED,
    Kills,
    ScenarioProof,
    list_own_titles,
    list_said_titles,
    list_whole_titles,
    prove_by_scenarios,
)
from react_tck.prove.mutants import load_mutants
from react_tck.results.exit_status import Exit
from tests.support.lint_stage import KILL_MATRIX, sound_features

SELECTS = "ReAct selects a tool"
RETURNS = ("ReAct returns <what> [text]", "ReAct returns <what> [a list]")
#: What the suite finds in two mutants.
TWICE = Kills("tool-run-twice", "LOOP-001", {"LOOP-001": frozenset({SELECTS})})
DROPPED = Kills(
    "args-dropped", "LOOP-001", {"LOOP-001": frozenset(RETURNS)}, departed={"SAN-001": frozenset({SELECTS})}
)
TRUE = (*TWICE.list_entries(), *DROPPED.list_entries())


@pytest.fixture(name="scenarios")
def _scenarios(tmp_path: Path) -> tuple[ScenarioInfo, ...]:
    return load_features(sound_features(tmp_path))


def problems(
    scenarios: tuple[ScenarioInfo, ...],
    shipped: Iterable[tuple[str, str, str]] = TRUE,
    kills: tuple[Kills, ...] = (TWICE, DROPPED),
    timed: frozenset[str] = frozenset(),
) -> list[str]:
    cheaters = {"echo": Exit.NOT_CONFORMANT}
    return list(ScenarioProof(kills, cheaters, scenarios, (), build_kill_matrix(shipped), timed).list_problems())


def test_a_matrix_that_is_true_has_no_problem(scenarios: tuple[ScenarioInfo, ...]) -> None:
    assert problems(scenarios) == []


def test_an_entry_that_is_not_true_is_a_problem(scenarios: tuple[ScenarioInfo, ...]) -> None:
    assert problems(scenarios, [*TRUE, ("tool-run-twice", "LOOP-001", RETURNS[0])]) == [
        "the mutant 'tool-run-twice' keeps LOOP-001 in 'ReAct returns <what> [text]', "
        "which kill_matrix.json says it violates"
    ]


def test_a_missing_entry_is_a_problem(scenarios: tuple[ScenarioInfo, ...]) -> None:
    assert problems(scenarios, DROPPED.list_entries()) == [
        "the mutant 'tool-run-twice' violates LOOP-001 in 'ReAct selects a tool', which kill_matrix.json doesn't say"
    ]


def test_the_rows_of_a_mutant_that_depends_on_the_clock_are_not_held_against_it(
    scenarios: tuple[ScenarioInfo, ...],
) -> None:
    shipped = [*DROPPED.list_entries(), ("tool-run-twice", "LOOP-001", RETURNS[0])]
    assert problems(scenarios, shipped, timed=frozenset({"tool-run-twice"})) == []
    assert len(problems(scenarios, shipped)) == 2


def test_a_survivor_is_a_problem_whatever_it_depends_on(scenarios: tuple[ScenarioInfo, ...]) -> None:
    alive = Kills("alive", "LOOP-001", {})
    assert problems(scenarios, TRUE, (TWICE, DROPPED, alive), timed=frozenset({"alive"})) == [
        "the mutant 'alive' survives LOOP-001; it fails nothing"
    ]


def test_a_mutant_that_does_not_exist_is_a_problem(scenarios: tuple[ScenarioInfo, ...]) -> None:
    unknown = [("tool-run-thrice", "LOOP-001", row) for row in RETURNS]
    assert problems(scenarios, [*TRUE, *unknown]) == [
        "kill_matrix.json names the mutant 'tool-run-thrice', which doesn't exist"
    ]


def test_a_row_that_does_not_exist_is_a_problem(scenarios: tuple[ScenarioInfo, ...]) -> None:
    [problem] = problems(scenarios, [*TRUE, ("tool-run-twice", "LOOP-001", "ReAct sings")])
    assert "keeps LOOP-001 in 'ReAct sings'" in problem


def test_a_survivor_is_a_problem(scenarios: tuple[ScenarioInfo, ...]) -> None:
    alive = Kills("alive", "LOOP-001", {"SAN-001": frozenset({SELECTS})})
    assert problems(scenarios, [*TRUE, *alive.list_entries()], (TWICE, DROPPED, alive)) == [
        "the mutant 'alive' survives LOOP-001; it fails SAN-001"
    ]


def test_a_scenario_that_fails_only_by_the_oracle_kills_nothing(scenarios: tuple[ScenarioInfo, ...]) -> None:
    departed = Kills("tool-run-twice", "LOOP-001", {}, departed={"LOOP-001": frozenset({SELECTS})})
    assert problems(scenarios, [*departed.list_entries(), *DROPPED.list_entries()], (departed, DROPPED)) == [
        "the mutant 'tool-run-twice' survives LOOP-001; it fails nothing",
        "the scenario 'ReAct selects a tool' (LOOP-001) kills no mutant",
    ]


def test_the_file_is_read_and_written_as_it_is(tmp_path: Path) -> None:
    root = sound_features(tmp_path)
    before = load_kill_matrix(root)
    assert before.format_text() == KILL_MATRIX
    assert set(before.list_entries()) == set(TRUE)
    assert write_kill_matrix(build_kill_matrix(reversed(TRUE)), root).read_text(encoding="utf-8") == KILL_MATRIX


def test_a_change_of_one_mutant_is_a_change_of_one_line() -> None:
    before = build_kill_matrix([*TRUE, ("a-third", "LOOP-001", "Größe “x” [\n]")])
    after = build_kill_matrix([*before.list_entries(), ("args-dropped", "TRJ-009", SELECTS)])
    assert len(before.format_text().splitlines()) == 3 + 2
    changed = [line for line in after.format_text().splitlines() if line not in before.format_text().splitlines()]
    assert [line.partition(":")[0] for line in changed] == [' "args-dropped"']


def test_a_file_that_is_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "kill_matrix.json").write_text('{"tool-run-twice": ["ReAct selects a tool"]}')
    with pytest.raises(KillMatrixError, match="tool-run-twice Input should be an object"):
        load_kill_matrix(tmp_path)


def test_a_folder_without_the_file_has_an_empty_matrix(tmp_path: Path) -> None:
    assert load_kill_matrix(tmp_path) == KillMatrix()


def test_the_shipped_file_is_as_it_would_be_written() -> None:
    path = Path(__file__).parents[2] / "features" / "kill_matrix.json"
    assert load_kill_matrix().format_text() == path.read_text(encoding="utf-8")


@pytest.mark.skipif(find_spec("dspy") is None, reason="needs the extra 'reference'")
def test_a_mutant_meets_its_own_scenarios_and_those_it_is_said_to_fail() -> None:
    said = build_kill_matrix([("tool-run-twice", "LOOP-001", "The machine asks for no reasoning with Predict")])
    with start_process_workers(1, PRELOADED) as workers:
        proof = prove_by_scenarios({"tool-run-twice": "LOOP-001"}, (), load_features(), (), said, workers)
    [kills] = proof.kills
    assert set(load_kill_matrix().failing["tool-run-twice"]["LOOP-001"]) <= kills.own_rows
    assert (
        "the mutant 'tool-run-twice' keeps LOOP-001 in 'The machine asks for no reasoning with Predict', "
        "which kill_matrix.json says it violates"
    ) in list(proof.list_problems())


@pytest.mark.skipif(find_spec("dspy") is None, reason="mutants need the extra 'reference'")
def test_what_each_mutant_is_stands_in_its_file() -> None:
    known = {name: (mutant.requirement_id, mutant.description) for name, mutant in load_mutants().items()}
    path = DEFAULT_ROOT / MUTANTS_FILE
    assert load_sentences() == known
    assert path.read_text(encoding="utf-8") == sentences_text(known)


def test_for_a_whole_matrix_a_mutant_meets_the_core_and_its_own_profile() -> None:
    scenarios = load_features()
    met = list_whole_titles("args-made-up", "CNF-002", scenarios, KillMatrix())
    assert met == {scenario.title for scenario in scenarios if scenario.profile in ("core", "confirmation")}


def test_a_mutant_that_variations_show_meets_the_rows_that_the_matrix_names() -> None:
    title = "The trajectory names the unknown tool that the LM selected"
    asked = ("some", "TRJ-002", load_features())
    varied = build_kill_matrix([("some", "TRJ-002", f"{title} {{async}}")])
    assert list_said_titles(*asked, varied) == {f"{title} {{async}}"}
    for said in (KillMatrix(), build_kill_matrix([("some", "TRJ-002", title)])):
        assert list_said_titles(*asked, said) == list_own_titles(*asked, said) >= {title}
