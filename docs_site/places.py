"""Where each document that is written by hand stands on the site, and its links there."""

import os
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path, PurePosixPath

from docs_site.markdown import fenced, page

ROOT = Path(__file__).parents[1]
API = "docs/API.md"
#: What stands above this heading in docs/API.md tells how; what stands below is made of docstrings.
API_REFERENCE = "\n## Reference\n"

#: The documents by the place they take.
PLACES: Mapping[str, str] = {
    "README.md": "index.md",
    API: "how-to/python.md",
    "docs/SCRIPTED_LM.md": "how-to/scripted-lm.md",
    "docs/DROP_IN.md": "how-to/drop-in.md",
    "docs/drop_in_statements.md": "reference/drop-in-statements.md",
    "docs/CI.md": "how-to/ci.md",
    "docs/AUTHORING.md": "how-to/scenarios.md",
    "CONTRIBUTING.md": "how-to/contributing.md",
    "docs/RELEASING.md": "how-to/releasing.md",
    "docs/COMMANDS.md": "reference/overview.md",
    "docs/PROTOCOL.md": "reference/protocol.md",
    "docs/VOCABULARY.md": "reference/words.md",
    "features/README.md": "reference/vocabulary.md",
    "CHANGELOG.md": "reference/changelog.md",
    "docs/ARCHITECTURE.md": "explanation/architecture.md",
    "docs/SCALE.md": "explanation/scale.md",
    "docs/ROBUSTNESS.md": "explanation/robustness.md",
    "docs/FINDINGS.md": "explanation/findings.md",
}
#: A link of Markdown, not in code: its text and where it leads.
_LINK = re.compile(r"(?<!`)\[(?P<text>[^\]\n]+)\]\((?P<target>[^()\s]+)\)")
_FENCE = re.compile(r"^(`{3,}).*?^\1`*$", re.DOTALL | re.MULTILINE)


class Unplaced(ValueError):
    """A document has no place, or a link leads nowhere; the message says which."""


def documents(root: Path = ROOT) -> Mapping[str, str]:
    """The documents that there are, by their paths in the tree, and the place of each.

    Raises:
        Unplaced: if one of docs/ has no place.
    """
    found = {path: place for path, place in PLACES.items() if (root / path).exists()}
    found |= {f"docs/findings/{file.name}": f"explanation/findings/{file.name}" for file in _in(root, "docs/findings")}
    for file in _in(root, "docs"):
        if f"docs/{file.name}" not in found:
            raise Unplaced(f"docs/{file.name} has no place on the site: give it one in docs_site/places.py")
    return found


def placed(root: Path = ROOT) -> dict[str, str]:
    """The pages that are written by hand, and those of the files that they lead to, by place."""
    places, made = documents(root), {}
    for path, place in places.items():
        text = (root / path).read_text(encoding="utf-8")
        if path == API:
            text, _, reference = text.partition(API_REFERENCE)
            made["reference/api.md"] = _moved(f"# The Python API, name by name\n{reference}", path, "reference/api.md")
        made[place] = _moved(text, path, place)
    for path in sorted({target for document in places for target in _files(root, document)} - set(places)):
        code = (root / path).read_text(encoding="utf-8")
        made[_file_place(path)] = page(f"`{path}`", fenced(code, _language(path)))
    return made


def _moved(text: str, path: str, place: str) -> str:
    """The text with its links as they are from its place."""

    def link(found: re.Match[str]) -> str:
        target, hash_sign, anchor = found["target"].partition("#")
        if not target or ":" in target:
            return found[0]
        to = _target(ROOT, path, target)
        if (ROOT / to).is_dir():
            return f"`{to}/`" if found["text"].startswith("`") else found["text"]
        there = documents().get(to) or _file_place(to)
        return f"[{found['text']}]({os.path.relpath(there, PurePosixPath(place).parent)}{hash_sign}{anchor})"

    return _outside_code(text, link)


def _outside_code(text: str, change: Callable[[re.Match[str]], str]) -> str:
    parts, last = [], 0
    for fence in _FENCE.finditer(text):
        parts += [_LINK.sub(change, text[last : fence.start()]), fence[0]]
        last = fence.end()
    return "".join([*parts, _LINK.sub(change, text[last:])])


def _files(root: Path, path: str) -> Iterator[str]:
    """The files of the tree that a document leads to."""
    for found in _LINK.finditer(_FENCE.sub("", (root / path).read_text(encoding="utf-8"))):
        target = found["target"].partition("#")[0]
        if target and ":" not in target and (root / (to := _target(root, path, target))).is_file():
            yield to


def _target(root: Path, path: str, target: str) -> str:
    to = os.path.normpath(PurePosixPath(path).parent / target)
    if not (root / to).exists():
        raise Unplaced(f"{path} leads to {target}, and there is no {to}")
    return to


def _file_place(path: str) -> str:
    return f"files/{path}.md"


def _language(path: str) -> str:
    return {".py": "python", ".toml": "toml", ".json": "json", ".yml": "yaml"}.get(PurePosixPath(path).suffix, "text")


def _in(root: Path, folder: str) -> list[Path]:
    return sorted((root / folder).glob("*.md"))
