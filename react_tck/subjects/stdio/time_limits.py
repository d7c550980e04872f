"""How long a harness may take for each operation of the wire."""

import os
from collections.abc import Mapping
from dataclasses import dataclass

from react_tck.subjects.config import START_TIMEOUT


@dataclass(frozen=True)
class Timeouts:
    """Seconds a harness may take for each operation."""

    initialize: float = 60
    construct: float = 30
    call: float = 60
    calls: float = 120
    resume: float = 60
    status: float = 30
    describe: float = 30
    dump: float = 30
    load: float = 30
    parse: float = 20


def read_timeouts(configured: Mapping[str, float]) -> Timeouts:
    """Return the limits that a configuration has, and the one that the command line gives for starting."""
    given = os.environ.get(START_TIMEOUT)
    return Timeouts(**{**configured, **({"initialize": float(given)} if given else {})})
