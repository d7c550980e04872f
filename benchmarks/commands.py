"""Whole commands, from process start: as they are, and as they were before issue 16."""

import statistics
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.figures import Bound, Figure, at_most
from benchmarks.pairs import timed
from benchmarks.trees import COMMANDS, HARNESS, ROOT, SAMPLES, SMOKE_OVER_THE_WIRE, kit, measured, seconds

_ROUNDS = 2
#: The commit that is called today's tree in issue 16.
_EARLIER = "63e66cd"
_HELP = at_most("--help", 0.25, "s")
_SMOKE = at_most("smoke reference", 2, "s")
_SMOKE_WIRE = at_most("smoke over the wire, beside the start of the harness", 0.5, "s")
#: What is timed in both trees; of what isn't the kit alone, the processor's seconds count.
_BOTH = ("reference", "wire")
_INITIALIZE = b'{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocol": 1}}\n'


def _bound(name: str) -> Bound:
    bound = COMMANDS[name].bound
    assert bound, f"{name} is timed without a bound"
    return bound


BOUNDS = (*map(_bound, (*_BOTH, *SAMPLES)), _HELP, _SMOKE, _SMOKE_WIRE)


def figures() -> Iterator[Figure]:
    """Seconds that pass, and the processor's where the other end isn't the kit; ratios in turn."""
    for bound, words in ((_HELP, ["--help"]), (_SMOKE, ["run", "reference", "--tags", "@smoke"])):
        yield bound.measured(_passing(kit(*words)))
    started, smoke = _harness_start(), _passing(SMOKE_OVER_THE_WIRE.words)
    yield _SMOKE_WIRE.measured(smoke - started, f"{smoke:.2f} - {started:.2f} s")
    with earlier_tree() as earlier:
        for name in (*_BOTH, *SAMPLES):
            yield (
                _ratio(name, earlier) if earlier else _bound(name).unmeasured(f"commit {_EARLIER} isn't in this clone")
            )


def _ratio(name: str, earlier: Path) -> Figure:
    """Of a command, or once of the sample that stands for it."""
    bound = _bound(name)
    if name in SAMPLES:
        passed = measured(SAMPLES[name].words(earlier), earlier, 1, is_warm=True).passed
        one, other = passed.medians
        return bound.measured(passed.ratio, f"{one:.1f} / {other:.1f} s, {SAMPLES[name].told}")
    spent = measured(COMMANDS[name].words, earlier, _ROUNDS)
    return bound.measured_pair(spent.used if name == "wire" else spent.passed)


def _harness_start() -> float:
    """Seconds until the harness of the wire subject has answered who it is, and ended."""
    command = HARNESS[1:]
    return statistics.median(
        timed(lambda: subprocess.run(command, input=_INITIALIZE, capture_output=True, check=True)) for _ in range(3)
    )


def _passing(words: Sequence[str]) -> float:
    return statistics.median(seconds(words)[1] for _ in range(3))


@contextmanager
def earlier_tree() -> Iterator[Path | None]:
    """The tree before issue 16, checked out for as long as it is needed; None if this clone hasn't got it."""
    with TemporaryDirectory() as folder:
        tree = Path(folder) / "earlier"
        git = ["git", "-C", str(ROOT), "worktree"]
        made = subprocess.run([*git, "add", "--detach", str(tree), _EARLIER], capture_output=True, check=False)
        try:
            yield tree if made.returncode == 0 else None
        finally:
            subprocess.run([*git, "remove", "--force", str(tree)], capture_output=True, check=False)
