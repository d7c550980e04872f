"""`react-tck serve --record`: a provider is recorded once, and said again by content."""

import json
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import openai
import pytest
from openai import OpenAI

from react_tck.cli.main import main
from react_tck.fakes.server import CuedEndpoint, LaneServer
from react_tck.fakes.server.cued import ProviderServer
from react_tck.fakes.server.recorded import RecordedProvider, RecordingProxy
from react_tck.files import read_file
from react_tck.model.lm import Exchange, Recording
from tests.cli.test_serve import end, serving_with

QUESTION: list[Any] = [{"role": "user", "content": "2+3?"}]
OTHER: list[Any] = [{"role": "user", "content": "1+1?"}]


@pytest.fixture(name="upstream")
def _upstream() -> Iterator[CuedEndpoint]:
    """The second local server that stands for a provider: there is no other here."""
    with LaneServer() as server:
        yield CuedEndpoint(server)


def said(sdk: OpenAI, messages: list[Any] = QUESTION) -> str | None:
    return sdk.chat.completions.create(model="m", messages=messages).choices[0].message.content


def streamed(sdk: OpenAI, messages: list[Any] = QUESTION) -> str:
    stream = sdk.chat.completions.create(model="m", messages=messages, stream=True)
    return "".join(chunk.choices[0].delta.content or "" for chunk in stream)


def client(server: ProviderServer, key: str = "any") -> OpenAI:
    return OpenAI(base_url=server.base_url, api_key=key, max_retries=0)


def test_what_was_recorded_is_said_again_whatever_the_order(tmp_path: Path, upstream: CuedEndpoint) -> None:
    file = tmp_path / "said.json"
    upstream.says("5").says("2").says("five, streamed").fails(429)
    with serving_with("--record", str(file), "--upstream", upstream.base_url) as (process, url):
        sdk = OpenAI(base_url=url, api_key=upstream.api_key, max_retries=0)
        assert (said(sdk), said(sdk, OTHER), streamed(sdk)) == ("5", "2", "five, streamed")
        with pytest.raises(openai.RateLimitError):
            said(sdk, OTHER)
        assert end(process, signal.SIGINT) == (["complaints: 0", "recorded: 4 exchanges"], 0)

    assert upstream.api_key not in read_file(file)
    with serving_with(str(file)) as (process, url):
        sdk = OpenAI(base_url=url, api_key="another", max_retries=0)
        assert (said(sdk, OTHER), streamed(sdk), said(sdk)) == ("2", "five, streamed", "5")
        for _ in range(2):  # the second time, as the first after the 2; then the last stays
            with pytest.raises(openai.RateLimitError):
                said(sdk, OTHER)
        assert end(process, signal.SIGTERM) == (["complaints: 0"], 0)


def test_a_request_that_was_not_recorded_is_told_what_is_nearest(tmp_path: Path) -> None:
    file = tmp_path / "said.json"
    file.write_text(Recording(exchanges=(exchange(QUESTION), exchange(OTHER, temperature=1))).model_dump_json())
    with serving_with(str(file)) as (process, url):
        sdk = OpenAI(base_url=url, api_key="any")
        with pytest.raises(openai.NotFoundError, match=r"of exchange 1, which is nearest, messages\[0\].content is"):
            said(sdk, [{"role": "user", "content": "4+4?"}])
        with pytest.raises(openai.NotFoundError, match="there is no exchange with this path"):
            sdk.models.list()
        lines, status = end(process, signal.SIGINT)

    assert status == 1
    assert lines == [
        "POST /chat/completions was not recorded: of exchange 1, which is nearest, messages[0].content is "
        '"2+3?", not "4+4?"',
        "GET /models was not recorded: there is no exchange with this path",
        "complaints: 2",
    ]


