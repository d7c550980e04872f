"""What a request asks for, read once: a frozen value that the LM which answers goes by, and who judges the record."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

from react_tck.dialects import DIALECTS, Dialect, find_dialect, native
from react_tck.dialects.fields import FINAL_ANSWER, SUBMIT, TOOL_CALLS
from react_tck.dialects.labels import plain_name
from react_tck.model.lm import Ask, LMRequest
from react_tck.model.manifest import Manifest
from react_tck.model.record import Asked


class RequestReading(NamedTuple):
    """What one request asks for."""

    request: LMRequest
    ask: Ask
    reader: "RequestReader"

    @property
    def phase(self) -> Literal["step", "extraction"]:
        """Whether it asks for a step or for the answer."""
        return self.ask.phase

    @property
    def takes_submit(self) -> bool:
        """Whether the outputs can be committed by calling `submit` (TRN-002)."""
        return _takes_submit(self.request, self.ask)

    @property
    def answer_ask(self) -> Ask | None:
        """What it says of an answer, given instead of a step.

        None where the subject asks for its answer in a request of its own, or the request leaves no choice.
        """
        if self.reader.has_extraction:
            return None
        if self.takes_submit or FINAL_ANSWER in self.ask.fields:
            return self.ask
        return self.reader.read_answer(self.request) if self.ask.dialect == "native" else None

    def with_ask(self, ask: Ask) -> "RequestReading":
        """Return the same request, of which something else is answered."""
        return RequestReading(self.request, ask, self.reader)


@dataclass(frozen=True)
class RequestReader:
    """Reads the requests of one subject: by the dialects it claims, and by how it comes to its answer."""

    dialects: Sequence[str]
    has_extraction: bool = True
    answer_tool: str | None = None

    def read(self, request: LMRequest) -> RequestReading | None:
        """Return what the request asks for; None if it is nothing known in these dialects."""
        ask = classify_request(request, self.dialects)
        if ask is None and not self.has_extraction:
            ask = classify_last(request, self.dialects)
        return RequestReading(request, ask, self) if ask else None

    def read_answer(self, request: LMRequest) -> Ask | None:
        """Return what a native request says of an answer instead of a step; None if it leaves no choice."""
        return classify_answer(request, self.dialects, self.answer_tool)


def reader_of(manifest: Manifest) -> RequestReader:
    """Return the reader for a subject with this manifest."""
    return RequestReader(manifest.dialects, "extraction" in manifest.capabilities, manifest.answer_tool)


def takes_submit(asked: Asked) -> bool:
    """Tell whether the reply to a request of a record could commit the outputs by calling `submit`."""
    return asked.ask is not None and _takes_submit(asked.request, asked.ask)


def _takes_submit(request: LMRequest, ask: Ask) -> bool:
    return TOOL_CALLS in ask.fields or SUBMIT in [offer.name for offer in request.tools]


def classify_request(request: LMRequest, dialects: Collection[str]) -> Ask | None:
    """Return what the request asks for, in one of the dialects the subject claims; None if in none of them.

    User messages are never searched: an observation may quote field names. A schema that the reply has to fit leaves no
    other form than JSON.

    >>> from react_tck.dialects.reading import classify_request
    >>> from react_tck.model.lm import LMRequest, Message
    >>> prompt = "Your output fields are:\\n1. `next_thought`\\n2. `next_tool_name`\\n3. `next_tool_args`"
    >>> ask = classify_request(LMRequest(messages=(Message(role="system", content=prompt),)), ["chat", "json"])
    >>> ask.phase, ask.dialect, ask.fields
    ('step', 'json', ('next_thought', 'next_tool_name', 'next_tool_args'))
    """
    is_object = bool(request.demanded_fields) and not request.tools and "json" in dialects
    for each in _order_dialects(("json",) if is_object else tuple(dialects)):
        if (ask := each.classify_request(request)) is not None:
            return ask
    return None


# A subject claims the same ones at every request.
@lru_cache(maxsize=64)
def _order_dialects(dialects: tuple[str, ...]) -> tuple[Dialect, ...]:
    """Those of them that there are, in the order in which they are tried."""
    return tuple(find_dialect(name) for known in DIALECTS for name in dialects if plain_name(name) == known)


def classify_last(request: LMRequest, dialects: Collection[str]) -> Ask | None:
    """Return what a request asks for that no dialect is told of, of a subject that answers by itself at the end."""
    return native.classify_last(request) if "native" in dialects else None


def classify_answer(request: LMRequest, dialects: Collection[str], answer_tool: str | None = None) -> Ask | None:
    """Return what a native request says of an answer, given instead of a step; None if it leaves no choice.

    Where it offers no tool for it, and asks for no other form, an answer is in the native dialect: plain text.
    """
    if answer_tool and (ask := native.classify_answer(request, answer_tool)):
        return ask
    if not native.may_answer(request):
        return None
    return classify_request(request, set(dialects) - {"native"}) or native.classify_text(request)
