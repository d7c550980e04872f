"""The same subject gives the same verdicts in process and behind the protocol, by the kit's harness and by a file."""

import json
import shlex
import subprocess
import sys
from dataclasses import dataclass

import pytest

from react_tck.catalogue.features import ScenarioRow, load_features
from react_tck.catalogue.selection import Selection
from react_tck.model.report import Verdict
from react_tck.subjects.catalogue import BUILT_IN, is_importable
from tests.support.suite_checks import play_once

#: What a subject's objects go through after a call, what has to be awaited or consumed, and whether a tool is given a
#: model shows in process only: a wire carries copies, values, and JSON (TRJ-006, TOOL-006, TOOL-009).
ONLY_IN_PROCESS = {"TRJ-006", "TOOL-006", "TOOL-009"}
#: What a wire may not carry, so that it is unsupported there: a result that is no JSON.
MAY_BE_ODD = (
    "The run goes on, whatever a tool returns [",
    "The loop of an asynchronous call goes on whatever a tool returns [",
)


@dataclass(frozen=True)
class ARowOfEach(Selection):
    """Of each outline its last row, which is seldom the plainest."""

    @property
    def rows(self) -> list[ScenarioRow]:
        """Those rows."""
        return list({row.scenario.title: row for row in super().rows}.values())


def of_each(profile: str) -> Selection:
    """A row of a scenario of each requirement."""
    titles = {each.requirement_id: each.title for each in load_features() if each.profile == profile}
    return ARowOfEach(profile, titles=frozenset(titles.values()))


def verdicts(name: str, selection: Selection) -> dict[tuple[str, str], Verdict]:
    """How each row ended, but for what shows in process only; tests/processes/test_supervised.py plays wires again."""
    found = play_once(name, selection)
    return {(id_, row): verdict for (id_, row), verdict in found.items() if id_ not in ONLY_IN_PROCESS}


def assert_same(wired: str, subject: str, selection: Selection) -> None:
    there, here = verdicts(wired, selection), verdicts(subject, selection)
    assert there
    for (id_, row), verdict in there.items():
        if row.startswith(MAY_BE_ODD) and verdict is Verdict.UNSUPPORTED:
            here[id_, row] = verdict
    assert there == here


#: One subject meets all that can be said over a wire; of another it is shown that it is driven as it is in process.
CASES = [
    pytest.param("reference", of_each("core"), id="reference"),
    pytest.param("reference", Selection(), id="each row of core", marks=pytest.mark.all),
    pytest.param("reference-transcript", of_each("transcript"), id="transcript", marks=pytest.mark.all),
    pytest.param("udspy", of_each("core"), id="udspy", marks=pytest.mark.all),
]


@pytest.mark.parametrize(("subject", "selection"), CASES)
def test_the_wire_changes_no_verdict(subject: str, selection: Selection) -> None:
    skip_unless_installed(subject)
    assert_same(f"-- {shlex.join([sys.executable, '-m', 'react_tck', 'harness', subject])}", subject, selection)


def skip_unless_installed(subject: str) -> None:
    if not is_importable(BUILT_IN[subject][1]):
        pytest.skip(f"{BUILT_IN[subject][1]} is not installed")


#: A logger that keeps the standard output that it found when it was imported.
LOUD = """
import logging, os, sys
logger = logging.getLogger("loud")
logger.addHandler(logging.StreamHandler(sys.stdout))
import react_tck

@react_tck.subject("loud", version="1", dialects=["json"])
class Loud:
    def parse(self, text, fields):
        logger.warning("by the logger")
        os.write(1, b"by the descriptor\\n")
        return {"answer": "5"}

react_tck.wire.serve(Loud)
"""


def test_what_a_library_logs_is_no_noise_on_the_wire() -> None:
    params = {"dialect": "json", "reply": {"content": "", "tool_calls": [], "finish_reason": "stop"}, "fields": {}}
    request = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "parse", "params": params})
    done = subprocess.run(
        [sys.executable, "-c", LOUD], input=request + "\n", capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout)["result"] == {"fields": {"answer": "5"}, "error": None}
    assert done.stderr.splitlines() == ["by the logger", "by the descriptor"]
