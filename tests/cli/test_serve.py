"""`react-tck serve`: a whole run of the command, from its first line to its verdict."""

import json
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

TOOLS: list[Any] = [{"type": "function", "function": {"name": "add", "parameters": {"type": "object"}}}]
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


def test_script_that_is_used_up_ends_well(tmp_path: Path) -> None:
    with serving(tmp_path, {"steps": [{"kind": "call", "tool": "add", "args": {"a": 2}}]}) as (process, sdk):
        reply = sdk.chat.completions.create(model="m", messages=QUESTION, tools=TOOLS)

        assert reply.choices[0].message.tool_calls is not None
        assert end(process, signal.SIGINT) == (["requests: 1, complaints: 0"], 0)


def test_replies_are_said_to_whatever_is_asked(tmp_path: Path) -> None:
    replies = [{"calls": [{"tool": "add", "args": {"a": 2}}]}, {"says": "It is 5.", "when": "2+3"}, {"fails": 429}]
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
        ("{", "script.json is not a script:\n  Invalid JSON"),
        ('{"step": []}', "script.json is not a script:\n  step: Extra inputs are not permitted\n"),
        ('{"steps": [{"kind": "cal"}]}', "script.json is not a script:\n  steps.0: Input tag 'cal'"),
        ('{"dialects": ["klingon"]}', "script.json is not a script:\n  dialects: there is no dialect 'klingon'; there"),
        ('{"replies": [{"say": "5"}]}', "  replies.0.say: Extra inputs are not permitted"),
        ('{"replies": [{}]}', "script.json is not a script:\n  replies.0: a reply has one of says, calls, answers"),
        ('{"replies": [{"fails": 418}]}', "  replies.0.fails: there is no failure 418; there are 400, 401"),
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


def test_port_that_is_taken(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "script.json"
    file.write_text("{}", encoding="utf-8")

    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["serve", str(file), "--port", str(port)]) == 2

    assert f"port {port} can't be used" in capsys.readouterr().err
