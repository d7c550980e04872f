"""What is proven of mutants, scenarios and sanitizers, by a certificate and by the whole kill matrix."""

import subprocess
import sys
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

import pytest

from react_tck.catalogue.feature_files import DEFAULT_ROOT
from react_tck.catalogue.features import ScenarioInfo, load_features
from react_tck.catalogue.kill_matrix import (
    CERTIFICATE_FILE,
    FILE,
    KillMatrix,
    KillMatrixError,
    build_kill_matrix,
    load_kill_matrix,
)
from react_tck.prove.kills import Kills
from react_tck.prove.proof import Proof, Statement, list_own_titles, list_rows_by_scenario, list_said_titles
from tests.support.lint_stage import sound_features

needs_dspy = pytest.mark.skipif(find_spec("dspy") is None, reason="mutants need the extra 'reference'")

SELECTS = "ReAct selects a tool"
RETURNS = ("ReAct returns <what> [text]", "ReAct returns <what> [a list]")
#: What is found in two mutants.
TWICE = Kills("tool-run-twice", "LOOP-001", {"LOOP-001": frozenset({SELECTS})})
DROPPED = Kills(
    "args-dropped", "LOOP-001", {"LOOP-001": frozenset(RETURNS)}, departed={"SAN-001": frozenset({SELECTS})}
)
TRUE = (*TWICE.list_entries(), *DROPPED.list_entries())
SHOWN_AGAIN = "\n  react-tck run mutant:tool-run-twice --profile all -k 'ReAct selects a tool'"


@pytest.fixture(name="scenarios")
def _scenarios(tmp_path: Path) -> tuple[ScenarioInfo, ...]:
    return load_features(sound_features(tmp_path))


def prove(
    scenarios: tuple[ScenarioInfo, ...],
    kills: tuple[Kills, ...] = (TWICE, DROPPED),
    named: Iterable[tuple[str, str, str]] = TRUE,
    sanitizers: tuple[str, ...] = (),
    timed: frozenset[str] = frozenset(),
) -> Proof:
    """A proof of two mutants, in which this was found and that was to be."""
    statement = Statement({"tool-run-twice": "LOOP-001", "args-dropped": "LOOP-001"}, scenarios, sanitizers, timed)
    return Proof(statement, kills, build_kill_matrix(named), "matrix.json")


def test_a_survivor_is_named_with_the_command_that_shows_it_and_so_is_the_scenario_that_kills_nothing(
    scenarios: tuple[ScenarioInfo, ...],
) -> None:
    proof = prove(scenarios, (Kills("tool-run-twice", "LOOP-001"), DROPPED))
    assert [*proof.list_problems()] == [
        f"the mutant 'tool-run-twice' survives LOOP-001: it was to fail in 'ReAct selects a tool'{SHOWN_AGAIN}",
        "the scenario 'ReAct selects a tool' (LOOP-001) kills no mutant: 'tool-run-twice' was to fail in "
        f"'ReAct selects a tool'{SHOWN_AGAIN}",
    ]
    assert proof.list_surprising() == {"tool-run-twice"}


def test_a_violation_of_a_sanitizer_shows_the_sanitizer_and_no_scenario(scenarios: tuple[ScenarioInfo, ...]) -> None:
    violated = Kills("tool-run-twice", "LOOP-001", TWICE.failed, {"SAN-001": frozenset({SELECTS})})
    named = (*violated.list_entries(), *(("args-dropped", "LOOP-001", row) for row in RETURNS))
    assert [*prove(scenarios, (violated, DROPPED), named, ("SAN-001",)).list_problems()] == []
    [problem] = prove(scenarios, (TWICE, DROPPED), named, ("SAN-001",)).list_problems()
    assert problem == (
        "the sanitizer SAN-001 kills no mutant: 'tool-run-twice' was to violate it in "
        f"'ReAct selects a tool'{SHOWN_AGAIN}"
    )


def test_what_no_row_is_named_for_says_who_looks_for_one(scenarios: tuple[ScenarioInfo, ...]) -> None:
    problems = [*prove(scenarios, (DROPPED,), DROPPED.list_entries()).list_problems()]
    assert problems[0] == (
        "the mutant 'tool-run-twice' survives LOOP-001: matrix.json names no row for it\n"
        "  python -m react_tck.prove --write"
    )
    assert len(problems) == 2


