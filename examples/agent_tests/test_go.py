"""An agent in Go, on the client that most Go programs have, against `react-tck serve`."""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

AGENT = Path(__file__).parent / "go_agent"
REPLIES = [
    {"calls": [{"tool": "lookup_order", "args": {"number": 17}}, {"tool": "lookup_order", "args": {"number": 18}}]},
    {"fails": 429, "when": {"after": "lookup_order"}},
    {"says": "17 was sent on Monday, and there is no 18."},
]


@pytest.fixture(name="agent", scope="module")
def _agent(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the agent; who has no Go, or can't have the client, is skipped and told why."""
    if shutil.which("go") is None:
        pytest.skip("Go isn't installed")
    program = tmp_path_factory.mktemp("go") / "agent"
    built = subprocess.run(["go", "build", "-o", program, "."], cwd=AGENT, capture_output=True, text=True)
    if built.returncode:
        pytest.skip(f"the agent can't be built: {built.stderr.strip()[-200:]}")
    return program


@contextmanager
def serving(folder: Path) -> Iterator[tuple[dict[str, str], "subprocess.Popen[str]"]]:
    """Yield the environment in which clients find the LM that says the replies, and who serves it."""
    file = folder / "replies.json"
    file.write_text(json.dumps({"replies": REPLIES}), encoding="utf-8")
    command = [sys.executable, "-m", "react_tck", "serve", str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as serve:
        assert serve.stdout is not None
        url, key = (serve.stdout.readline().split()[-1] for _ in range(2))
        try:
            yield {**os.environ, "OPENAI_BASE_URL": url, "OPENAI_API_KEY": key}, serve
        finally:
            serve.kill()


def test_the_agent_in_go_looks_both_orders_up(agent: Path, tmp_path: Path) -> None:
    with serving(tmp_path) as (environment, serve):
        done = subprocess.run([agent, "Where are 17 and 18?"], env=environment, capture_output=True, text=True)
        serve.send_signal(signal.SIGINT)
        said, _ = serve.communicate(timeout=10)

    assert done.stdout == "17 was sent on Monday, and there is no 18.\n", done.stderr
    assert serve.returncode == 0, said
