"""The module pytest collects: one test function a scenario, made by pytest-bdd.

Only the runner loads it; `pytest` on its own has no subject to run it against.
"""

import re

from pytest_bdd import scenario

from react_tck.suite.features import ScenarioInfo, load_features

#: The scenario of each test function, by the function's name.
SCENARIOS: dict[str, ScenarioInfo] = {}


def _empty() -> None:
    """The steps are the test."""


def _collect() -> None:
    for number, info in enumerate(load_features()):
        name = f"test_{number:04}_{re.sub(r'[^a-z0-9]+', '_', info.title.lower())}"
        SCENARIOS[name] = info
        globals()[name] = scenario(str(info.path), info.title, features_base_dir="")(_empty)


_collect()