def test_what_is_named_and_does_not_exist_is_a_problem(scenarios: tuple[ScenarioInfo, ...]) -> None:
    named = [*TRUE, ("tool-run-thrice", "LOOP-001", SELECTS), ("tool-run-twice", "LOOP-001", "ReAct sings")]
    assert [*prove(scenarios, named=named).list_problems()] == [
        "matrix.json names the mutant 'tool-run-thrice', which doesn't exist: delete its line, or\n"
        "  python -m react_tck.prove --write",
        "matrix.json names the row 'ReAct sings', which doesn't exist\n  python -m react_tck.prove --write",
    ]


def test_an_entry_that_is_not_true_and_one_that_is_missing_are_differences(
    scenarios: tuple[ScenarioInfo, ...],
) -> None:
    named = [*DROPPED.list_entries(), ("tool-run-twice", "LOOP-001", RETURNS[0])]
    assert [each.partition("\n")[0] for each in prove(scenarios, named=named).list_differences()] == [
        f"the mutant 'tool-run-twice' keeps LOOP-001 in {RETURNS[0]!r}, which matrix.json says it violates",
        "the mutant 'tool-run-twice' violates LOOP-001 in 'ReAct selects a tool', which matrix.json doesn't say",
    ]
    assert [*prove(scenarios, named=named, timed=frozenset({"tool-run-twice"})).list_differences()] == []


@needs_dspy
def test_a_harmless_mutant_an_idle_scenario_and_a_sanitizer_that_is_off_are_each_told() -> None:
    words = [sys.executable, "-m", "tests.prove.sabotage", "mutant", "scenario", "sanitizer"]
    done = subprocess.run(words, cwd=Path(__file__).parents[2], capture_output=True, text=True, check=True)
    told = done.stdout.splitlines()
    again = {
        name: f"  react-tck run mutant:{name} --profile all -k " for name in ("tool-run-twice", "args-read-as-python")
    }
    for sentence, command in (
        ("the mutant 'tool-run-twice' survives LOOP-001: it was to fail in ", again["tool-run-twice"]),
        (
            "the scenario 'The trajectory holds a step without args behind one with args' (TRJ-002) kills no mutant: ",
            "  react-tck run ",
        ),
        ("the sanitizer SAN-010 kills no mutant: 'args-read-as-python' was ", again["args-read-as-python"]),
    ):
        [at] = [number for number, line in enumerate(told) if line.startswith(sentence)]
        assert told[at + 1].startswith(command)


def test_a_play_whose_process_ends_is_told_and_takes_nothing_from_the_others() -> None:
    program = (
        "import os\n"
        "from react_tck.prove.kills import play_apart\n"
        "plays = [lambda _: 'played', lambda _: os._exit(0), lambda _: 1 / 0]\n"
        "print(play_apart([], plays, 2))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == (
        "['played', Lost(why='its process ended before it had played its rows'), "
        "Lost(why='ZeroDivisionError: division by zero')]\n"
    )


def test_a_file_that_is_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "kill_matrix.json").write_text('{"tool-run-twice": ["ReAct selects a tool"]}')
    with pytest.raises(KillMatrixError, match="tool-run-twice Input should be an object"):
        load_kill_matrix(tmp_path)


@pytest.mark.parametrize("file", [FILE, CERTIFICATE_FILE])
def test_the_shipped_file_is_as_it_would_be_written(file: str) -> None:
    assert load_kill_matrix(file=file).format_text() == (DEFAULT_ROOT / file).read_text(encoding="utf-8")


@needs_dspy
def test_a_mutant_that_variations_show_meets_the_rows_that_the_matrix_names() -> None:
    title = "The trajectory names the unknown tool that the LM selected"
    asked = ("some", "TRJ-002", list_rows_by_scenario(is_varied=True))
    varied = build_kill_matrix([("some", "TRJ-002", f"{title} {{async}}")])
    assert list_said_titles(*asked, varied) == {f"{title} {{async}}"}
    for said in (KillMatrix(), build_kill_matrix([("some", "TRJ-002", title)])):
        assert list_said_titles(*asked, said) == list_own_titles(*asked, said) >= {title, f"{title} {{async}}"}
