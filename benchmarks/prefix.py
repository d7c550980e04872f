"""Prompt-cache friendliness: how much of a request repeats, byte for byte, how the one before it began (S0).

Providers cache what prompts have in common from their beginning, so the rest of each request is paid in full. Pure.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile

from react_tck.model.lm import LMRequest, Message


@dataclass(frozen=True)
class Reuse:
    """Bytes of a request's prompt, and how many of these the request before it began with."""

    repeated: int
    total: int

    @property
    def share(self) -> float:
        """The part that is repeated, between 0 and 1; 0 of an empty prompt."""
        return self.repeated / self.total if self.total else 0.0

    @property
    def fresh(self) -> int:
        """The bytes that no cache has."""
        return self.total - self.repeated


def reuses(requests: Sequence[LMRequest]) -> list[Reuse]:
    """One for each request but the first, which has none before it."""
    return [_reuse(*pair) for pair in pairwise(map(prompt, requests))]


def together(parts: Iterable[Reuse]) -> Reuse:
    """Several requests as if they were one."""
    known = list(parts)
    return Reuse(sum(part.repeated for part in known), sum(part.total for part in known))


def prompt(request: LMRequest) -> bytes:
    """The request as a provider puts it before the model: the tools offered, then message by message."""
    offers = (json.dumps([o.name, o.description, o.parameters], ensure_ascii=False) for o in request.tools)
    return "\n".join([*offers, *map(_written, request.messages)]).encode(errors="surrogatepass")


def _written(message: Message) -> str:
    calls = "".join(f"\n{call.id} {call.name} {call.arguments}" for call in message.tool_calls)
    return f"<{message.role} {message.tool_call_id or ''}>\n{message.content or ''}{calls}"


def _reuse(before: bytes, now: bytes) -> Reuse:
    shared = takewhile(lambda bytes_: bytes_[0] == bytes_[1], zip(before, now, strict=False))
    return Reuse(sum(1 for _ in shared), len(now))
