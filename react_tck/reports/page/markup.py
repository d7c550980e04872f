"""HTML as values: what isn't `Html` is text, and is escaped where it enters an element."""

import re
from html import escape

from react_tck.reports.printing import escape_text

#: Void elements have no end tag.
_VOID = frozenset({"input", "meta", "wbr"})
#: These end a line, so that two pages can be compared with `diff`.
_BLOCKS = frozenset(
    {"article", "details", "div", "form", "h1", "h2", "h3", "li", "meta", "p", "script", "section", "summary", "tr"}
)


class Html(str):
    """Text that is HTML already."""

    __slots__ = ()


def element(tag: str, *content: str, **attributes: str | bool) -> Html:
    """An element; `class_` is the attribute `class`, `True` an attribute without a value, `False` none at all."""
    opened = "".join(_format_attribute(name, value) for name, value in attributes.items())
    closed = "" if tag in _VOID else f"</{tag}>"
    return Html(f"<{tag}{opened}>{fragment(*content)}{closed}{chr(10) if tag in _BLOCKS else ''}")


def fragment(*content: str) -> Html:
    """Parts one after the other; what is no markup is escaped, control characters included."""
    return Html("".join(part if isinstance(part, Html) else escape(escape_text(part)) for part in content))


def make_breakable(name: str) -> Html:
    """A name that may go on in a new line after a dot, a colon or an underscore, rather than in the midst of a word."""
    pieces = re.split(r"(?<=[.:_/])", name)
    return fragment(pieces[0], *(part for piece in pieces[1:] for part in (element("wbr"), piece)))


def _format_attribute(name: str, value: str | bool) -> str:
    key = name.rstrip("_").replace("_", "-")
    if isinstance(value, bool):
        return f" {key}" if value else ""
    return f' {key}="{escape(escape_text(value))}"'


def subject_anchor(number: int) -> str:
    """The section of the n-th subject."""
    return f"subject-{number}"


def article_name(number: int, topic: str) -> str:
    """An article of it, by what it is about: a requirement, a cause, the choices."""
    return f"{number}.{topic}"


def cell_link(number: int, topic: str) -> str:
    """The address that has the page open the article of the n-th subject about a topic."""
    return f"#cell={article_name(number, topic)}"
