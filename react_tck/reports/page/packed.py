"""What a page shows only when it is asked for, compressed; the page's script unpacks it.

Subjects are told much the same things: each line stands there once, and an article is the numbers of its lines, each as
its distance from the one before. Before it is compressed (RFC 1950, RFC 4648) it is an article a line, a form feed, and
the lines. So the details of eight subjects take half of what they take subject by subject.
"""

import zlib
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from react_tck.reports.page.markup import Html, element

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
