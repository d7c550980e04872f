"""Ask `react-tck serve` by many clients at once: `python -m benchmarks.serve [--clients N] [--seconds S] [--pace S]`.

JSON and streamed replies are asked for in turn, with prompts of 200 to 20,000 characters, over connections that end
after twenty requests. Prints how many were refused, how long they took, what the server used, and what memory and
descriptors it held. In a minute or more these grow no more in the second half: `--clients 200 --seconds 600` is a soak.
"""

import argparse
import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

#: Requests of a connection; characters of a prompt, which take turns.
_REQUESTS, _PROMPTS = 20, (200, 2_000, 20_000)
#: Seconds after which whoever waits is told how far it is.
_PATIENCE = 10
#: Seconds after which the server holds all that it may keep; what its memory may grow by from then on, as a factor.
_SETTLED, _GROWTH = 60, 1.1
_SCRIPT = {"replies": [{"says": "It is sunny.", "times": "always"}]}


@dataclass(frozen=True)
class Load:
    """Who asks: so many clients, until then, each so many seconds after its last reply."""

    clients: int
    until: float
    pace: float


@dataclass
class Seen:
    """What came of it: milliseconds of each request, those not answered by 200, the server's MiB and descriptors."""

    took: list[float] = field(default_factory=list)
    refused: int = 0
    memory: list[float] = field(default_factory=list)
    descriptors: list[int] = field(default_factory=list)

    @property
    def is_flat(self) -> bool:
        """Whether the second half of the time took no more of the server than the first."""
        half = len(self.memory) // 2
        grown = max(self.memory[half:]) / max(1.0, *self.memory[:half])
        return grown <= _GROWTH and max(self.descriptors[half:]) <= max(self.descriptors[:half]) * _GROWTH


async def _play(url: str, pid: int, load: Load) -> Seen:
    seen, begun = Seen(), time.monotonic()
    playing = asyncio.gather(*(_ask(url, number, load, seen) for number in range(load.clients)))
    for left in range(10, 0, -1):
        await asyncio.sleep((load.until - time.monotonic()) / left)
        if time.monotonic() - begun >= _PATIENCE:
            print(f"{len(seen.took)} requests, {(left - 1) * 10} % of the time left", file=sys.stderr, flush=True)
        seen.memory.append(_memory(pid))
        seen.descriptors.append(sum(1 for _ in Path(f"/proc/{pid}/fd").glob("*")))
    await playing
    return seen


async def _ask(url: str, number: int, load: Load, seen: Seen) -> None:
    at, turn = urlsplit(url), number
    while time.monotonic() < load.until:
        reader, writer = await asyncio.open_connection(at.hostname, at.port)
        for turn in range(turn, turn + _REQUESTS):  # noqa: B020  # the next connection goes on
            begun = time.perf_counter()
            writer.write(_request(at.path, f"{number} {turn} ", turn))
            seen.refused += await _read_status(reader) != 200
            seen.took.append((time.perf_counter() - begun) * 1000)
            await asyncio.sleep(load.pace)
            if time.monotonic() >= load.until:
                break
        writer.close()


def _request(path: str, prompt: str, turn: int) -> bytes:
    content = prompt.ljust(_PROMPTS[turn % len(_PROMPTS)], "x")
    asked = {"model": "m", "stream": turn % 2 == 0, "messages": [{"role": "user", "content": content}]}
    body = json.dumps(asked).encode()
    return f"POST {path}/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: {len(body)}\r\n\r\n".encode() + body


async def _read_status(reader: asyncio.StreamReader) -> int:
    head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
    if length := re.search(r"content-length: (\d+)", head):
        await reader.readexactly(int(length[1]))
    else:
        while size := int(await reader.readline(), 16):
            await reader.readexactly(size + 2)
        await reader.readline()
    return int(head.split()[1])


def _memory(pid: int) -> float:
    """Return the MiB that a process holds, on Linux."""
    status = Path(f"/proc/{pid}/status")
    found = re.search(r"VmRSS:\s+(\d+) kB", status.read_text(encoding="ascii")) if status.exists() else None
    return int(found[1]) / 1024 if found else 0.0


def main(words: Sequence[str] | None = None) -> int:
    """Play the clients and print; return 1 where a request was refused, or the server took ever more."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.serve")
    parser.add_argument("--clients", type=int, default=16, metavar="N")
    parser.add_argument("--seconds", type=float, default=10.0, metavar="S")
    parser.add_argument("--pace", type=float, default=0.0, metavar="S", help="seconds of a client between two requests")
    given = parser.parse_args(words)
    with TemporaryDirectory() as folder:
        script = Path(folder, "script.json")
        script.write_text(json.dumps(_SCRIPT), encoding="utf-8")
        command = [sys.executable, "-m", "react_tck", "serve", str(script)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as server:
            said = iter(server.stdout or ())
            url = next(found[0] for line in said if (found := re.search(r"http://\S+/v1", line)))
            load = Load(given.clients, time.monotonic() + given.seconds, given.pace)
            seen = asyncio.run(_play(url, server.pid, load))
            server.send_signal(signal.SIGTERM)
            server.communicate()
    used = os.times()
    cost = (used.children_user + used.children_system) / len(seen.took) * 1e6
    print(f"{given.clients} clients for {given.seconds:g} s: {len(seen.took)} requests, {seen.refused} refused")
    print(f"{cost:.0f} µs of the server's processor a request; half within {median(seen.took):.1f} ms,", end=" ")
    print(f"all but a hundredth within {quantiles(seen.took, n=100)[-1]:.1f} ms")
    print(f"memory in MiB, at every tenth: {', '.join(f'{each:.1f}' for each in seen.memory)}")
    print(f"descriptors: {', '.join(map(str, seen.descriptors))}")
    return 1 if seen.refused or (given.seconds >= _SETTLED and not seen.is_flat) else 0


if __name__ == "__main__":
    sys.exit(main())
