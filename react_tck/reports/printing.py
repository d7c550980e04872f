"""Texts of others', made fit to be printed."""


def printable(text: str) -> str:
    """The text with control characters written as escapes, so that it can't move the cursor or hide anything."""
    return "".join(c if c.isprintable() or c in "\n\t" else c.encode("unicode_escape").decode() for c in text)
