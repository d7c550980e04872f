"""The step definitions in `react_tck.steps`: which of them match the text of a step, for the linter and in a run.

With `suite.plugin`, this is where pytest-bdd's inner parts are touched.
"""

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType

from _pytest.fixtures import FixtureDef, FixtureManager
from _pytest.nodes import Node
from pytest_bdd.compat import get_fixture_names, getfixturedefs
from pytest_bdd.parser import Step
from pytest_bdd.steps import StepFunctionContext, StepNamePrefix, step_function_context_registry

from react_tck.suite.features import StepType

DEFAULT_PACKAGE = "react_tck.steps"


@dataclass(frozen=True)
class StepDefinition:
    """One `@given`, `@when` or `@then`, and where it stands."""

    context: StepFunctionContext
    location: str

    def matches(self, type_: StepType, text: str) -> bool:
        """Whether pytest-bdd would choose it for this step."""
        return self.context.type in (None, type_) and self.context.parser.is_matching(text)


@dataclass(frozen=True)
class StepDefinitions:
    """All step definitions of a package; it is the linter's step matcher."""

    definitions: tuple[StepDefinition, ...]

    def matching(self, type_: StepType, text: str) -> tuple[str, ...]:
        """Where the definitions stand that match: none is an undefined step, two are ambiguous."""
        return tuple(found.location for found in self.definitions if found.matches(type_, text))


def load_step_definitions(package: str = DEFAULT_PACKAGE) -> StepDefinitions:
    """Import every module of the package and collect what pytest-bdd's decorators left in them."""
    contexts = [context for module in _modules(package) for context in _contexts(module)]
    # A definition imported into a second module is still one definition.
    unique = {id(context): context for context in contexts}
    return StepDefinitions(tuple(StepDefinition(context, _location(context)) for context in unique.values()))


def _modules(package: str) -> Iterator[ModuleType]:
    root = importlib.import_module(package)
    yield root
    for module in pkgutil.walk_packages(root.__path__, prefix=f"{package}."):
        yield importlib.import_module(module.name)


def _contexts(module: ModuleType) -> Iterator[StepFunctionContext]:
    # The decorator injects a fixture under a telling name; pytest wraps the function pytest-bdd registered.
    for name, fixture in vars(module).items():
        if name.startswith(f"{StepNamePrefix.step_def.value}_"):
            yield step_function_context_registry[inspect.unwrap(fixture)]


def _location(context: StepFunctionContext) -> str:
    code = inspect.unwrap(context.step_func).__code__
    return f"{Path(code.co_filename).name}:{code.co_firstlineno}"


_Definition = tuple[FixtureDef[object], StepFunctionContext]


class Lookup:
    """All step definitions of a run, listed once: ours come from plugins, so every scenario sees all of them."""

    def __init__(self) -> None:
        self._definitions: tuple[_Definition, ...] = ()

    def find(self, step: Step, fixturemanager: FixtureManager, node: Node) -> Iterator[FixtureDef[object]]:
        """The definitions that match the step, as `pytest_bdd.scenario.find_fixturedefs_for_step` gives them."""
        self._definitions = self._definitions or tuple(_listed(fixturemanager, node))
        for definition, context in self._definitions:
            if context.type in (None, step.type) and context.parser.is_matching(step.name):
                yield definition


@contextmanager
def listed_once() -> Iterator[None]:
    """Have pytest-bdd use a `Lookup`."""
    module = import_module("pytest_bdd.scenario")  # the package has a function of that name
    theirs = module.find_fixturedefs_for_step
    vars(module)[theirs.__name__] = Lookup().find
    try:
        yield
    finally:
        vars(module)[theirs.__name__] = theirs


def _listed(fixturemanager: FixtureManager, node: Node) -> Iterator[_Definition]:
    for name in get_fixture_names(fixturemanager=fixturemanager):
        for definition in getfixturedefs(fixturemanager, name, node) or ():
            if context := step_function_context_registry.get(definition.func):
                yield definition, context
