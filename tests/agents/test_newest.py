"""The tests of this folder, and the examples, where Anthropic's client is installed, by newer libraries."""

import pytest

from tests.support.environments import ANTHROPIC, run_pytest


@pytest.mark.all
def test_agents_on_anthropics_client_pass() -> None:
    told = run_pytest(ANTHROPIC, "-rs", "examples/agent_tests", "tests/agents", "--ignore", __file__)

    assert told.returncode == 0, told.stdout
    assert "anthropic" not in told.stdout.lower(), f"something of Anthropic's is skipped: {told.stdout}"
