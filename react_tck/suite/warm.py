"""Reads the features and the registry when it is imported: for the processes forked from the one that does."""

from react_tck.suite.bdd import lookup_in
from react_tck.suite.registry import load_registry
from react_tck.suite.run import step_modules
from react_tck.suite.scenarios import SCENARIOS, provide

lookup_in(step_modules())
provide({row for scenario in SCENARIOS.values() for row in scenario.run_titles})
load_registry()
