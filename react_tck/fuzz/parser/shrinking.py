"""Makes a text shorter for as long as it shows the same."""

from collections.abc import Callable

#: A text that takes more attempts is short enough.
_ATTEMPTS = 2000


def shortest(text: str, shows_it: Callable[[str], bool]) -> str:
    """The text without every piece that can be left out: halves first, then quarters, down to single characters."""
    size, attempts = max(len(text) // 2, 1), 0
    while attempts < _ATTEMPTS:
        at, before = 0, len(text)
        while at < len(text) and attempts < _ATTEMPTS:
            attempts += 1
            shorter = text[:at] + text[at + size :]
            if shows_it(shorter):
                text = shorter
            else:
                at += size
        if size == 1 and len(text) == before:
            break
        size = max(size // 2, 1)
    return text
