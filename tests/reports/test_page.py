"""The page: complete in itself, and nothing that a subject says can break it."""

import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest

from react_tck.model.report import Report, ScenarioResult, SubjectInfo, Verdict
from react_tck.reports.page import page
from react_tck.reports.page.markup import Html, breakable, element, fragment
from tests.support.reports import make_report, result

#: Html, control characters, a change of writing direction, half a surrogate pair.
EVIL = "bad </pre></style><script>alert(1)</script> \"' onclick=x & \x1b[2J\x07\x00 \u202e\ud800 [/red]"
#: What the kit itself says is UTF-8.
ODD = EVIL.replace("\ud800", "")
VOID = {"meta", "wbr"}


class Reading(HTMLParser):
    """A page as a browser sees it: its elements, and whether each is closed where it was opened."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.texts: list[str] = []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.ids += [value or "" for name, value in attrs if name == "id"]
        self.links += [value or "" for name, value in attrs if name in ("href", "src")]
        assert not [name for name, _ in attrs if name.startswith("on")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def evil() -> Report:
    scenarios = tuple(ScenarioResult(title=ODD, verdict=v, message=f"{EVIL}\n{'x' * 100_000}") for v in Verdict)
    return make_report(
        result("LOOP-001", Verdict.FAILED, scenarios=scenarios),
        result("SAN-001", Verdict.FAILED, profile="sanitizer", scenarios=scenarios, departures=scenarios),
        subject=SubjectInfo(name=EVIL, version=EVIL),
        declared={"unknown-tool": EVIL, EVIL: EVIL},
        choices={"unknown-tool": ODD},
    )


def test_a_long_name_breaks_where_a_piece_of_it_ends() -> None:
    assert breakable("python:my_<b>.Agent") == "python:<wbr>my_<wbr>&lt;b&gt;.<wbr>Agent"


def test_a_page_of_evil_words_is_a_page() -> None:
    text = page([evil(), make_report(result("LOOP-001", Verdict.PASSED), result("SAN-001", Verdict.PASSED))], {}, {})
    seen = Reading(text)
    assert "script" not in seen.tags
    assert all(c.isprintable() or c == "\n" for c in text)
    assert text.encode()
    assert any("bad </pre></style><script>alert(1)</script>" in part for part in seen.texts)


def test_it_loads_nothing_and_its_links_lead_somewhere() -> None:
    seen = Reading(page([evil()], {"machina": EVIL}, {"udspy": EVIL}))
    assert not {"script", "link", "img", "iframe", "object"} & seen.tags
    assert {link.removeprefix("#") for link in seen.links} <= set(seen.ids)
    assert len(seen.ids) == len(set(seen.ids))


def test_a_flood_is_cut() -> None:
    assert "x" * 20_001 not in page([evil()], {}, {})
    assert "characters)" in page([evil()], {}, {})


def test_what_it_tells_of_a_requirement() -> None:
    failed = ScenarioResult(title="A title", verdict=Verdict.FAILED, message="expected: this\nactual: that")
    unsupported = ScenarioResult(title="Another", verdict=Verdict.UNSUPPORTED, message="does not declare 'history'")
    text = page([make_report(result("LOOP-004", Verdict.FAILED, scenarios=(failed, unsupported)))], {}, {})
    for part in (
        "<code>max_steps</code>",
        "Source: S4 R2.3, S3",
        "<pre>expected: this\nactual: that</pre>",
        "Another: does not declare &#x27;history&#x27;",
        "MUST not met: ",
    ):
        assert part in text


def test_what_the_oracle_found_and_what_is_wrong_everywhere_is_told_once() -> None:
    found = tuple(ScenarioResult(title=f"In {n}", verdict=Verdict.FAILED, message="expected: x") for n in range(3))
    text = page([make_report(result("LOOP-001", Verdict.FAILED, departures=found))], {}, {})
    assert "departs from what the reference&#x27;s loop would do" in text
    assert "In 0" in text
    assert "In 1" not in text
    assert "and in 2 other episodes" in text


def test_the_matrix_stands_first() -> None:
    text = page([evil()], {}, {})
    assert text.index('class="matrix"') < text.index("<section")


def test_the_same_reports_give_the_same_bytes() -> None:
    assert page([evil()], {"machina": EVIL}, {"udspy": EVIL}) == page([evil()], {"machina": EVIL}, {"udspy": EVIL})


def test_text_is_escaped_and_markup_is_not() -> None:
    assert element("b", "<", Html("<i></i>"), title='"', open=True, hidden=False) == (
        '<b title="&quot;" open>&lt;<i></i></b>'
    )
    assert fragment("a\x07", "é\n") == "a\\x07é\n"


def test_a_report_of_evil_words_is_json() -> None:
    assert Report.model_validate_json(evil().model_dump_json()) == evil()


@pytest.mark.skipif(shutil.which("chromium") is None, reason="needs chromium, a browser")
@pytest.mark.parametrize("width", [390, 1200])
def test_a_browser_shows_no_more_than_the_screen_is_wide(width: int, tmp_path: Path) -> None:
    text = page([evil()], {"machina": EVIL}, {"udspy": EVIL})
    # The page allows no script, so that what measures it has to be let in.
    probe = "<script>document.title = document.documentElement.scrollWidth</script></body>"
    file = tmp_path / "page.html"
    file.write_text(text.replace("Content-Security-Policy", "none").replace("</body>", probe))
    command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", f"--window-size={width},800", "--dump-dom"]
    done = subprocess.run([*command, file.as_uri()], capture_output=True, text=True, timeout=60, check=True)
    shown = int(done.stdout.partition("<title>")[2].partition("<")[0])
    # Headless windows are never narrower than 500 pixels.
    assert shown <= max(width, 500)
