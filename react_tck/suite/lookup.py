"""Finds the definition of a sentence: pytest-bdd asks pytest about every definition, for every sentence."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module

from _pytest.fixtures import FixtureDef, FixtureManager
from _pytest.nodes import Node
from pytest_bdd.compat import get_fixture_names, getfixturedefs
from pytest_bdd.parser import Step
from pytest_bdd.steps import StepFunctionContext, step_function_context_registry

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
