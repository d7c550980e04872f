"""The border to pytest-bdd's lookup of step definitions.

pytest-bdd asks pytest about every fixture of the session for every step: nine tenths of its time. The kit's own step
definitions are looked up in a table instead; a step that isn't there is looked up by pytest-bdd. Where the table can't
be put in place, a run is slower and says the same. `tests/project/test_borders.py` holds what is used here against the
installed versions, and names those tried.
"""

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module

import pytest
from pytest_bdd.parser import ScenarioTemplate, Step
from pytest_bdd.steps import StepFunctionContext

from react_tck.catalogue.step_definitions import StepDefinitions


class StepTable:
    """Step definitions, each found once by the type and the text of a step."""

    def __init__(self, definitions: StepDefinitions) -> None:
        self._definitions = definitions.definitions
        self._known: dict[tuple[str, str], StepFunctionContext] = {}

    def find(self, type_: str, text: str) -> StepFunctionContext | None:
        """The first definition that matches; None if none does."""
        key = type_, text
        if key not in self._known:
            found = next((each for each in self._definitions if each.matches(type_, text)), None)
            if found is None:
                return None
            self._known[key] = found.context
        return self._known[key]

    @contextmanager
    def in_place(self) -> Iterator[bool]:
        """Have pytest-bdd ask the table first; gives whether it does."""
        module = import_module("pytest_bdd.scenario")  # the package has a function of that name
        theirs: Callable[..., StepFunctionContext | None] | None = getattr(module, "get_step_function", None)
        if theirs is None or tuple(inspect.signature(theirs).parameters) != ("request", "step"):
            yield False
            return

        def find_step_function(request: pytest.FixtureRequest, step: Step) -> StepFunctionContext | None:
            return self.find(step.type, step.name) or theirs(request=request, step=step)

        vars(module)["get_step_function"] = find_step_function
        try:
            yield True
        finally:
            vars(module)["get_step_function"] = theirs


def find_scenario(item: pytest.Item) -> tuple[ScenarioTemplate, tuple[str, ...]] | None:
    """The scenario that a test of `pytest_bdd.scenarios` plays, with the values of its examples; None for others."""
    registry = import_module("pytest_bdd.scenario").scenario_wrapper_template_registry
    function = getattr(item, "obj", None)
    template = registry.get(function) if inspect.isfunction(function) else None
    callspec = getattr(item, "callspec", None)
    values = callspec.params.get("_pytest_bdd_example", {}) if callspec else {}
    return template and (template, tuple(values.values()))
