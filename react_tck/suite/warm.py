"""Reads all features when it is imported, for the processes that are forked from the one that does."""

from react_tck.suite.scenarios import SCENARIOS, provide

provide({row for scenario in SCENARIOS.values() for row in scenario.run_titles})
