"""A native agent does things that the sources allow and no subject of our own does: none is held against it."""

import shlex
import sys
from pathlib import Path

import pytest

from react_tck.catalogue.selection import Selection
from react_tck.results.exit_status import Exit, exit_status
from tests.support.subject_checks import report_of

AGENT = Path(__file__).parents[1] / "harnesses" / "native_agent.py"
ALLOWED = (
    "The trajectory holds a failed step with its error",
    "The trajectory holds every step when the steps have run out",
    "The trajectory holds every step that ran when the steps have run out",
    "An LM that never finishes is stopped at the documented default",
    "The trajectory is kept when the steps run out on a tool that fails",
    "The tool gets a whole number that no double is, or the double next to it",
    "The tool gets a whole number of any size as it is, or doesn't run",
    "Calls in threads don't mix",
    "The options of calls at once don't mix",
)


@pytest.mark.skipif(sys.platform == "win32", reason="harnesses are process groups")
def test_what_the_sources_allow_is_no_failure() -> None:
    selection = Selection(profile="all", titles=frozenset(ALLOWED))
    report = report_of(f"-- {shlex.join([sys.executable, str(AGENT)])}", selection)
    assert (exit_status(report), report.ledger.failed, report.ledger.errors) == (Exit.CONFORMANT, 0, 0)
    assert {row.title.partition(" [")[0] for each in report.requirements for row in each.scenarios} >= {*ALLOWED}
