"""`python -m benchmarks.server`: the HTTP server against a constant reply on its stack, and against aimock from npm.

Needs wrk; aimock is looked for in the folder that REACT_TCK_NODE_MODULES names. On a busy machine look at the
processor time that a request costs the server: it depends less on who else is running.
"""

import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.request import Request, urlopen

from benchmarks.pairs import timed
from benchmarks.servers import AIMOCK, TEXT
from react_tck.fakes.server import LaneServer
from react_tck.model.lm import Completion

_ROUNDS = 5
_CONNECTIONS = 16
_SYSTEM = "Your output fields are:\n1. `answer` (str)\n\n[[ ## answer ## ]]\n{answer}\n\n[[ ## completed ## ]]"
_MESSAGES = [{"role": "system", "content": _SYSTEM}, {"role": "user", "content": "What is the weather in Paris?"}]
#: Every question is another, so that no cache of ours can answer.
_LOAD = """
wrk.headers["content-type"] = "application/json"
local requests, at = {}, 0
function init(args)
  for i = 1, 5000 do
    requests[i] = wrk.format("POST", nil, nil, (string.gsub([==[%s]==], "Paris", "Paris (" .. i .. ")")))
  end
end
function request()
  at = at %% #requests + 1
  return requests[at]
end
"""


_MILLISECONDS = {"us": 0.001, "ms": 1.0, "s": 1000.0}


class Served(NamedTuple):
    """A server to be measured."""

    name: str
    url: str
    pid: int


class Round(NamedTuple):
    """What wrk saw in one round (milliseconds), and the processor seconds of the server that a request cost."""

    rate: float
    cpu: float
    p99: float


def main() -> None:
    """Measure and print."""
    _print_times()
    if shutil.which("wrk") is None:
        print("requests per second: skipped, there is no wrk here (apt-get install wrk)")
        return
    with ExitStack() as running:
        ours = [running.enter_context(_python(kind)) for kind in ("constant", "server", "whole")]
        peers = [running.enter_context(_aimock(modules)) for modules in _node_modules()]
        _print_rounds("JSON", [*ours, *peers], stream=False)
        _print_rounds("SSE", [*ours, *peers], stream=True)


def _print_times() -> None:
    def first_reply() -> None:
        with LaneServer() as server:
            _post(server.open(lambda _: Completion(content=TEXT), {}).base_url)

    first = statistics.median(timed(first_reply) for _ in range(20)) * 1000
    print(f"start, first reply, close: {first:.1f} ms   (at most 200)")
    with LaneServer() as server:
        lane = statistics.median(timed(lambda: server.open(lambda _: Completion(), {}).close()) for _ in range(10_000))
    print(f"a lane, opened and closed: {lane * 1000:.3f} ms   (at most 1)")


def _post(url: str) -> None:
    request = Request(f"{url}/chat/completions", data=json.dumps({"messages": _MESSAGES}).encode())
    with urlopen(request) as reply:
        reply.read()


def _node_modules() -> list[str]:
    folder = os.environ.get("REACT_TCK_NODE_MODULES", "")
    if shutil.which("node") and Path(folder, "@copilotkit/aimock").is_dir():
        return [folder]
    print("aimock: skipped, it needs node, and REACT_TCK_NODE_MODULES to name a folder that has @copilotkit/aimock")
    return []


@contextmanager
def _started(name: str, command: Sequence[str]) -> Iterator[Served]:
    process = subprocess.Popen(_on(0, command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield Served(name, process.stdout.readline().strip(), process.pid)
    finally:
        process.kill()
        process.communicate()


def _python(kind: str) -> AbstractContextManager[Served]:
    return _started(kind, [sys.executable, "-m", "benchmarks.servers", kind])


def _aimock(modules: str) -> AbstractContextManager[Served]:
    return _started("aimock", ["node", "--input-type=module", "-e", AIMOCK, modules])


def _on(processor: int, command: Sequence[str]) -> list[str]:
    """Server and load on a processor each, where the system lets us."""
    pinned = shutil.which("taskset") is not None and (os.cpu_count() or 1) > 1
    return ["taskset", "-c", str(processor), *command] if pinned else list(command)


def _print_rounds(title: str, servers: Sequence[Served], *, stream: bool) -> None:
    """The rounds of all servers in turn, so that a noisy machine disturbs them alike."""
    body = json.dumps({"model": "m", "messages": _MESSAGES, "stream": stream})
    rounds = [[_round(server, body) for server in servers] for _ in range(_ROUNDS)]
    print(f"\n{title}, {_CONNECTIONS} connections, median of {_ROUNDS} rounds; ratios to the first and the last server")
    for server, mine in zip(servers, zip(*rounds, strict=True), strict=True):
        rate, cpu, p99 = (statistics.median(getattr(each, what) for each in mine) for what in Round._fields)
        first, last = (
            statistics.median(one.rate / each[of].rate for one, each in zip(mine, rounds, strict=True))
            for of in (0, -1)
        )
        print(
            f"  {server.name:<9} {rate:8.0f} requests/s ({first:.2f} x, {last:.2f} x)   "
            f"{cpu * 1e6:6.1f} µs of processor a request   p99 {p99:.2f} ms"
        )


def _round(server: Served, body: str) -> Round:
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as load:
        load.write(_LOAD % body)
        load.flush()
        command = ["wrk", "-t1", f"-c{_CONNECTIONS}", "-d2s", "--latency", "-s", load.name]
        before = _processor_seconds(server.pid)
        output = subprocess.check_output(_on(1, [*command, f"{server.url}/chat/completions"]), text=True)
        spent = _processor_seconds(server.pid) - before
    assert "Non-2xx" not in output, output
    requests = int(_found(r"(\d+) requests in", output))
    rate = float(_found(r"Requests/sec:\s+(\S+)", output))
    p99, unit = _found(r"\n +99% +([\d.]+)", output), _found(r"\n +99% +[\d.]+(\w+)", output)
    return Round(rate, spent / requests, float(p99) * _MILLISECONDS[unit])


def _found(pattern: str, output: str) -> str:
    match = re.search(pattern, output)
    assert match is not None, output
    return match[1]


def _processor_seconds(pid: int) -> float:
    """What the process has used so far; nothing where there is no /proc."""
    stat = Path(f"/proc/{pid}/stat")
    if not stat.exists():
        return 0.0
    user, system = stat.read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
