"""The document around a page: one style sheet, one script, no network; what is shown on demand is compressed."""

import hashlib
import zlib
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

from react_tck.reports.page.markup import Html, element

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
