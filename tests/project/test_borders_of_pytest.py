"""The border to pytest and pytest-bdd: what a row of a feature is played with, and they never promised."""

import os
import sys
from collections.abc import Callable, Generator
from importlib import import_module
from pathlib import Path

import pytest
import pytest_bdd
import pytest_bdd.plugin
from pytest_bdd.parser import Step
from pytest_bdd.steps import StepFunctionContext

from react_tck.catalogue.step_definitions import find_definitions
from react_tck.engine.step_table import find_scenario
from react_tck.steps import act
from tests.project.test_borders import DEFINITIONS, PLUGIN, SESSION, STEPS, TABLE, holds, parameters

SCENARIO = import_module("pytest_bdd.scenario")
TITLE = "The sum is <sum> [whatever]"
FEATURE = f"""@of-the-feature
Feature: Sums
  @SUM-001
  Scenario Outline: {TITLE}
    Given the sum <sum>
    Then it is <sum>
    Examples:
      | sum |
      | 5   |
      | -7  |
"""


@pytest.fixture
def sums() -> list[int]:
    """What the steps below share; found by its name, as `world` is."""
    return []


@pytest_bdd.given(pytest_bdd.parsers.parse("the sum {value:d}"))
def the_sum(sums: list[int], value: int) -> None:
    sums.append(value)


@pytest_bdd.then(pytest_bdd.parsers.parse("it is {value:d}"))
def it_is(sums: list[int], value: int) -> None:
    assert sums == [value]
    assert value > 0
    assert "PYTEST_CURRENT_TEST" not in os.environ


class Rows:
    """Has a session of pytest play the rows of the feature, as the kit does, and notes what it sees of it."""

    def __init__(self, feature: Path) -> None:
        self._feature = str(feature)
        self.tags: list[str] = []
        self.steps: list[tuple[str, ...]] = []
        self.current: list[str | None] = []
        self.ends: list[type[BaseException] | None] = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self, session: pytest.Session) -> bool:
        bound = pytest_bdd.scenario(self._feature, TITLE, features_base_dir="")(lambda: None)

        def bind(value: str) -> Callable[[pytest.FixtureRequest], object]:
            return lambda request: bound(request, {"sum": value})

        make = pytest.Function.from_parent
        session.items = [make(session, name=f"row [{each}]", callobj=bind(each)) for each in ("5", "-7")]
        session.testscollected = len(session.items)
        return True

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        for item, after in zip(session.items, [*session.items[1:], None], strict=True):
            item.ihook.pytest_runtest_protocol(item=item, nextitem=after)
        return True

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_pyfunc_call(self) -> Generator[None, object, object]:
        self.current.append(os.environ.pop("PYTEST_CURRENT_TEST", None))
        try:
            result = yield
        except Exception as error:
            self.ends.append(type(error))
            return True
        self.ends.append(None)
        return result

    def pytest_bdd_apply_tag(self, tag: str) -> bool:
        self.tags.append(tag)
        return True

    def pytest_bdd_before_step(self, request: pytest.FixtureRequest, step: Step) -> None:
        self.steps.append((request.node.name, step.keyword, step.type, step.name))


def run_pytest(patch: pytest.MonkeyPatch, *words: str, plugins: tuple[object, ...]) -> None:
    """A session of pytest within this one, which knows pytest-bdd and the steps above, and prints nothing."""
    quiet = [f"-pno:{name}" for name in ("terminal", "cacheprovider", "capture")]
    patch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    patch.delenv("PYTEST_CURRENT_TEST", raising=False)
    general = ("-c", os.devnull, "--noconftest", "--assert=plain", *quiet)
    pytest.main([*general, *words], plugins=[pytest_bdd.plugin, sys.modules[__name__], *plugins])


@pytest.fixture
def feature(tmp_path: Path) -> Path:
    file = tmp_path / "sums.feature"
    file.write_text(FEATURE, encoding="utf-8")
    return file


@pytest.fixture
def rows(feature: Path, monkeypatch: pytest.MonkeyPatch) -> Rows:
    """The feature's two rows, which have been played; the second fails."""
    found = Rows(feature)
    run_pytest(monkeypatch, plugins=(found,))
    return found


