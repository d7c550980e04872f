"""`react-tck serve SCRIPT`: the scripted LM on its own, for the tests of agents in any language."""

import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from urllib.parse import urlsplit

import click
from pydantic import ValidationError, field_validator
from pydantic_core import from_json

from react_tck.cli.mistakes import Mistake
from react_tck.dialects import DIALECTS
from react_tck.fakes.server import HOSTILE, CuedEndpoint, LaneServer, LMEndpoint, ScriptedEndpoint, Streaming
from react_tck.fakes.server.recorded import ProviderServer, RecordedProvider, RecordingProxy
from react_tck.files import check, read, write
from react_tck.model.base import mistakes
from react_tck.model.cue import CueSheet
from react_tck.model.intent import Script
from react_tck.model.recording import Recording
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
@click.argument("script", type=click.Path(path_type=Path), metavar="[SCRIPT]", required=False)
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
@click.option(
    "--record",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="hand everything on to a real provider, and keep what is said in this file, a SCRIPT for later",
)
@click.option("--upstream", metavar="URL", help="the base URL of the provider that is recorded")
def command(
    script: Path | None, port: int, stream_chunk: int, hostile: bool, record: Path | None, upstream: str | None
) -> int:
    """Serve the scripted LM on its own, OpenAI-compatible, until interrupted.

    Then it says what was refused, wrong or left over, and ends with 1 if there was any of that. SCRIPT is a JSON file:
    {"replies": [{"calls": [{"tool": "add", "args": {"a": 2}}]}, {"says": "It is 5."}]} is said in this order to
    whatever is asked; steps, answers and, if you like, dialects are said as each request of a ReAct agent reads; what
    was recorded is said again to whoever asks the same.
    """
    if record is not None:
        return _record(script, record, upstream, port)
    if script is None or upstream is not None:
        raise Mistake("serve takes a SCRIPT, or --record FILE with --upstream URL.")
    served = _read(script)
    if isinstance(served, Recording):
        return _provide(RecordedProvider(served), port)
    streaming = Streaming(chunk_sizes=(stream_chunk,), quirks=HOSTILE if hostile else frozenset())
    return _serve(served, LaneServer(streaming), port)


def _record(script: Path | None, record: Path, upstream: str | None, port: int) -> int:
    if script is not None or urlsplit(upstream or "").scheme not in ("http", "https"):
        raise Mistake("--record FILE takes no SCRIPT, and needs --upstream URL, which begins with http:// or https://.")
    check(record)
    recorder = RecordingProxy(upstream or "", lambda said: write(record, f"{said.model_dump_json(indent=2)}\n"))
    status = _provide(recorder, port)
    print(f"recorded: {len(recorder.recording.exchanges)} exchanges")
    return status


def _provide(provider: RecordingProxy | RecordedProvider, port: int) -> int:
    with _taking(port):
        server = ProviderServer(provider, port)
    with server:
        _introduce(server.base_url, "any")
        _until_interrupted()
    return _told(provider.complaints)


def _serve(served: CueSheet | ServedScript, server: LaneServer, port: int) -> int:
    with _taking(port):
        server.start(port)
    with server:
        endpoint = _endpoint(server, served)
        _introduce(endpoint.base_url, endpoint.api_key)
        _until_interrupted()
    astray = (f"no such endpoint: {method} {path}" for method, path in server.quarantine)
    return _told([*endpoint.complaints, *astray], f"requests: {len(endpoint.requests)}, ")


@contextmanager
def _taking(port: int) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise Mistake(f"port {port} can't be used: {error}") from error


def _read(file: Path) -> CueSheet | Recording | ServedScript:
    text = read(file)
    try:
        return _kind(text).model_validate_json(text)
    except ValidationError as error:
        raise Mistake("\n  ".join([f"{file} is not a script:", *mistakes(error)[:_TOLD]])) from error


def _kind(text: str) -> type[CueSheet | Recording | ServedScript]:
    """What the file is meant to be, by its key."""
    with suppress(ValueError):
        match from_json(text):
            case {"replies": _}:
                return CueSheet
            case {"exchanges": _}:
                return Recording
    return ServedScript


def _endpoint(server: LaneServer, served: CueSheet | ServedScript) -> LMEndpoint:
    if isinstance(served, CueSheet):
        return CuedEndpoint(server, served.replies)
    return ScriptedEndpoint(server, served, served.dialects)


def _introduce(base_url: str, api_key: str) -> None:
    print(f"base URL  {base_url}\nAPI key   {api_key}\n")
    print(f"curl {base_url}/chat/completions -H 'content-type: application/json' -d '{_SAMPLE}'\n")
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


def _told(complaints: Sequence[str], before: str = "") -> int:
    for complaint in complaints:
        print(printable(complaint))
    print(f"{before}complaints: {len(complaints)}")
    return Exit.NOT_CONFORMANT if complaints else Exit.CONFORMANT
