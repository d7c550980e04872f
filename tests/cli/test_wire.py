"""The commands for authors of harnesses: run, check, play, transcripts."""

import io
import json
import sys
from pathlib import Path

import pytest

from react_tck.cli.main import main
from tests.support.suite_checks import TITLE

TESTS = Path(__file__).parents[1]
TEMPLATE = TESTS / "harnesses" / "plain.py"
GOOD = ("--", sys.executable, str(TEMPLATE))


def zoo(name: str) -> tuple[str, ...]:
    return ("--", sys.executable, "-m", "tests.zoo.harness", name)


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(arguments)
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def test_a_broken_harness_ends_with_status_3_and_its_evidence(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = told(capsys, "run", "-k", TITLE, *zoo("exit-1"))
    assert status == 3
    assert "exited with status 1 instead of answering 'call'" in out
    assert f"reproduce: react-tck run --profile core -k '{TITLE}' -- " in out


def test_check_passes_a_good_harness(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = told(capsys, "check", *GOOD)
    assert status == 0
    assert "echo of unicode" in out
    assert "all 27 checks passed" in out


@pytest.mark.parametrize(
    ("name", "failed", "advice"),
    [
        ("no-dialects", "FAILED  handshake", "Answer `initialize` with a manifest."),
        ("not-an-outcome", "FAILED  smoke episode", "Answer `call` with an outcome"),
        ("exit-1", "FAILED  smoke episode", "See why on its standard error"),
        ("noise", "FAILED  requests", "standard output carries JSON-RPC only"),
    ],
)
def test_check_says_what_is_wrong_and_what_to_write(
    capsys: pytest.CaptureFixture[str], name: str, failed: str, advice: str
) -> None:
    status, out, _ = told(capsys, "check", *zoo(name))
    assert status == 3
    assert failed in out
    assert advice in out


def test_play_shows_the_lines_to_paste(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    manifest = {"name": "x", "version": "1", "dialects": ["json"], "default_dialect": "json", "default_max_steps": 3}
    answers = (
        {"jsonrpc": "2.0", "id": 1, "result": {**manifest, "capabilities": ["arrow-signature"]}},
        {"jsonrpc": "2.0", "id": 2, "result": {"instance": "1"}},
        {"jsonrpc": "2.0", "id": 3, "result": {"status": "error", "error": {"type": "Bug", "message": "not yet"}}},
    )
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(json.dumps(answer) for answer in answers)))
    status, out, _ = told(capsys, "play", "LOOP-001", "-k", TITLE)
    assert status == 1
    assert '{"jsonrpc":"2.0","id":1,"method":"initialize"' in out
    assert '"tools_url":"http://127.0.0.1:' in out
    assert "expected: 'add' runs exactly once" in out


def test_transcripts_are_a_file_an_episode(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    status, _, _ = told(capsys, "run", "-k", TITLE, "--transcript", str(tmp_path / "kept"), *GOOD)
    assert status == 0
    (file,) = (tmp_path / "kept").iterdir()
    episode, *events = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    assert file.name.startswith("LOOP-001-ReAct-selects-and-executes-a-tool")
    assert episode["case"]["signature"]["arrow"] == "question -> answer"
    assert [event["kind"] for event in events] == ["called", "asked", "tool", "asked", "asked", "returned"]
