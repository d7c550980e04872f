"""All pages of the site, and what mkdocs is told of them."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from docs_site.choices import choice_page
from docs_site.commands import command_page
from docs_site.forms import form_page
from docs_site.kept_results import Results
from docs_site.places import placed
from docs_site.requirements import requirement_pages
from docs_site.results import result_pages
from docs_site.schemas import schema_pages
from docs_site.sentences import sentence_page
from docs_site.tutorials import tutorial_pages
from react_tck.cli.commands.init import load_languages


class BrokenSite(Exception):
    """mkdocs objects to something; the message is what it says."""


def pages(results: Results | None = None) -> dict[str, str]:
    """Every page by its place, the verdicts of the subjects on those of the requirements."""
    results = results or Results()
    return {
        **placed(),
        **tutorial_pages(),
        **requirement_pages(results.reports),
        **result_pages(results),
        "reference/choices.md": choice_page(),
        "reference/forms.md": form_page(),
        "reference/commands.md": command_page(),
        "reference/sentences.md": sentence_page(),
        **schema_pages(),
    }


#: What lets pages search that lie in a folder.
_WORKER = "assets/iframe-worker.js"


def build(made: Mapping[str, str], folder: Path) -> None:
    """Write the pages into the folder, and have mkdocs make the site there: strictly, so that a broken link fails.

    Raises:
        BrokenSite: if mkdocs objects to anything.
    """
    shutil.rmtree(folder, ignore_errors=True)
    for place, text in made.items():
        file = folder / "pages" / place
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    (folder / "pages" / _WORKER).parent.mkdir(exist_ok=True)
    shutil.copyfile(Path(__file__).with_name("worker_in_a_frame.js"), folder / "pages" / _WORKER)
    # JSON is YAML.
    config = folder / "mkdocs.yml"
    config.write_text(json.dumps(_config(made), indent=1), encoding="utf-8")
    words = [sys.executable, "-m", "mkdocs", "build", "--strict", "-f", str(config)]
    done = subprocess.run(words, capture_output=True, text=True, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"})
    if done.returncode:
        raise BrokenSite("\n".join(line for line in done.stderr.splitlines() if not line.startswith("INFO")))


def _config(made: Mapping[str, str]) -> dict[str, Any]:
    """What mkdocs is told: nothing that a reader's browser would have to fetch from elsewhere."""
    return {
        "site_name": "react-tck",
        "docs_dir": "pages",
        "site_dir": "site",
        "use_directory_urls": False,
        "theme": {"name": "material", "font": False, "features": ["navigation.tabs", "navigation.indexes"]},
        # From a folder as from a server: its own worker is found by this name, and none is fetched from elsewhere.
        "plugins": ["search", "offline"],
        "extra": {"polyfills": [_WORKER]},
        "markdown_extensions": [
            "admonition",
            "pymdownx.superfences",
            {"pymdownx.highlight": {"anchor_linenums": False}},
            {"toc": {"permalink": True}},
            "tables",
        ],
        "validation": {
            "nav": {"omitted_files": "ignore", "not_found": "warn", "absolute_links": "warn"},
            "links": {"not_found": "warn", "anchors": "warn", "absolute_links": "warn", "unrecognized_links": "warn"},
        },
        "nav": _nav(made),
    }


def _nav(made: Mapping[str, str]) -> list[dict[str, Any]]:
    """The four kinds of documentation; what isn't written yet has no entry."""
    how_to = {
        "Connect a Python agent": "python",
        "Test your agent with a scripted LM": "scripted-lm",
        "Replace dspy.ReAct and its like": "drop-in",
        "Gate your CI": "ci",
        "Write scenarios": "scenarios",
        "Contribute": "contributing",
        "Rely on a release, make one": "releasing",
    }
    explanation = {
        "Architecture": "architecture",
        "What a subject may do to a run": "robustness",
        "What was found in the libraries": "findings",
    }
    reference = {
        "Requirements": "requirements",
        "Choices": "choices",
        "Malformed replies": "forms",
        "Commands and profiles": "overview",
        "Options of the commands": "commands",
        "Python API": "api",
        "Protocol": "protocol",
        "JSON Schemas": "schemas",
        "Words of the features": "vocabulary",
        "Sentences": "sentences",
        "What the originals' documentation says": "drop-in-statements",
        "Changes": "changelog",
    }
    return [
        {"react-tck": "index.md"},
        *({"Results": [place]} for place in ["results/index.md"] if place in made),
        {"Tutorial": [{facts["title"]: f"tutorial/{name}.md"} for name, facts in load_languages().items()]},
        *(
            {kind: [{title: place} for title, name in named.items() if (place := f"{folder}/{name}.md") in made]}
            for kind, folder, named in (
                ("How-to", "how-to", how_to),
                ("Reference", "reference", reference),
                ("Explanation", "explanation", explanation),
            )
        ),
    ]
