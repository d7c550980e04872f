"""The servers that are measured, each in a process of its own: `python -m benchmarks.servers KIND`.

It prints the URLs that the load is to be spread on, and others for each line that it reads: an episode may send only so
much, and keeps what it was sent.
"""

import asyncio
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from itertools import repeat
from typing import cast

import httptools

from react_tck.collector import collect_rarely
from react_tck.dialects import DIALECTS
from react_tck.fakes.journal import Journal
from react_tck.fakes.lm import BUDGET, EpisodeLM
from react_tck.fakes.server import Lane, LaneServer
from react_tck.fakes.server.lane import Complete
from react_tck.fakes.server.server import new_loop
from react_tck.model.intent import Answer, Script
from react_tck.model.lm import Completion

TEXT = "The weather in Paris is sunny."
AIMOCK = f"""
import {{ createInterface }} from "node:readline";
const {{ LLMock }} = await import(process.argv[1] + "/@copilotkit/aimock/dist/index.js");
const mock = new LLMock({{ port: 0, logLevel: "silent" }});
mock.onMessage("Paris", {{ content: "{TEXT}" }});
await mock.start();
console.log(mock.url + "/v1");
for await (const _ of createInterface({{ input: process.stdin }})) console.log(mock.url + "/v1");
process.exit(0);
"""
#: More than a round can fill.
LANES = 32
_CONSTANT = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 300\r\n\r\n" + b"x" * 300


class _Constant(asyncio.Protocol):
    """The least that can be done on the same stack: parse, and write the same bytes."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.WriteTransport, transport)
        self._parser = httptools.HttpRequestParser(self)

    def data_received(self, data: bytes) -> None:
        self._parser.feed_data(data)

    def on_message_complete(self) -> None:
        self._transport.write(_CONSTANT)


def _constant() -> None:
    """Not the kit at all."""
    loop = new_loop()
    server = loop.run_until_complete(loop.create_server(_Constant, "127.0.0.1", 0))
    port = server.sockets[0].getsockname()[1]
    threading.Thread(target=loop.run_forever, daemon=True).start()
    _tell(lambda: [f"http://127.0.0.1:{port}/v1"])


def _server() -> None:
    """The server with an LM that says the same at once: reads, validates and writes."""
    completion = Completion(content=TEXT)
    _serve(lambda: lambda _: completion)


def whole() -> Complete:
    """The scripted LM: classifies, renders and keeps the journal too."""
    script = Script(answers=(Answer(outputs={"answer": TEXT}, sticky=True),))

    def episodes() -> Iterator[EpisodeLM]:
        while True:
            # A journal lives as long as an episode, and no episode is longer.
            yield from repeat(EpisodeLM(script, tuple(DIALECTS), Journal()), BUDGET)

    lms = episodes()
    return lambda request: next(lms).complete(request)


def _serve(lm: Callable[[], Complete]) -> None:
    with LaneServer() as server:
        collect_rarely()
        lanes: list[Lane] = []

        def opened() -> list[str]:
            for lane in lanes:
                lane.close()
            lanes[:] = [server.open_lane(lm(), {}) for _ in range(LANES)]
            return [lane.base_url for lane in lanes]

        _tell(opened)


def _tell(urls: Callable[[], list[str]]) -> None:
    """Print the URLs, and others whenever a line comes, until whoever started us is done."""
    print(*urls(), flush=True)
    for _ in sys.stdin:
        print(*urls(), flush=True)


_KINDS: Mapping[str, Callable[[], None]] = {"constant": _constant, "server": _server, "whole": lambda: _serve(whole)}

if __name__ == "__main__":
    _KINDS[sys.argv[1]]()
