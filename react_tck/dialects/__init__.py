"""The forms in which LM replies carry a step or an answer: one module a dialect, all pure.

Each module can tell what a request asks for (`classify`), write an intent as a reply to it (`render`) and
read such a reply back (`parse`).
"""

from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import Protocol

from react_tck.dialects import chat, json, label, machina, native, xml
from react_tck.dialects.fields import SUBMIT, TOOL_CALLS
from react_tck.dialects.labels import REACT_TEXT, plain_name
from react_tck.dialects.react_text import ReactText
from react_tck.model.base import JsonObject
from react_tck.model.intent import Move
from react_tck.model.lm import Ask, Completion, LMRequest


class Dialect(Protocol):
    """What a dialect's module offers."""

    def classify(self, request: LMRequest) -> Ask | None:
        """What the request asks for, or None if it isn't in this dialect."""

    def render(self, intent: Move, ask: Ask) -> Completion:
        """The reply that says the intent in the way the request asked for."""

    def parse(self, completion: Completion, schemas: Mapping[str, JsonObject]) -> JsonObject:
        """The fields of a reply, by their schemas. Raises ParseError."""


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
def dialect(name: str) -> Dialect:
    """The dialect of a name, which may set labels."""
    return ReactText(name) if plain_name(name) == REACT_TEXT else DIALECTS[name]


def classify(request: LMRequest, dialects: Collection[str]) -> Ask | None:
    """What the request asks for, in one of the dialects the subject claims; None if in none of them.

    User messages are never searched: an observation may quote field names. A schema that the reply has to fit leaves no
    other form than JSON.
    """
    if request.demanded and not request.tools and "json" in dialects:
        return json.classify(request)
    for each in _in_order(tuple(dialects)):
        if (ask := each.classify(request)) is not None:
            return ask
    return None


# A subject claims the same ones at every request.
@lru_cache(maxsize=64)
def _in_order(dialects: tuple[str, ...]) -> tuple[Dialect, ...]:
    """Those of them that there are, in the order in which they are tried."""
    return tuple(dialect(name) for known in DIALECTS for name in dialects if plain_name(name) == known)


def classify_last(request: LMRequest, dialects: Collection[str]) -> Ask | None:
    """What a request asks for that no dialect is told of, of a subject that answers by itself at the end."""
    return native.classify_last(request) if "native" in dialects else None


def classify_answer(request: LMRequest, dialects: Collection[str], answer_tool: str | None = None) -> Ask | None:
    """What a native request says of an answer, given instead of a step; None if it leaves no choice.

    Where it offers no tool for it, and asks for no other form, an answer is in the native dialect: plain text.
    """
    if answer_tool and (ask := native.classify_answer(request, answer_tool)):
        return ask
    if not native.may_answer(request):
        return None
    return classify(request, set(dialects) - {"native"}) or native.classify_text(request)


def takes_submit(request: LMRequest, ask: Ask) -> bool:
    """Whether the outputs can be committed by calling `submit` (TRN-002)."""
    return TOOL_CALLS in ask.fields or SUBMIT in [offer.name for offer in request.tools]


def render(intent: Move, ask: Ask) -> Completion:
    """The reply that says the intent in the dialect of that very request."""
    return dialect(ask.dialect).render(intent, ask)
