"""Users: each has an empty folder, the README and the documents, whose code and commands are taken out of them.

That what they are told to type can be typed is in test_typed_commands.py; here is what they see.
What a user may get wrong on the way is in tests/api/test_mistakes.py.
"""

import json
import os
import runpy
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import react_tck
from react_tck.cli.main import main
from react_tck.fakes.server import CuedEndpoint, LaneServer
from tests.cli.test_serve import end, serving_with
from tests.support.documents import ROOT, blocks, command

LM = "docs/SCRIPTED_LM.md"


def pytest_in(folder: Path, *words: str) -> str:
    """What pytest says in the folder, where nothing of this repository's configuration is read."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    environment["PYTHONPATH"] = str(Path(react_tck.__file__).parents[1])
    options = ["-p", "no:cacheprovider", "-p", "no:langsmith_plugin"]
    command = [sys.executable, "-m", "pytest", *options, *words]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    return done.stdout + done.stderr


def test_1_an_agent_that_is_given_functions(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(folder / "run_it.py"))
    assert capsys.readouterr().out == "function-agent passed 1 failed 0\n"


def test_8_a_scripted_lm_in_a_test(tmp_path: Path) -> None:
    pytest.importorskip("openai", reason="needs the package openai")
    example = ROOT / "examples" / "agent_tests" / "test_tool_calling.py"
    assert "[examples/agent_tests](../examples/agent_tests)" in (ROOT / LM).read_text(encoding="utf-8")
    shutil.copy(example, tmp_path)

    said = pytest_in(tmp_path)
    assert f"{example.read_text(encoding='utf-8').count('def test_')} passed" in said, said


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
