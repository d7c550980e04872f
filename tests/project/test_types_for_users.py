"""What a type checker of a user's finds in an install: the classes have types, and wrong use has errors."""

import subprocess
import sys
import sysconfig
import venv
from importlib.util import find_spec
from pathlib import Path
from zipfile import ZipFile

import pytest

pytest.importorskip("dspy")

from tests.support.distributions import build_distribution, copy_sources
from tests.support.documents import ROOT

#: mypy finds an ignored error that isn't there, too: each `type: ignore` below says that a use is wrong.
PROGRAM = '''
"""A program of a user's."""

import dspy  # type: ignore[import-untyped]
from react_tck.reference import ConfirmationRequired, ConversationReAct, ReAct, TranscriptReAct, UdspyReAct, tool
from react_tck.reference.loop import STRICT, Policy


def add(a: int, b: int) -> int:
    """Adds two whole numbers."""
    return a + b


@tool(require_confirmation=True)
def wipe(path: str) -> str:
    """Wipes what is there."""
    return path


class Mine(ReAct):
    """A subclass with a call of its own."""

    def forward(self, question: str) -> dspy.Prediction:
        """Ask in other words."""
        return super().forward(question=question.strip())


def run() -> list[str]:
    """What each of the four classes answers."""
    agents = [
        ReAct("question -> answer", [add, wipe], max_iters=3),
        TranscriptReAct("question -> answer", tools=[add], policy=STRICT),
        ConversationReAct("question -> answer", [add], max_steps=2, predictor_class=dspy.Predict),
        UdspyReAct("question -> answer", [add], policy=Policy(trajectory_format="list")),
        Mine("question -> answer", [dspy.Tool(add)]),
    ]
    said: list[str] = []
    for agent in agents:
        try:
            prediction = agent(question="2+3?")
        except ConfirmationRequired as waiting:
            prediction = agent.resume("yes", waiting)
        said.append(str(prediction.answer))
    return said


async def ask(agent: TranscriptReAct) -> str:
    """What an agent answers that is awaited."""
    made = await agent.acall(question="2+3?", history=dspy.History(messages=[]))
    limit: int = agent.max_iters
    return f"{made.answer} {sorted(agent.tools)} {limit}"


def run_wrongly() -> None:
    """Uses that are mistakes."""
    ReAct(5, [add])  # type: ignore[arg-type]
    ReAct("question -> answer", add)  # type: ignore[arg-type]
    TranscriptReAct("question -> answer", None)  # type: ignore[arg-type]
    TranscriptReAct("question -> answer", [add], policy="strict")  # type: ignore[arg-type]
    ConversationReAct("question -> answer", [add], max_iters="x")  # type: ignore[arg-type]
    ReAct("question -> answer", [add], colour="red")  # type: ignore[call-arg]
'''


#: A test of a user's agent: what each line gives is known, so that an editor completes it.
AGENT_TEST = '''
"""Tests of an agent."""

import react_tck
from typing_extensions import assert_type


def test_agent(scripted_lm: react_tck.ScriptedLM) -> None:
    lm = scripted_lm()
    lm.says("Let me add.", calls=[("add", {"a": 2})]).slowly(tokens_per_second=20).says("5")
    lm.on_purpose().calls("fly", to="Mars").refuses("No.").filters("First").fails(429)
    assert_type(lm.root_url, str)
    assert_type(lm.requests[0].messages[-1].content, str | None)
    assert_type(lm.headers[0]["authorization"], str)
    recorded = scripted_lm("said.json", environment=True)
    recorded.assert_asked("2+3")


def test_wrongly(scripted_lm: react_tck.ScriptedLM) -> None:
    lm = scripted_lm()
    lm.say("5")  # type: ignore[attr-defined]
    lm.says(5)  # type: ignore[arg-type]
    lm.says("5", calls=["add"])  # type: ignore[list-item]
    lm.slowly("fast").says("5")  # type: ignore[arg-type]
    lm.fails("sunspots")  # type: ignore[arg-type]
    scripted_lm("said.json").says("5")  # type: ignore[attr-defined]
    scripted_lm(5)  # type: ignore[call-overload]
'''

#: What mypy is told about dspy, which pyright doesn't miss.
_UNTYPED = "  # type: ignore[import-untyped]"


@pytest.fixture(scope="module", params=["editable", pytest.param("wheel", marks=pytest.mark.all)])
def python(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an environment that has react-tck from the checkout, or from a wheel."""
    if request.param == "editable":
        return Path(sys.executable)
    root = tmp_path_factory.mktemp("users")
    wheel = build_distribution(copy_sources(tmp_path_factory.mktemp("tree")), "wheel", root)
    venv.create(root / "venv", symlinks=True)
    (packages,) = root.glob("venv/lib/python*/site-packages")
    with ZipFile(wheel) as archive:
        archive.extractall(packages)
    # Everything else is as here; that path's own editable install isn't followed from there.
    (packages / "others.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    return root / "venv" / "bin" / "python"


def _check_types(folder: Path, *command: str) -> tuple[str, int]:
    told = subprocess.run([sys.executable, "-m", *command], cwd=folder, capture_output=True, text=True, check=False)
    return told.stdout, told.returncode


def test_a_users_programs_pass_strictly(tmp_path: Path, python: Path) -> None:
    for name, program in {"program.py": PROGRAM, "agent_test.py": AGENT_TEST}.items():
        (tmp_path / name).write_text(program, encoding="utf-8")
    cache = ROOT / ".mypy_cache" / "users" / python.parent.parent.name
    options = ("--strict", "--python-executable", str(python), "--cache-dir", str(cache))
    told, status = _check_types(tmp_path, "mypy", *options, "program.py", "agent_test.py")
    assert (told, status) == ("Success: no issues found in 2 source files\n", 0), told


@pytest.mark.all
def test_a_users_program_passes_pyright(tmp_path: Path, python: Path) -> None:
    if find_spec("pyright") is None or _check_types(tmp_path, "pyright", "--version")[1]:
        pytest.skip("pyright isn't installed, or finds no node")
    (tmp_path / "program.py").write_text(PROGRAM.replace(_UNTYPED, ""), encoding="utf-8")
    # As mypy's strict mode, it complains about an ignored error that isn't there.
    (tmp_path / "pyrightconfig.json").write_text('{"reportUnnecessaryTypeIgnoreComment": "error"}', encoding="utf-8")
    told, status = _check_types(tmp_path, "pyright", "--pythonpath", str(python), "program.py")
    assert (told.splitlines()[-1], status) == ("0 errors, 0 warnings, 0 informations", 0), told
