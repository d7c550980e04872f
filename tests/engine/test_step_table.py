"""The table of step definitions: quicker than pytest-bdd's lookup, and nothing else."""

from importlib import import_module

import pytest
from pytest_bdd import given
from pytest_bdd.parser import Step
from pytest_bdd.steps import StepFunctionContext

from react_tck.catalogue.features import ScenarioInfo, load_features
from react_tck.catalogue.selection import Selection
from react_tck.catalogue.step_definitions import StepDefinition, StepDefinitions, load_step_definitions
from react_tck.engine.run import Run
from react_tck.engine.session import step_table
from react_tck.engine.step_table import StepTable
from react_tck.model.report import Report
from react_tck.subjects.catalogue import resolve
from tests.support.suite_checks import Heard

SCENARIO = import_module("pytest_bdd.scenario")


def twenty_rows() -> Selection:
    """Sixteen scenarios and two outlines of two rows each, spread over the features of all profiles."""
    chosen = [*spread(16, rows=1), *spread(2, rows=2)]
    assert sum(len(each.rows) for each in chosen) == 20
    assert len({each.profile for each in chosen}) > 4
    return Selection(profile="all", titles=frozenset(each.title for each in chosen))


def spread(wanted: int, rows: int) -> list[ScenarioInfo]:
    """So many scenarios of so many rows, as far apart as can be."""
    found = [each for each in load_features() if len(each.rows) == rows]
    return found[:: len(found) // wanted][:wanted]


def report(subject: str) -> Report:
    return Run(resolve(subject), subject, twenty_rows()).report(Heard())


@pytest.fixture(name="looked_up")
def _looked_up(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts of the steps that pytest-bdd itself looks up."""
    texts: list[str] = []
    theirs = SCENARIO.get_step_function

    def counted(request: pytest.FixtureRequest, step: Step) -> StepFunctionContext | None:
        texts.append(step.name)
        found: StepFunctionContext | None = theirs(request=request, step=step)
        return found

    monkeypatch.setattr(SCENARIO, "get_step_function", counted)
    return texts


def replace_lookup(patch: pytest.MonkeyPatch) -> None:
    """As a pytest-bdd whose lookup takes something more."""
    theirs = SCENARIO.get_step_function

    def other(request: pytest.FixtureRequest, step: Step, more: object = None) -> StepFunctionContext | None:
        found: StepFunctionContext | None = theirs(request=request, step=step)
        return found

    patch.setattr(SCENARIO, "get_step_function", other)


@pytest.mark.parametrize(
    "subject", ["mutant:tool-run-twice", pytest.param("reference-transcript", marks=pytest.mark.all)]
)
def test_a_run_says_the_same_without_it(subject: str, looked_up: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("dspy", reason="the reference and its mutants need the extra 'reference'")
    with_table = report(subject)
    assert looked_up == []
    replace_lookup(monkeypatch)
    without_table = report(subject)

    assert len(looked_up) > 60
    assert with_table.model_dump_json() == without_table.model_dump_json()
    assert with_table.ledger.failed > 3 if "mutant" in subject else with_table.ledger.passed > 10
    assert not with_table.kit_errors


@given("a step of a user's own")
def users_own_step() -> None:
    """Found by pytest-bdd in this module."""


def step(text: str) -> Step:
    return Step(name=text, type="given", indent=0, line_number=1, keyword="Given")


def test_the_kits_steps_are_found_in_it_and_others_by_pytest_bdd(
    request: pytest.FixtureRequest, looked_up: list[str]
) -> None:
    with step_table().in_place() as is_in_place:
        kits = SCENARIO.get_step_function(request=request, step=step("max_steps is 3"))
        assert (is_in_place, looked_up) == (True, [])
        users = SCENARIO.get_step_function(request=request, step=step("a step of a user's own"))
        nobodys = SCENARIO.get_step_function(request=request, step=step("a step of nobody's"))
    assert kits.step_func.__module__ == "react_tck.steps.arrange"
    assert users.step_func is users_own_step
    assert nobodys is None
    assert looked_up == ["a step of a user's own", "a step of nobody's"]


def test_pytest_bdds_own_lookup_is_back_afterwards() -> None:
    theirs = SCENARIO.get_step_function
    with step_table().in_place():
        assert SCENARIO.get_step_function is not theirs
    assert SCENARIO.get_step_function is theirs
    with pytest.raises(KeyError), step_table().in_place():
        raise KeyError
    assert SCENARIO.get_step_function is theirs


@pytest.mark.parametrize("is_missing", [True, False])
def test_it_stays_away_from_a_lookup_that_it_does_not_know(is_missing: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if is_missing:
        monkeypatch.delattr(SCENARIO, "get_step_function")
    else:
        replace_lookup(monkeypatch)
    before = dict(vars(SCENARIO))
    with step_table().in_place() as is_in_place:
        assert not is_in_place
        assert vars(SCENARIO) == before


def test_a_definition_is_looked_for_once_for_a_type_and_a_text(monkeypatch: pytest.MonkeyPatch) -> None:
    definition = load_step_definitions().definitions[0]
    looked_for: list[tuple[str, str]] = []

    def matches(_: StepDefinition, type_: str, text: str) -> bool:
        looked_for.append((type_, text))
        return text != "none"

    monkeypatch.setattr(StepDefinition, "matches_step", matches)
    table = StepTable(StepDefinitions((definition,)))

    steps = [("given", "one"), ("given", "one"), ("when", "one"), ("given", "none"), ("given", "none")]
    found = [table.find(*step) for step in steps]
    assert found == [definition.context] * 3 + [None] * 2
    assert looked_for == [("given", "one"), ("when", "one"), ("given", "none")]
