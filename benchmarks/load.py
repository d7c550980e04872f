"""Requests as fast as a server takes them: wrk's, else those of autocannon from npm."""

import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from tests.support.node import found

CONNECTIONS = 16
#: What is installed where there is no wrk.
AUTOCANNON = "autocannon@8.0.0"
_SECONDS = 1
#: Requests that differ; every question is another, so that no cache of ours can answer.
_QUESTIONS = 5000
_SYSTEM = "Your output fields are:\n1. `answer` (str)\n\n[[ ## answer ## ]]\n{answer}\n\n[[ ## completed ## ]]"
MESSAGES = [{"role": "system", "content": _SYSTEM}, {"role": "user", "content": "What is the weather in Paris?"}]
_WRK = """
wrk.headers["content-type"] = "application/json"
local paths, requests, at = { %s }, {}, 0
function init(args)
  for i = 1, %d do
    local path = paths[i %% #paths + 1] .. "/chat/completions"
    requests[i] = wrk.format("POST", path, nil, (string.gsub([==[%s]==], "Paris", "Paris (" .. i .. ")")))
  end
end
function request()
  at = at %% #requests + 1
  return requests[at]
end
"""
_AUTOCANNON = """
const autocannon = (await import(process.argv[1] + "/autocannon/autocannon.js")).default;
const { root, paths, body, questions, ...options } = JSON.parse(process.argv[2]);
const requests = Array.from({ length: questions }, (_, i) => ({
  method: "POST", path: paths[i % paths.length] + "/chat/completions",
  headers: { "content-type": "application/json" }, body: body.replace("Paris", `Paris (${i})`),
}));
const done = await autocannon({ url: root, requests, ...options });
console.log(JSON.stringify({
  requests: done.requests.total, seconds: done.duration, p99: done.latency.p99, failed: done.non2xx + done.errors,
}));
"""
_MILLISECONDS = {"us": 0.001, "ms": 1.0, "s": 1000.0}


class Seen(NamedTuple):
    """What the clients saw: requests, those a second, and milliseconds that all but one in a hundred took at most."""

    requests: int
    rate: float
    p99: float


#: What sends this body to all of these URLs in turn.
Load = Callable[[Sequence[str], str], Seen]


def load() -> Load | str:
    """What is here to send requests, or why there is nothing."""
    if shutil.which("wrk"):
        return _wrk
    modules = found((AUTOCANNON,))
    if isinstance(modules, str):
        return f"there is no wrk here (apt-get install wrk), and {modules}"
    return lambda urls, body: _autocannon(modules, urls, body)


def pinned(processor: int, command: Sequence[str]) -> list[str]:
    """Server and load on a processor each, where the system lets us."""
    if shutil.which("taskset") is None or len(_processors()) < 2:
        return list(command)
    return ["taskset", "-c", str(processor), *command]


def _wrk(urls: Sequence[str], body: str) -> Seen:
    root, paths = _split(urls)
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as script:
        script.write(_WRK % (", ".join(map(json.dumps, paths)), _QUESTIONS, body))
        script.flush()
        options = ["-t1", f"-c{CONNECTIONS}", f"-d{_SECONDS}s", "--latency", "-s", script.name]
        output = subprocess.check_output(pinned(1, ["wrk", *options, root]), text=True)
    assert "Non-2xx" not in output, output
    p99, unit = _found(r"\n +99% +([\d.]+)", output), _found(r"\n +99% +[\d.]+(\w+)", output)
    return Seen(
        int(_found(r"(\d+) requests in", output)),
        float(_found(r"Requests/sec:\s+(\S+)", output)),
        float(p99) * _MILLISECONDS[unit],
    )


def _autocannon(modules: Path, urls: Sequence[str], body: str) -> Seen:
    root, paths = _split(urls)
    wanted = {"root": root, "paths": paths, "body": body, "questions": _QUESTIONS}
    options = json.dumps({**wanted, "connections": CONNECTIONS, "duration": _SECONDS})
    command = ["node", "--input-type=module", "-e", _AUTOCANNON, str(modules), options]
    said = json.loads(subprocess.check_output(pinned(1, command), text=True))
    assert not said["failed"], said
    return Seen(said["requests"], said["requests"] / said["seconds"], said["p99"])


def _split(urls: Sequence[str]) -> tuple[str, list[str]]:
    """Of URLs of one server its root, and their paths."""
    root = "/".join(urls[0].split("/")[:3])
    return root, [url.removeprefix(root) for url in urls]


def _found(pattern: str, output: str) -> str:
    match = re.search(pattern, output)
    assert match is not None, output
    return match[1]


def _processors() -> set[int]:
    return os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set()
