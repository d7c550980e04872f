"""Reads the features and the registry when it is imported: for the processes forked from the one that does."""

from react_tck.suite.features import load_features
from react_tck.suite.registry import load_registry
from react_tck.suite.run import read_ahead

read_ahead({title for scenario in load_features() for title in scenario.run_titles})
load_registry()
