"""Texts as Markdown."""

import re
from collections.abc import Iterable, Sequence


def fenced(text: str, language: str = "text", title: str = "") -> str:
    """Return the text in a block that nothing in it ends."""
    longest = max(map(len, re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    head = f'{language} title="{title}"' if title else language
    return f"{fence}{head}\n{text.rstrip()}\n{fence}"


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table; a cell is one line."""
    cells = ((" ".join(cell.split()).replace("|", "\\|") for cell in line) for line in rows)
    lines = [columns, ["---"] * len(columns), *cells]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def prose(text: str) -> str:
    """Return a text that holds no markup but code in backticks: what else looks like markup is shown as it stands."""
    parts = text.split("`")
    if len(parts) % 2 == 0:
        return _escape(text)
    return "`".join(part if number % 2 else _escape(part) for number, part in enumerate(parts))


def page(title: str, *blocks: str) -> str:
    """Return a page of blocks, those without a text left out."""
    return "\n\n".join([f"# {title}", *filter(None, blocks)]) + "\n"


def _escape(text: str) -> str:
    return re.sub(r"[\\*_\[\]<>#]", r"\\\g<0>", text)
