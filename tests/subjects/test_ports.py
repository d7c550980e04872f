"""The ports in `ports/` connect libraries in other languages, where these are installed; `ax` has a test of its own.

Whose baseline it is, and what of it is said, is tested everywhere.
"""

import shutil
import sys
from pathlib import Path

import pytest

from react_tck.cli.main import main
from react_tck.gate.baseline import FILE, read_baseline

PORTS = Path(__file__).parents[2] / "ports"

#: The folder, what runs it, what `ports/run` has to have put there, and who it says it is.
CASES = [
    ("perl", "perl", "harness.pl", "perl-toy 1"),
    ("ai", "node", "node_modules/ai", "ai 6.0.326"),
    ("langgraph", "node", "node_modules/langchain", "langchain.js createAgent 1.5.14 (langgraph 1.7.3)"),
    ("llamaindex", "node", "node_modules/llamaindex", "llamaindex agent 0.12.1"),
    ("openai-agents", "node", "node_modules/@openai/agents", "@openai/agents Agent 0.20.0"),
    ("mastra", "node", "node_modules/@mastra/core", "mastra Agent 1.71.0"),
    ("eino", None, "harness", "eino v0.7.36"),
    ("langchaingo", None, "harness", "langchaingo OneShotZeroAgent v0.1.14"),
    ("langchain4j", "java", "target/lib", "langchain4j 1.19.0"),
    ("beeai", None, ".venv/bin/python", "beeai RequirementAgent 0.1.85"),
    ("rig", None, "target/release/harness", "rig 0.44.0"),
]


@pytest.mark.skipif(sys.platform == "win32", reason="harnesses are process groups")
@pytest.mark.parametrize(
    ("name", "tool", "built", "who"),
    [pytest.param(*case, id=case[0], marks=[pytest.mark.all] * (case[0] != "perl")) for case in CASES],
)
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
    assert main(["check"]) == 0
    assert who in capsys.readouterr().out


def test_every_failure_that_is_accepted_has_its_reason() -> None:
    for name in (*(name for name, *_ in CASES), "ax"):
        (section,) = read_baseline(PORTS / name / FILE).values()
        assert section.profile == "all"
        assert [entry for entry in section.entries if not entry.reason] == []
        findings = (PORTS.parent / "docs" / "findings" / f"{name}-port.md").read_text(encoding="utf-8")
        assert {entry.requirement for entry in section.entries if entry.requirement not in findings} == set(), name
