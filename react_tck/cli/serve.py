"""`react-tck serve SCRIPT`: the scripted LM on its own, for the tests of agents in any language."""

import signal
import sys
import threading
from argparse import Namespace
from pathlib import Path
from types import FrameType

from pydantic import ValidationError

from react_tck.dialects import DIALECTS
from react_tck.fakes.server import HOSTILE, LaneServer, ScriptedLane, Streaming
from react_tck.model.intent import Script
from react_tck.reports.safe import printable
from react_tck.suite.conformance import Exit

_SAMPLE = '{"model": "any", "messages": [{"role": "user", "content": "hello"}]}'


class ServedScript(Script):
    """What the file holds: a script and, if not all, the dialects in which the agent may ask."""

    dialects: tuple[str, ...] = tuple(DIALECTS)


def main(arguments: Namespace) -> int:
    """Serve until interrupted; then say what was refused, wrong or left over."""
    quirks = HOSTILE if arguments.hostile else frozenset()
    server = LaneServer(Streaming(chunk_sizes=(arguments.stream_chunk,), quirks=quirks))
    try:
        script = _read(Path(arguments.script))
        server.start(arguments.port)
    except (OSError, ValueError) as error:
        print(f"react-tck: {_reason(error, arguments)}", file=sys.stderr)
        return Exit.USAGE
    with server:
        lane = ScriptedLane(server, script, script.dialects)
        _introduce(lane)
        _until_interrupted()
    return _judge(lane, server)


def _read(file: Path) -> ServedScript:
    script = ServedScript.model_validate_json(file.read_bytes())
    if unknown := [name for name in script.dialects if name not in DIALECTS]:
        raise ValueError(f"there is no dialect {', '.join(unknown)}; there are {', '.join(DIALECTS)}")
    return script


def _reason(error: Exception, arguments: Namespace) -> str:
    match error:
        case ValidationError():
            wrong = (f"{'.'.join(map(str, each['loc'])) or 'file'}: {each['msg']}" for each in error.errors())
            return printable("\n  ".join([f"{arguments.script} is not a script:", *wrong]))
        case OSError(filename=None):
            return f"port {arguments.port} can't be used: {error}"
        case OSError():
            return f"{arguments.script}: {error.strerror}"
    return f"{arguments.script}: {error}"


def _introduce(lane: ScriptedLane) -> None:
    print(f"base URL  {lane.base_url}\nAPI key   {lane.api_key}\n")
    print(f"curl {lane.base_url}/chat/completions -H 'content-type: application/json' -d '{_SAMPLE}'\n")
    print("Interrupt with Ctrl-C to see what was refused or left over.", flush=True)


def _until_interrupted() -> None:
    """Wait for Ctrl-C, or for what ends a process politely."""
    ended = threading.Event()

    def end(_: int, __: FrameType | None) -> None:
        ended.set()

    for number in (signal.SIGINT, signal.SIGTERM):
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
