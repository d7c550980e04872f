"""The command that a failure prints shows it again, whatever stands in its title."""

import re
import shlex

import pytest

from react_tck.catalogue.kill_matrix import load_kill_matrix
from react_tck.catalogue.registry import load_registry
from react_tck.prove.mutants import load_mutants
from tests.cli.test_cli import told

pytest.importorskip("dspy", reason="mutants need the extra 'reference'")

REGISTRY, FAILING = load_registry(), load_kill_matrix().failing
#: A mutant a profile: the first that fails a scenario of its own requirement without a variation.
OF_PROFILE: dict[str, tuple[str, str]] = {
    REGISTRY.by_id[mutant.requirement_id].profile: (name, mutant.requirement_id)
    for name, mutant in reversed(list(load_mutants().items()))
    if REGISTRY.by_id[mutant.requirement_id].needs_scenario
    and mutant.parser is None
    and not all(row.endswith("}") for row in FAILING[name].get(mutant.requirement_id, ()))
}


def printed(out: str) -> list[str]:
    return re.findall(r"^reproduce: react-tck (.*)$", out, re.MULTILINE)


@pytest.mark.parametrize(
    "profile", [each if each == "core" else pytest.param(each, marks=pytest.mark.all) for each in OF_PROFILE]
)
def test_the_printed_command_shows_the_failure(profile: str, capsys: pytest.CaptureFixture[str]) -> None:
    name, requirement_id = OF_PROFILE[profile]
    _, out, _ = told(capsys, "run", "-v", "--profile", profile, "--tags", f"@{requirement_id}", f"mutant:{name}")
    command = printed(out)[0]
    assert f"--profile {profile}" in command
    _, again, _ = told(capsys, *shlex.split(command))
    # One row may show several requirements to be broken.
    assert set(printed(again)) == {command}


def test_a_part_of_a_profile_shows_no_conformance(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = told(capsys, "run", "-k", "ReAct selects and executes a tool", "reference")
    assert status == 0
    assert "conformance is shown by a whole profile" in out.splitlines()[-1]
