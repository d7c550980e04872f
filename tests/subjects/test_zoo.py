"""Broken harnesses are the normal case: whatever one does, its scenario gets a verdict and the run goes on."""

import os
import sys
from pathlib import Path

import pytest

from react_tck.model.report import Report, Verdict
from react_tck.subjects.api import HarnessBroken
from react_tck.subjects.stdio import StdioSubject, Timeouts, started
from react_tck.subjects.stdio.process import Process, clean_environment
from react_tck.suite.run import Run
from react_tck.suite.selection import Selection
from tests.support.suite_checks import TITLE, Heard
from tests.support.zoo import TRICKS

ZOO = Path(__file__).parents[1] / "support" / "zoo.py"

BROKEN = {
    "exit-1": "exited with status 1 instead of answering 'call'",
    "exit-0": "exited with status 0 instead of answering 'call'",
    "killed": "was ended by signal 9",
    "aborted": "was ended by signal 6",
    "hang": "did not answer 'call' within 2 seconds",
    "hang-at-construct": "did not answer 'construct' within 2 seconds",
    "noise": "it wrote noise on its standard output (standard output carries JSON-RPC only",
    "not-json": "it wrote noise on its standard output",
    "half-line": "it wrote noise on its standard output",
    "not-finite": "its answer to 'call' is not JSON: NaN is no JSON",
    "invalid-utf-8": "its standard output is not UTF-8",
    "array": "its answer is not a JSON object",
    "empty-line": "it wrote noise on its standard output",
    "wrong-id": "it answered request 4711 when 3 was asked",
    "text-id": "is not JSON-RPC 2.0: id",
    "no-id": "is not JSON-RPC 2.0: id",
    "twice": "it answered request 2 when 3 was asked",
    "both": "needs exactly one of result and error",
    "neither": "needs exactly one of result and error",
    "old-json-rpc": "is not JSON-RPC 2.0: jsonrpc",
    "not-an-outcome": "doesn't fit the schema: status: Field required",
    "unknown-status": "doesn't fit the schema: status",
    "bare-result": "doesn't fit the schema",
    "error-for-outcome": "what the subject raises belongs in an outcome with status 'error'",
    "other-construct-error": "the harness answered 'construct' with error -32603: bug",
    "flood": "a line of more than",
    "fork-leftover": "exited with status 3 instead of answering 'call'",
    "close-stdout": "closed its standard output but still runs instead of answering 'call'",
}


def subject(name: str) -> StdioSubject:
    timeouts = Timeouts(initialize=20, construct=2, call=2)
    return StdioSubject(started([sys.executable, str(ZOO), name]), timeouts)


def played(name: str, heard: Heard, title: str = TITLE) -> Report:
    tested = subject(name)
    try:
        return Run(tested, f"zoo:{name}", Selection(title=title)).report(heard)
    finally:
        tested.close()


@pytest.mark.parametrize(("name", "evidence"), BROKEN.items(), ids=BROKEN)
def test_a_broken_harness_is_an_error_with_its_evidence(name: str, evidence: str) -> None:
    heard = Heard()
    report = played(name, heard)
    assert [result.verdict for result in heard.results] == [Verdict.ERROR]
    assert evidence in heard.results[0].message
    assert report.ledger.balances
    assert report.ledger.errors == 1


@pytest.mark.parametrize("name", ["well-behaved", "chatter-on-stderr", "slow"])
def test_what_is_no_breach_passes(name: str) -> None:
    heard = Heard()
    played(name, heard)
    assert [result.verdict for result in heard.results] == [Verdict.PASSED], heard.results


@pytest.mark.parametrize(
    ("name", "evidence"),
    [("exit-0-at-handshake", "instead of answering 'initialize'"), ("no-dialects", "dialects: Field required")],
)
def test_without_a_handshake_there_is_no_run(name: str, evidence: str) -> None:
    with pytest.raises(HarnessBroken, match=evidence):
        played(name, Heard())


def test_a_command_that_does_not_exist() -> None:
    with pytest.raises(HarnessBroken, match="can't be started: no-such-program: No such file or directory"):
        StdioSubject(started(["no-such-program"])).initialize()


def test_the_zoo_is_complete() -> None:
    others = {"well-behaved", "chatter-on-stderr", "slow", "exit-0-at-handshake", "no-dialects"}
    later = {"other-manifest-after-restart", "stays-when-told-to-end", "crashes-once", "crashes-at-random"}
    assert set(TRICKS) == set(BROKEN) | others | later
    assert len(BROKEN) >= 20


def test_after_a_crash_the_next_scenario_is_played(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ZOO_MARK", str(tmp_path / "mark"))
    heard = Heard()
    report = played("crashes-once", heard, title="the LM chose")
    assert len(heard.results) > 1
    assert [r.verdict for r in heard.results].count(Verdict.ERROR) == 1
    assert {r.verdict for r in heard.results[1:]} <= {Verdict.PASSED, Verdict.UNSUPPORTED}
    assert report.ledger.balances


def test_a_thousand_episodes_with_crashes_lose_no_verdict() -> None:
    episodes, errors = 0, 0
    for seed in range(4):
        tested = subject("crashes-at-random")
        heard = Heard()
        try:
            report = Run(tested, "zoo:crashes-at-random", seed=seed).report(heard)
        finally:
            tested.close()
        assert len(heard.results) == heard.announced
        assert report.ledger.balances
        # Every episode is played twice: SAN-009.
        episodes += 2 * sum(result.verdict is not Verdict.UNSUPPORTED for result in heard.results)
        errors += report.ledger.errors
    assert episodes > 1000
    assert errors > 10


def test_a_restarted_harness_must_be_the_same(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ZOO_MARK", str(tmp_path / "mark"))
    tested = subject("other-manifest-after-restart")
    tested.initialize()
    tested._running().end()
    tested._running().broken = True
    with pytest.raises(HarnessBroken, match="another manifest"):
        tested._running()
    tested.close()


def test_a_harness_that_stays_is_ended_with_all_it_started() -> None:
    process = Process([sys.executable, str(ZOO), "stays-when-told-to-end"])
    process.end()
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)


def test_a_harness_gets_no_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-1")
    monkeypatch.setenv("HARMLESS", "yes")
    cleaned = clean_environment()
    assert "OPENAI_API_KEY" not in cleaned
    assert cleaned["HARMLESS"] == "yes"
