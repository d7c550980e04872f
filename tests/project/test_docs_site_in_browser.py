"""The site as people open it who have no server: from its folder, in Chromium, with its search."""

import os
import shutil
from pathlib import Path

import pytest

from docs_site.site import build
from docs_site.tutorials import tutorial_pages

CHROMIUM = shutil.which("chromium")


@pytest.mark.skipif(CHROMIUM is None, reason="needs chromium, a browser")
def test_it_is_searched_without_a_server(tmp_path: Path) -> None:
    pytest.importorskip("material", reason="needs the extra docs")
    sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright")
    others = dict.fromkeys(tutorial_pages(), "# A page\n\nNothing.\n")
    build({**others, "index.md": "# Home\n", "oracle.md": "# An oracle\n\nIt foresees a perihelion.\n"}, tmp_path)

    asked: list[str] = []
    with sync_api.sync_playwright() as playwright:
        # As root, as in a container, Chromium has no sandbox.
        browser = playwright.chromium.launch(executable_path=CHROMIUM, chromium_sandbox=os.getuid() != 0)
        page = browser.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.goto((tmp_path / "site" / "index.html").as_uri())
        page.keyboard.press("/")
        page.keyboard.type("perihelion")
        found = page.locator("a.md-search-result__link").first
        sync_api.expect(found).to_be_visible(timeout=20_000)
        assert "oracle.html" in (found.get_attribute("href") or "")
        browser.close()
    assert [url for url in asked if not url.startswith(("file:", "about:", "data:"))] == []
