"""What requests have in common, made once: classes that follow from a signature, system messages, and earlier messages.

Making a class costs more than asking, and so does writing a long conversation again with every request.
What is kept is never changed, and is kept for whatever signature says the same: agents of one task are made again and
again, and a signature that somebody changes in place, rather than by a copy as dspy means it, says something else.
"""

from collections.abc import Hashable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import dspy

from react_tck.reference.signatures.users import SignatureType

#: How many signatures are remembered, of all agents.
SIGNATURES = 64
#: And how many messages of no more than so many characters.
_MESSAGES, _LONG = 256, 4000


@dataclass(frozen=True)
class Content:
    """A signature as prompts show it: two are equal if they say the same."""

    said: Hashable
    signature: SignatureType = field(compare=False)


def system_message(adapter: Any, signature: Any) -> str:
    """Return the system message of an adapter of dspy's own, which follows from its class and the signature."""
    kind: Any = type(adapter)
    return _system_message(kind, read_content(signature))


def assistant_message(
    adapter: Any, signature: Any, outputs: dict[str, Any], missing_field_message: str | None = None
) -> str:
    """Return what the assistant said as such an adapter writes it: a turn's is written with every request."""
    texts = {name: said for name, said in outputs.items() if isinstance(said, str)}
    if len(texts) == len(outputs) and sum(map(len, texts.values())) < _LONG:
        kind: Any = type(adapter)
        said = (*texts.items(),)
        return _assistant_message(kind, read_content(signature), said, missing_field_message)
    text: str = adapter.format_assistant_message_content(signature, outputs, missing_field_message)
    return text


def drop_fields(signature: Any, *names: str) -> SignatureType:
    """Return the signature without these fields."""
    return _drop_fields(read_content(signature), names)


def replace_instructions(signature: Any, instructions: str) -> SignatureType:
    """Return the signature with other instructions."""
    return _replace_instructions(read_content(signature), instructions)


def read_content(signature: SignatureType) -> Content:
    """Return what the signature says: annotations also as they are written, for `int | str` equals `str | int`."""
    fields = [
        (name, each.annotation, repr((each.annotation, each.default, each.metadata, each.json_schema_extra)))
        for name, each in signature.model_fields.items()
    ]
    said = (signature.__doc__, *fields)
    try:
        hash(said)
    except TypeError:  # an annotation that holds what can't be hashed
        return Content((signature, repr(said)), signature)
    return Content(said, signature)


@lru_cache(maxsize=SIGNATURES)
def _system_message(kind: type[dspy.Adapter], content: Content) -> str:
    text: str = kind().format_system_message(content.signature)
    return text


@lru_cache(maxsize=_MESSAGES)
def _assistant_message(kind: type[dspy.Adapter], content: Content, said: tuple[Any, ...], missing: str | None) -> str:
    text: str = kind().format_assistant_message_content(content.signature, dict(said), missing)
    return text


@lru_cache(maxsize=SIGNATURES)
def _drop_fields(content: Content, names: tuple[str, ...]) -> SignatureType:
    signature = content.signature
    for name in names:
        signature = signature.delete(name)
    return signature


@lru_cache(maxsize=SIGNATURES)
def _replace_instructions(content: Content, instructions: str) -> SignatureType:
    made: SignatureType = content.signature.with_instructions(instructions)
    return made
