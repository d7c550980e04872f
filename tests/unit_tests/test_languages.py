"""A failure as a native test, run by the real runners: red as the kit says, and green with an agent that is right.

One failure, written in every language; in each an agent that does the same wrong, and one that doesn't.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from react_tck.cli.commands.init import TEMPLATES
from react_tck.subjects.catalogue import resolve
from react_tck.unit_tests.failures import RUNNERS, Agent, build_requirement_test, write_test
from react_tck.unit_tests.unit_test import Result, RightCourse, UnitTest

AGENTS = Path(__file__).with_name("agents")
SUBJECT = "python:tests.unit_tests.failing:Twice"
RUN = 'runs add({"a":2,"b":3})'
#: What ends a text, or begins an escape or a value, in one of the languages.
HOSTILE = "''' \"\"\" ` ${x} #{x} @@data \\u0041 \u202e \n */"
#: Seconds for a runner that fetches what it needs, on a machine with much else to do.
PATIENCE = 550


@pytest.fixture(scope="module")
def failure() -> UnitTest:
    """A failure of which two courses are right: an agent that is right takes the second."""
    test = build_requirement_test(resolve(SUBJECT), SUBJECT, "LOOP-001", "ReAct selects and executes a tool")
    giving_up = RightCourse(answers=(), shows=(), due=("ends with an error",))
    hostile = Result("another", json.dumps(HOSTILE), is_error=False)
    return replace(test, courses=(giving_up, *test.courses), results=(*test.results, hostile))


def put(folder: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def told(command: Sequence[str], folder: Path) -> tuple[int, str]:
    """How a runner ends, and what it says; skipped where there is none."""
    if shutil.which(command[0]) is None:
        pytest.skip(f"there is no {command[0]} here")
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    return done.returncode, done.stdout + done.stderr


def agent(text: str) -> str:
    return (AGENTS / text).read_text(encoding="utf-8")


def one_fails(status: int, out: str) -> None:
    """The run of both: what is due stands there, and that the tool ran twice."""
    assert status != 0, out
    assert "LOOP-001 (MUST, S4 R2.1): On a step with next_tool_name" in out
    plain = out.replace('\\"', '"')
    assert plain.count(RUN) >= 3, out


def test_pytest(failure: UnitTest, tmp_path: Path) -> None:
    files = {f"test_{kind}.py": write_test(failure, "pytest", Agent("agent", kind)) for kind in ("right", "wrong")}
    put(tmp_path, {"agent.py": agent("agent.py"), **files})
    status, out = told([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:react_tck"], tmp_path)
    one_fails(status, out)
    assert "1 failed, 1 passed" in out
    assert "FAILED test_wrong.py::test_loop_001" in out


def test_an_agent_mended_by_any_variant_that_is_declared_is_right(tmp_path: Path) -> None:
    name = "python:tests.unit_tests.failing:Guessing"
    test = build_requirement_test(resolve(name), name, "ERR-001", None)
    agents = ("right", "observing", "extracting", "guessing")
    put(tmp_path, {f"test_{kind}.py": write_test(test, "pytest", Agent("agent", kind)) for kind in agents})
    put(tmp_path, {"agent.py": agent("agent.py")})
    _, out = told([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:react_tck"], tmp_path)
    assert "1 failed, 3 passed" in out, out
    assert "FAILED test_guessing.py::test_err_001" in out


def test_vitest(failure: UnitTest, tmp_path: Path) -> None:
    files = {
        f"{kind}.test.mjs": write_test(failure, "vitest", Agent("./agent.mjs", kind)) for kind in ("right", "wrong")
    }
    package = '{"private": true, "type": "module", "devDependencies": {"vitest": "3.2.4"}}'
    put(tmp_path, {"agent.mjs": agent("agent.mjs"), "package.json": package, **files})
    status, out = told(["npm", "install", "--no-audit", "--no-fund", "--prefer-offline"], tmp_path)
    if status != 0:
        pytest.skip(f"vitest isn't to be had here: {out[-200:]}")
    status, out = told(["npx", "vitest", "run", "--no-color"], tmp_path)
    one_fails(status, out)
    assert re.search(r"Tests +1 failed \| 1 passed", out), out
    assert "FAIL  wrong.test.mjs" in out


def test_go(failure: UnitTest, tmp_path: Path) -> None:
    for kind in ("right", "wrong"):
        put(tmp_path / kind, {"agent_test.go": agent("agent_test.go")})
        put(tmp_path / kind, {"loop_001_test.go": write_test(failure, "go", Agent("agent", kind))})
    put(tmp_path, {"go.mod": "module example.com/agent\n\ngo 1.23\n"})
    status, out = told(["go", "test", "./..."], tmp_path)
    one_fails(status, out)
    assert re.search(r"^ok\s+example.com/agent/right", out, re.M), out
    assert re.search(r"^FAIL\s+example.com/agent/wrong", out, re.M), out
    assert "--- FAIL: TestLoop001" in out


def test_minitest(failure: UnitTest, tmp_path: Path) -> None:
    files = {f"{kind}_test.rb": write_test(failure, "minitest", Agent("./agent", kind)) for kind in ("right", "wrong")}
    put(tmp_path, {"agent.rb": agent("agent.rb"), **files})
    assert "1 runs, 1 assertions, 0 failures" in told(["ruby", "-w", "right_test.rb"], tmp_path)[1]
    status, out = told(["ruby", "-w", "wrong_test.rb"], tmp_path)
    one_fails(status, out)
    assert "TestLoop001#test_loop_001" in out
    assert "warning" not in out


def test_exunit(failure: UnitTest, tmp_path: Path) -> None:
    """Run where there is Elixir, with the template's JSON where it has none; looked at where there isn't."""
    files = {kind: write_test(failure, "exunit", Agent("MyAgent", kind)) for kind in ("right", "wrong")}
    assert "defdelegate build_agent(base_url, api_key, task, tools), to: MyAgent, as: :right" in files["right"]
    # What is quoted opens nothing: every `do` and every bracket has its end.
    code = re.sub(r'~S""".*?\n"""|^ *# .*?$', "", files["wrong"], flags=re.M | re.S)
    code = re.sub(r'"(?:\\.|[^"\\])*"', '""', code)
    blocks = len(re.findall(r"\b(?:do|fn)\b(?!:)", code))
    assert blocks == len(re.findall(r"\bend\b", code))
    assert all(code.count(opening) == code.count(closing) for opening, closing in ("()", "[]", "{}"))
    for kind, text in files.items():
        put(tmp_path, {f"{kind}_test.exs": text.replace("Loop001Test", f"{kind.title()}Test")})
    put(tmp_path, {"agent.exs": agent("agent.exs"), "json.exs": (TEMPLATES / "elixir/json.exs").read_text("utf-8")})
    sources = ("agent.exs", "right_test.exs", "wrong_test.exs")
    status, out = told(["elixir", *(word for source in sources for word in ("-r", source)), "-e", ""], tmp_path)
    one_fails(status, out)
    assert "2 tests, 1 failure" in out
    assert "(WrongTest)" in out
    assert "warning" not in out


@pytest.mark.parametrize("runner", RUNNERS)
def test_where_the_agent_is_not_known_there_is_a_place_for_it(runner: str, failure: UnitTest) -> None:
    text = write_test(failure, runner, None)
    assert "BEGIN: build your agent here." in text
    assert text.count("@@") == 1  # in a value
    assert "KNOWN" not in text
    assert "With the kit: react-tck run --profile core -k 'ReAct selects and executes a tool' python:" in text
    assert "import react_tck" not in text
