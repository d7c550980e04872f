"""The same subject gives the same verdicts in process and behind the protocol."""

import shlex
import sys
from importlib.util import find_spec

import pytest

from react_tck.model.report import Report, Verdict
from react_tck.subjects.catalogue import close, resolve
from react_tck.suite.run import Run
from react_tck.suite.selection import Selection
from tests.support.suite_checks import Heard

#: What a subject's objects go through after a call, and what has to be awaited or consumed, shows in process only: a
#: wire carries copies, and values (TRJ-006, TOOL-006).
ONLY_IN_PROCESS = {"TRJ-006", "TOOL-006"}


def report(name: str, profile: str = "core", tags: str | None = None) -> Report:
    subject = resolve(name)
    try:
        return Run(subject, name, Selection(profile=profile, tags=tags)).report(Heard())
    finally:
        close(subject)


def verdicts(given: Report) -> dict[tuple[str, str], Verdict]:
    return {
        (requirement.id, scenario.title): scenario.verdict
        for requirement in given.requirements
        if requirement.id not in ONLY_IN_PROCESS
        for scenario in requirement.scenarios
    }


@pytest.mark.parametrize(
    ("subject", "needs", "profile"),
    [
        ("reference", "dspy", "core"),
        ("reference-transcript", "dspy", "transcript"),
        ("dspy", "dspy", "core"),
        ("udspy", "udspy", "core"),
    ],
)
def test_the_wire_changes_no_verdict(subject: str, needs: str, profile: str) -> None:
    if find_spec(needs) is None:
        pytest.skip(f"needs {needs}")
    harness = shlex.join([sys.executable, "-m", "react_tck", "harness", subject])
    assert verdicts(report(f"-- {harness}", profile)) == verdicts(report(subject, profile))
