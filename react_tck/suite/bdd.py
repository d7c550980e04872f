"""The border to pytest-bdd and pytest: all that is touched of them and that they don't promise.

`tests/project/test_borders.py` holds what is used here against the installed versions, and names those tried.
"""

import inspect
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from types import ModuleType

import pytest
from pytest_bdd import gherkin_parser, hooks
from pytest_bdd.feature import get_feature
from pytest_bdd.parser import Step
from pytest_bdd.scenario import _execute_scenario, collect_example_parametrizations, make_python_name
from pytest_bdd.steps import StepFunctionContext, StepNamePrefix, step_function_context_registry

from react_tck.suite.features import ScenarioInfo, document

__all__ = [
    "Bdd",
    "Step",
    "StepFunctionContext",
    "definitions_in",
    "definitions_of",
    "examples_row",
    "function_name",
    "function_of",
    "lookup_in",
    "make_python_name",
]


class Bdd:
    """Of pytest-bdd's plugin what scenarios need.

    The rest of it keeps what its own reports say, and imports what would write features, for every process of a run.
    """

    def pytest_addhooks(self, pluginmanager: pytest.PytestPluginManager) -> None:
        """What is called around a step may be listened to."""
        pluginmanager.add_hookspecs(hooks)

    @pytest.fixture
    def _pytest_bdd_example(self) -> dict[str, str]:
        """The values of a scenario that is no outline."""
        return {}


class Lookup:
    """The step definitions of some modules, looked up once a sentence.

    pytest-bdd asks pytest about every definition, for every sentence of every row; ours are the same for all of them.
    """

    def __init__(self, modules: Iterable[ModuleType]) -> None:
        self._definitions = tuple(context for module in modules for context in definitions_in(module))
        for definition in self._definitions:
            # Asked for again at every step, by pytest and by pytest-bdd.
            vars(definition.step_func).setdefault("__signature__", inspect.signature(definition.step_func))
            definition.parser.is_matching("")  # its pattern is compiled by the first sentence
        self._found: dict[tuple[str, str], StepFunctionContext | None] = {}

    def find(self, step: Step, **_: object) -> StepFunctionContext | None:
        """The definition that matches the step, as `pytest_bdd.scenario.get_step_function` gives it."""
        sentence = (step.type, step.name)
        if sentence not in self._found:
            self._found[sentence] = next((found for found in self._definitions if _matches(found, step)), None)
        return self._found[sentence]


def _matches(definition: StepFunctionContext, step: Step) -> bool:
    return definition.type in (None, step.type) and definition.parser.is_matching(step.name)


@cache
def lookup_in(modules: tuple[ModuleType, ...]) -> Lookup:
    """The lookup in these modules: one for all runs of a process, and of those that are forked from it."""
    return Lookup(modules)


@contextmanager
def definitions_of(modules: tuple[ModuleType, ...]) -> Iterator[None]:
    """Have pytest-bdd use these modules' step definitions."""
    scenario = import_module("pytest_bdd.scenario")  # the package has a function of that name
    with _replaced(scenario, "get_step_function", lookup_in(modules).find):
        yield


@contextmanager
def _replaced(module: ModuleType, name: str, ours: object) -> Iterator[None]:
    theirs = vars(module)[name]
    vars(module)[name] = ours
    try:
        yield
    finally:
        vars(module)[name] = theirs


class _Read:
    """What stands in the place of gherkin's parser."""

    parse = staticmethod(document)


def definitions_in(module: ModuleType) -> Iterator[StepFunctionContext]:
    """What the decorators `given`, `when` and `then` left in a module."""
    # Each injects a fixture under a telling name; pytest wraps the function that pytest-bdd registered.
    for name, fixture in vars(module).items():
        if name.startswith(f"{StepNamePrefix.step_def.value}_"):
            yield step_function_context_registry[inspect.unwrap(fixture)]


def function_of(scenario: ScenarioInfo) -> Callable[..., None]:
    """The test function of a scenario, as `pytest_bdd.scenario` makes one.

    That asks a running pytest about every tag, which are ours to read; this can be made for the processes that are
    forked from this one. Features are read as they were for the registry; pytest-bdd keeps them.
    """
    with _replaced(gherkin_parser, "Parser", _Read):
        feature = get_feature("", str(scenario.path))
    template = feature.scenarios[scenario.title]

    def test(request: pytest.FixtureRequest, _pytest_bdd_example: dict[str, str]) -> None:
        _execute_scenario(feature, template.render(_pytest_bdd_example), request)

    examples = collect_example_parametrizations(template)
    return pytest.mark.parametrize("_pytest_bdd_example", examples)(test) if examples else test


def function_name(item: pytest.Item) -> str:
    """The name of the test function that an item runs, without the row of an outline."""
    return getattr(item, "originalname", item.name)


def examples_row(item: pytest.Item) -> tuple[str, ...] | None:
    """The values of the row that an item runs an outline with; None for a scenario that is none."""
    callspec = getattr(item, "callspec", None)
    return tuple(callspec.params["_pytest_bdd_example"].values()) if callspec else None
