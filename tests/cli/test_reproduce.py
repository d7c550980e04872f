"""The command that a failure prints shows it again, whatever stands in its title."""

import re
import shlex

import pytest

from react_tck.catalogue.registry import load_registry
from react_tck.prove.mutants import load_mutants
from tests.cli.test_cli import told

pytest.importorskip("dspy", reason="mutants need the extra 'reference'")

REGISTRY = load_registry()
#: A mutant a profile: the first of a requirement that has scenarios of its own.
OF_PROFILE: dict[str, tuple[str, str]] = {
    REGISTRY.by_id[mutant.requirement_id].profile: (name, mutant.requirement_id)
    for name, mutant in reversed(list(load_mutants().items()))
    if REGISTRY.by_id[mutant.requirement_id].needs_scenario and mutant.parser is None
}


def printed(out: str, requirement_id: str) -> str:
    block = out.split(f"\n{requirement_id} (", 1)[1]
    found = re.search(r"^reproduce: react-tck (.*)$", block, re.MULTILINE)
    assert found
    return found[1]


@pytest.mark.parametrize(
    "profile", [each if each == "core" else pytest.param(each, marks=pytest.mark.all) for each in OF_PROFILE]
)
def test_the_printed_command_shows_the_failure(profile: str, capsys: pytest.CaptureFixture[str]) -> None:
    name, requirement_id = OF_PROFILE[profile]
    _, out, _ = told(capsys, "run", "-v", "--profile", profile, "--tags", f"@{requirement_id}", f"mutant:{name}")
    command = printed(out, requirement_id)
    assert f"--profile {profile}" in command
    status, again, _ = told(capsys, *shlex.split(command))
    assert status == 1
    assert printed(again, requirement_id) == command
    assert again.count("\nreproduce: ") == 1


def test_a_part_of_a_profile_shows_no_conformance(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = told(capsys, "run", "-k", "ReAct selects and executes a tool", "reference")
    assert status == 0
    assert "conformance is shown by a whole profile" in out.splitlines()[-1]
