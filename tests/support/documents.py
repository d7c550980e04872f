"""The documents' code and commands, as their readers copy them."""

import re
import shlex
from pathlib import Path

ROOT = Path(__file__).parents[2]
_FENCED = re.compile(r"^```(?P<language>\w*)[^\n]*\n(?P<code>.*?)^```$", re.DOTALL | re.MULTILINE)
_COMMENT = re.compile(r"\s+#\s.*$")
_PROMPT = re.compile(r"^(\$|- run:|-) ")
_PLACEHOLDER = re.compile(r"[…<>|&\[\]{}$]|\.\.\.|\b[A-Z]{2,}\b(?!-)|--record$")
_TITLED = re.compile(r'^```python title="(?P<name>[^"]+)"\n(?P<code>.*?)^```$', re.DOTALL | re.MULTILINE)


def titled_blocks(document: str) -> dict[str, str]:
    """The code blocks that have a file's name, by it."""
    text = (ROOT / document).read_text(encoding="utf-8")
    return {found["name"]: found["code"] for found in _TITLED.finditer(text)}


def written(folder: Path, document: str) -> Path:
    """A folder with these files in it."""
    for name, code in titled_blocks(document).items():
        (folder / name).write_text(code, encoding="utf-8")
    return folder


def blocks(document: str, language: str) -> list[str]:
    """The code blocks of a language; those of commands and output have none."""
    text = (ROOT / document).read_text(encoding="utf-8")
    return [found["code"] for found in _FENCED.finditer(text) if found["language"] == language]


def list_commands(document: str, start: str = r"react-tck [a-z]+ \S") -> list[str]:
    """What a document has its reader type that begins so, in its order, without names that stand for something else."""
    text = (ROOT / document).read_text(encoding="utf-8")
    lines = [line.strip() for found in _FENCED.finditer(text) for line in found["code"].splitlines()]
    said = [_PROMPT.sub("", line) for line in lines] + re.findall(r"`([^`\n]+)`", _FENCED.sub("", text))
    typed = dict.fromkeys(_COMMENT.sub("", line) for line in said if re.match(start, line))
    return [line for line in typed if not _PLACEHOLDER.search(line)]


def command(document: str, start: str) -> list[str]:
    """The words of the one command that begins so, in a block or in a sentence.

    Raises:
        LookupError: if the document has none, or several.
    """
    text = _FENCED.sub("", (ROOT / document).read_text(encoding="utf-8"))
    lines = [line for block in blocks(document, "") for line in block.splitlines()]
    said = {_COMMENT.sub("", line) for line in [*lines, *re.findall(r"`([^`\n]+)`", text)] if line.startswith(start)}
    if len(said) != 1:
        raise LookupError(f"{document} has {sorted(said) or 'no command'} that begins with {start!r}")
    return shlex.split(said.pop())
