"""What the documents say of the tree is so: every path they name is there."""

import re
import shlex
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import click
import pytest

from react_tck.subjects.catalogue import BUILT_IN, REFERENCES
from tests.project.newest import FRAMEWORKS
from tests.support import readme_sample
from tests.support.documents import list_commands
from tests.support.finding_weights import (
    find_unsaid_words,
    find_wrong_levels,
    list_documents,
    list_findings,
)

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


def test_what_readers_are_told_to_type_can_be_typed() -> None:
    documents = ["README.md", "CONTRIBUTING.md", *(f"docs/{file.name}" for file in (ROOT / "docs").glob("*.md"))]
    typed = [(document, line) for document in documents for line in list_commands(document)]
    assert len(typed) > 50
    assert [f"{document}: {line}: {wrong}" for document, line in typed if (wrong := _refuse_command(line))] == []


def _refuse_command(line: str) -> str:
    """What the kit has against the words of a command; nothing if it would go on."""
    _, name, *words = shlex.split(line)
    try:
        import_module(f"react_tck.cli.commands.{name}").command.make_context(name, words)
    except (click.ClickException, ModuleNotFoundError) as error:
        return str(error)
    except click.exceptions.Exit:
        pass
    return ""


@pytest.mark.parametrize(
    ("name", "command", "output"),
    [
        ("row", readme_sample.ROW, readme_sample.print_row),
        pytest.param("run", readme_sample.RUN, readme_sample.print_run, marks=pytest.mark.all),
    ],
    ids=["row", "run"],
)
def test_the_readmes_samples_are_what_the_commands_print(name: str, command: str, output: Callable[[], str]) -> None:
    pytest.importorskip("dspy", reason="the samples are of dspy")
    text = readme_sample.README.read_text(encoding="utf-8")
    assert readme_sample.with_sample(text, name, command, output()) == text, "python -m tests.support.readme_sample"


def test_the_readme_is_read_in_two_screens() -> None:
    text = readme_sample.README.read_text(encoding="utf-8")
    for name in ("run", "row"):
        before, _, rest = text.partition(f"<!-- {name} -->")
        text = before.rstrip() + rest.partition(f"<!-- /{name} -->")[2]
    assert len(text.splitlines()) <= 100


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


def test_every_library_has_findings() -> None:
    for name in {*BUILT_IN, *FRAMEWORKS} - set(REFERENCES):
        text = (ROOT / "docs" / "findings" / f"{name}.md").read_text(encoding="utf-8")
        assert all(finding.weights for finding in list_findings(text)), name
        assert any(list_findings(text)), name
