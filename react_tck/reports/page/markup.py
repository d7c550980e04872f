"""HTML as values: what isn't `Html` is text, and is escaped where it enters an element."""

import hashlib
import re
import zlib
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from itertools import count, pairwise
from pathlib import Path

from react_tck.reports.printing import escape_text

#: Void elements have no end tag.
_VOID = frozenset({"input", "meta", "wbr"})
#: These end a line, so that two pages can be compared with `diff`.
_BLOCKS = frozenset(
    {"article", "details", "div", "form", "h1", "h2", "h3", "li", "meta", "p", "script", "section", "summary", "tr"}
)
#: What has a meaning of its own in an address, or might be written in another way there.
_UNPLAIN = re.compile(r"[^A-Za-z0-9_.-]+")
#: Characters of a column's name in an address.
_LONGEST_KEY = 80


class Html(str):
    """Text that is HTML already."""

    __slots__ = ()


def element(tag: str, *content: str, **attributes: str | bool) -> Html:
    """Return an element; `class_` is the attribute `class`, `True` an attribute without a value, `False` none."""
    opened = "".join(_format_attribute(name, value) for name, value in attributes.items())
    closed = "" if tag in _VOID else f"</{tag}>"
    return Html(f"<{tag}{opened}>{fragment(*content)}{closed}{chr(10) if tag in _BLOCKS else ''}")


def fragment(*content: str) -> Html:
    """Parts one after the other; what is no markup is escaped, control characters included."""
    return Html("".join(part if isinstance(part, Html) else escape(escape_text(part)) for part in content))


def make_breakable(name: str) -> Html:
    """Return a name that may go on in a new line after a dot, a colon or an underscore, not within a word."""
    pieces = re.split(r"(?<=[.:_/])", name)
    return fragment(pieces[0], *(part for piece in pieces[1:] for part in (element("wbr"), piece)))


def _format_attribute(name: str, value: str | bool) -> str:
    key = name.rstrip("_").replace("_", "-")
    if isinstance(value, bool):
        return f" {key}" if value else ""
    return f' {key}="{escape(escape_text(value))}"'


def make_keys(names: Iterable[str]) -> list[str]:
    """Return what each column is called in addresses: its name in plain letters, with a number where others have it
    too.

    So an address stays, whoever else is on the page.

    >>> from react_tck.reports.page.markup import make_keys
    >>> make_keys(["dspy.ReAct", "my agent", "my-agent"])
    ['dspy.ReAct', 'my-agent', 'my-agent-2']
    """
    keys: list[str] = []
    for name in names:
        plain = _UNPLAIN.sub("-", name)[:_LONGEST_KEY].strip("-.") or "subject"
        numbered = (plain if number == 1 else f"{plain}-{number}" for number in count(1))
        keys.append(next(key for key in numbered if key not in keys))
    return keys


def subject_anchor(key: str) -> str:
    """Return the section of the subject of that key."""
    return f"subject-{key}"


def article_name(key: str, topic: str) -> str:
    """Return an article of it, by what it is about: a requirement, a cause, the choices."""
    return f"{key}.{topic}"


def cell_link(key: str, topic: str) -> str:
    """Return the address that has the page open the subject's article about a topic."""
    return f"#cell={article_name(key, topic)}"


#: The name of its file, in the folder that a command is told.
PAGE = "index.html"


def render_document(title: str, columns: int, *content: str) -> str:
    """Return a page whose heat map has so many columns. Nothing that slipped in as markup could run or load."""
    # How wide a strip of the heat map is depends on its columns; attributes for style are forbidden.
    style = Html(f":root {{ --columns: {columns}; }}\n{_read_asset('style.css')}")
    script = _read_asset("page.js")
    policy = (
        f"default-src 'none'; base-uri 'none'; form-action 'none'; "
        f"style-src '{_digest_text(style)}'; script-src '{_digest_text(script)}'"
    )
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=policy),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", title),
        element("style", style),
    )
    body = element("body", *content, element("script", script))
    return f"<!DOCTYPE html>\n{element('html', head, body, lang='en')}\n"


def _read_asset(name: str) -> Html:
    return Html(Path(__file__).with_name(name).read_text(encoding="utf-8"))


def _digest_text(text: str) -> str:
    return f"sha256-{b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


#: Where the page's script finds it.
_ANCHOR = "packed"


def pack_articles(articles: Mapping[str, Html]) -> Html:
    """Articles by name, as data that no browser runs or shows."""
    numbers: dict[str, int] = {}
    index = []
    for name, article in _sort_by_topic(articles):
        mine = [numbers.setdefault(line, len(numbers)) for line in article.split("\n")]
        index.append(f"{name} {_encode_distances(mine)}")
    text = "\n".join([*index, "\f" + "\n".join(numbers)])
    data = b64encode(zlib.compress(text.encode(), 9)).decode()
    return element("script", Html(data), type="text/plain", id=_ANCHOR)


def _sort_by_topic(articles: Mapping[str, Html]) -> Iterator[tuple[str, Html]]:
    """Yield what is told of one requirement, of whatever subject, side by side: there it is most alike."""
    yield from sorted(articles.items(), key=lambda article: article[0].rpartition(".")[2])


def _encode_distances(numbers: Sequence[int]) -> str:
    return ",".join(str(number - before) for before, number in pairwise([0, *numbers]))
