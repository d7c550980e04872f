"""How replies are cut: into events, and into the bytes that arrive together; and how some providers really stream."""

from collections.abc import Iterator
from hashlib import sha512
from itertools import cycle
from typing import Literal, NamedTuple, TypeVar, get_args

#: What real providers do in their streams, and a client of OpenAI's does well to bear: comments between events,
#: CRLF at the end of lines, a last chunk with usage that nobody asked for, tool calls without their index,
#: and the id of a call in each of its deltas.
Quirk = Literal["comments", "crlf", "usage-chunk", "no-index", "repeated-id"]
HOSTILE: frozenset[Quirk] = frozenset(get_args(Quirk))

_Text = TypeVar("_Text", str, bytes)


class Streaming(NamedTuple):
    """How replies are cut into events, where a truncated stream ends, and how it deviates from OpenAI's."""

    #: Characters of a text or of arguments in an event: these sizes in turn, again and again.
    chunk_sizes: tuple[int, ...] = (16,)
    cut_after: int = 2
    quirks: frozenset[Quirk] = frozenset()


def seeded(seed: int, largest: int = 9) -> tuple[int, ...]:
    """64 sizes from 1 to `largest`, the same for the same seed on every machine."""
    return tuple(1 + byte % largest for byte in sha512(str(seed).encode()).digest())


def cut(text: _Text, sizes: tuple[int, ...]) -> Iterator[_Text]:
    """The text or the bytes in pieces of these sizes in turn, again and again.

    Raises:
        ValueError: if a size is not positive, or there is none.
    """
    if min(sizes, default=0) < 1:
        raise ValueError(f"pieces can't have the sizes {sizes}")
    at = 0
    for size in cycle(sizes):
        if at >= len(text):
            return
        yield text[at : at + size]
        at += size


def dressed(events: tuple[bytes, ...], quirks: frozenset[Quirk]) -> tuple[bytes, ...]:
    """The events as they look on the wire."""
    if "comments" in quirks:
        events = tuple(b": still thinking\n\n%b" % event for event in events)
    if "crlf" in quirks:
        events = tuple(event.replace(b"\n", b"\r\n") for event in events)
    return events
