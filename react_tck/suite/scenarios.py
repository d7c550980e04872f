"""The module pytest collects: one test function a scenario that is to be played.

Only the runner loads it; `pytest` on its own has no subject to run it against.
"""

import re
from collections.abc import Collection

from react_tck.suite import bdd
from react_tck.suite.features import ScenarioInfo, load_features


def _name(number: int, scenario: ScenarioInfo) -> str:
    return f"test_{number:04}_{re.sub(r'[^a-z0-9]+', '_', scenario.title.lower())}"


#: The scenario of each test function, by the function's name; in the order of the names, which is that of the features.
SCENARIOS = {_name(number, scenario): scenario for number, scenario in enumerate(load_features())}


def provide(rows: Collection[str]) -> None:
    """Have the test functions of the scenarios that these rows are of: making all would take longer than a few play."""
    for name, scenario in SCENARIOS.items():
        if name not in globals() and any(row in rows for row in scenario.run_titles):
            globals()[name] = bdd.function_of(scenario)
