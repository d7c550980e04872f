"""Reads all features when it is imported, for the processes that are forked from the one that does."""

from pytest_bdd.feature import get_feature

from react_tck.suite.features import load_features

for _scenario in load_features():
    # pytest-bdd keeps what it has read.
    get_feature("", str(_scenario.path))
