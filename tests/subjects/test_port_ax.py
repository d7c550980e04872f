"""`ports/ax` connects @ax-llm/ax, if node and the package are here."""

import os
import shutil
import sys
from pathlib import Path

import pytest

from react_tck.cli.main import main

PORT = Path(__file__).parents[2] / "ports" / "ax"
MODULES = Path(os.environ.get("REACT_TCK_NODE_MODULES", PORT / "node_modules"))


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
@pytest.mark.skipif(not (MODULES / "@ax-llm" / "ax").is_dir(), reason=f"@ax-llm/ax is not installed in {MODULES}")
@pytest.mark.skipif(sys.platform == "win32", reason="harnesses are process groups")
def test_the_port_to_ax_is_connected(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--", "node", str(PORT / "harness.mjs")]) == 0
    assert "@ax-llm/ax 24" in capsys.readouterr().out
