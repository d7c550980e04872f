"""`ports/run`: which ports it plays, which it leaves out and why, and what makes it fail. Tools and kit are dummies."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

RUN = Path(__file__).parents[2] / "ports" / "run"
#: What the script itself calls.
SYSTEM = ("sh", "cksum", "dirname", "grep", "mkdir", "rm", "sed", "tail", "tr")
#: Says what a run ends with, and ends with the status in the port's folder, if there is one.
KIT = """
if test "$1" = matrix; then echo "$@" >matrix.log; exit 1; fi
echo "ledger: 1 registered"; echo "gate: as it is"; echo "{}" >report.json
exit "$(cat status 2>/dev/null || echo 0)"
"""

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="it is a shell script")


@pytest.fixture
def ports(tmp_path: Path) -> Path:
    """A folder with the script and two ports in it; beside it the tools that there are."""
    folder = tmp_path / "ports"
    for name in ("perl", "ai"):
        (folder / name).mkdir(parents=True)
    shutil.copy(RUN, folder / "run")
    (tmp_path / "bin").mkdir()
    for name in (*SYSTEM, "cat", "sleep"):
        (tmp_path / "bin" / name).symlink_to(shutil.which(name) or name)
    tool(folder, "kit", KIT)
    return folder


def tool(ports: Path, name: str, script: str = "") -> None:
    file = ports.parent / "bin" / name
    file.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    file.chmod(0o755)


def run(ports: Path, *names: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PATH": str(ports.parent / "bin"), "XDG_CACHE_HOME": str(ports.parent / "cache")}
    environment.pop("CARGO_BUILD_BUILD_DIR", None)
    command = ["sh", str(ports / "run"), "kit", *(names or ("perl", "ai"))]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=60)


def test_every_port_has_a_line_and_all_of_them_one(ports: Path) -> None:
    for name in ("perl", "node", "npm"):
        tool(ports, name)
    done = run(ports)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "ports/perl: gate: as it is",
        "ports/ai: gate: as it is",
        "ports: the page of 2 subjects is build/ports/index.html",
        "ports: gates open: perl ai; left out: none; failed: none",
    ]


def test_a_port_without_its_toolchain_is_left_out(ports: Path) -> None:
    tool(ports, "perl")
    done = run(ports)
    assert done.returncode == 0
    assert "ports/ai: left out, there is no node npm here" in done.stdout
    assert done.stdout.splitlines()[-1] == "ports: gates open: perl; left out: ai; failed: none"


def test_a_registry_that_cannot_be_reached_fails_nothing(ports: Path) -> None:
    tool(ports, "node")
    tool(ports, "npm", "echo; echo network error ENOTFOUND >&2; echo more is in a log; exit 1")
    (ports / "ai" / "report.json").touch()
    done = run(ports, "ai")
    assert done.returncode == 0
    assert "ports/ai: left out, its packages can't be fetched: network error ENOTFOUND" in done.stdout
    assert not (ports / "ai" / "report.json").exists(), "the report of an earlier run is none of this one"


def test_what_cannot_be_built_fails(ports: Path) -> None:
    (ports / "eino").mkdir()
    tool(ports, "go", 'test "$1" = mod || { echo "harness.go:1: syntax error" >&2; exit 1; }')
    done = run(ports, "eino")
    assert done.returncode == 1
    assert "harness.go:1: syntax error\nports/eino: FAILED, it can't be built" in done.stdout


def test_a_gate_that_is_closed_fails_and_says_why(ports: Path) -> None:
    for name in ("perl", "node", "npm"):
        tool(ports, name)
    (ports / "perl" / "status").write_text("3", encoding="utf-8")
    done = run(ports)
    assert done.returncode == 1
    assert "ledger: 1 registered\ngate: as it is\nports/perl: FAILED" in done.stdout
    assert done.stdout.splitlines()[-1] == "ports: gates open: ai; left out: none; failed: perl"
