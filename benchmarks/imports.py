"""A command that imports half of the kit: without the collector at work meanwhile, and with it."""

import resource
import subprocess
import sys
from collections.abc import Callable, Iterator

from benchmarks.figures import Figure, at_most
from benchmarks.pairs import pair

_ROUNDS = 9
_LIST = "from react_tck.cli.main import main; main(['list'])"
_COLLECTED = "import importlib, react_tck.collector as kit; kit.imported = importlib.import_module"
_IMPORTS = at_most("list: without / with a collector that looks at what is imported, the processor's seconds", 0.9)
BOUNDS = (_IMPORTS,)


def figures() -> Iterator[Figure]:
    """Whole processes in turn."""
    spent = pair(_playing(_LIST), _playing(f"{_COLLECTED}; {_LIST}"), _ROUNDS, _processor_seconds)
    yield _IMPORTS.measured_pair(spent)


def _playing(code: str) -> Callable[[], object]:
    return lambda: subprocess.run([sys.executable, "-c", code], stdout=subprocess.DEVNULL, check=True)


def _processor_seconds() -> float:
    """What processes that have ended, started by this one, have used."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
