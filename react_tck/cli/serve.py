"""`react-tck serve SCRIPT`: the scripted LM on its own, for the tests of agents in any language."""

import signal
import threading
from pathlib import Path
from types import FrameType

import click
from pydantic import ValidationError

from react_tck.cli.mistakes import Mistake
from react_tck.dialects import DIALECTS
from react_tck.fakes.server import HOSTILE, LaneServer, ScriptedLane, Streaming
from react_tck.files import read
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

    Then it says what was refused, wrong or left over, and ends with 1 if there was any of that. SCRIPT is a JSON file
    with steps, answers and, if you like, dialects.
    """
    quirks = HOSTILE if hostile else frozenset()
    server = LaneServer(Streaming(chunk_sizes=(stream_chunk,), quirks=quirks))
    served = _read(script)
    try:
        server.start(port)
    except OSError as error:
        raise Mistake(f"port {port} can't be used: {error}") from error
    with server:
        lane = ScriptedLane(server, served, served.dialects)
        _introduce(lane)
        _until_interrupted()
    return _judge(lane, server)


def _read(file: Path) -> ServedScript:
    try:
        script = ServedScript.model_validate_json(read(file))
    except ValidationError as error:
        wrong = (f"{'.'.join(map(str, each['loc'])) or 'file'}: {each['msg']}" for each in error.errors()[:_TOLD])
        raise Mistake("\n  ".join([f"{file} is not a script:", *wrong])) from error
    if unknown := [name for name in script.dialects if name not in DIALECTS]:
        raise Mistake(f"{file}: there is no dialect {unknown[0]!r}; there are {', '.join(DIALECTS)}")
    return script


def _introduce(lane: ScriptedLane) -> None:
    print(f"base URL  {lane.base_url}\nAPI key   {lane.api_key}\n")
    print(f"curl {lane.base_url}/chat/completions -H 'content-type: application/json' -d '{_SAMPLE}'\n")
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


def _judge(lane: ScriptedLane, server: LaneServer) -> int:
    complaints = [*lane.complaints, *(f"no such endpoint: {method} {path}" for method, path in server.quarantine)]
    for complaint in complaints:
        print(printable(complaint))
    print(f"requests: {len(lane.requests)}, complaints: {len(complaints)}")
    return Exit.NOT_CONFORMANT if complaints else Exit.CONFORMANT
