"""A recording proxy before a provider that means no good: no secret is kept, the key goes nowhere else, all is told."""

import http.client
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from react_tck.cli.commands.serve import _keep_recording
from react_tck.fakes.server.cued import ProviderServer
from react_tck.fakes.server.recorded import RecordedProvider, RecordingProxy
from react_tck.files import read_file
from react_tck.model.lm import Recording
from react_tck.scripts import read_script, script_of

#: Of each form one, none of them anybody's.
FORMS = (
    "sk-proj-abcdefghij0123456789ABCD",
    "sk-ant-api03-abcdefghij-0123456789_AB",
    "sk_live_abcdefghij0123456789",
    "AIzaSyA-abcdefghij0123456789_abcdefghijk",
    "ya29.a0AfH6SMBabcdefghij0123456789",
    "AKIAABCDEFGHIJKLMNOP",
    "ASIAABCDEFGHIJKLMNOP",
    "ghp_abcdefghij0123456789abcdefghij012345",
    "github_pat_11ABCDEFG0abcdefghij_0123456789",
    "glpat-abcdefghij0123456789",
    "hf_abcdefghijABCDEFGHIJabcdefghijABCD",
    "gsk_abcdefghij0123456789abcdefghij0123456789",
    "xai-abcdefghij0123456789abcdefghij",
    "r8_abcdefghij0123456789abcdefghij0123456",
    "pplx-abcdefghij0123456789abcdefghij",
    "nvapi-abcdefghij-0123456789_abcdefghij",
    "xoxb-123456789012-abcdefghij0123456789",
    "SG.abcdefghij0123456789.abcdefghij0123456789abcdefghij",
    "npm_abcdefghij0123456789abcdefghij012345",
    "123456789:AAabcdefghij0123456789-abcdefghij_0123",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcdefghij0123456789",
)
PRIVATE_KEY = "MIIEvabcdefghij0123456789"
#: What only its place tells.
IN_PLACES = ("plain-key-of-a-header", "key without scheme", "cookie-of-a-session", "key-in-a-query", "a-signature-01")
NAMED = ("a-password-of-none", "password-in-address", "secret-access-key/+0", "bearer0123456789abcd")
SECRETS = (*FORMS, PRIVATE_KEY, *IN_PLACES, *NAMED)

Act = Callable[[BaseHTTPRequestHandler], None]


