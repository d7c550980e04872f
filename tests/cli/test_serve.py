"""`react-tck serve`: a whole run of the command, from its first line to its verdict."""

import json
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from openai import BadRequestError, OpenAI

from react_tck.cli.main import main

QUESTION: list[Any] = [{"role": "user", "content": "2+3?"}]


@contextmanager
def serving(tmp_path: Path, script: object) -> Iterator[tuple["subprocess.Popen[str]", OpenAI]]:
    file = tmp_path / "script.json"
    file.write_text(json.dumps(script), encoding="utf-8")
    with serving_with(str(file)) as (process, url):
        assert process.stdout is not None
        key = process.stdout.readline().split()[-1]
        yield process, OpenAI(base_url=url, api_key=key)


@contextmanager
def serving_with(*words: str) -> Iterator[tuple["subprocess.Popen[str]", str]]:
    command = [sys.executable, "-m", "react_tck", "serve", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process, process.stdout.readline().split()[-1]
        finally:
            process.kill()


def end(process: "subprocess.Popen[str]", number: signal.Signals) -> tuple[list[str], int]:
    assert process.stdout is not None
    process.send_signal(number)
    after = process.stdout.read().partition("Interrupt with Ctrl-C to see what was refused or left over.\n")[2]
    return after.splitlines(), process.wait(timeout=10)


def test_replies_are_said_to_whatever_is_asked(tmp_path: Path) -> None:
    call = {"calls": [{"tool": "add", "args": {"a": 2}}], "on_purpose": True}
    replies = [call, {"says": "It is 5.", "when": "2+3"}, {"fails": 429}]
    with serving(tmp_path, {"replies": replies}) as (process, sdk):
        first = sdk.chat.completions.create(model="m", messages=QUESTION)
        second = sdk.chat.completions.create(model="m", messages=[{"role": "user", "content": "And 1+1?"}])

        assert first.choices[0].message.content == "It is 5."
        assert second.choices[0].message.tool_calls is not None
        lines = ['never asked for: reply {"fails":429}', "requests: 2, complaints: 1"]
        assert end(process, signal.SIGINT) == (lines, 1)


def test_what_went_wrong_is_said_at_the_end(tmp_path: Path) -> None:
    script = {"answers": [{"kind": "answer", "outputs": {"answer": "5"}}], "dialects": ["native"]}
    with serving(tmp_path, script) as (process, sdk):
        with pytest.raises(BadRequestError, match="react-tck refuses this request: "):
            sdk.chat.completions.create(model="m", messages=[*QUESTION, {"role": "user", "content": ""}])
        with pytest.raises(Exception, match="There is no GET /v1/nothing"):
            sdk.get("/nothing", cast_to=object)
        lines, status = end(process, signal.SIGTERM)

    assert status == 1
    assert [line.split(":")[0] for line in lines] == [
        "request 1 was refused",
        "protocol problem",
        "protocol problem",
        "never asked for",
        "requests",
    ]
    assert lines[1:] == [
        "protocol problem: messages[1]: the user message is empty",
        "protocol problem: there is no GET /v1/nothing",
        'never asked for: answer {"outputs":{"answer":"5"}}',
        "requests: 1, complaints: 4",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "script.json can't be read: No such file or directory.\n"),
        ("{", "script.json is not JSON: EOF while parsing an object at line 1 column 1\n"),
        ("5", "script.json is 5, not an object with `replies`; `steps` and `answers`; or the `exchanges` of a recor"),
        ("{}", "script.json has the keys []; a script has `replies`; `steps` and `answers`; or"),
        ('{"reply": []}', "; or the `exchanges` of a recording; is 'replies' meant?\n"),
        ('{"steps": [{"kind": "cal"}]}', "script.json:1: steps[0] is {'kind': 'cal'}: Input tag 'cal'"),
        (
            '{"steps": [{"kind": "call", "tool": "add", "argz": {}}]}',
            "script.json:1: steps[0].call has 'argz', which is none of kind, tool, args, thought, sticky, until_shown",
        ),
        ('{"steps": [], "dialects": ["klingon"]}', "script.json:1: dialects: there is no dialect 'klingon'; there are"),
        (
            '{"steps": [], "dialects": ["react-text; acton=Tool"]}',
            "script.json:1: dialects: 'acton=Tool' sets no label: write NAME=WORDS once, where NAME is one of thought",
        ),
        ('{"replies": [], "replies": []}', "script.json is not JSON: the key 'replies' stands twice in one object\n"),
        (
            '{"replies": [\n{"says": "5, [6]"},\n{"say": "5"}]}',
            "script.json:3: replies[1] has 'say', which is none of ",
        ),
        ('{"replies":\n[{\n"says": 5}, {}]}', "script.json:3: replies[0].says is 5: it should be a valid string\n"),
        ('{"replies":\n[{\n"says": 5}, {}]}', "script.json:3: replies[1]: a reply has one of"),
    ],
)
def test_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str | None, message: str) -> None:
    file = tmp_path / "script.json"
    if text is not None:
        file.write_text(text, encoding="utf-8")

    status = main(["serve", str(file)])

    error = capsys.readouterr().err
    assert status == 2
    assert message in error
    assert "Traceback" not in error


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "replies: [",
            "script.yaml: this is not YAML: expected the node content, but found '<stream end>' at line 1, column ",
        ),
        (
            "replies:\n  - says: 2026-01-01\n",
            "script.yaml:2: replies[0].says is datetime.date(2026, 1, 1): it should be a",
        ),
        (
            "replies:\n  - says: '5'\n    times: 2\n    says: '6'\n",
            "script.yaml: this is not YAML: the key 'says' stands twice in one object at line 4, column 5",
        ),
        ("[" * 5000, "script.yaml: this is nested too deeply to be read as YAML"),
        ("- says: 5", "script.yaml is [{'says': 5}], not an object with"),
    ],
)
def test_mistakes_in_yaml(tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, message: str) -> None:
    file = tmp_path / "script.yaml"
    file.write_text(text, encoding="utf-8")

    assert main(["serve", str(file)]) == 2
    assert message in capsys.readouterr().err


