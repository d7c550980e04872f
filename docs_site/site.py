"""All pages of the site, and what mkdocs is told of them."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from docs_site.reference import reference_pages
from docs_site.requirements import requirement_pages
from docs_site.results import read_reports, result_pages

ROOT = Path(__file__).parents[1]
#: What is written by hand, and the files that it leads to; it stays where it lies.
_BY_HAND = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "features/README.md", "docs/**/*.md", "examples/*.py")
#: The four kinds of documentation. mkdocs objects to a page that is neither here nor among `_APART`.
_NAV: Mapping[str, Mapping[str, str]] = {
    "How-to": {
        "Which kind of agent are you?": "docs/KINDS.md",
        "Connect a Python agent": "docs/API.md",
        "Test your agent with a scripted LM": "docs/SCRIPTED_LM.md",
        "Use the agents": "docs/USING.md",
        "Replace dspy.ReAct and its like": "docs/DROP_IN.md",
        "Gate your CI": "docs/CI.md",
        "Write scenarios": "docs/AUTHORING.md",
        "Contribute": "CONTRIBUTING.md",
        "Rely on a release, make one": "docs/RELEASING.md",
    },
    "Reference": {
        "Requirements": "reference/requirements.md",
        "Choices": "reference/choices.md",
        "Commands and profiles": "docs/COMMANDS.md",
        "Options of the commands": "reference/commands.md",
        "Protocol": "docs/PROTOCOL.md",
        "JSON Schemas": "reference/schemas.md",
        "Words of a run": "docs/VOCABULARY.md",
        "Words of the features": "features/README.md",
        "Sentences": "reference/sentences.md",
        "What the originals' documentation says": "docs/drop_in_statements.md",
        "Changes": "CHANGELOG.md",
    },
    "Explanation": {
        "Architecture": "docs/ARCHITECTURE.md",
        "Scale": "docs/SCALE.md",
        "What a subject may do to a run": "docs/ROBUSTNESS.md",
        "What was found in the libraries": "docs/FINDINGS.md",
        "What the world reports": "docs/REPORTS.md",
    },
}
_APART = ("/reference/requirements/", "/docs/findings/", "/docs/sources/", "/results/newest.md")
_FEATURES = ["navigation.tabs", "navigation.indexes"]
_LINK = re.compile(r"\[([^\]\n]+)\]\(([^()\s#:]+)\)")
#: Light or dark as the system is, or as the switch says.
_PALETTE = [
    {"media": "(prefers-color-scheme: light)", "scheme": "default", "toggle": {"icon": "material/eye", "name": "dark"}},
    {"media": "(prefers-color-scheme: dark)", "scheme": "slate", "toggle": {"icon": "material/eye", "name": "light"}},
]


class BrokenSite(Exception):
    """mkdocs objects to something; the message is what it says."""


def list_pages(root: Path = ROOT) -> dict[str, str]:
    """Return every page by its place, the verdicts of the reports in the tree on those of the requirements."""
    files = (file for pattern in _BY_HAND for file in sorted(ROOT.glob(pattern)))
    by_hand = {file.relative_to(ROOT).as_posix(): _read_page(file) for file in files}
    reports = read_reports(root)
    return {**by_hand, **requirement_pages(reports), **result_pages(root, reports), **reference_pages()}


def _read_page(file: Path) -> str:
    """Return its text, in which pages are called by their titles, and no link leads to a folder: a site has none."""

    def name_target(link: re.Match[str]) -> str:
        target = file.parent / link[2]
        if target.is_file() and link[1].endswith(".md"):
            return f"[{target.read_text(encoding='utf-8').splitlines()[0].lstrip('# ')}]({link[2]})"
        return link[1] if target.is_dir() else link[0]

    text = file.read_text(encoding="utf-8")
    return _LINK.sub(name_target, text) if file.suffix == ".md" else text


def build(made: Mapping[str, str], folder: Path, nav: Mapping[str, Mapping[str, str]] = _NAV) -> None:
    """Write the pages into the folder, and have mkdocs make the site there: strictly, so that a broken link fails.

    Raises:
        BrokenSite: mkdocs objects to anything.
    """
    shutil.rmtree(folder, ignore_errors=True)
    for place, text in made.items():
        file = folder / "pages" / place
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    for picture in ROOT.glob("docs/*.[ps][nv]g"):
        shutil.copy(picture, folder / "pages" / "docs")
    config = folder / "mkdocs.yml"
    config.write_text(json.dumps(_configure(nav), indent=1), encoding="utf-8")  # JSON is YAML
    words = [sys.executable, "-m", "mkdocs", "build", "--strict", "-f", str(config)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(words, capture_output=True, text=True, env=environment, check=False)
    if done.returncode:
        raise BrokenSite("\n".join(line for line in done.stderr.splitlines() if not line.startswith("INFO")))


def _configure(nav: Mapping[str, Mapping[str, str]]) -> dict[str, Any]:
    """Return what mkdocs is told: nothing that a reader's browser would have to fetch from elsewhere."""
    kinds = [{kind: [{title: place} for title, place in named.items()]} for kind, named in nav.items()]
    return {
        "site_name": "react-tck",
        "docs_dir": "pages",
        "site_dir": "site",
        "use_directory_urls": False,
        "theme": {"name": "material", "font": False, "features": _FEATURES, "palette": _PALETTE},
        "plugins": ["search"],
        "markdown_extensions": ["pymdownx.superfences", {"toc": {"permalink": True}}, "tables"],
        "validation": {
            "nav": {"omitted_files": "warn", "not_found": "warn", "absolute_links": "warn"},
            "links": {"not_found": "warn", "anchors": "warn", "absolute_links": "warn", "unrecognized_links": "warn"},
        },
        "not_in_nav": "\n".join(_APART),
        "nav": [{"react-tck": "README.md"}, {"Results": ["results/index.md"]}, *kinds],
    }
