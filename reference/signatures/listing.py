"""How a step's instructions list the tools; and instructions that were saved with a list of other tools (SAV-002)."""

import re
from collections.abc import Iterable

_LISTING = re.compile(r"The tools:\n\(1\) .*\n\n`\w+` must be a valid JSON object\.", re.DOTALL)


def write_listing(descriptions: Iterable[str], args: str) -> list[str]:
    """Return the lines that list tools by their descriptions, and say what the field for their args has to be."""
    numbered = (f"({number}) {description}" for number, description in enumerate(descriptions, 1))
    return ["The tools:", *numbered, "", f"`{args}` must be a valid JSON object."]


def replace_listing(loaded: str, own: str) -> str:
    """Put the list of an agent's own instructions in the place of the loaded ones' list, if there is one."""
    now = _LISTING.search(own)
    return _LISTING.sub(lambda _: now[0], loaded) if now else loaded
