"""Gives the features their sentences, and `--tck-subject` its rows: `pytest features --tck-subject NAME`."""

pytest_plugins = ["react_tck.pytest_steps"]
