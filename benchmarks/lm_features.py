"""`python -m benchmarks.lm_features`: the scripted LM and aimock from npm, feature by feature; each cell is a probe.

A probe plans the same on both servers, each in its own words, asks, and looks at what comes: nothing is taken from
anybody's documentation. aimock comes from npm.
"""

import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from benchmarks.lm_files import FILES, Bench
from benchmarks.lm_forms import FORMS
from benchmarks.lm_probes import FEATURES, Feature
from benchmarks.lm_servers import Aimock, aimock, ours
from react_tck.fakes.server import LaneServer
from tests.support.node import found


def our_column(server: LaneServer, folder: Path) -> dict[str, bool]:
    """Whether ours has each feature."""
    bench = Bench(server, folder)
    asked = {each.name: _has(partial(_probed_at_ours, server, each)) for each in (*FEATURES, *FORMS)}
    return asked | {each.name: _has(partial(each.ours, bench)) for each in FILES}


def their_column(peer: Aimock, server: LaneServer, folder: Path) -> dict[str, bool]:
    """Whether theirs has; the server stands for the provider that is recorded."""
    bench = Bench(server, folder, peer)
    asked = {each.name: _has(partial(_probed_at_theirs, peer, each)) for each in (*FEATURES, *FORMS)}
    return asked | {each.name: _has(partial(each.theirs, bench)) for each in FILES}


def _probed_at_ours(server: LaneServer, feature: Feature) -> bool:
    return feature.probe(ours(server, feature.ours))


def _probed_at_theirs(peer: Aimock, feature: Feature) -> bool:
    return feature.probe(peer.start(feature.theirs, feature.options))


def _has(probe: Callable[[], bool]) -> bool:
    """What can't be told to do it, or fails in doing it, hasn't got it."""
    try:
        return probe()
    except Exception as error:
        print(f"  ({type(error).__name__}: {str(error)[:100]})", file=sys.stderr)
        return False


def table(modules: Path) -> str:
    """The table in docs/SCRIPTED_LM.md."""
    with tempfile.TemporaryDirectory() as folder, LaneServer() as server, aimock(modules) as peer:
        one, other = our_column(server, Path(folder)), their_column(peer, server, Path(folder))
        head = f"| | react-tck | aimock {peer.version} |\n|---|---|---|\n"
    return head + "".join(f"| {name} | {_cell(one[name])} | {_cell(other[name])} |\n" for name in one)


def _cell(has: bool) -> str:
    return "yes" if has else "–"


if __name__ == "__main__":
    modules = found()
    if isinstance(modules, str):
        sys.exit(f"aimock is needed: {modules}")
    print(table(modules), end="")
