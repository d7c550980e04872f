"""The documentation as a site: it is built without a warning, and a reader's browser fetches nothing from elsewhere."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from docs_site.markdown import fenced, prose, table
from docs_site.places import PLACES, Unplaced, documents
from docs_site.requirements import requirement_pages
from docs_site.site import BrokenSite, build, pages
from react_tck.catalogue.registry import load_registry
from react_tck.catalogue.sentences import load_step_sentences
from react_tck.cli.commands.init import load_languages
from react_tck.cli.main import COMMANDS
from react_tck.dialects import DIALECTS
from react_tck.fakes.malformed.forms import FORMS
from react_tck.model.report import Verdict
from tests.support.reports import make_report, result

#: What a browser fetches by itself.
_FETCHED = re.compile(
    r'<(?:script|img|iframe|source)\b[^>]*\bsrc="([^"]+)"|<link\b(?![^>]*rel="canonical")[^>]*href="([^"]+)"'
)


@pytest.fixture(scope="module")
def made() -> Mapping[str, str]:
    return pages()


def test_it_is_built_and_needs_no_network(made: Mapping[str, str], tmp_path: Path) -> None:
    pytest.importorskip("material", reason="needs the extra docs")
    build(made, tmp_path)

    written = {file.relative_to(tmp_path / "site").as_posix() for file in (tmp_path / "site").rglob("*.html")}
    assert written >= {place.removesuffix(".md") + ".html" for place in made}
    for file in (tmp_path / "site").rglob("*.html"):
        fetched = ["".join(each) for each in _FETCHED.findall(file.read_text(encoding="utf-8"))]
        assert fetched
        assert [address for address in fetched if "//" in address] == []


def test_broken_links_fail(tmp_path: Path) -> None:
    pytest.importorskip("material", reason="needs the extra docs")
    with pytest.raises(BrokenSite) as refused:
        build({"index.md": "# A page\n\n[one](one.md), [two](#two) and [three](/three.md)\n"}, tmp_path)

    assert all(f"'{target}'" in str(refused.value) for target in ("one.md", "#two", "/three.md"))


def test_every_document_has_a_place(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "CI.md").touch()
    assert documents(tmp_path) == {"docs/CI.md": PLACES["docs/CI.md"]}

    (tmp_path / "docs" / "NEW.md").touch()
    with pytest.raises(Unplaced, match=r"docs/NEW\.md has no place on the site"):
        documents(tmp_path)


def test_links_lead_to_the_places(made: Mapping[str, str]) -> None:
    assert "[docs/API.md](how-to/python.md)" in made["index.md"]
    assert "[examples/own_agent.py](files/examples/own_agent.py.md)" in made["index.md"]
    assert "class TinyReAct" in made["files/examples/own_agent.py.md"]
    assert "[PROTOCOL.md](../reference/protocol.md#initialize)" in made["how-to/python.md"]
    assert "## Reference" not in made["how-to/python.md"]
    assert "### `Task`" in made["reference/api.md"]


def test_every_requirement_has_a_page(made: Mapping[str, str]) -> None:
    for requirement in load_registry().requirements:
        text = made[f"reference/requirements/{requirement.id}.md"]
        told = requirement.where or requirement.harm or "It counts in no verdict"
        assert prose(told) in text
        assert requirement.retired or text.index(prose(told)) < text.index("\n> ")
        assert requirement.is_sanitizer or "## Scenarios" in text or requirement.pending or requirement.excluded
    loop = made["reference/requirements/LOOP-001.md"]
    assert "`tool-run-twice`" in loop
    assert "## How the subjects stand" not in loop


def test_the_page_of_a_requirement_leads_to_each_subjects_cell() -> None:
    text = requirement_pages([make_report(result("LOOP-001", Verdict.FAILED))])

    address = "../../results/heat-map.html#cell=a-subject.LOOP-001"
    assert f"| a subject | 1 | [failed]({address}) |" in text["reference/requirements/LOOP-001.md"]
    assert "| a subject |" not in text["reference/requirements/LOOP-002.md"]


def test_reference_pages_have_all_there_is(made: Mapping[str, str]) -> None:
    def headings(place: str) -> set[str]:
        return set(re.findall(r"^## (\S+)$", made[place], re.MULTILINE))

    assert headings("reference/commands.md") == set(COMMANDS)
    assert headings("reference/forms.md") == set(FORMS)
    assert headings("reference/choices.md") == set(load_registry().choices_by_name)
    shown = set(re.findall(r"^\*\*(\S+)\*\*, ", made["reference/forms.md"], re.MULTILINE))
    assert shown == set(DIALECTS)
    assert {f"tutorial/{language}.md" for language in load_languages()} < set(made)
    assert "reference/schemas/manifest.schema.json.md" in made


def test_the_page_of_sentences_has_each_with_an_example(made: Mapping[str, str]) -> None:
    text = made["reference/sentences.md"]
    assert re.findall(r"^## (.*)$", text, re.MULTILINE) == ["Given", "When", "Then", "Given, When or Then"]
    assert len(re.findall(r"^### ", text, re.MULTILINE)) == len(load_step_sentences())
    for sentence in load_step_sentences():
        example = "\n".join(sentence.example)
        assert f"### {prose(sentence.text)}\n\n{prose(sentence.meaning)}\n\n" in text
        assert f'```gherkin title="{sentence.location}"\n{example}\n```' in text
    assert "- `steps`: `3`, or `3 more than the default`." in text


def test_markdown_holds_whatever_stands_in_it() -> None:
    assert fenced("```\ncode\n```") == "````text\n```\ncode\n```\n````"
    assert prose("a *b* of `c*d` [x]") == r"a \*b\* of `c*d` \[x\]"
    assert prose("an odd ` of *them*") == r"an odd ` of \*them\*"
    assert table(("a",), [("x|y\nz",)]) == "| a |\n| --- |\n| x\\|y z |"
