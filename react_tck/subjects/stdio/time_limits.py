"""How long a harness may take for each operation of the wire."""

from dataclasses import dataclass


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
