"""`python -m benchmarks.flame [--write]`: where the processor goes of fuzzing, of a run over the wire, of a request.

Prints a table of shares by package; `--write` puts it into docs/SCALE.md.
"""

import json
import logging
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping
from cProfile import Profile
from pathlib import Path
from pstats import Stats
from typing import Any

from benchmarks import fuzzing, servers
from benchmarks.load import MESSAGES
from react_tck.engine.run import Run
from react_tck.fakes.server import LaneServer
from react_tck.fakes.server.wire import HTTPRequest, as_bytes
from react_tck.fuzz.playing import SearchSettings, ToPlay, play_shard
from react_tck.fuzz.shards import Budget, GivenSubject, SearchScope
from react_tck.processes.workers.workers import ignore_beat
from react_tck.results.books import Unheard
from react_tck.subjects.api import Subject
from react_tck.subjects.catalogue import close_subject, resolve

_DOCUMENT = Path(__file__).parents[1] / "docs" / "SCALE.md"
_BEGIN, _END = "<!-- python -m benchmarks.flame --write -->\n", "<!-- -->\n"
#: Shares below are told together.
_LEAST = 0.02
#: Of a shard: an instrumented example takes three times as long.
_EXAMPLES = 20
#: Of the door: as many as an episode may send.
_REQUESTS = 1000
#: A function as `pstats` names it.
_Function = tuple[str, int, str]


def main(*, writes: bool) -> None:
    """Measure and print, or write."""
    logging.disable(logging.CRITICAL)
    shown = table(
        {
            "`fuzz reference`": _fuzz(),
            "`fuzz`, a wire toy": _with_toy(_shard),
            "`run`, a wire toy": _with_toy(_run),
            "a request at the door": profiled(_asked),
        }
    )
    if not writes:
        print(shown)
        return
    text = _DOCUMENT.read_text(encoding="utf-8")
    before, _, rest = text.partition(_BEGIN)
    _, _, after = rest.partition(_END)
    _DOCUMENT.write_text(f"{before}{_BEGIN}{shown}{_END}{after}", encoding="utf-8")


def _fuzz() -> Counter[str]:
    return profiled(_shard(resolve("reference")))


def _with_toy(work: Callable[[Subject], Callable[[], object]]) -> Counter[str]:
    subject = fuzzing.toy()
    try:
        return profiled(work(subject))
    finally:
        close_subject(subject)


def _shard(subject: Subject) -> Callable[[], object]:
    task = ToPlay(SearchSettings(GivenSubject(subject), SearchScope()), next(Budget(examples=_EXAMPLES).yield_shards()))
    return lambda: play_shard(task, ignore_beat)


def _run(subject: Subject) -> Callable[[], object]:
    return lambda: Run(subject, "a wire toy").collect_results(Unheard())


def _asked() -> None:
    """Requests of an LM that says the same again and again, from their bytes to those of the reply."""
    with LaneServer() as server:
        lane = server.open_lane(servers.whole(), {})
        for number in range(_REQUESTS):
            body = json.dumps({"model": "m", "messages": MESSAGES}).replace("Paris", f"Paris ({number})").encode()
            request = HTTPRequest("POST", "", "", body)
            as_bytes(lane.answer_request(request, "/v1/chat/completions"), keep_alive=True)


def profiled(action: Callable[[], object]) -> Counter[str]:
    """The processor seconds of this thread by package, imports apart; what C does counts for its caller."""
    action()
    profile = Profile(time.thread_time)
    profile.runcall(action)
    found: Counter[str] = Counter()
    statistics: Mapping[_Function, Any] = Stats(profile).stats  # type: ignore[attr-defined]
    for (file, _, _), (_, _, own, _, callers) in statistics.items():
        if file != "~":
            found[package_of(file)] += own
        else:
            for (caller, _, _), (_, _, seconds, _) in callers.items():
                found["Python" if caller == "~" else package_of(caller)] += seconds
    return found


def package_of(file: str) -> str:
    """The package that a file belongs to: of the kit, the one below `react_tck`."""
    parts = Path(file).parts
    for folder, depth in (("react_tck", 2), ("site-packages", 1)):
        if folder in parts:
            at = len(parts) - 1 - parts[::-1].index(folder) + (folder == "site-packages")
            return ".".join(part.removesuffix(".py") for part in parts[at : at + depth])
    return "Python"


def table(columns: Mapping[str, Counter[str]]) -> str:
    """A row for each package that has a share worth telling in any column, the largest first."""
    shares = {
        name: {package: own / seconds.total() for package, own in seconds.items()} for name, seconds in columns.items()
    }
    largest = {
        package: max(each.get(package, 0) for each in shares.values()) for each in shares.values() for package in each
    }
    packages = sorted(
        (package for package, share in largest.items() if share >= _LEAST), key=lambda p: (-largest[p], p)
    )
    rows = [[f"`{package}`", *(f"{each.get(package, 0):.0%}" for each in shares.values())] for package in packages]
    rows.append(
        ["others", *(f"{sum(each.values()) - sum(each.get(p, 0) for p in packages):.0%}" for each in shares.values())]
    )
    cells = [["package", *columns], ["---"] * (len(columns) + 1), *rows]
    return "".join(f"| {' | '.join(row)} |\n" for row in cells)


if __name__ == "__main__":
    main(writes=sys.argv[1:] == ["--write"])
