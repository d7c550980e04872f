"""Clients of `react-tck serve` for long: `python -m benchmarks.soak [MINUTES [CLIENTS]]`, ten and 200 unless given.

Each asks once a second, over a connection that it gives up after twenty requests. Whole replies and streamed
ones, short prompts and long ones are asked for in turn. Is anything refused, and does the server's memory grow?
"""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

_MINUTES, _CLIENTS = 10.0, 200
#: Seconds between two requests of a client; requests of a connection; characters of a prompt, which take turns.
_PACE, _REQUESTS, _PROMPTS = 1.0, 20, (200, 2_000, 20_000)
#: How often the memory is looked at.
_LOOKS = 30


def main(minutes: float, clients: int) -> None:
    """Play the clients, and print what was answered and what memory the server took."""
    with TemporaryDirectory() as folder:
        script = Path(folder, "script.json")
        script.write_text(json.dumps({"replies": [{"says": "It is sunny.", "times": "always"}]}), encoding="utf-8")
        words = [sys.executable, "-m", "react_tck", "serve", str(script)]
        with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as server:
            said = iter(server.stdout or ())
            url = next(found[0] for line in said if (found := re.search(r"http://\S+/v1", line)))
            statuses, memory = asyncio.run(_play(url, server.pid, minutes * 60, clients))
            server.send_signal(signal.SIGTERM)  # which nothing that starts us in the background ignores
            last = [line.strip() for line in said][-1]
    refused = sum(count for status, count in statuses.items() if status != 200)
    print(
        f"{clients} clients for {minutes:g} minutes: {sum(statuses.values())} requests, refused: {refused} {statuses}"
    )
    print(f"memory (RSS): {', '.join(f'{each / 2**20:.1f}' for each in memory)} MiB, at every {1 / _LOOKS:.0%} of it")
    begin, middle, end = memory[1], memory[len(memory) // 2], memory[-1]
    print(f"begin {begin / 2**20:.1f} MiB, middle {middle / 2**20:.1f} MiB, end {end / 2**20:.1f} MiB")
    print(f"load {os.getloadavg()[0]:.1f}; the server's last words, status {server.returncode}: {last}")


async def _play(url: str, pid: int, seconds: float, clients: int) -> tuple[Counter[int], list[int]]:
    until = time.monotonic() + seconds
    statuses: Counter[int] = Counter()
    playing = [asyncio.create_task(_ask(url, number, until, statuses)) for number in range(clients)]
    memory = [_read_memory(pid)]
    for _ in range(_LOOKS):
        await asyncio.sleep(seconds / _LOOKS)
        memory.append(_read_memory(pid))
    await asyncio.gather(*playing)
    return statuses, memory


async def _ask(url: str, number: int, until: float, statuses: Counter[int]) -> None:
    at = urlsplit(url)
    turn = number
    while time.monotonic() < until:
        reader, writer = await asyncio.open_connection(at.hostname, at.port)
        for _ in range(_REQUESTS):
            turn += 1
            content = f"{number} {turn} ".ljust(_PROMPTS[turn % len(_PROMPTS)], "x")
            asked = {"model": "m", "stream": turn % 2 == 0, "messages": [{"role": "user", "content": content}]}
            body = json.dumps(asked).encode()
            head = (
                f"POST {at.path}/chat/completions HTTP/1.1\r\nhost: {at.netloc}\r\ncontent-length: {len(body)}\r\n\r\n"
            )
            writer.write(head.encode() + body)
            statuses[await _read_reply(reader)] += 1
            await asyncio.sleep(_PACE)
            if time.monotonic() > until:
                break
        writer.close()


async def _read_reply(reader: asyncio.StreamReader) -> int:
    head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
    if length := re.search(r"content-length: (\d+)", head):
        await reader.readexactly(int(length[1]))
    else:
        while size := int(await reader.readline(), 16):
            await reader.readexactly(size + 2)
        await reader.readline()
    return int(head.split()[1])


def _read_memory(pid: int) -> int:
    found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text(encoding="ascii"))
    return int(found[1]) * 1024 if found else 0


if __name__ == "__main__":
    given = [float(word) for word in sys.argv[1:]]
    main(given[0] if given else _MINUTES, int(given[1]) if given[1:] else _CLIENTS)
