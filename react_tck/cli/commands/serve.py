"""`react-tck serve SCRIPT`: the scripted LM on its own, for the tests of agents in any language."""

import json
import re
import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from shlex import join
from string import punctuation
from types import FrameType
from urllib.parse import quote, urlsplit

import click
from pydantic import JsonValue

from react_tck.cli.mistakes import Mistake
from react_tck.collector import collect_rarely
from react_tck.fakes.server import CuedEndpoint, LaneServer, ScriptedEndpoint, Streaming
from react_tck.fakes.server.cued import ProviderServer
from react_tck.fakes.server.recorded import RecordedProvider, RecordingProxy
from react_tck.files import LARGEST, CannotWrite, check_writable, write
from react_tck.model.cue import QUIRKS, CueSheet
from react_tck.model.lm import Recording
from react_tck.model.protocol import schema_texts
from react_tck.processes.interruption import list_handled_signals
from react_tck.reports.printing import print_text
from react_tck.results.exit_status import Exit
from react_tck.scripts import ServedScript, read_script

#: What is served, or is to be recorded.
_Served = CueSheet | ServedScript | Recording | None


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
@click.option(
    "--hostile",
    is_flag=True,
    help="stream as some providers do: calls in turns, without an index …",
)
@click.option(
    "--record",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="hand everything on to a real provider, and keep what is said in this file, a SCRIPT for later",
)
@click.option("--upstream", metavar="URL", help="the base URL of the provider that is recorded")
@click.option("--schema", is_flag=True, help="print the JSON schema of replies, for your editor, and end")
def command(
    script: Path | None,
    port: int,
    stream_chunk: int,
    hostile: bool,
    record: Path | None,
    upstream: str | None,
    schema: bool,
) -> int:
    """Serve the scripted LM on its own, as OpenAI, Anthropic, Google and Ollama do, until interrupted.

    Then it says what was refused, wrong or left over, and ends with 1 if there was any of that. SCRIPT is a JSON file,
    or YAML: {"replies": [{"calls": [{"tool": "add", "args": {"a": 2}}]}, {"says": "It is 5."}]} is said in this order
    to whatever is asked; steps, answers and, if you like, dialects are said as each request of a ReAct agent reads;
    what was recorded is said again to whoever asks the same.
    """
    if schema:
        print(schema_texts()["cue-sheet.schema.json"], end="")
        return Exit.CONFORMANT
    if record is not None:
        return _record_provider(script, record, upstream, port)
    if script is None or upstream is not None:
        raise Mistake("serve takes a SCRIPT, or --record FILE with --upstream URL.")
    served = read_script(script)
    if isinstance(served, Recording):
        return _serve_provider(RecordedProvider(served), port, served)
    streaming = Streaming(chunk_sizes=(stream_chunk,), quirks=QUIRKS if hostile else frozenset())
    return _serve_script(served, LaneServer(streaming), port)


def _record_provider(script: Path | None, record: Path, upstream: str | None, port: int) -> int:
    if script is not None or not (upstream or "").startswith(("http://", "https://")):
        raise Mistake("--record FILE takes no SCRIPT, and needs --upstream URL, which begins with http:// or https://.")
    _check_upstream(upstream or "")
    check_writable(record)
    if record.is_file() and record.stat().st_size:
        raise Mistake(f"{record} is there already, and isn't written over: name another file, or delete it.")
    recorder = RecordingProxy(upstream or "", partial(_keep_recording, record))
    status = _serve_provider(recorder, port, None)
    print_text(f"recorded: {len(recorder.recording.exchanges)} exchanges")
    return status


def _check_upstream(upstream: str) -> None:
    """See whether requests can be sent below that address.

    Raises:
        Mistake: if they can't; it doesn't show the address, in which a password may stand.
    """
    try:
        parts = urlsplit(upstream)
        whole = parts.hostname and parts.port != 0 and not re.search(r"[\x00-\x20\x7f]", upstream)
    except ValueError as error:
        raise Mistake(f"--upstream is no address: {error}.") from error
    if not whole:
        raise Mistake("--upstream is no address: write https://HOST/v1, without a blank.")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise Mistake("--upstream is the base URL alone: no user, password, query or fragment.")


