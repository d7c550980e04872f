"""What requests have in common, made once: classes that follow from a signature, system messages, and earlier messages.

Making a class costs more than asking, and so does writing a long conversation again with every request.
What is kept is never changed; a signature that somebody changes in place, rather than by a copy as dspy means it, is
another one.
"""

from functools import lru_cache
from typing import Any

import dspy

from react_tck.reference.signatures.users import SignatureType

#: How many signatures are remembered, of all agents.
SIGNATURES = 64
#: And how many messages of no more than so many characters.
_MESSAGES, _LONG = 256, 4000


def system_message(adapter: Any, signature: Any) -> str:
    """The system message of an adapter of dspy's own, which follows from its class and the signature."""
    kind: Any = type(adapter)
    return _system_message(kind, signature, content(signature))


def assistant_message(
    adapter: Any, signature: Any, outputs: dict[str, Any], missing_field_message: str | None = None
) -> str:
    """What the assistant said as such an adapter writes it: that of a turn is written again with every request."""
    texts = {name: said for name, said in outputs.items() if isinstance(said, str)}
    if len(texts) == len(outputs) and sum(map(len, texts.values())) < _LONG:
        kind: Any = type(adapter)
        said = (*texts.items(),)
        return _assistant_message(kind, signature, said, missing_field_message, content(signature))
    text: str = adapter.format_assistant_message_content(signature, outputs, missing_field_message)
    return text


def without(signature: Any, *names: str) -> SignatureType:
    """The signature without these fields."""
    return _without(signature, names, content(signature))


def instructed(signature: Any, instructions: str) -> SignatureType:
    """The signature with other instructions."""
    return _instructed(signature, instructions, content(signature))


def content(signature: SignatureType) -> tuple[str, ...]:
    """What of a signature may be changed in place."""
    return (signature.__doc__ or "", *(repr(field.json_schema_extra) for field in signature.model_fields.values()))


@lru_cache(maxsize=SIGNATURES)
def _system_message(kind: type[dspy.Adapter], signature: SignatureType, _: tuple[str, ...]) -> str:
    text: str = kind().format_system_message(signature)
    return text


@lru_cache(maxsize=_MESSAGES)
def _assistant_message(
    kind: type[dspy.Adapter], signature: SignatureType, said: tuple[Any, ...], missing: str | None, _: tuple[str, ...]
) -> str:
    text: str = kind().format_assistant_message_content(signature, dict(said), missing)
    return text


@lru_cache(maxsize=SIGNATURES)
def _without(signature: SignatureType, names: tuple[str, ...], _: tuple[str, ...]) -> SignatureType:
    for name in names:
        signature = signature.delete(name)
    return signature


@lru_cache(maxsize=SIGNATURES)
def _instructed(signature: SignatureType, instructions: str, _: tuple[str, ...]) -> SignatureType:
    made: SignatureType = signature.with_instructions(instructions)
    return made
