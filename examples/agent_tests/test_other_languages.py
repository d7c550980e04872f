"""Agents in Go and Node, each on a client that its users have, against `react-tck serve`."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent


def prepare(command: Sequence[str], cwd: Path) -> None:
    """Run what makes an agent ready; who lacks the language, or can't have the client, is skipped and told why."""
    if shutil.which(command[0]) is None:
        pytest.skip(f"there is no {command[0]} here")
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"{' '.join(command[:2])} fails: {done.stderr.strip()[-200:]}")


@contextmanager
def serving(file: Path) -> Iterator[tuple[dict[str, str], "subprocess.Popen[str]"]]:
    """Yield the environment in which clients find the LM that says the replies, and who serves it."""
    command = [sys.executable, "-m", "react_tck", "serve", str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as serve:
        assert serve.stdout is not None
        url, key = (serve.stdout.readline().split()[-1] for _ in range(2))
        try:
            yield {**os.environ, "OPENAI_BASE_URL": url, "OPENAI_API_KEY": key}, serve
        finally:
            serve.kill()


def check_agent(command: Sequence[str], replies: Path, expected: str) -> None:
    """Run the agent, and see that it says that and has asked for all that there was to be said."""
    with serving(replies) as (environment, serve):
        done = subprocess.run([*command, "Where are 17 and 18?"], env=environment, capture_output=True, text=True)
        serve.send_signal(signal.SIGINT)
        told, _ = serve.communicate(timeout=10)
    assert done.stdout == expected, done.stderr
    assert serve.returncode == 0, told


def test_the_agent_in_go_looks_both_orders_up(tmp_path: Path) -> None:
    prepare(["go", "build", "-o", str(tmp_path / "agent"), "."], FOLDER / "go_agent")
    expected = "17 was sent on Monday, and there is no 18.\n"
    check_agent([str(tmp_path / "agent")], FOLDER / "go_agent" / "replies.json", expected)


def test_the_agent_in_node_shows_what_comes_in_an_odd_stream(tmp_path: Path) -> None:
    agent = Path(shutil.copytree(FOLDER / "node_agent", tmp_path / "agent"))
    prepare(["npm", "install", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund"], agent)
    expected = "Let me see. 17 was sent on Monday, and there is no 18."
    check_agent(["node", str(agent / "agent.js")], FOLDER / "node_agent" / "replies.json", expected)
