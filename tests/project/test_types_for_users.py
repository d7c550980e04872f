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
    ReAct("question -> answer", [add], colour="red")  # type: ignore[call-arg]
'''


def test_a_users_program_passes_strictly(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8")
    cache = ROOT / ".mypy_cache" / "users"
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(cache), "program.py"]
    told = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (told.stdout, told.returncode) == ("Success: no issues found in 1 source file\n", 0), told.stdout
