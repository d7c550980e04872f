"""Broken harnesses are the normal case: whatever one does, its scenario gets a verdict and the run goes on."""

import json
import os
import sys
import time
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from uuid import uuid4

import pytest

from react_tck.catalogue.selection import Selection
from react_tck.cli.main import main
from react_tck.fakes.tools import TOOLBOX
from react_tck.judges.table import collect_violations
from react_tck.model.case import Case, Invocation
from react_tck.model.episode import Episode
from react_tck.model.intent import Answer, CallTool, Fault, Finish, Script
from react_tck.model.report import Report, ScenarioResult, Verdict
from react_tck.model.signature import parse_arrow
from react_tck.play.again import gather_evidence
from react_tck.play.session import play_episode
from react_tck.processes.supervised import SupervisedRun
from react_tck.record.transcript import write_transcript
from react_tck.results.exit_status import exit_status
from react_tck.subjects.api import HarnessBroken
from react_tck.subjects.stdio import StdioSubject, Timeouts, make_starter, process
from react_tck.subjects.stdio.environment import build_environment
from react_tck.subjects.stdio.process import Process
from tests.support.suite_checks import TITLE, Heard
from tests.zoo.by_kind import name_supervision, split_by_kind
from tests.zoo.fates import FATES, STATUS, Fate
from tests.zoo.harness import TRICKS

ROOT = Path(__file__).parents[2]
#: The scenario that is played first, and one that is played after it.
FIRST, SECOND = TITLE, "Each step request shows the result of the step before it"
SILENT = "The agent gives up on a provider that is down for good [timeout]"
#: A scenario that asks for the outputs, and the harnesses that break nothing else.
ABOUT_OUTPUTS = "The prediction has the values of the extraction, not the tool's"
BREAKING_OUTPUTS = {"error-without-error", "huge-answer"}
EPISODE = Episode(
    case=Case(
        id="ordinary",
        signature=parse_arrow("question -> answer"),
        tools=(TOOLBOX["add"],),
        invocations=(Invocation(inputs={"question": "2+3"}),),
    ),
    script=Script(
        steps=(CallTool(tool="add", args={"a": 2, "b": 3}), Finish()), answers=(Answer(outputs={"answer": "5"}),)
    ),
    nonce="ordinary",
)
#: Seconds that no harness may take from us, whatever it does: two plays that time out, and the ways of ending it.
BOUND = 60.0
OF_A_SILENT_LM = {"has-no-time-out", "waits-for-a-silent-lm"}
#: Harnesses of tests of their own.
APART = {"other-manifest-after-restart", "stays-when-told-to-end", "crashes-once", "any-kind"}


