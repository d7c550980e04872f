"""Whole episodes, for a subject of which only dialects and capabilities are known."""

from collections.abc import Collection
from dataclasses import dataclass

from hypothesis import strategies as st

from react_tck.fakes.strategies.behaviours import behaviours
from react_tck.fakes.strategies.scripts import scripts
from react_tck.fakes.strategies.signatures import signatures, values_of
from react_tck.fakes.strategies.tools import tools
from react_tck.model.case import Case, Invocation, Mode, Options
from react_tck.model.episode import Episode
from react_tck.model.manifest import Capability
from react_tck.model.nonce import nonce
from react_tck.model.signature import Signature

CASE_ID = "fuzz"
_MAX_STEPS = (None, 3, 0, 1, 2, 5)


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
    calls = draw(st.sampled_from((1, 1, 2)))
    invocations = tuple(_invocation(draw, signature, reach.capabilities) for _ in range(calls))
    case = Case(
        id=CASE_ID, signature=signature, tools=offered, options=_options(draw, reach), invocations=invocations
    )
    return Episode(
        case=case,
        script=draw(scripts(signature, offered, calls)),
        behaviours={tool.name: done for tool in offered if (done := draw(behaviours()))},
        nonce=nonce(CASE_ID, 0),
    )


def _options(draw: st.DrawFn, reach: Reach) -> Options:
    own: tuple[str | None, ...] = (None, *reach.dialects)
    return Options(
        max_steps=draw(st.sampled_from(_MAX_STEPS)),
        adapter=draw(st.sampled_from(own)) if "global-adapter" in reach.capabilities else None,
        module_adapter=draw(st.sampled_from((None, *own))) if "module-adapter" in reach.capabilities else None,
    )


def _invocation(draw: st.DrawFn, signature: Signature, capabilities: Collection[str]) -> Invocation:
    modes: tuple[Mode, ...] = ("sync", "sync", "async") if "async" in capabilities else ("sync",)
    limits = (None, None, *_MAX_STEPS) if "call-max-steps" in capabilities else (None,)
    return Invocation(
        inputs={field.name: draw(values_of(field)) for field in signature.inputs},
        mode=draw(st.sampled_from(modes)),
        max_steps=draw(st.sampled_from(limits)),
    )
