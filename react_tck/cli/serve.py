"""`react-tck serve SCRIPT`: the scripted LM on its own, for the tests of agents in any language."""

import signal
import threading
from contextlib import suppress
from pathlib import Path
from types import FrameType

import click
from pydantic import ValidationError, field_validator
from pydantic_core import from_json

from react_tck.cli.mistakes import Mistake
from react_tck.dialects import DIALECTS
from react_tck.fakes.server import HOSTILE, CuedEndpoint, LaneServer, LMEndpoint, ScriptedEndpoint, Streaming
from react_tck.files import read
from react_tck.model.base import mistakes
from react_tck.model.cue import CueSheet
from react_tck.model.intent import Script
from react_tck.reports.printing import printable
from react_tck.suite.exit_status import Exit
from react_tck.suite.interruption import heeded

#: Mistakes told of a script that has more of them.
_TOLD = 5
_SAMPLE = '{"model": "any", "messages": [{"role": "user", "content": "hello"}]}'


class ServedScript(Script):
    """What the file holds: a script and, if not all, the dialects in which the agent may ask."""

    dialects: tuple[str, ...] = tuple(DIALECTS)

    @field_validator("dialects")
    @classmethod
    def _are_known(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        if unknown := [name for name in names if name not in DIALECTS]:
            raise ValueError(f"there is no dialect {unknown[0]!r}; there are {', '.join(DIALECTS)}")
        return names


@click.command()
@click.argument("script", type=click.Path(path_type=Path), metavar="SCRIPT")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, metavar="N", help="listen here (default: the system chooses)"
)
@click.option(
    "--stream-chunk",
    type=click.IntRange(min=1),
    default=16,
    metavar="N",
    help="characters a streamed event carries (default 16)",
)
@click.option("--hostile", is_flag=True, help="stream as some providers do: comments, CRLF, no index, repeated ids")
def command(script: Path, port: int, stream_chunk: int, hostile: bool) -> int:
    """Serve the scripted LM on its own, OpenAI-compatible, until interrupted.

    Then it says what was refused, wrong or left over, and ends with 1 if there was any of that. SCRIPT is a JSON file:
    {"replies": [{"calls": [{"tool": "add", "args": {"a": 2}}]}, {"says": "It is 5."}]} is said in this order to
    whatever is asked; steps, answers and, if you like, dialects are said as each request of a ReAct agent reads.
    """
    quirks = HOSTILE if hostile else frozenset()
    server = LaneServer(Streaming(chunk_sizes=(stream_chunk,), quirks=quirks))
    served = _read(script)
    try:
        server.start(port)
    except OSError as error:
        raise Mistake(f"port {port} can't be used: {error}") from error
    with server:
        endpoint = _endpoint(server, served)
        _introduce(endpoint)
        _until_interrupted()
    return _judge(endpoint, server)


def _read(file: Path) -> CueSheet | ServedScript:
    text = read(file)
    try:
        return (CueSheet if _has_replies(text) else ServedScript).model_validate_json(text)
    except ValidationError as error:
        raise Mistake("\n  ".join([f"{file} is not a script:", *mistakes(error)[:_TOLD]])) from error


def _has_replies(text: str | bytes) -> bool:
    with suppress(ValueError):
        values = from_json(text)
        return isinstance(values, dict) and "replies" in values
    return False


def _endpoint(server: LaneServer, served: CueSheet | ServedScript) -> LMEndpoint:
    if isinstance(served, CueSheet):
        return CuedEndpoint(server, served.replies)
    return ScriptedEndpoint(server, served, served.dialects)


def _introduce(endpoint: LMEndpoint) -> None:
    print(f"base URL  {endpoint.base_url}\nAPI key   {endpoint.api_key}\n")
    print(f"curl {endpoint.base_url}/chat/completions -H 'content-type: application/json' -d '{_SAMPLE}'\n")
    print("Interrupt with Ctrl-C to see what was refused or left over.", flush=True)


def _until_interrupted() -> None:
    """Wait for Ctrl-C, or for what ends a process politely."""
    ended = threading.Event()

    def end(_: int, __: FrameType | None) -> None:
        ended.set()

    for number in heeded():
        signal.signal(number, end)
    # Without a timeout, Windows wouldn't run the handler.
    while not ended.wait(1):
        pass


def _judge(endpoint: LMEndpoint, server: LaneServer) -> int:
    complaints = [*endpoint.complaints, *(f"no such endpoint: {method} {path}" for method, path in server.quarantine)]
    for complaint in complaints:
        print(printable(complaint))
    print(f"requests: {len(endpoint.requests)}, complaints: {len(complaints)}")
    return Exit.NOT_CONFORMANT if complaints else Exit.CONFORMANT
