"""The clients that the kit hands out, with the newest `openai` as somebody installs it beside the kit, and no more."""

from tests.support.environments import NEWEST_OPENAI, run_pytest


def test_the_clients_work_with_the_newest_release() -> None:
    told = run_pytest(NEWEST_OPENAI, "tests/api/test_clients.py", "examples/agent_tests")

    assert told.returncode == 0, told.stdout