def _keep_recording(file: Path, said: Recording) -> str | None:
    """Write what was said so far; why it isn't kept, if it isn't."""
    text = f"{said.model_dump_json(indent=2)}\n"
    if len(text.encode()) > LARGEST:
        return f"{file} holds no more than {LARGEST} bytes, which is what is read of a file: the rest isn't kept"
    try:
        write(file, text, is_private=True)
    except CannotWrite as error:
        return str(error)
    return None


def _serve_provider(provider: RecordingProxy | RecordedProvider, port: int, served: Recording | None) -> int:
    with _claim_port(port):
        server = ProviderServer(provider, port)
    with server:
        _print_introduction(server.base_url, "any" if served else "your own, which is handed on and not kept", served)
        _until_interrupted()
    status = _print_complaints([*provider.complaints, *server.complaints])
    server.faults.raise_first()
    return status


def _serve_script(served: CueSheet | ServedScript, server: LaneServer, port: int) -> int:
    with _claim_port(port):
        server.start(port)
    with server:
        endpoint = _open_endpoint(server, served)
        _print_introduction(endpoint.base_url, endpoint.api_key, served)
        _until_interrupted()
    status = _print_complaints([*endpoint.complaints, *server.complaints.sentences], f"requests: {endpoint.asked}, ")
    server.faults.raise_first()
    return status


@contextmanager
def _claim_port(port: int) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise Mistake(f"port {port} can't be used: {error}") from error


def _open_endpoint(server: LaneServer, served: CueSheet | ServedScript) -> CuedEndpoint | ScriptedEndpoint:
    if isinstance(served, CueSheet):
        return CuedEndpoint(server, served.replies)
    return ScriptedEndpoint(server, served, served.dialects)


def _print_introduction(base_url: str, api_key: str, served: _Served) -> None:
    path, body = _make_sample_request(served)
    data = ["-H", "content-type: application/json", "-d", json.dumps(body)] if body else []
    asked = join(["curl", f"{base_url}{quote(path, safe=punctuation)}", *data])
    key = "" if served else ' -H "authorization: Bearer $OPENAI_API_KEY"'
    print_text(f"base URL  {base_url}\nAPI key   {api_key}\n\n{asked}{key}\n")
    print_text("Interrupt with Ctrl-C to see what was refused or left over.")


def _make_sample_request(served: _Served) -> tuple[str, JsonValue]:
    """Return the path and the body of a request that is answered."""
    content, model, called = "hello", "any", list[str]()
    match served:
        case Recording(exchanges=(first, *_)):
            return first.path, first.request
        case CueSheet(replies=replies):
            called = [tool for cue in replies for tool in cue.called_tools]
            if replies and all(cue.when for cue in replies) and (wanted := replies[0].when):
                content, model = wanted.text or content, wanted.model or model
        case ServedScript(dialects=dialects) if "native" not in dialects:
            return "/models", None  # what it asks for in words is the agent's to write
        case ServedScript():
            called = ["finish"]
    body: dict[str, JsonValue] = {"model": model, "messages": [{"role": "user", "content": content}]}
    tools: list[JsonValue] = [
        {"type": "function", "function": {"name": tool, "parameters": {}}} for tool in dict.fromkeys(called)
    ]
    return "/chat/completions", body | ({"tools": tools} if tools else {})


def _until_interrupted() -> None:
    """Wait for Ctrl-C, or for what ends a process politely."""
    ended = threading.Event()

    def end_wait(_: int, __: FrameType | None) -> None:
        ended.set()

    for number in list_handled_signals():
        signal.signal(number, end_wait)
    collect_rarely()
    # Without a timeout, Windows wouldn't run the handler.
    while not ended.wait(1):
        pass


def _print_complaints(complaints: Sequence[str], before: str = "") -> int:
    for complaint in complaints:
        print_text(complaint)
    print_text(f"{before}complaints: {len(complaints)}")
    return Exit.NOT_CONFORMANT if complaints else Exit.CONFORMANT