def exchange(messages: list[Any], **options: Any) -> Exchange:
    request = {"messages": messages, "model": "m", **options}
    reply = json.dumps({"choices": [{"message": {"content": "5"}}]})
    return Exchange(
        method="POST",
        path="/chat/completions",
        request=request,
        status=200,
        content_type="application/json",
        reply=reply,
    )


def test_secrets_are_not_kept(upstream: CuedEndpoint) -> None:
    upstream.says("Your key is sk-abcdefghijklmnop123, isn't it?")
    kept: list[Recording] = []
    with ProviderServer(RecordingProxy(upstream.base_url, kept.append)) as server:
        sdk = client(server, upstream.api_key)
        assert "sk-abcdefghijklmnop123" in str(said(sdk, [{"role": "user", "content": f"I am {upstream.api_key}"}]))

    [recorded] = kept[-1].exchanges
    assert recorded.request is not None
    assert "I am ***" in json.dumps(recorded.request)
    assert "Your key is ***, isn't it?" in recorded.reply

    with ProviderServer(RecordedProvider(kept[-1])) as server:
        assert said(client(server, "another-key"), [{"role": "user", "content": "I am another-key"}]) is not None


def test_a_provider_that_can_not_be_reached_is_told_of() -> None:
    recorder = RecordingProxy("http://127.0.0.1:9", lambda _: None)
    with ProviderServer(recorder) as server, pytest.raises(openai.InternalServerError, match="can't be reached"):
        said(client(server))

    assert len(recorder.complaints) == 1
    assert recorder.recording.exchanges == ()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "serve takes a SCRIPT, or --record FILE with --upstream URL."),
        (["--upstream", "http://127.0.0.1:1/v1"], "serve takes a SCRIPT, or --record FILE with --upstream URL."),
        (["--record", "said.json"], "needs --upstream URL, which begins with http:// or https://."),
        (["--record", "said.json", "--upstream", "file:///etc/passwd"], "which begins with http:// or https://."),
        (["--record", "no/said.json", "--upstream", "http://127.0.0.1:1"], "can't be written: there is no folder"),
    ],
)
def test_usage(words: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["serve", *words]) == 2
    assert message in " ".join(capsys.readouterr().err.split())


#: Addresses below which nothing can be asked for, and what is said of them.
UPSTREAMS = {
    "http://[::1/v1": "--upstream is no address: Invalid IPv6 URL",
    "http://127.0.0.1:99999/v1": "--upstream is no address: Port out of range",
    "http://127.0.0.1:x/v1": "--upstream is no address: Port could not be cast",
    "http://:80/v1": "--upstream is no address: write https://HOST/v1",
    "http://a b/v1": "--upstream is no address: write https://HOST/v1",
    "http://a\r\nb/v1": "--upstream is no address: write https://HOST/v1",
    "https://me:a-password@example.org/v1": "--upstream is the base URL alone: no user, password",
    "https://example.org/v1?key=a-password": "--upstream is the base URL alone: no user, password",
    "https://example.org/v1#a-password": "--upstream is the base URL alone: no user, password",
}


@pytest.mark.parametrize("upstream", UPSTREAMS)
def test_an_address_that_is_none_is_refused_at_once(upstream: str, tmp_path: Path, capsys: Any) -> None:
    assert main(["serve", "--record", str(tmp_path / "said.json"), "--upstream", upstream]) == 2
    told = " ".join(capsys.readouterr().err.split())
    assert UPSTREAMS[upstream] in told
    assert "a-password" not in told


@pytest.mark.parametrize("text", ['{"exchanges": []}', "a diary"])
def test_what_is_there_is_not_written_over(tmp_path: Path, capsys: Any, text: str) -> None:
    file = tmp_path / "said.json"
    file.write_text(text)
    assert main(["serve", "--record", str(file), "--upstream", "http://127.0.0.1:9/v1"]) == 2
    said = " ".join(capsys.readouterr().err.split())
    assert "said.json is there already, and isn't written over: name another file, or delete it." in said
    assert file.read_text() == text
