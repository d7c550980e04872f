"""The results on the site: what lies in the tree is shown, nothing is played, and what isn't there is told."""

import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path

import jsonschema
import pytest

from docs_site.kept_results import NEWEST, gather_results
from docs_site.results import result_pages
from docs_site.site import build
from docs_site.tutorials import tutorial_pages
from react_tck.catalogue.registry import load_registry
from react_tck.model.report import Beat, Cause, Course, Report, ScenarioResult, SubjectInfo, Verdict
from react_tck.reports.history import History, Untested
from tests.support.reports import make_report, result

CHROMIUM = shutil.which("chromium")
FAILED = "LOOP-003"
MESSAGE = "expected: no tool runs\nactual:   1 ran\n\nreproduce: react-tck run mine -k finish"
#: 2026-11-26 09:00 UTC.
WRITTEN = 1795683600


def report(name: str, version: str = "1", verdict: Verdict = Verdict.FAILED) -> Report:
    """A report of every requirement, of which one ended so, in an episode that is drawn."""
    ran = Beat(lane="tools", does="runs add(3)", reply="5")
    course = Course(before=0, beats=(ran,), after=0, departure=0, due=(Beat(lane="agent", does="ends"),))
    failure = ScenarioResult(title="A title", verdict=verdict, message=MESSAGE, fault="wrong", course=course)
    rows = (
        result(
            row.id,
            verdict if row.id == FAILED else Verdict.PASSED,
            level=row.level,
            profile=row.profile,
            severity=row.severity,
            specification=row.specification,
            scenarios=(failure,) if row.id == FAILED else (),
        )
        for row in load_registry().requirements
    )
    cause = Cause(requirement=FAILED, rows=("A title",), message=MESSAGE, reproduce="run it")
    return make_report(*rows, subject=SubjectInfo(name=name, version=version), causes=(cause,))


