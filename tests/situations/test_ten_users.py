"""Users: each has an empty folder, the README and the documents, whose code and commands are taken out of them.

That what they are told to type can be typed is in test_typed_commands.py; here is what they see.
What a user may get wrong on the way is in tests/api/test_mistakes.py.
"""

import json
import runpy
import shutil
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest

import react_tck
from react_tck.cli.main import main
from react_tck.fakes.server import CuedEndpoint, LaneServer
from tests.cli.test_serve import end, serving_with
from tests.support.documents import blocks, command

LM = "docs/SCRIPTED_LM.md"


def test_1_an_agent_that_is_given_functions(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(folder / "run_it.py"))
    assert capsys.readouterr().out == "function-agent passed 1 failed 0\n"


def test_9_serve_with_curl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if shutil.which("curl") is None:
        pytest.skip("curl is not on this machine")
    monkeypatch.chdir(tmp_path)
    _, _, file, *_ = command(LM, "react-tck serve replies.json")
    (tmp_path / file).write_text(blocks(LM, "json")[0], encoding="utf-8")
    with serving_with(file) as (process, _):
        assert process.stdout is not None
        curl = next(line for line in process.stdout if line.startswith("curl"))
        while curl.endswith("\\\n"):
            curl += process.stdout.readline()
        done = subprocess.run(["sh", "-c", curl], capture_output=True, text=True)
        assert json.loads(done.stdout)["choices"][0]["message"]["tool_calls"][0]["function"]["name"] == "add"
        end(process, signal.SIGINT)


def test_10_record_and_replay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    openai = pytest.importorskip("openai", reason="needs the package openai")
    monkeypatch.chdir(tmp_path)
    asked: Any = {"model": "m", "messages": [{"role": "user", "content": "2+3?"}]}
    *_, recording, _, upstream = command(LM, "react-tck serve --record")
    assert upstream.startswith("https://")

    with LaneServer() as server:
        provider = CuedEndpoint(server)
        provider.says("It is 5.")
        with serving_with("--record", recording, "--upstream", provider.base_url) as (process, url):
            openai.OpenAI(base_url=url, api_key=provider.api_key).chat.completions.create(**asked)
            end(process, signal.SIGINT)

    with serving_with(*command(LM, "react-tck serve said.json")[2:]) as (_, url):
        reply = openai.OpenAI(base_url=url, api_key="any").chat.completions.create(**asked)
        assert reply.choices[0].message.content == "It is 5."


def test_a_fresh_process_finds_what_is_imported_here(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "elsewhere").mkdir()
    monkeypatch.chdir("elsewhere")
    from function_agent import Mine  # type: ignore[import-not-found]

    report = react_tck.run(Mine, "all", title="fresh process")
    (row,) = (row for each in report.requirements for row in each.scenarios if row.verdict is react_tck.Verdict.PASSED)

    assert "fresh process" in row.title


@pytest.mark.parametrize("module", ["examples.own_agent", "examples.openai_agent"])
def test_examples_of_the_repository_run(module: str, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("openai", reason="needs the package openai")
    status = main(["run", "--tags", "@smoke", f"python:{module}:Mine"])

    assert (status, "\n1 passed" in capsys.readouterr().out) == (0, True)
