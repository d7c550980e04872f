"""What follows from a signature alone, made once for all the requests that need it: classes and system messages.

Making a class costs more than asking. What is kept is never changed; a signature that somebody changes in place, rather
than by a copy as dspy means it, is another one.
"""

from functools import lru_cache

import dspy

from react_tck.reference.signatures.users import SignatureType

#: How many signatures are remembered, of all agents.
_SIGNATURES = 64


def system_message(adapter: dspy.Adapter, signature: SignatureType) -> str:
    """The system message of an adapter of dspy's own, which follows from its class and the signature."""
    return _system_message(type(adapter), signature, _content(signature))


def without(signature: SignatureType, *names: str) -> SignatureType:
    """The signature without these fields."""
    return _without(signature, names, _content(signature))


def instructed(signature: SignatureType, instructions: str) -> SignatureType:
    """The signature with other instructions."""
    return _instructed(signature, instructions, _content(signature))


def _content(signature: SignatureType) -> tuple[str, ...]:
    """What of a signature may be changed in place."""
    return (signature.__doc__ or "", *(repr(field.json_schema_extra) for field in signature.model_fields.values()))


@lru_cache(maxsize=_SIGNATURES)
def _system_message(kind: type[dspy.Adapter], signature: SignatureType, _: tuple[str, ...]) -> str:
    text: str = kind().format_system_message(signature)
    return text


@lru_cache(maxsize=_SIGNATURES)
def _without(signature: SignatureType, names: tuple[str, ...], _: tuple[str, ...]) -> SignatureType:
    for name in names:
        signature = signature.delete(name)
    return signature


@lru_cache(maxsize=_SIGNATURES)
def _instructed(signature: SignatureType, instructions: str, _: tuple[str, ...]) -> SignatureType:
    made: SignatureType = signature.with_instructions(instructions)
    return made