def write_at(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    os.utime(file, (WRITTEN, WRITTEN))


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A tree in which a subject, a port and the releases of a library were played."""
    write_at(tmp_path / "build/conformance/dspy.json", report("dspy.ReAct", "3.4.1").model_dump_json())
    for port in ("eino", "rig"):
        write_at(tmp_path / f"ports/{port}/react-tck.toml", "")
    write_at(tmp_path / "ports/eino/report.json", report("eino").model_dump_json())
    releases: dict[str, Report | Untested] = {
        "3.0": report("dspy", "3.0", Verdict.PASSED),
        "3.1": report("dspy", "3.1"),
        "3.2": Untested("no <wheel>"),
    }
    write_at(tmp_path / "build/history/dspy/history.json", History("dspy", releases).render_json())
    return tmp_path


@pytest.fixture
def made(tree: Path) -> Mapping[str, str]:
    return result_pages(gather_results(tree))


def test_it_says_what_was_tested_when_and_what_was_not(made: Mapping[str, str]) -> None:
    text = made["results/index.md"]
    assert "| dspy.ReAct | 3.4.1 |" in text
    assert "| 2026-11-26 09:00 UTC | [JSON](data/dspy.json) |" in text
    assert (
        "| [dspy](releases/dspy.html) | 3.0, 3.1 | 3.2 | 2026-11-26 09:00 UTC | [JSON](data/releases/dspy.json) |"
        in text
    )
    assert "[`results/heat-map.html#cell=dspy.ReAct.LOOP-003`](heat-map.html#cell=dspy.ReAct.LOOP-003)" in text
    assert "| udspy | `make conformance` plays it. |" in text
    assert "| ports/rig | `make ports PORTS=rig` plays it. |" in text
    assert (
        "| releases/udspy | `react-tck history udspy VERSION… --out build/history/udspy "
        "--json build/history/udspy/history.json` plays its releases. |" in text
    )
    assert "| ports/eino | `make" not in text


def test_the_data_fits_its_schema(made: Mapping[str, str]) -> None:
    report_schema, history_schema = (
        json.loads(made[f"results/data/{name}.schema.json"]) for name in ("report", "history")
    )
    for name, schema in (("dspy", report_schema), ("ports/eino", report_schema), ("releases/dspy", history_schema)):
        jsonschema.validate(json.loads(made[f"results/data/{name}.json"]), schema)


def test_what_cannot_be_used_is_told_like_what_is_not_there(tree: Path) -> None:
    write_at(tree / "build/conformance/udspy.json", '{"subject": 1}')
    write_at(tree / "build/conformance/smolagents.json", make_report().model_dump_json())
    write_at(tree / "build/history/udspy/history.json", "[]")
    results = gather_results(tree)

    assert "this is no report of this kit" in results.missing["udspy"]
    assert results.missing["udspy"].endswith("`make conformance` plays it.")
    assert "is a report of other requirements" in results.missing["smolagents"]
    assert "this is no history of this kit" in results.missing["releases/udspy"]
    assert list(results.subjects) == ["dspy", "ports/eino"]


def test_the_table_of_newest_releases_is_a_page(tree: Path) -> None:
    assert "`make newest` tries" in result_pages(gather_results(tree))["results/index.md"]
    write_at(tree / NEWEST, "# As installed today\n")
    made = result_pages(gather_results(tree))
    assert made["results/newest.md"] == "# As installed today\n"
    assert "[As installed today](newest.md)" in made["results/index.md"]
    assert "`make newest` tries" not in made["results/index.md"]


def test_a_tree_without_results_has_a_page_that_says_so(tmp_path: Path) -> None:
    made = result_pages(gather_results(tmp_path))
    assert list(made) == ["results/index.md"]
    assert "No results lie in this tree yet" in made["results/index.md"]
    assert "`make conformance` plays it." in made["results/index.md"]


@pytest.mark.skipif(CHROMIUM is None, reason="needs chromium, a browser")
def test_from_the_heat_map_to_an_episode_and_back(made: Mapping[str, str], tmp_path: Path) -> None:
    pytest.importorskip("material", reason="needs the extra docs")
    sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright")
    others = {
        **dict.fromkeys(tutorial_pages(), "# A page\n\nNothing.\n"),
        "index.md": "# Home\n",
        "reference/requirements.md": "# Requirements\n",
    }
    build({**others, **made}, tmp_path / "docs")

    objections: list[str] = []
    with sync_api.sync_playwright() as playwright:
        # As root, as in a container, Chromium has no sandbox.
        browser = playwright.chromium.launch(executable_path=CHROMIUM, chromium_sandbox=os.getuid() != 0)
        page = browser.new_page()
        page.on("request", lambda asked: objections.append(asked.url) if asked.url.startswith("http") else None)
        page.on("pageerror", lambda error: objections.append(str(error)))
        page.goto((tmp_path / "docs/site/index.html").as_uri())
        page.get_by_role("link", name="Results").first.click()
        page.get_by_role("link", name="heat map").click()
        page.locator(f"tr[data-id='{FAILED}'] td.failed").first.click()
        dialog = page.get_by_role("dialog")
        sync_api.expect(dialog).to_contain_text("S4 R2.2")
        sync_api.expect(dialog.locator(".departure")).to_contain_text("departs here")
        sync_api.expect(dialog).to_contain_text("reproduce: react-tck run mine -k finish")
        assert page.url.endswith(f"results/heat-map.html#cell=dspy.ReAct.{FAILED}")
        page.go_back()
        sync_api.expect(dialog).to_have_count(0)
        page.locator("p a", has_text="Results").first.click()
        page.get_by_role("link", name="dspy", exact=True).click()
        page.locator(f"tr[data-id='{FAILED}'] td.failed.changed").click()
        sync_api.expect(page.get_by_role("dialog")).to_contain_text("passed → failed")
        assert page.url.endswith(f"results/releases/dspy.html#cell=3.1.{FAILED}")
        page.keyboard.press("Escape")
        page.locator("p a", has_text="Results").first.click()
        sync_api.expect(page.get_by_role("heading", name="Results")).to_be_visible()
        browser.close()
    assert objections == []
