"""Reads the messages of a conversation's requests (S0). Pure functions."""

import re

from react_tck.dialects import machina
from react_tck.model.lm import Message
from react_tck.model.record import Asked

MARKER = re.compile(r"^\[\[ ## (\w+) ## \]\][^\S\n]*$", re.MULTILINE)
_ASKED = re.compile(r"\[\[ ## (\w+) ## \]\]")
_COMPLETED = "completed"
#: How a request names the markers in general (S0).
_EXAMPLE = "field_name"


def state(asked: Asked) -> str | None:
    """The machine state in which the LM is asked."""
    return machina.machine_state(asked.request)


def spoken(asked: Asked) -> tuple[Message, ...]:
    """The messages of the conversation: all but the system prompt."""
    return tuple(m for m in asked.request.messages if m.role not in ("system", "developer"))


def texts(asked: Asked, role: str) -> list[str]:
    """What the messages of a role say."""
    return [message.content or "" for message in spoken(asked) if message.role == role]


def last_message(asked: Asked) -> str:
    """What the last message says: it asks."""
    return asked.request.messages[-1].content or ""


def shown_fields(text: str) -> list[str]:
    """The fields that a message gives, in order; `completed` is none."""
    return [name for name in MARKER.findall(text) if name != _COMPLETED]


def value_of(text: str, field: str) -> str:
    """What a message gives for a field, up to the next marker or to what is asked for; empty if it has none."""
    _, found, rest = text.partition(f"[[ ## {field} ## ]]\n")
    return MARKER.split(_without_request(rest))[0].strip() if found else ""


def required(text: str) -> tuple[list[str], bool, list[str]]:
    """What a user message asks for: the fields in order, whether `completed` ends them, the fields named after that."""
    names = _ASKED.findall(text.rpartition("\n\n")[2])
    if names[:1] == [_EXAMPLE]:
        names = names[1:]
    if _COMPLETED not in names:
        return names, False, []
    end = names.index(_COMPLETED)
    return names[:end], True, names[end + 1 :]


def exchanges(asked: Asked) -> list[tuple[str, str]]:
    """Each earlier user message with the assistant message after it."""
    messages = spoken(asked)
    return [(one.content or "", two.content or "") for one, two in zip(messages[::2], messages[1::2], strict=False)]


def _without_request(text: str) -> str:
    before, _, last = text.rpartition("\n\n")
    return before if _ASKED.search(last) else text
