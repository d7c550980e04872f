"""Which functions of a subject's were under way where its row took too long, by what `faulthandler` writes."""

from pathlib import Path

import pytest

import react_tck
from react_tck.processes.supervisor import find_subject_functions

KIT = Path(react_tck.__file__).parent
OF_PYTEST = ["/site-packages/pluggy/_callers.py", *["/site-packages/_pytest/runner.py"] * 9]
PLAYED = [str(KIT / "processes/worker.py"), *OF_PYTEST, str(KIT / "play/session.py")]


def write_stack(*files: str) -> str:
    """A thread that is in a function of the last of these files."""
    frames = (f'  File "{file}", line 1 in do_{Path(file).stem}' for file in reversed(files))
    return "\n".join(["Current thread 0x00007f (most recent call first):", *frames])


def test_what_was_under_way_is_told_without_what_plays_the_row(subtests: pytest.Subtests) -> None:
    cases: list[tuple[list[str], str]] = [
        ([*PLAYED, "/site-packages/theirs/agent.py"], "do_agent (agent.py)"),
        (
            [*PLAYED, "/site-packages/theirs/agent.py", str(KIT / "play/session.py"), "/own/tool.py"],
            "do_agent (agent.py) > do_tool (tool.py)",
        ),
        (PLAYED, ""),
        (["/own/before.py", str(KIT / "processes/worker.py"), "/own/agent.py"], "do_agent (agent.py)"),
    ]
    for files, told in cases:
        with subtests.test(files=files, told=told):
            assert find_subject_functions(write_stack(*files)) == told
