"""Whole episodes, for a subject of which only dialects and capabilities are known."""

from collections.abc import Collection
from dataclasses import dataclass

from hypothesis import strategies as st
from pydantic import JsonValue

from react_tck.fakes.strategies.cases import behaviours, signatures, tools, values_of
from react_tck.fakes.strategies.draws import among
from react_tck.fakes.strategies.replies import answer, answer_replies, finish, step_replies
from react_tck.fakes.strategies.texts import injections, texts
from react_tck.model.case import Case, Invocation, Mode, Options
from react_tck.model.episode import Episode, nonce
from react_tck.model.intent import Attempts, Intent, Reply, Script
from react_tck.model.manifest import Capability
from react_tck.model.signature import Field, Signature
from react_tck.model.tool import Tool

_MOST_STEPS = 4
#: How often the last step before the end is said, now and then more often than most loops go round.
_SAID = (1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 4, 5, 6)


@st.composite
def scripts(draw: st.DrawFn, signature: Signature, tools: tuple[Tool, ...], calls: int = 1) -> Script:
    """Steps for as many calls of the instance, and answers; each queue ends with a good reply that stays for ever."""
    return script(draw, signature, tools, calls)


def script(draw: st.DrawFn, signature: Signature, tools: tuple[Tool, ...], calls: int) -> Script:
    """The same, inside another strategy."""
    steps: list[Intent] = []
    for call in range(calls):
        # Lists, because Hypothesis knows how to leave items of a list out.
        turns = draw(st.lists(_turns(step_replies(tools)), max_size=_MOST_STEPS))
        steps += [*turns[:-1], *turns[-1:] * draw(among(_SAID))]
        steps.append(finish(draw).model_copy(update={"sticky": call == calls - 1}))
    faulty = draw(st.lists(_turns(answer_replies(signature)), max_size=1))
    last = answer(draw, signature).model_copy(update={"sticky": True})
    return Script(steps=tuple(steps), answers=(*faulty, last))


@st.composite
def _turns(draw: st.DrawFn, replies: st.SearchStrategy[Reply]) -> Intent:
    """A reply; or one, and another to who asks again (ERR-006)."""
    first = draw(replies)
    return Attempts(replies=(first, draw(replies))) if draw(among((False, False, False, True))) else first


CASE_ID = "fuzz"
#: The dialects of the tool loop among which an adapter chooses; others belong to systems of their own.
_ADAPTERS = ("chat", "json", "xml")
_TEXT_INPUTS: st.SearchStrategy[JsonValue] = st.one_of(texts(), texts(), texts(), injections())
_BEHAVIOURS = behaviours()
_MAX_STEPS = (None, None, 5, 3, 2, 1, 0)


@dataclass(frozen=True)
class Reach:
    """What a subject claims, as far as episodes depend on it."""

    dialects: tuple[str, ...]
    capabilities: tuple[Capability, ...]


@st.composite
def episodes(draw: st.DrawFn, reach: Reach) -> Episode:
    """Episodes that every conforming subject of this reach can play to their end, whatever choices it makes."""
    signature = draw(signatures(reach.capabilities))
    offered = draw(tools(reach.capabilities))
    calls = draw(among((1, 1, 2)))
    invocations = tuple(_invocation(draw, signature, reach.capabilities) for _ in range(calls))
    case = Case(id=CASE_ID, signature=signature, tools=offered, options=_options(draw, reach), invocations=invocations)
    return Episode(
        case=case,
        script=script(draw, signature, offered, calls),
        behaviours={tool.name: done for tool in offered if (done := draw(_BEHAVIOURS))},
        nonce=nonce(CASE_ID, 0),
    )


def _input(field: Field) -> st.SearchStrategy[JsonValue]:
    return _TEXT_INPUTS if field.is_text else values_of(field)


def _options(draw: st.DrawFn, reach: Reach) -> Options:
    own: tuple[str | None, ...] = (None, None, None, *(dialect for dialect in reach.dialects if dialect in _ADAPTERS))
    return Options(
        max_steps=draw(among(_MAX_STEPS)),
        adapter=draw(among(own)) if "global-adapter" in reach.capabilities else None,
        module_adapter=draw(among((None, None, *own))) if "module-adapter" in reach.capabilities else None,
    )


def _invocation(draw: st.DrawFn, signature: Signature, capabilities: Collection[str]) -> Invocation:
    modes: tuple[Mode, ...] = ("sync", "sync", "async") if "async" in capabilities else ("sync",)
    limits = (None, None, None, *_MAX_STEPS) if "call-max-steps" in capabilities else (None,)
    return Invocation(
        inputs={field.name: draw(_input(field)) for field in signature.inputs},
        mode=draw(among(modes)),
        max_steps=draw(among(limits)),
    )
