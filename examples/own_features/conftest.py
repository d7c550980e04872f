"""Gives this project's scenarios the sentences of react-tck."""

pytest_plugins = ["react_tck.pytest_steps"]
