"""Reads all features when it is imported, for the processes that are forked from the one that does."""

from react_tck.suite import bdd
from react_tck.suite.features import load_features

for _scenario in load_features():
    bdd.read_ahead(_scenario.path)
