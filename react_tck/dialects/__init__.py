"""The forms in which LM replies carry a step or an answer: one module a dialect, all pure.

Each module can tell what a request asks for (`classify`), write an intent as a reply to it (`render`) and
read such a reply back (`parse`).
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Protocol

from react_tck.dialects import chat, json, label, machina, native, xml
from react_tck.dialects.labels import REACT_TEXT, plain_name
from react_tck.dialects.react_text import ReactText
from react_tck.model.base import JsonObject
from react_tck.model.intent import Move
from react_tck.model.lm import Ask, Completion, LMRequest


class Dialect(Protocol):
    """What a dialect's module offers."""

    def classify_request(self, request: LMRequest) -> Ask | None:
        """Return what the request asks for, or None if it isn't in this dialect."""

    def render_reply(self, intent: Move, ask: Ask) -> Completion:
        """Return the reply that says the intent in the way the request asked for."""

    def parse_reply(self, completion: Completion, schemas: Mapping[str, JsonObject]) -> JsonObject:
        """Return the fields of a reply, by their schemas. Raises ParseError."""


#: In the order in which they are tried: the most telling first.
DIALECTS: Mapping[str, Dialect] = {
    "native": native,
    "machina": machina,
    "chat": chat,
    "xml": xml,
    REACT_TEXT: ReactText(REACT_TEXT),
    "label": label,
    "json": json,
}


@lru_cache(maxsize=64)
def find_dialect(name: str) -> Dialect:
    """Return the dialect of a name, which may set labels."""
    return ReactText(name) if plain_name(name) == REACT_TEXT else DIALECTS[name]


def render_reply(intent: Move, ask: Ask) -> Completion:
    """Return the reply that says the intent in the dialect of that very request."""
    return find_dialect(ask.dialect).render_reply(intent, ask)
