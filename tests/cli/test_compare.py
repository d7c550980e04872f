"""`react-tck compare`: two reports in files, told in the terminal and as JSON."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from react_tck.cli.commands.run import write_json_report
from react_tck.cli.main import main
from react_tck.model.report import Cause, Report, ScenarioResult, Verdict
from tests.support.reports import make_report, result

Told = Callable[..., tuple[int, str, str]]
CAUSE = Cause(requirement="LOOP-003", kind="goes on too long", rows=("stops",))


def report(stops: Verdict, resumes: Verdict, version: str = "1", fault: str = "goes on", **more: object) -> Report:
    rows = (
        ScenarioResult(title="stops", verdict=stops, fault=fault),
        ScenarioResult(title="resumes", verdict=resumes, fault=fault, message="needs `resume`, which isn't declared"),
    )
    made = make_report(*(result(f"LOOP-00{n}", r.verdict, scenarios=(r,)) for n, r in enumerate(rows, 1)), **more)
    return made.model_copy(update={"subject": made.subject.model_copy(update={"version": version})})


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Told:
    """Status, output and complaints of a comparison of two files in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def compared(before: Report | str, after: Report | str, *options: str) -> tuple[int, str, str]:
        for name, content in (("a.json", before), ("b.json", after)):
            if isinstance(content, Report):
                write_json_report(content, Path(name))
            else:
                Path(name).write_text(content, encoding="utf-8")
        status = main(["compare", "a.json", "b.json", *options])
        return (status, *capsys.readouterr())

    return compared


PASSED, FAILED, UNSUPPORTED = Verdict.PASSED, Verdict.FAILED, Verdict.UNSUPPORTED
GOOD = report(PASSED, PASSED)


def test_what_is_worse(told: Told) -> None:
    worse = report(FAILED, UNSUPPORTED, "2", causes=(CAUSE,))
    worse = worse.model_copy(update={"choices": {"unknown-tool": "error"}})

    status, out, _ = told(GOOD, worse)

    assert status == 1
    assert out.splitlines() == [
        "a subject 1 → a subject 2",
        "",
        "worse than the first",
        "  LOOP-001 'stops' fails and isn't listed: 'goes on'",
        "  LOOP-002 isn't judged: needs `resume`, which isn't declared",
        "",
        "choices",
        "  unknown-tool: – → error",
        "",
        "worse: LOOP-001, LOOP-002",
    ]


def test_what_is_not_alike_is_said(told: Told) -> None:
    part = report(FAILED, Verdict.NOT_RUN, is_whole_profile=False, interrupted="SIGINT", kit_errors=("oh",))
    other = report(FAILED, FAILED).model_copy(update={"revision": 1, "seed": 7, "profile": "all"})

    status, out, _ = told(other, part)

    assert status == 0
    assert out.splitlines()[1:] == [
        "not the same revision: 1 and 2",
        "not the same profile: all and core",
        "not the same seed: 7 and 0",
        "the second is of a part of the profile core",
        "the second is of a run that was interrupted (SIGINT)",
        "the second is of a run in which the kit failed; it is not to be relied on",
        "only one of them played 'resumes', which counts for nothing",
        "",
        "nothing is worse in 1 scenario that both played",
    ]
    # What wasn't judged before is no news either.
    assert told(report(PASSED, UNSUPPORTED), report(PASSED, FAILED))[0] == 0


TEXT = json.dumps(GOOD.model_dump(mode="json"), indent=2)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{\n  oh\n}", "b.json:2: this is not JSON: "),
        ("[]", "b.json:1: this is no report of this kit: "),
        (TEXT.replace('"level": "MUST"', '"level": "MUSS"', 1), "requirements.0.level: Input should be 'MUST', "),
        (TEXT.replace('"seed": 0', '"sead": 0'), "b.json:1: this is no report of this kit: seed: Field required"),
        ("[" * 100_000, "b.json: this is nested too deeply; "),
    ],
)
def test_what_is_no_report(told: Told, text: str, said: str) -> None:
    status, out, error = told(GOOD, text)

    assert (status, out) == (2, "")
    assert said in error
    assert error.endswith("give a file that `react-tck run --json FILE` or `react-tck matrix --out DIR` has written.\n")


def hostile_row(verdict: Verdict) -> ScenarioResult:
    return ScenarioResult(title="\x1b[1A", verdict=verdict, fault="\x1b[1B", message="\x1b[1C")


def test_what_a_file_says_moves_no_cursor(told: Told) -> None:
    evil = [make_report(result("\x1b[2J", v, scenarios=(hostile_row(v),))) for v in (PASSED, FAILED)]

    status, out, _ = told(evil[0], evil[1])

    assert status == 1
    assert "\x1b" not in out
    assert out.count("\\x1b") == 4


def test_files_that_are_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_json_report(GOOD, tmp_path / "a.json")
    assert main(["compare", str(tmp_path / "a.json"), str(tmp_path / "b.json")]) == 2
    assert f"{tmp_path / 'b.json'} can't be read: No such file or directory." in capsys.readouterr().err
