"""The documents' code, as their readers copy it."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
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
