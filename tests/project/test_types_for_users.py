"""What a type checker of a user's finds in an editable install: the classes have types, and wrong use has errors."""

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("dspy")

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
    UdspyReAct("question -> answer", [add], colour="red")  # type: ignore[call-arg]
'''


def check_program(folder: Path, program: str) -> str:
    """What mypy says of a program in a folder of its own."""
    (folder / "program.py").write_text(program, encoding="utf-8")
    cache = ROOT / ".mypy_cache" / "users"
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(cache), "program.py"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False).stdout


def test_a_users_program_passes_strictly(tmp_path: Path) -> None:
    assert check_program(tmp_path, PROGRAM) == "Success: no issues found in 1 source file\n"


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


def test_a_users_test_of_an_agent_passes_strictly(tmp_path: Path) -> None:
    assert check_program(tmp_path, AGENT_TEST) == "Success: no issues found in 1 source file\n"