def test_yaml_without_its_parser(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "script.yml"
    file.write_text("replies: []", encoding="utf-8")
    monkeypatch.setitem(sys.modules, "yaml", None)

    assert main(["serve", str(file)]) == 2
    assert (
        "script.yml is YAML, for which PyYAML has to be installed: pip install 'react-tck[yaml]', or write it as"
        in (capsys.readouterr().err)
    )


_REPLIES = {"replies": [{"says": "Sunny.", "when": "weather"}]}
_INTENTS = {"steps": [{"kind": "call", "tool": "add"}]}
_SAID = {
    "method": "POST",
    "path": "/chat/completions",
    "request": {"messages": [{"role": "user", "content": "it's"}]},
    "status": 200,
    "content_type": "application/json",
    "reply": '{"said": true}',
}


@pytest.mark.skipif(shutil.which("curl") is None, reason="there is no curl here")
@pytest.mark.parametrize(
    ("script", "said"),
    [
        (_REPLIES, "Sunny."),
        ({"replies": [{"says": "Good.", "when": {"model": "critic", "turn": 1}}]}, "Good."),
        (_INTENTS, '"name":"add"'),
        ({**_INTENTS, "dialects": ["json"]}, '"id":"scripted"'),
        ({"exchanges": [_SAID]}, '{"said": true}'),
        ({"exchanges": [{**_SAID, "path": "/openai/deployments/m/chat/completions"}]}, '{"said": true}'),
    ],
)
def test_the_curl_that_is_printed_works(tmp_path: Path, script: object, said: str) -> None:
    file = tmp_path / "script.yaml"
    file.write_text(json.dumps(script), encoding="utf-8")
    with serving_with(str(file)) as (process, _):
        assert process.stdout is not None
        curl = next(line for line in process.stdout if line.startswith("curl"))
        done = subprocess.run(f"{curl.strip()} --silent", shell=True, capture_output=True, text=True, check=True)

    assert said in done.stdout


def test_port_that_is_taken(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "script.json"
    file.write_text('{"replies": []}', encoding="utf-8")

    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["serve", str(file), "--port", str(port)]) == 2

    assert f"port {port} can't be used" in capsys.readouterr().err