@pytest.fixture(autouse=True)
def _no_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody here is to be given the time to end in good order."""
    monkeypatch.setattr(process, "_GRACE", 0.3)


def subject(name: str, *env: str) -> StdioSubject:
    handshake = 2 if name == "hang-at-handshake" else 20
    command = [sys.executable, "-m", "tests.zoo.harness", name]
    return StdioSubject(make_starter(command, str(ROOT), env), Timeouts(initialize=handshake, construct=2, call=2))


def write_config(folder: Path, name: str, *env: str) -> Path:
    """A configuration file, beside which a user of the command would stand, of a harness of the zoo."""
    handshake = 2 if name == "hang-at-handshake" else 20
    config: dict[str, dict[str, object]] = {
        "subject": {"command": [sys.executable, "-m", "tests.zoo.harness", name], "cwd": str(ROOT), "env": list(env)},
        "timeouts": {"initialize": handshake, "construct": 2, "call": 2},
    }
    tables = {name: "".join(f"{key} = {json.dumps(it)}\n" for key, it in keys.items()) for name, keys in config.items()}
    file = folder / "react-tck.toml"
    file.write_text("".join(f"[{name}]\n{keys}" for name, keys in tables.items()), encoding="utf-8")
    return file


@dataclass
class Visit:
    """What a run against a harness of the zoo came to: the run that the command makes, in supervised processes."""

    name: str
    mark: Path
    heard: Heard = field(default_factory=Heard)
    sign: str = field(default_factory=lambda: f"ZOO_VISIT={uuid4()}")
    #: Seconds that it may take.
    bound: float = BOUND

    def report(self, selection: Selection, seed: int = 0) -> Report:
        """Run; whatever comes of it, nothing that was started is left."""
        tested = str(write_config(self.mark.parent, self.name, self.sign, f"ZOO_MARK={self.mark}", f"ZOO_SEED={seed}"))
        begun = time.monotonic()
        try:
            return SupervisedRun(tested, selection, seed, processes=1).report(self.heard)
        finally:
            assert time.monotonic() - begun < self.bound
            assert self.left_over() == []

    def left_over(self) -> list[str]:
        """The processes that this visit started and that still run, where the system tells of processes."""
        return [entry.name for entry in Path("/proc").glob("[0-9]*") if self.sign.encode() in _environment(entry)]


def _environment(process: Path) -> bytes:
    try:
        return (process / "environ").read_bytes()
    except OSError:
        return b""


def selection(name: str) -> Selection:
    if name in OF_A_SILENT_LM:
        return Selection(profile="robustness", title=SILENT)
    if name in BREAKING_OUTPUTS:
        return Selection(title=ABOUT_OUTPUTS)
    two = FATES[name].ending in ("error afterwards", "SAN-006")
    return Selection(titles=frozenset({FIRST, SECOND} if two else {FIRST}))


def rows(report: Report) -> dict[str, ScenarioResult]:
    """The scenarios that were run, as the report tells them."""
    ended = [row for requirement in report.requirements for row in requirement.scenarios]
    return {row.title: row for row in ended if row.title and row.verdict is not Verdict.NOT_SELECTED}


def kind_of(fate: Fate) -> str:
    """How its row ends, and what the kit has to watch for."""
    return f"{fate.ending}, by a {name_supervision(fate.told)}"


@pytest.mark.parametrize("names", split_by_kind(FATES, kind_of))
def test_each_harness_meets_its_fate(names: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hidden = {"ZOO_SECRET_KEY": "sk-1", "ZOO_UNLISTED": "yes", "BUNDLE_GEMS__EXAMPLE__ORG": "user:password"}
    for name, value in {**hidden, "BUNDLE_GEMFILE": "Gemfile"}.items():
        monkeypatch.setenv(name, value)
    for name in names:
        print(name)
        folder = tmp_path / name
        folder.mkdir()
        _visit(Visit(name, folder / "mark"), FATES[name])


def _visit(visit: Visit, fate: Fate) -> None:
    if fate.ending == "no run":
        with pytest.raises(HarnessBroken) as broken:
            visit.report(selection(visit.name))
        assert fate.told in str(broken.value)
        return
    report = visit.report(selection(visit.name))
    assert report.ledger.balances
    assert exit_status(report) == STATUS[fate.ending], [row.message for row in rows(report).values()]
    _check(fate, report, visit.heard)


def _check(fate: Fate, report: Report, heard: Heard) -> None:
    seen = {result.title: result.verdict for result in heard.results}
    match fate.ending:
        case "passed":
            assert set(seen.values()) == {Verdict.PASSED}
        case "error" | "failed" | "practice":
            assert list(seen.values()) == [Verdict.ERROR if fate.ending == "error" else Verdict.FAILED]
            assert fate.told in heard.results[0].message
            assert len(heard.results[0].message) < 50_000
        case "error afterwards":
            assert rows(report)[FIRST].verdict is Verdict.ERROR
            assert fate.told in rows(report)[FIRST].message
            assert rows(report)[SECOND].verdict is Verdict.PASSED
            assert report.ledger.errors == 1
        case "error in the second play":
            assert seen == {FIRST: Verdict.PASSED}
            assert rows(report)[FIRST].verdict is Verdict.ERROR
            assert fate.told in rows(report)[FIRST].message
        case "SAN-006" | "SAN-006 in the second play" | "SAN-009":
            assert set(seen.values()) == {Verdict.PASSED}
            sanitizers, violated = {r.id: r for r in report.requirements if r.profile == "sanitizer"}, fate.ending[:7]
            found = [row for row in sanitizers[violated].scenarios if row.verdict is Verdict.FAILED]
            assert [row.title for row in found] == [FIRST]
            assert fate.told in found[0].message
            assert {id_ for id_, r in sanitizers.items() if r.verdict is Verdict.FAILED} == {violated}


@pytest.mark.parametrize("name", ["error-at-handshake", "unknown-dialect"])
def test_both_ways_into_a_run_refuse_alike(name: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    config = str(write_config(tmp_path, name))
    told = []
    for way in ([], ["--in-process"]):
        status = main(["run", config, "-k", FIRST, *way])
        told.append((status, [line for line in capfd.readouterr().err.splitlines() if line.startswith("react-tck: ")]))
    assert told[0] == told[1]
    assert told[0][0] == STATUS["no run"]
    assert FATES[name].told in told[0][1][0]


def test_the_zoo_is_complete() -> None:
    assert set(TRICKS) == set(FATES) | APART


@pytest.mark.parametrize(("name", "astray"), [("wrong-tool", "POST /tools/no_such_tool"), ("wrong-path", "/v1/emb")])
def test_what_goes_astray_in_a_call_is_evidence(name: str, astray: str, tmp_path: Path) -> None:
    tested = subject(name)
    try:
        record = play_episode(tested, EPISODE)
    finally:
        tested.close()
    assert [(stray.late, astray in stray.what) for stray in record.strays] == [(False, True)]
    assert f"astray in call 1, in the call: {record.strays[0].what}" in write_transcript(EPISODE, record)


def test_a_command_that_does_not_exist() -> None:
    with pytest.raises(HarnessBroken, match="can't be started: no-such-program: No such file or directory"):
        StdioSubject(make_starter(["no-such-program"])).initialize()


def test_after_a_crash_the_next_scenario_is_played(tmp_path: Path) -> None:
    visit = Visit("crashes-once", tmp_path / "mark")
    report = visit.report(Selection(title="the LM chose"))
    assert len(visit.heard.results) > 1
    assert [r.verdict for r in visit.heard.results].count(Verdict.ERROR) == 1
    assert {r.verdict for r in visit.heard.results[1:]} <= {Verdict.PASSED, Verdict.UNSUPPORTED}
    assert report.ledger.balances


@pytest.mark.all
def test_a_restarted_harness_must_be_the_same(tmp_path: Path) -> None:
    tested = subject("other-manifest-after-restart", f"ZOO_MARK={tmp_path / 'mark'}")
    tested.initialize()
    running = tested._running()
    running.end_harness()
    running.broken = True
    with pytest.raises(HarnessBroken, match="another manifest"):
        tested._running()
    tested.close()


def test_a_harness_that_stays_is_ended_with_all_it_started() -> None:
    running = Process([sys.executable, "-m", "tests.zoo.harness", "stays-when-told-to-end"], str(ROOT))
    running.end_harness()
    with pytest.raises(ProcessLookupError):
        os.killpg(running.pid, 0)


def test_a_harness_gets_what_is_listed_and_no_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {
        "NPM_AUTH_TOKEN": "npm-1",
        "UNLISTED": "yes",
        "LC_TIME": "C",
        "no_proxy": "example.org",
    }.items():
        monkeypatch.setenv(name, value)
    made = build_environment()
    assert {"NPM_AUTH_TOKEN", "UNLISTED"}.isdisjoint(made)
    assert (made["LC_TIME"], made["no_proxy"]) == ("C", "example.org,127.0.0.1,localhost")
    assert made["PATH"] == os.environ["PATH"]


#: Values that a variable may have here, and in a harness.
VALUES = {
    "http://me:word@proxy:8080": "http://proxy:8080",
    "http://me:w@r:d@proxy": "http://proxy",
    "https://token-0123@index/simple": "https://index/simple",
    "https://__token__:word@a/simple https://me:word@b/": "https://a/simple https://b/",
    "https://me:word@a,direct|https://b": "https://a,direct|https://b",
    "socks5h://me:word@proxy": "socks5h://proxy",
    "me:word@proxy:8080": "proxy:8080",
    "-Xmx1g -Dhttp.proxyPassword=word -Djavax.net.ssl.keyStore=/a": (
        "-Xmx1g -Dhttp.proxyPassword= -Djavax.net.ssl.keyStore=/a"
    ),
    "https://index/simple?api_key=word&b=1": "https://index/simple?api_key=&b=1",
    **{
        same: same
        for same in (
            "ssh://git@example.org/a",
            "git@example.org:a/b",
            "http://proxy:8080",
            "/a:/b@c:/d",
            "de_DE.UTF-8@euro",
            "https://example.org/a@b",
            "127.0.0.1,localhost",
        )
    },
}


#: Variables that have such values.
NAMES = ("HTTPS_PROXY", "UV_INDEX_URL", "JAVA_TOOL_OPTIONS")


def test_no_password_in_a_value_reaches_a_harness(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, (value, given) in product(NAMES, VALUES.items()):
        monkeypatch.setenv(name, value)
        assert build_environment()[name] == given
        assert build_environment([name])[name] == value


def test_a_harness_gets_what_the_configuration_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UNLISTED", "yes")
    monkeypatch.setenv("MY_TOKEN", "t")
    monkeypatch.delenv("NOT_THERE", raising=False)
    made = build_environment(["UNLISTED", "MY_TOKEN", "NOT_THERE", "LEVEL=a=b"])
    assert (made["UNLISTED"], made["MY_TOKEN"], made["LEVEL"]) == ("yes", "t", "a=b")
    assert "NOT_THERE" not in made


@pytest.mark.parametrize("name", ["noise-later", "exits-later"])
def test_where_nobody_looks_again_the_next_episode_tells(name: str, tmp_path: Path) -> None:
    tested = subject(name, f"ZOO_MARK={tmp_path / 'mark'}")
    try:
        assert gather_evidence(tested, EPISODE, again=False).record.outcomes
        with pytest.raises(HarnessBroken, match=r"it (wrote|exited)"):
            gather_evidence(tested, EPISODE, again=False)
    finally:
        tested.close()


def test_a_silent_lm_ends_no_campaign() -> None:
    tested = subject("waits-for-a-silent-lm")
    silent = EPISODE.model_copy(update={"script": Script(steps=(Fault(fault="timeout", sticky=True),))})
    twice = silent.case.model_copy(update={"invocations": silent.case.invocations * 2})
    try:
        found = collect_violations(gather_evidence(tested, silent.model_copy(update={"case": twice}), again=False))
        assert "after an LM that said nothing, the harness did not answer 'call'" in found["ERR-012"].actual
        assert gather_evidence(tested, EPISODE, again=False).record.outcomes
    finally:
        tested.close()
