"""`react-tck matrix`: several subjects at once, in a table and on a page."""

from importlib.util import find_spec
from pathlib import Path

import pytest

from react_tck.catalogue.registry import load_registry
from react_tck.cli.commands import matrix
from react_tck.cli.main import main
from react_tck.model.report import Report, SubjectInfo, Verdict
from react_tck.results.exit_status import Exit
from react_tck.subjects.api import HarnessBroken
from react_tck.subjects.catalogue import REFERENCES, LibraryMissing
from tests.support.reports import make_report, result
from tests.support.suite_checks import TITLE

needs_dspy = pytest.mark.skipif(find_spec("dspy") is None, reason="needs the extra 'reference'")


@needs_dspy
def test_it_compares_and_takes_the_first_ones_status(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["matrix", "reference", "mutant:tool-run-twice", "-k", TITLE, "--out", str(tmp_path / "new")]) == 0
    out = capsys.readouterr().out
    assert "FAILED" in out
    assert [line.split() for line in out.splitlines() if "5/1/0" in line] == [
        ["mutant:tool-run-twice", "0.1.0", "5/1/0", "(2", "blocked)", "–", "–", "–", "–", "0/0/0", "of", "3"]
    ]
    written = sorted(path.name for path in (tmp_path / "new").iterdir())
    assert written == ["index.html", "mutant-tool-run-twice.json", "reference.json"]


NOT_INSTALLED = LibraryMissing("The subject 'absent' needs absent.")
BROKEN = HarnessBroken("it did not answer <b>'initialize'</b>")


def outcome(subject: str, *_: object) -> Report | Exception:
    """Stands in for a run."""
    if subject in ("absent", "broken"):
        return NOT_INSTALLED if subject == "absent" else BROKEN
    return make_report(result("LOOP-001", Verdict.PASSED), result("SAN-001", Verdict.PASSED, profile="sanitizer"))


@pytest.fixture
def no_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matrix, "outcome", outcome)


@pytest.mark.usefixtures("no_runs")
def test_who_is_not_installed_is_named(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["matrix", "present", "absent", "--out", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert "absent: not installed" in out
    assert "not installed: The subject 'absent' needs absent." in out
    assert "The subject &#x27;absent&#x27; needs absent." in (tmp_path / "index.html").read_text(encoding="utf-8")


@pytest.mark.usefixtures("no_runs")
def test_the_first_one_must_be_installed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["matrix", "absent", "present"]) == 2
    assert "needs absent" in capsys.readouterr().err


@pytest.mark.usefixtures("no_runs")
def test_one_that_breaks_is_a_row_like_others(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["matrix", "present", "broken", "alike", "--out", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert "broken: error" in out
    assert ["broken", "error", "error"] in [line.split() for line in out.splitlines()]
    assert "broken could not be run: HarnessBroken: it did not answer <b>'initialize'</b>" in out
    assert sorted(path.name for path in tmp_path.iterdir()) == ["alike.json", "index.html", "present.json"]
    assert "did not answer &lt;b&gt;" in (tmp_path / "index.html").read_text(encoding="utf-8")


@pytest.mark.usefixtures("no_runs")
@pytest.mark.parametrize("broken", REFERENCES)
def test_if_none_is_named_each_class_of_the_reference_has_to_be_conformant(
    monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    assert main(["matrix"]) == Exit.CONFORMANT
    failed = make_report(result("LOOP-001", Verdict.FAILED))
    monkeypatch.setattr(matrix, "outcome", lambda who, *how: failed if who == broken else outcome(who, *how))
    assert main(["matrix"]) == Exit.NOT_CONFORMANT


def whole_report(who: str, verdict: Verdict) -> str:
    """The JSON of a report of every requirement there is, of which one ended so."""
    rows = (
        result(each.id, verdict if each.id == "LOOP-001" else Verdict.PASSED, level=each.level, profile=each.profile)
        for each in load_registry().requirements
    )
    return make_report(*rows, profile="all", subject=SubjectInfo(name=who, version="2")).model_dump_json()


@pytest.mark.usefixtures("no_runs")
def test_a_report_that_is_there_is_shown_and_not_written_again(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for who, verdict in (("one", Verdict.PASSED), ("two", Verdict.EXPECTED_FAILURE)):
        (tmp_path / f"{who}.json").write_text(whole_report(who, verdict), encoding="utf-8")
    kept = [str(tmp_path / f"{who}.json") for who in ("one", "two")]
    assert main(["matrix", *kept, "absent", "--out", str(tmp_path / "out")]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    musts = sum(each.level == "MUST" and each.profile == "core" for each in load_registry().requirements)
    assert [row[2] for row in rows if row[:2] in (["one", "2"], ["two", "2"])] == [f"{musts}/0/0", f"{musts - 1}/1/0"]
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["index.html"]
    page = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    assert '<td class="expected-failure" aria-label="expected failure">✗</td>' in page


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "some.json:1: this is not JSON"),
        ('{"subject": 1}', "some.json:1: this is no report of this kit"),
        (
            make_report(result("LOOP-001", Verdict.PASSED)).model_dump_json(),
            "some.json is a report of other requirements",
        ),
    ],
)
def test_a_file_that_holds_no_report_to_compare(
    text: str, said: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "some.json").write_text(text, encoding="utf-8")
    assert main(["matrix", str(tmp_path / "some.json"), "absent"]) == Exit.USAGE
    told = capsys.readouterr().err
    assert said in told
    assert "`react-tck run" in told


@needs_dspy
def test_a_subject_that_ends_its_process_ends_nobody_elses(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["matrix", "python:tests.support.subjects_gone_wrong:ends_the_process", "reference", "-k", TITLE]) == 3
    told = capsys.readouterr()
    assert "reference: " in told.out
    assert "8/0/0" in told.out
    assert "the subject ended its process: exited with status 0" in told.err


def test_a_folder_that_cannot_be_made(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert main(["matrix", "reference", "--out", str(tmp_path / "file" / "folder")]) == 2
    assert "folder can't be written to: Not a directory." in capsys.readouterr().err
