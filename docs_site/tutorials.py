"""The first verdict in five minutes, a page for each language that `react-tck init` knows."""

import re
from collections.abc import Mapping
from pathlib import Path
from string import Template
from typing import Any

from docs_site.markdown import fenced
from react_tck.cli.commands.init import TEMPLATES, load_languages

_TEMPLATE = Path(__file__).with_name("tutorial.template")
#: What the workflow that `init` writes builds the harness with.
_BUILD = re.compile(r"^ *- run: (.*)$", re.MULTILINE)
_SEAM = "replace me with your library"


def tutorial_pages() -> dict[str, str]:
    """The pages, by place."""
    return {f"tutorial/{language}.md": _page(language, facts) for language, facts in load_languages().items()}


def _page(language: str, facts: Mapping[str, Any]) -> str:
    harness = next(iter(facts["files"]))
    code = (TEMPLATES / language / harness).read_text(encoding="utf-8")
    build = "\n".join(_BUILD.findall(facts["setup"]))
    is_marked = _SEAM in code
    return Template(_TEMPLATE.read_text(encoding="utf-8")).substitute(
        language=language,
        title=facts["title"],
        harness=harness,
        needs=facts["needs"],
        build=f"\nBuild it:\n\n{fenced(build)}\n" if build else "",
        seam=f"It belongs between the lines *{_SEAM}* and *to here*." if is_marked else "It takes the toy's place.",
        code=fenced(code, language, harness),
    )
