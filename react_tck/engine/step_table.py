"""The border to pytest-bdd's lookup of step definitions.

pytest-bdd asks pytest about every fixture of the session for every step: nine tenths of its time. The kit's own step
definitions are looked up in a table instead; a step that isn't there is looked up by pytest-bdd. Where the table can't
be put in place, a run is slower and says the same. `tests/project/test_borders.py` holds what is used here against the
installed versions, and names those tried.
"""

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from threading import Lock

import pytest
from pytest_bdd.parser import ScenarioTemplate, Step
from pytest_bdd.steps import StepFunctionContext

from react_tck.catalogue.step_definitions import StepDefinitions

_SCENARIO = import_module("pytest_bdd.scenario")  # the package has a function of that name
_LOOKUP = "get_step_function"


class StepTable:
    """Step definitions, each found once by the type and the text of a step."""

    def __init__(self, definitions: StepDefinitions) -> None:
        self.find = cache(definitions.find_step)
        self._sessions = 0
        self._patch = pytest.MonkeyPatch()
        self._lock = Lock()

    @contextmanager
    def in_place(self) -> Iterator[bool]:
        """Have pytest-bdd ask the table first, until the last session that uses it ends; gives whether it does."""
        theirs: Callable[..., StepFunctionContext | None] | None = getattr(_SCENARIO, _LOOKUP, None)
        if theirs is None or tuple(inspect.signature(theirs).parameters) != ("request", "step"):
            yield False
            return

        def find_step_function(request: pytest.FixtureRequest, step: Step) -> StepFunctionContext | None:
            return self.find(step.type, step.name) or theirs(request=request, step=step)

        with self._lock:
            self._sessions += 1
            if self._sessions == 1:
                self._patch.setattr(_SCENARIO, _LOOKUP, find_step_function)
        try:
            yield True
        finally:
            with self._lock:
                self._sessions -= 1
                if self._sessions == 0:
                    self._patch.undo()


def find_scenario(item: pytest.Item) -> tuple[ScenarioTemplate, tuple[str, ...]] | None:
    """Return the scenario that a test of `pytest_bdd.scenarios` plays, with its examples' values, or None."""
    function = getattr(item, "obj", None)
    template = _SCENARIO.scenario_wrapper_template_registry.get(function) if inspect.isfunction(function) else None
    callspec = getattr(item, "callspec", None)
    values = callspec.params.get("_pytest_bdd_example", {}) if callspec else {}
    return template and (template, tuple(values.values()))
