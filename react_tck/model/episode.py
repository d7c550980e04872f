"""One episode: the case the subject gets, what the kit's LM and tools will do, and the nonce that marks it as real.

Nonces are texts that only an episode that really happened can contain.
"""

import hashlib

from pydantic import Field, JsonValue

from react_tck.model.base import JsonObject, Value
from react_tck.model.case import Case
from react_tck.model.intent import Script
from react_tck.model.tool import Behaviour

_LENGTH = 8


def make_nonce(case_id: str, seed: int) -> str:
    """Return a short text derived from the case and the seed, the same on every machine."""
    return hashlib.sha256(f"{seed}:{case_id}".encode()).hexdigest()[:_LENGTH]


def mark_value(value: JsonValue, mark_with: str) -> JsonValue:
    """Return the value with the nonce appended to its texts: to itself, or to the items of a list."""
    if isinstance(value, str):
        return f"{value} ~{mark_with}"
    if isinstance(value, list):
        return [mark_value(item, mark_with) for item in value]
    return value


def mark_values(values: JsonObject, mark_with: str, only: frozenset[str]) -> JsonObject:
    """Return the object with the values of the keys `only` marked."""
    return {key: mark_value(value, mark_with) if key in only else value for key, value in values.items()}


class Episode(Value):
    """Everything needed to play an episode again, anywhere."""

    case: Case
    script: Script
    #: By tool name: what each run does, the last one again and again.
    behaviours: dict[str, tuple[Behaviour, ...]] = Field(default_factory=dict)
    nonce: str
    #: The variations that it is played under, by name: those that change no case, but how it is called.
    variations: tuple[str, ...] = ()
