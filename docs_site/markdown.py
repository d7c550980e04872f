"""Texts as Markdown."""

from collections.abc import Iterable, Sequence


def fenced(text: str, language: str = "text", title: str = "") -> str:
    """The text in a block that nothing in it ends."""
    fence = "`" * max(3, _longest_run(text) + 1)
    head = f'{language} title="{title}"' if title else language
    return f"{fence}{head}\n{text.rstrip()}\n{fence}"


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; a cell is one line."""
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join(f"| {' | '.join(map(_cell, line))} |" for line in lines)


def prose(text: str) -> str:
    """A text that holds no markup but code in backticks: what else looks like markup is shown as it stands."""
    parts = text.split("`")
    if len(parts) % 2 == 0:
        return _escaped(text)
    return "`".join(part if number % 2 else _escaped(part) for number, part in enumerate(parts))


def page(title: str, *blocks: str) -> str:
    """A page of blocks, those without a text left out."""
    return "\n\n".join([f"# {title}", *filter(None, blocks)]) + "\n"


def _escaped(text: str) -> str:
    return "".join(f"\\{sign}" if sign in "\\*_[]<>#" else sign for sign in text)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _longest_run(text: str) -> int:
    longest = run = 0
    for sign in text:
        run = run + 1 if sign == "`" else 0
        longest = max(longest, run)
    return longest
