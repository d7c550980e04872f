"""What the documents say of the tree is so: every path they name is there."""

import re
from pathlib import Path

import pytest

from react_tck.model.report import Verdict
from react_tck.subjects.catalogue import BUILT_IN, REFERENCES
from tests.support import readme_sample
from tests.support.finding_weights import (
    correct_levels,
    find_differences,
    find_unsaid_words,
    find_wrong_levels,
    list_documents,
    list_findings,
    main,
)
from tests.support.reports import make_report, practice, result

ROOT = Path(__file__).parents[2]
DOCUMENTS = ("README.md", "CONTRIBUTING.md", "docs/ARCHITECTURE.md", "docs/AUTHORING.md")
#: A path of the tree in backticks; one with a placeholder or a star is a pattern.
_PATH = re.compile(
    r"`((?:react_tck|reference|fakes|steps|features|tests|docs|docs_site|benchmarks|ports|examples|judges|suite)/[^`\s]*)`"
)


def missing_paths(document: str, root: Path) -> list[str]:
    """The paths a text names that are neither in the tree nor in the package."""
    named = (re.sub(r"<[^>]*>|…", "*", path).rstrip("/") for path in _PATH.findall(document))
    return [path for path in named if not any(root.glob(path)) and not any((root / "react_tck").glob(path))]


def test_every_path_a_document_names_is_there() -> None:
    assert {name: missing_paths((ROOT / name).read_text(encoding="utf-8"), ROOT) for name in DOCUMENTS} == {
        name: [] for name in DOCUMENTS
    }


def test_a_path_that_is_not_there_is_found(tmp_path: Path) -> None:
    (tmp_path / "steps").mkdir()
    (tmp_path / "steps" / "world.py").touch()

    assert missing_paths("`steps/world.py`, `steps/<name>.py` and `steps/cellar.txt`", tmp_path) == ["steps/cellar.txt"]


def test_the_readmes_sample_is_what_the_command_prints() -> None:
    pytest.importorskip("dspy", reason="the sample is of dspy")
    text = readme_sample.README.read_text(encoding="utf-8")
    assert readme_sample.with_sample(text, readme_sample.sample_output()) == text, (
        "python -m tests.support.readme_sample"
    )


def test_the_readme_is_read_in_two_screens() -> None:
    prose, _, _ = readme_sample.README.read_text(encoding="utf-8").partition("<!-- sample -->")
    _, _, rest = readme_sample.README.read_text(encoding="utf-8").partition("<!-- /sample -->")
    assert len((prose + rest).splitlines()) <= 100


def test_the_table_of_places_has_at_most_forty_rows() -> None:
    text = (ROOT / "docs" / "ARCHITECTURE.md").read_text(encoding="utf-8")
    _, _, table = text.partition("| what | where |\n|---|---|\n")
    rows = table.partition("\n\n")[0].splitlines()
    assert 0 < len(rows) <= 40
    assert [row for row in rows if not _PATH.search(row) and "action.yml" not in row] == []


def test_findings_call_no_practice_a_must_and_show_words_that_their_quote_has() -> None:
    texts = {path.stem: path.read_text(encoding="utf-8") for path in list_documents()}
    wrong = {name: levels for name, text in texts.items() if (levels := list(find_wrong_levels(text)))}
    assert wrong == {}, "python -m tests.support.finding_weights"
    assert {name: words for name, text in texts.items() if (words := list(find_unsaid_words(text)))} == {}


def test_a_wrong_level_is_found_and_corrected() -> None:
    text = "| ERR-002, SAN-003 MUST | … | LOOP-001 MUST |"
    assert list(find_wrong_levels(text)) == ["ERR-002 MUST"]
    assert correct_levels(text) == "| ERR-002 practice, critical; SAN-003 MUST | … | LOOP-001 MUST |"


#: A page about a MUST, a practice and a table that isn't one of findings.
_PAGE = """\
| requirement | what happens | words broken |
|---|---|---|
| LOOP-003 MUST | It goes on. | "stop iterating the tool loop" |
| ERR-002, ERR-003 practices, critical | It guesses. | A tool runs that nobody asked for. |

| requirement | why |
|---|---|
| ADP-002 MUST | unsupported |
"""


def test_words_that_the_quote_lacks_are_found() -> None:
    right = '"stop iterating the tool loop"'
    for words in (right, "S4: “stop iterating the tool loop”", "none: it stops"):
        assert list(find_unsaid_words(_PAGE.replace(right, words))) == []
    for words in ('"stop the world"', "S4: “stop the world”", "It goes on.", ""):
        assert list(find_unsaid_words(_PAGE.replace(right, words))) == [f"LOOP-003 MUST: {words}"]


def test_a_practice_without_a_word_on_the_user_is_found() -> None:
    wrong = _PAGE.replace("A tool runs that nobody asked for.", "")

    assert list(find_unsaid_words(wrong)) == ["ERR-002 practice, critical: ", "ERR-003 practice, critical: "]


def test_every_library_has_findings() -> None:
    for name in set(BUILT_IN) - set(REFERENCES):
        text = (ROOT / "docs" / "findings" / f"{name}.md").read_text(encoding="utf-8")
        assert all(finding.weights for finding in list_findings(text)), name
        assert any(list_findings(text)), name


def test_a_page_is_held_against_a_report() -> None:
    report = make_report(
        result("LOOP-003", Verdict.FAILED),
        practice("ERR-002", Verdict.FAILED, "critical"),
        practice("ERR-003", Verdict.EXPECTED_FAILURE, "critical"),
        practice("ERR-015", Verdict.PASSED, "major"),
    )
    assert list(find_differences(_PAGE, report)) == []


def test_what_a_page_lacks_of_a_report_or_has_beyond_it_is_found() -> None:
    report = make_report(
        result("LOOP-003", Verdict.PASSED),
        practice("ERR-002", Verdict.FAILED, "critical"),
        result("ERR-003", Verdict.FAILED),
        practice("ERR-015", Verdict.ERROR, "major"),
    )
    assert list(find_differences(_PAGE, report)) == [
        "missing: ERR-003 MUST",
        "missing: ERR-015 practice, major",
        "superfluous: ERR-003 practice, critical",
        "superfluous: LOOP-003 MUST",
    ]


def test_the_command_says_how_a_page_differs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "report.json"
    path.write_text(make_report(result("LOOP-001", Verdict.FAILED)).model_dump_json(), encoding="utf-8")

    assert main([f"dspy={path}"]) == 1
    assert "dspy: missing: LOOP-001 MUST" in capsys.readouterr().out.splitlines()
