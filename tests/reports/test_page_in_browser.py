"""The page as people use it: in Chromium, by keyboard and mouse, from its address, narrow, dark, and on paper."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Request, expect, sync_playwright

from react_tck.catalogue.registry import load_registry
from react_tck.model.report import Beat, Cause, Course, Report, ScenarioResult, SubjectInfo, Verdict
from react_tck.reports.page import render_page
from tests.reports.test_page import EVIL
from tests.support.reports import make_report, result

CHROMIUM = shutil.which("chromium")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs chromium, a browser")

Show = Callable[..., Page]
FAILED = "LOOP-003"


# No longer than this module: while Playwright runs, its event loop runs in this thread, and no other can.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        # As root, as in a container, Chromium has no sandbox.
        found = playwright.chromium.launch(executable_path=CHROMIUM, chromium_sandbox=os.getuid() != 0)
        yield found
        found.close()


@pytest.fixture
def show(browser: Browser, tmp_path: Path) -> Iterator[Show]:
    """Opens a page; whatever the browser objects to, or the page asks of the network, fails the test."""
    contexts: list[BrowserContext] = []
    objections: list[str] = []

    def heed(request: Request) -> None:
        if not request.url.startswith("file:"):
            objections.append(request.url)

    def opened(text: str, address: str = "", **how: Any) -> Page:
        file = tmp_path / "index.html"
        file.write_text(text, encoding="utf-8")
        context = browser.new_context(**how)
        contexts.append(context)
        shown = context.new_page()
        shown.on("pageerror", lambda error: objections.append(str(error)))
        shown.on("console", lambda said: objections.append(said.text))
        shown.on("request", heed)
        shown.goto(f"{file.as_uri()}{address}")
        return shown

    yield opened
    for context in contexts:
        context.close()
    assert objections == []


def subject(name: str, verdict: Verdict) -> Report:
    """A report of every requirement, of which one ended so."""
    asked = Beat(lane="LM", does="asks for a step", reply="add(2)")
    ran = Beat(lane="tools", does="runs add(3)", reply="5")
    course = Course(before=0, beats=(asked, ran), after=0, departure=1, due=(Beat(lane="agent", does="ends"),))
    failure = ScenarioResult(title="A title", verdict=verdict, message=EVIL, fault="wrong", course=course)
    rows = (
        result(
            row.id,
            verdict if row.id == FAILED else Verdict.PASSED,
            level=row.level,
            specification=row.specification,
            profile=row.profile,
            scenarios=(failure,) if row.id == FAILED and verdict is Verdict.FAILED else (),
        )
        for row in load_registry().requirements
    )
    cause = Cause(requirement=FAILED, rows=("A title",), message=EVIL, reproduce="run it")
    causes = (cause,) if verdict is Verdict.FAILED else ()
    info = SubjectInfo(name=name, version="1")
    return make_report(*rows, subject=info, causes=causes, revision=3, claims=("react-module",))


@pytest.fixture(scope="module")
def text() -> str:
    verdicts = {"one": Verdict.PASSED, "two": Verdict.FAILED, "three": Verdict.UNSUPPORTED}
    return render_page([subject(name, verdict) for name, verdict in verdicts.items()], {}, {})


def focused(shown: Page) -> str:
    name = "cell => `${cell.cellIndex}.${cell.parentElement.dataset.id}`"
    told: str = shown.locator(":focus").evaluate(name)
    return told


def lines(shown: Page) -> list[str]:
    found: list[str] = shown.locator("tr[data-id]:visible").evaluate_all("all => all.map(each => each.dataset.id)")
    return found


def test_the_heat_map_by_keyboard(show: Show, text: str) -> None:
    shown = show(text)
    assert shown.locator("td[tabindex='0']").count() == 1
    shown.locator("td[tabindex='0']").focus()
    ids = list(load_registry().by_id)
    places = []
    keys = ["ArrowRight", "ArrowDown", "ArrowUp", "ArrowUp", "End", "ArrowRight", "Control+End", "Home", "ArrowLeft"]
    for key in keys:
        shown.keyboard.press(key)
        places.append(focused(shown))
    columns, rows = zip(*(place.split(".") for place in places), strict=True)
    assert columns == ("2", "2", "2", "2", "3", "3", "3", "1", "1")
    assert [ids.index(row) for row in rows] == [0, 1, 0, 0, 0, 0, len(ids) - 1, len(ids) - 1, len(ids) - 1]
    assert shown.locator("td[tabindex='0']").count() == 1


def test_a_cell_opens_by_keyboard_and_gives_the_focus_back(show: Show, text: str) -> None:
    shown = show(text)
    cell = shown.locator(f"tr[data-id='{FAILED}'] td").nth(1)
    assert cell.get_attribute("aria-label") == "failed"
    cell.focus()
    assert "two 1: failed" in shown.locator(".told").inner_text()
    shown.keyboard.press("Enter")
    dialog = shown.get_by_role("dialog")
    expect(dialog).to_contain_text("A title")
    assert shown.evaluate("location.hash") == f"#cell=two.{FAILED}"
    expect(dialog.locator(".departure")).to_contain_text("departs here")
    # What a subject says is text.
    assert "<script>alert(1)</script>" in dialog.locator("pre").first.inner_text()
    assert dialog.locator("script").count() == 0
    shown.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    assert focused(shown) == f"2.{FAILED}"
    assert "cell" not in shown.evaluate("location.hash")


def test_filters_come_from_the_address_and_go_back_to_it(show: Show, text: str) -> None:
    shown = show(text, "#q=max_steps&level=MUST&column=two")
    some = lines(shown)
    sentences = {row.id: row.sentence for row in load_registry().requirements if row.level == "MUST"}
    assert 0 < len(some) < len(sentences)
    assert all("max_steps" in sentences[id_] for id_ in some)
    assert shown.locator(".map thead th:visible").count() == 2
    assert shown.locator("section:visible").count() == 1
    assert shown.locator("select[name=level]").input_value() == "MUST"
    shown.locator("select[name=level]").select_option("")
    shown.locator("input").fill("")
    shown.locator("select[name=show]").select_option("failed")
    assert lines(shown) == [FAILED]
    assert shown.evaluate("location.hash") == "#column=two&show=failed"
    shown.reload()
    assert lines(shown) == [FAILED]
    shown.locator("select[name=column]").select_option("one")
    assert lines(shown) == []
    shown.get_by_role("button", name="reset").click()
    assert len(lines(shown)) == len(load_registry().requirements)


def test_a_link_to_a_cell_keeps_the_filters_and_back_closes_it(show: Show, text: str) -> None:
    shown = show(text, "#show=failed")
    shown.locator(".defects a").click()
    dialog = shown.get_by_role("dialog")
    expect(dialog).to_contain_text("departs here")
    assert shown.evaluate("location.hash") == f"#show=failed&cell=two.{FAILED}"
    shown.go_back()
    expect(dialog).to_have_count(0)
    assert lines(shown) == [FAILED]


def test_without_a_script_the_picture_and_the_causes_can_be_read(show: Show, text: str) -> None:
    shown = show(text, java_script_enabled=False)
    assert shown.locator(f"tr[data-id='{FAILED}'] td.failed").is_visible()
    assert shown.locator(".standings").get_by_text("NOT CONFORMANT").first.is_visible()
    assert "wrong" in shown.locator(".defects").inner_text()
    assert not shown.locator("form").is_visible()
    assert "opens with JavaScript" in shown.locator("body").inner_text()


def test_a_cell_is_found_by_the_name_one_types(show: Show, text: str) -> None:
    expect(show(text, f"#cell=Tw.{FAILED.lower()}").get_by_role("dialog")).to_contain_text("departs here")
    told = show(text, f"#cell=t.{FAILED}").get_by_role("dialog")
    expect(told).to_contain_text(f"There are:#cell=two.{FAILED}#cell=three.{FAILED}")


def test_of_one_subject_the_verdict_is_on_the_first_screen(show: Show) -> None:
    shown = show(render_page([subject("one", Verdict.FAILED)], {}, {}), viewport={"width": 390, "height": 844})
    for said in ("NOT CONFORMANT", "MUST not met"):
        expect(shown.get_by_text(said)).to_be_in_viewport()
    assert shown.evaluate("document.documentElement.scrollWidth") <= 390