@contextmanager
def provider(act: Act) -> Iterator[str]:
    """A provider that does this to whatever it is asked; its address."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            act(self)

        def do_GET(self) -> None:
            act(self)

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()


def says(body: str, kind: str = "application/json", status: int = 200, **headers: str) -> Act:
    def act(handler: BaseHTTPRequestHandler) -> None:
        handler.rfile.read(int(handler.headers["content-length"] or 0))
        handler.send_response(status)
        for name, value in {"content-type": kind, "content-length": str(len(body.encode())), **headers}.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(body.encode())

    return act


def post(url: str, body: str | Iterator[bytes], **headers: str) -> tuple[int, str]:
    at = urlsplit(url)
    connection = http.client.HTTPConnection(str(at.hostname), at.port, timeout=20)
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request("POST", f"{at.path}?{at.query}" if at.query else at.path, body, sent)
    reply = connection.getresponse()
    text = reply.read().decode()
    connection.close()
    return reply.status, text


@contextmanager
def recording(
    act: Act, keep: Callable[[Recording], str | None] = lambda _: None
) -> Iterator[tuple[str, RecordingProxy]]:
    with provider(act) as upstream:
        proxy = RecordingProxy(upstream, keep)
        with ProviderServer(proxy) as server:
            yield f"{server.base_url}/chat/completions", proxy


def in_pieces(text: str, size: int) -> str:
    """A stream whose events carry so many characters each."""
    pieces = [text[at : at + size] for at in range(0, len(text), size)]
    events = [json.dumps({"choices": [{"delta": {"content": piece}}]}) for piece in pieces]
    return "".join(f"data: {event}\n\n" for event in events) + "data: [DONE]\n\n"


def texts_of(said: str) -> str:
    """What a reader of a stream puts together."""
    events = [line.removeprefix("data: ") for line in said.splitlines() if line.startswith("data: {")]
    return "".join(json.loads(event)["choices"][0]["delta"]["content"] for event in events)


def test_thirty_secrets_are_not_kept(tmp_path: Path) -> None:
    assert len(SECRETS) >= 30
    file = tmp_path / "said.json"
    many = "\n".join(
        [
            *FORMS,
            f"-----BEGIN RSA PRIVATE KEY-----\n{PRIVATE_KEY}\n-----END RSA PRIVATE KEY-----",
            *IN_PLACES,
            f"https://me:{NAMED[1]}@example.org/ Bearer {NAMED[3]}",
        ]
    )
    named = {"db": {"password": NAMED[0]}, "aws_secret_access_key": [NAMED[2]], FORMS[0]: 1}
    escaped = "".join(f"\\u{ord(character):04x}" for character in FORMS[3])
    replies = [
        json.dumps({"said": many, **named}),
        f'{{"said": "{escaped}"}}',
        in_pieces(many, 7),
        f"no JSON: {many}",
    ]
    kinds = ["application/json", f"text/{FORMS[9]}", "text/event-stream", "text/plain"]
    for body, kind in zip(replies, kinds, strict=True):
        with recording(says(body, kind, set_cookie=FORMS[5]), lambda said: _keep_recording(file, said)) as (url, proxy):
            query = f"key={IN_PLACES[3]}&sig={IN_PLACES[4]}"
            asked = json.dumps({"messages": [{"role": "user", "content": many}], **named})
            headers = {"x_api_key": IN_PLACES[0], "authorization": IN_PLACES[1], "cookie": f"s={IN_PLACES[2]}"}
            assert post(f"{url}/{FORMS[7]}?{query}", asked, **headers) == (200, body)
            assert proxy.complaints == ()
        kept = read_file(file)
        assert [secret for secret in SECRETS if secret in kept] == []
        assert [secret for secret in SECRETS if secret in json.dumps(json.loads(kept), ensure_ascii=False)] == []
        [exchange] = script_of(json.loads(kept)).exchanges  # type: ignore[union-attr]
        assert exchange.path == "/chat/completions/***"
        if kind == "text/event-stream":
            together = texts_of(exchange.reply)
            assert [secret for secret in SECRETS if secret in together] == []
            assert together.count("***") >= len(FORMS)
        elif kind == "application/json":
            assert [secret for secret in SECRETS if secret in json.dumps(json.loads(exchange.reply))] == []
        assert escaped not in exchange.reply
        assert file.stat().st_mode & 0o777 == 0o600


_PASSWORD, _TOKEN = NAMED[0], FORMS[7]


#: What is JSON, and can't stand in a file as such.
UNKEPT = ("[" * 199 + "]" * 199, "[" * 197 + "]" * 197, '{"t": NaN}', '{"t": 1e999}', f'{{"t": {"9" * 5000}}}', "1],[2")


@pytest.mark.parametrize("body", UNKEPT)
def test_no_body_makes_a_recording_unreadable(body: str, tmp_path: Path) -> None:
    file = tmp_path / "said.json"
    with recording(says("{}"), lambda said: _keep_recording(file, said)) as (url, _):
        post(url, '{"an": "earlier one"}')
        assert post(url, body)[0] == 200

    said = script_of(json.loads(read_file(file)))
    assert read_script(file) == said
    with ProviderServer(RecordedProvider(said)) as server:  # type: ignore[arg-type]
        assert post(f"{server.base_url}/chat/completions", body)[0] == 200


#: Statuses that lead elsewhere.
MOVED = (301, 302, 303, 307, 308)


@pytest.mark.parametrize("moved", MOVED)
def test_the_key_goes_to_nobody_else(moved: int) -> None:
    got: list[str] = []
    with (
        provider(lambda handler: got.append(str(handler.headers))) as elsewhere,
        recording(says("", status=moved, location=f"{elsewhere}/chat/completions")) as (url, proxy),
    ):
        status, told = post(url, "{}", authorization="Bearer a-key-of-mine")

    assert (status, got) == (502, [])
    assert "sends the request elsewhere, where the key doesn't go" in told
    assert len(proxy.complaints) == 1
    assert proxy.recording.exchanges == ()


def breaks_off(handler: BaseHTTPRequestHandler) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{")
    handler.close_connection = True


def breaks_a_chunk(handler: BaseHTTPRequestHandler) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n9\r\n{")
    handler.close_connection = True


def breaks_off_a_refusal(handler: BaseHTTPRequestHandler) -> None:
    handler.wfile.write(b"HTTP/1.1 429 Slow Down\r\ncontent-length: 100\r\n\r\n{")
    handler.close_connection = True


def hangs_up(handler: BaseHTTPRequestHandler) -> None:
    handler.close_connection = True


def speaks_something_else(handler: BaseHTTPRequestHandler) -> None:
    handler.wfile.write(b"SSH-2.0-OpenSSH_9.6\r\n")
    handler.close_connection = True


#: What a provider does, and what is said of it.
BROKEN_PROVIDERS = [
    (breaks_off, "the provider broke off: 99 bytes of its reply are missing"),
    (breaks_a_chunk, "the provider broke off: IncompleteRead"),
    (breaks_off_a_refusal, "the provider broke off: 99 bytes of its reply are missing"),
    (hangs_up, "the provider broke off: RemoteDisconnected"),
    (speaks_something_else, "the provider broke off: BadStatusLine"),
    (says("{}", status=999), "the provider replies with the status 999, which is none of a reply"),
    (says("packed", content_encoding="gzip"), "the provider packs its reply (gzip), though nobody asked for that"),
]


@pytest.mark.parametrize(("act", "told"), BROKEN_PROVIDERS)
def test_a_provider_that_fails_is_a_complaint(act: Act, told: str, capfd: pytest.CaptureFixture[str]) -> None:
    with recording(act) as (url, proxy):
        status, said = post(url, "{}")

    assert status == 502
    assert told in said
    assert [told in complaint for complaint in proxy.complaints] == [True]
    assert proxy.recording.exchanges == ()
    assert capfd.readouterr().err == ""


def test_who_is_led_here_by_another_name_is_refused() -> None:
    with recording(says("{}")) as (url, proxy):
        assert post(url, "{}", host="evil.example")[0] == 403
        assert post(url.replace(urlsplit(url).path, "/v1/chat/completions"), "{}")[0] == 401
        assert post(url, "{}", host="localhost:1")[0] == 200

    assert len(proxy.recording.exchanges) == 1


def test_a_recording_that_can_not_be_kept_is_told_of(tmp_path: Path) -> None:
    with recording(says("{}"), lambda said: _keep_recording(tmp_path / "gone" / "said.json", said)) as (url, proxy):
        assert post(url, "{}")[0] == 200

    assert ["can't be written" in complaint for complaint in proxy.complaints] == [True]
