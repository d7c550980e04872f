"""A native agent does things that the sources allow and no subject of our own does: none is held against it."""

import sys
from pathlib import Path

import pytest

from react_tck.cli.main import main

AGENT = Path(__file__).parents[1] / "support" / "native_agent.py"


@pytest.mark.skipif(sys.platform == "win32", reason="harnesses are process groups")
@pytest.mark.parametrize(
    "title",
    [
        "The trajectory holds a failed step with its error",
        "The trajectory holds every step when the steps have run out",
        "The trajectory holds every step that ran when the steps have run out",
        "An LM that never finishes is stopped at the documented default",
        "The trajectory is kept when the steps run out on a tool that fails",
        "The tool gets a whole number that no double is",
        "The tool gets a whole number of any size as it is",
        "Calls in threads don't mix",
        "The options of calls at once don't mix",
    ],
)
def test_what_the_sources_allow_is_no_failure(title: str, capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["run", "--profile", "all", "-k", title, "--", sys.executable, str(AGENT)])
    said = capsys.readouterr().out
    assert " 0 failed" in said, said
    assert " 0 errors" in said, said
    assert status == 0
