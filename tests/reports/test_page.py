"""The page: complete in itself, and nothing that a subject says can break it."""

import re
from html.parser import HTMLParser

from react_tck.model.report import Beat, Course, Report, ScenarioResult, SubjectInfo, Verdict
from react_tck.reports.page import render_page
from react_tck.reports.page.details import render_course
from tests.support.pages import unpacked
from tests.support.reports import make_report, result

#: Html, control characters, a change of writing direction, half a surrogate pair.
EVIL = "bad </pre></style><script>alert(1)</script> \"' onclick=x & \x1b[2J\x07\x00 \u202e\ud800 [/red]"
#: What the kit itself says is UTF-8.
ODD = EVIL.replace("\ud800", "")
VOID = {"input", "meta", "wbr"}


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
    said = Beat(lane="LM", does=EVIL, reply=EVIL)
    course = Course(before=1, beats=(said,), after=1, departure=0, due=(said, said))
    scenarios = tuple(
        ScenarioResult(title=ODD, verdict=v, message=f"{EVIL}\n{'x' * 100_000}", fault="f", course=course)
        for v in Verdict
    )
    return make_report(
        result("LOOP-001", Verdict.FAILED, scenarios=scenarios),
        result("SAN-001", Verdict.FAILED, profile="sanitizer", scenarios=scenarios, departures=scenarios),
        subject=SubjectInfo(name=EVIL, version=EVIL),
        declared={"unknown-tool": EVIL, EVIL: EVIL},
        choices={"unknown-tool": ODD},
    )


def test_a_page_of_evil_words_is_a_page() -> None:
    text = render_page(
        [evil(), make_report(result("LOOP-001", Verdict.PASSED), result("SAN-001", Verdict.PASSED))], {}, {}
    )
    seen = Reading(text)
    assert all(c.isprintable() or c == "\n" for c in text)
    assert text.encode()
    assert any("bad </pre></style><script>alert(1)</script>" in part for part in seen.texts)


def test_it_loads_nothing_and_its_links_lead_somewhere() -> None:
    text = render_page([evil()], {"machina": EVIL}, {"udspy": EVIL})
    seen = Reading(text)
    assert not {"link", "img", "iframe", "object"} & seen.tags
    assert len(re.findall("<script", text)) == 2
    articles = {f"#cell={name}" for name in unpacked(text)}
    assert {link for link in seen.links if link not in articles} <= {f"#{id_}" for id_ in seen.ids}
    assert articles & set(seen.links)
    assert len(seen.ids) == len(set(seen.ids))


def test_what_it_tells_of_a_requirement() -> None:
    failed = ScenarioResult(title="A title", verdict=Verdict.FAILED, message="expected: this\nactual: that")
    unsupported = ScenarioResult(title="Another", verdict=Verdict.UNSUPPORTED, message="does not declare 'history'")
    text = render_page([make_report(result("LOOP-004", Verdict.FAILED, scenarios=(failed, unsupported)))], {}, {})
    article = unpacked(text)["a-subject.LOOP-004"]
    for part in (
        "<code>max_steps</code>",
        "S4 R2.3 (004, the react-module specification) says: ",
        "<pre>expected: this\nactual: that</pre>",
        "Another: does not declare &#x27;history&#x27;",
    ):
        assert part in article
    assert "<h3>MUST not met</h3>" in text


def test_what_the_oracle_found_and_what_is_wrong_everywhere_is_told_once() -> None:
    found = tuple(ScenarioResult(title=f"In {n}", verdict=Verdict.FAILED, message="expected: x") for n in range(3))
    article = unpacked(render_page([make_report(result("LOOP-001", Verdict.FAILED, departures=found))], {}, {}))[
        "a-subject.LOOP-001"
    ]
    assert "departs from what the reference&#x27;s loop would do" in article
    assert "In 0" in article
    assert "In 1" not in article
    assert "and in 2 other episodes" in article


def test_both_sides_of_a_drawing_agree_up_to_the_first_departure() -> None:
    asked, ran = Beat(lane="LM", does="asks", reply="add(2)"), Beat(lane="tools", does="runs add(3)", reply="5")
    due = Beat(lane="tools", does="runs add(2)"), Beat(lane="agent", does="ends")
    text = render_course(Course(before=0, beats=(asked, ran, asked), after=0, departure=1, due=due))
    rows = re.findall(r"<tr.*?</tr>", text)[1:]
    assert [row.count("asks") for row in rows] == [2, 0, 1]
    expected, seen = rows[1].split("</td><td>")
    assert "runs add(2)" in expected
    assert "ends" in expected
    assert "departs here" in seen
    assert "runs add(3)" in seen


def test_the_address_of_a_cell_stays_whoever_else_is_on_the_page() -> None:
    one, other = (
        make_report(result("LOOP-001", Verdict.FAILED), subject=SubjectInfo(name=n, version="1")) for n in "ab"
    )
    addresses = [set(unpacked(render_page(reports, {}, {}))) for reports in ([one], [other, one], [one, one])]
    assert all("a.LOOP-001" in each for each in addresses)
    assert "a-2.LOOP-001" in addresses[2]
