"""The servers that are measured, each in a process of its own: `python -m benchmarks.servers KIND` prints its URL."""

import asyncio
import sys
from collections.abc import Callable, Iterator, Mapping
from itertools import repeat
from typing import cast

import httptools

from react_tck.dialects import DIALECTS
from react_tck.fakes.journal import Journal
from react_tck.fakes.lm import BUDGET, ScriptedLM
from react_tck.fakes.server import LaneServer
from react_tck.fakes.server.lane import Complete
from react_tck.fakes.server.server import new_loop
from react_tck.model.intent import Answer, Script
from react_tck.model.lm import Completion

TEXT = "The weather in Paris is sunny."
AIMOCK = f"""
const {{ LLMock }} = await import(process.argv[1] + "/@copilotkit/aimock/dist/index.js");
const mock = new LLMock({{ port: 0, logLevel: "silent" }});
mock.onMessage("Paris", {{ content: "{TEXT}" }});
await mock.start();
console.log(mock.url + "/v1");
"""
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


def _constant() -> str:
    """Not the kit at all."""
    loop = new_loop()
    server = loop.run_until_complete(loop.create_server(_Constant, "127.0.0.1", 0))
    port = server.sockets[0].getsockname()[1]
    print(f"http://127.0.0.1:{port}/v1", flush=True)
    loop.run_forever()
    raise AssertionError("it runs until it is killed")


def _server() -> str:
    """The server with an LM that says the same at once: reads, validates and writes."""
    completion = Completion(content=TEXT)
    return _serve(lambda _: completion)


def _whole() -> str:
    """The server and the scripted LM behind it: classifies, renders and keeps the journal too."""
    script = Script(answers=(Answer(outputs={"answer": TEXT}, sticky=True),))

    def episodes() -> Iterator[ScriptedLM]:
        while True:
            # A journal lives as long as an episode, and no episode is longer.
            yield from repeat(ScriptedLM(script, tuple(DIALECTS), Journal()), BUDGET)

    lms = episodes()
    return _serve(lambda request: next(lms).complete(request))


def _serve(complete: Complete) -> str:
    server = LaneServer()
    server.start()
    return server.open(complete, {}).base_url


_KINDS: Mapping[str, Callable[[], str]] = {"constant": _constant, "server": _server, "whole": _whole}

if __name__ == "__main__":
    print(_KINDS[sys.argv[1]](), flush=True)
    sys.stdin.read()  # until whoever started us is done
