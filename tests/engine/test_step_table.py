"""The table of step definitions: quicker than pytest-bdd's lookup, and nothing else."""

from importlib import import_module

import pytest
from pytest_bdd import given
from pytest_bdd.parser import Step
from pytest_bdd.steps import StepFunctionContext

from react_tck.engine.session import step_table

SCENARIO = import_module("pytest_bdd.scenario")


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
