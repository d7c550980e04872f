"""The ports in `ports/` connect libraries in other languages, where these are installed; `ax` has a test of its own."""

import shutil
import sys
from pathlib import Path

import pytest

from react_tck.cli.main import main

PORTS = Path(__file__).parents[2] / "ports"

#: The folder, what runs it, what `ports/run` has to have put there, and who it says it is.
CASES = [
    ("perl", "perl", "harness.pl", "perl-toy 1"),
    ("ai", "node", "node_modules/ai", "ai 6.0.326"),
    ("eino", None, "harness", "eino v0.7.36"),
    ("langchain4j", "java", "target/lib", "langchain4j 1.19.0"),
]


@pytest.mark.skipif(sys.platform == "win32", reason="harnesses are process groups")
@pytest.mark.parametrize(("name", "tool", "built", "who"), CASES, ids=[name for name, *_ in CASES])
def test_the_port_passes_smoke(
    name: str,
    tool: str | None,
    built: str,
    who: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if tool and shutil.which(tool) is None:
        pytest.skip(f"{tool} is not installed")
    if not (PORTS / name / built).exists():
        pytest.skip(f"ports/{name}/{built} is not there: `ports/run react-tck {name}` makes it")
    monkeypatch.chdir(PORTS / name)
    assert main(["smoke"]) == 0
    assert who in capsys.readouterr().out
