"""The site: what is on it, that it is built strictly and fetches nothing, and the results that lie in the tree."""

import os
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from docs_site.markdown import prose
from docs_site.results import NEWEST
from docs_site.site import BrokenSite, build, list_pages
from react_tck.catalogue.registry import load_registry
from react_tck.catalogue.sentences import load_step_sentences
from react_tck.cli.main import COMMANDS
from react_tck.model.protocol import schema_texts
from react_tck.model.report import Verdict
from tests.support.reports import make_report, result

#: What a browser fetches by itself.
_FETCHED = re.compile(
    r'<(?:script|img|iframe|source)\b[^>]*\bsrc="([^"]+)"|<link\b(?![^>]*rel="canonical")[^>]*href="([^"]+)"'
)
#: 2026-11-26 09:00 UTC.
WRITTEN = 1795683600


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tree in which a subject was played, and a file lies that is no report."""
    root = tmp_path_factory.mktemp("tree")
    rows = (result(row.id, Verdict.FAILED, level=row.level) for row in load_registry().requirements)
    texts = {"build/matrix/mine.json": make_report(*rows).model_dump_json(), "ports/eino/report.json": "[]"}
    for name, text in {**texts, NEWEST: "# As installed today\n"}.items():
        (root / name).parent.mkdir(parents=True)
        (root / name).write_text(text, encoding="utf-8")
        os.utime(root / name, (WRITTEN, WRITTEN))
    return root


@pytest.fixture(scope="module")
def made(tree: Path) -> Mapping[str, str]:
    return list_pages(tree)


def test_it_is_built_and_needs_no_network(made: Mapping[str, str], tmp_path: Path) -> None:
    pytest.importorskip("material", reason="needs the extra docs")
    build(made, tmp_path)

    written = {file.relative_to(tmp_path / "site").as_posix() for file in (tmp_path / "site").rglob("*.html")}
    assert {"index.html", "docs/API.html", "reference/requirements/LOOP-001.html", "results/heat-map.html"} < written
    for file in (tmp_path / "site").rglob("*.html"):
        fetched = ["".join(each) for each in _FETCHED.findall(file.read_text(encoding="utf-8"))]
        assert [address for address in fetched if "//" in address] == []


def test_broken_links_and_pages_without_a_place_fail(tmp_path: Path) -> None:
    pytest.importorskip("material", reason="needs the extra docs")
    index = "# A page\n\n[one](one.md), [two](#two) and [three](/three.md)\n"
    with pytest.raises(BrokenSite) as refused:
        build({"README.md": index, "results/index.md": "# Results", "docs/NEW.md": "# New"}, tmp_path, {})

    assert all(f"'{target}'" in str(refused.value) for target in ("one.md", "#two", "/three.md"))
    assert "docs/NEW.md" in str(refused.value)


def test_every_requirement_has_a_page(made: Mapping[str, str]) -> None:
    for requirement in load_registry().requirements:
        text = made[f"reference/requirements/{requirement.id}.md"]
        told = requirement.where or requirement.harm or "It counts in no verdict"
        assert prose(told) in text
        assert requirement.is_sanitizer or "## Scenarios" in text or requirement.pending or requirement.excluded
    loop = made["reference/requirements/LOOP-001.md"]
    assert "`tool-run-twice`" in loop
    assert "| a subject | 1 | [failed](../../results/heat-map.html#cell=a-subject.LOOP-001) |" in loop


def test_reference_pages_have_all_there_is(made: Mapping[str, str]) -> None:
    def headings(place: str) -> list[str]:
        return re.findall(r"^## (.+)$", made[place], re.MULTILINE)

    assert headings("reference/commands.md") == [*COMMANDS, "Exit statuses"]
    assert set(headings("reference/choices.md")) == set(load_registry().choices_by_name)
    assert headings("reference/sentences.md") == [f"{s.keyword}: {prose(s.text)}" for s in load_step_sentences()]
    assert all(made[f"reference/schemas/{name}"] == text for name, text in schema_texts().items())