def test_pytest_bdd_leaves_definitions_where_they_are_looked_for() -> None:
    contexts = list(find_definitions(act))
    says = "a definition's fixture has a name with StepNamePrefix.step_def, and what it wraps is registered"
    holds(bool(contexts), "pytest-bdd", DEFINITIONS, says)
    for each in contexts:
        facts = (each.type in (None, "given", "when", "then"), callable(each.parser.is_matching), each.step_func)
        holds(all(facts), "pytest-bdd", DEFINITIONS, "a StepFunctionContext has a type, a parser and a step_func")


def test_pytest_bdd_looks_a_step_up_by_a_function_of_its_module(
    monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    says = "get_step_function(request=, step=) is looked up in pytest_bdd.scenario whenever a step is executed"
    theirs = SCENARIO.get_step_function
    holds(parameters(theirs) == ("request", "step"), "pytest-bdd", TABLE, says)
    asked: list[str] = []

    def ours(request: pytest.FixtureRequest, step: Step) -> StepFunctionContext | None:
        asked.append(step.name)
        found: StepFunctionContext | None = theirs(request=request, step=step)
        return found

    monkeypatch.setattr(SCENARIO, "get_step_function", ours)
    request.getfixturevalue("rows")
    holds(asked == ["the sum 5", "it is 5", "the sum -7", "it is -7"], "pytest-bdd", TABLE, says)


def test_pytest_bdd_gives_a_function_that_plays_a_row(rows: Rows) -> None:
    says = "scenario(path, title, features_base_dir='') gives a function of a request and the values of a row"
    holds(rows.ends == [None, AssertionError], "pytest-bdd", SESSION, f"{says}; what a step raises comes out of it")
    says = "the function that applies tags is a hook, and asked for each tag"
    holds({*rows.tags} == {"of-the-feature", "SUM-001"}, "pytest-bdd", SESSION, says)


def test_pytest_bdd_tells_each_step_before_it_is_carried_out(rows: Rows) -> None:
    expected = [
        (f"row [{value}]", *words)
        for value in ("5", "-7")
        for words in (("Given", "given", f"the sum {value}"), ("Then", "then", f"it is {value}"))
    ]
    holds(rows.steps == expected, "pytest-bdd", PLUGIN, "a Step has keyword, type and name, the values filled in")


class Collected:
    """Notes the items of a session that runs none."""

    items: tuple[pytest.Item, ...] = ()

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        self.items = tuple(items)


def test_pytest_bdd_registers_the_scenario_of_a_test(feature: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tests = feature.with_name("test_sums.py")
    text = "from pytest_bdd import scenarios\nscenarios('sums.feature')\ndef test_another(): ...\n"
    tests.write_text(text, encoding="utf-8")
    collected = Collected()
    run_pytest(monkeypatch, str(tests), "--collect-only", plugins=(collected,))
    found = {item.name: find_scenario(item) for item in collected.items}

    says = "scenario_wrapper_template_registry has the template of a scenario's test, and of no other"
    holds(found.pop("test_another", ()) is None and None not in found.values(), "pytest-bdd", TABLE, says)
    values = [each[1] for each in found.values() if each]
    says = "an item's values are in callspec.params['_pytest_bdd_example']"
    holds(values == [("5",), ("-7",)], "pytest-bdd", TABLE, says)
    for template, _ in filter(None, found.values()):
        where = (Path(template.feature.filename), template.line_number, template.name)
        holds(where == (feature, 4, TITLE), "pytest-bdd", STEPS, "a template knows its file, line and name")


def test_pytest_says_which_test_runs_in_a_variable_that_may_go(rows: Rows) -> None:
    expected = ["row [5] (call)", "row [-7] (call)"]
    told = [each.rpartition("::")[2] for each in rows.current if each]
    says = "PYTEST_CURRENT_TEST is set before pytest_pyfunc_call, not again in it, and needn't be there afterwards"
    holds(told == expected and len(rows.ends) == 2, "pytest", SESSION, says)


def test_pytest_makes_an_item_of_a_session_and_a_function(rows: Rows) -> None:
    says = "Function.from_parent(session, name=, callobj=) is an item that the hooks of a test play, fixtures and all"
    holds(len(rows.steps) == 4, "pytest", SESSION, says)
