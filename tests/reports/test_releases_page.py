"""The page of a library's releases: requirement by release, and what each broke and mended."""

import re

from react_tck.model.report import Report, ScenarioResult, SubjectInfo, Verdict
from react_tck.reports.history import History, Untested
from react_tck.reports.page.releases import releases_page
from tests.support.pages import unpacked
from tests.support.reports import make_report, result


def release(version: str, verdict: Verdict, **more: object) -> Report:
    scenario = ScenarioResult(title="A <title>", verdict=verdict, message="wrong", kind="goes on too long")
    steady = ScenarioResult(title="Another", verdict=Verdict.PASSED)
    return make_report(
        result("LOOP-001", verdict, scenarios=(scenario,)),
        result("LOOP-002", Verdict.PASSED, scenarios=(steady,)),
        subject=SubjectInfo(name="lib.ReAct", version=version),
        **more,
    )


def of(*reports: Report) -> str:
    kept = {report.subject.version: report for report in reports}
    return releases_page(History("lib", kept))


THREE = (
    release("1.0", Verdict.PASSED, choices={"unknown-tool": "extract"}),
    release("1.1", Verdict.FAILED, choices={"unknown-tool": "error"}),
    release("1.2", Verdict.PASSED, choices={"unknown-tool": "error"}),
)


def test_what_each_release_broke_and_mended_the_last_first() -> None:
    text = of(*THREE)
    table = text[text.index("What each release broke") :]
    rows = [re.sub(r"<[^>]*>", "|", row) for row in re.findall(r"<tr>.*?</tr>", table)[1:3]]
    assert [[part for part in row.split("|") if part] for row in rows] == [
        ["1.2", "–", "LOOP-001, goes on too long (1 scenario)", "–"],
        ["1.1", "LOOP-001, goes on too long (1 scenario)", "–", "unknown-tool"],
    ]


def test_a_cell_that_has_changed_is_marked() -> None:
    text = of(*THREE)
    line = text[text.index('data-id="LOOP-001"') :].partition("</tr>")[0]
    assert re.findall(r'aria-label="([^"]*)"', line) == ["passed", "failed, changed", "passed, changed"]
    assert "changed" not in text[text.index('data-id="LOOP-002"') :].partition("</tr>")[0]


def test_each_release_says_what_changed_and_its_cells_open() -> None:
    text = of(*THREE)
    assert "Since 1.0" in text
    assert "unknown-tool: extract → error" in text
    assert "LOOP-001 A &lt;title&gt;: passed → failed" in text
    assert text.index("Since 1.1") < text.index("Since 1.0")
    assert "wrong" in unpacked(text)["1.1.LOOP-001"]


def test_where_nothing_has_changed_it_says_so() -> None:
    assert "Nothing has changed." in of(THREE[0], release("1.1", Verdict.PASSED, choices={"unknown-tool": "extract"}))


def test_one_release_is_a_page_too() -> None:
    assert "1.0" in of(THREE[0])


def test_a_release_that_was_not_tested_says_why() -> None:
    text = releases_page(History("lib", {"1.0": THREE[0], "1.1": Untested("pip <failed>"), "1.2": THREE[2]}))
    assert "1.1</b> is not tested, because: pip &lt;failed&gt;" in text
    assert "not tested, because: pip &lt;failed&gt;</td>" in text[text.index("What each release broke") :]
    assert "Since 1.0" in text


def test_a_page_of_which_nothing_was_tested_is_a_page_too() -> None:
    assert "1.0</b> is not tested, because: no" in releases_page(History("lib", {"1.0": Untested("no")}))


def test_a_changed_cell_opens_on_the_row_that_changed() -> None:
    def rows(verdict: Verdict) -> tuple[ScenarioResult, ...]:
        red = ScenarioResult(title="Red in both", verdict=Verdict.FAILED, message="old", fault="old")
        changed = ScenarioResult(title="Changed", verdict=verdict, message="new", fault="new")
        return (red, changed)

    before, after = (
        make_report(
            result("LOOP-001", Verdict.FAILED, scenarios=rows(verdict)),
            subject=SubjectInfo(name="lib", version=version),
        )
        for version, verdict in (("1.0", Verdict.PASSED), ("1.1", Verdict.FAILED))
    )
    opened = unpacked(releases_page(History("lib", {"1.0": before, "1.1": after})))["1.1.LOOP-001"]
    assert opened.index("Changed") < opened.index("Red in both")
    assert "<b>passed → failed</b> Changed" in opened
    assert re.findall(r"<details open>.*?</summary>", opened, re.DOTALL)[0].count("Changed") == 1
    assert opened.count("<details open>") == 1
