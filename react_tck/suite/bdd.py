"""The border to pytest-bdd and pytest: all that is touched of them and that they don't promise.

`tests/project/test_borders.py` holds what is used here against the installed versions, and names those tried.
"""

import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest
from _pytest.fixtures import FixtureDef, FixtureManager
from _pytest.nodes import Node
from pytest_bdd.compat import get_fixture_names, getfixturedefs
from pytest_bdd.feature import get_feature
from pytest_bdd.parser import Step
from pytest_bdd.scenario import make_python_name
from pytest_bdd.steps import StepFunctionContext, StepNamePrefix, step_function_context_registry

__all__ = [
    "StepFunctionContext",
    "definitions_in",
    "examples_row",
    "function_name",
    "listed_once",
    "make_python_name",
    "read_ahead",
]

_Definition = tuple[FixtureDef[object], StepFunctionContext]


class Lookup:
    """All step definitions of a run, listed once: ours come from plugins, so every scenario sees all of them.

    pytest-bdd asks pytest about every definition, for every sentence.
    """

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


def definitions_in(module: ModuleType) -> Iterator[StepFunctionContext]:
    """What the decorators `given`, `when` and `then` left in a module."""
    # Each injects a fixture under a telling name; pytest wraps the function that pytest-bdd registered.
    for name, fixture in vars(module).items():
        if name.startswith(f"{StepNamePrefix.step_def.value}_"):
            yield step_function_context_registry[inspect.unwrap(fixture)]


def read_ahead(feature: Path) -> None:
    """Have pytest-bdd read a feature: it keeps what it has read, also for the processes forked from this one."""
    get_feature("", str(feature))


def function_name(item: pytest.Item) -> str:
    """The name of the test function that an item runs, without the row of an outline."""
    return getattr(item, "originalname", item.name)


def examples_row(item: pytest.Item) -> tuple[str, ...] | None:
    """The values of the row that an item runs an outline with; None for a scenario that is none."""
    callspec = getattr(item, "callspec", None)
    return tuple(callspec.params["_pytest_bdd_example"].values()) if callspec else None
