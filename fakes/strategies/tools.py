"""Tools: names, descriptions, parameters, the Python forms they can have, and what they do when they are run."""

from collections.abc import Collection

from hypothesis import strategies as st
from pydantic import JsonValue

from react_tck.fakes.strategies.picking import among, names
from react_tck.fakes.strategies.schemas import parameters
from react_tck.fakes.strategies.texts import escapable_texts, injections, texts
from react_tck.model.tool import Behaviour, Mutates, Raises, Reports, Returns, ReturnsOddity, Tool

_NAMES = ("add", "search", "look_up", "finish_order", "Add", "answer", "run2")
_DESCRIPTIONS = ("Adds.", "Finds things in the archive.", "Says `finish`, then waits.", "Takes {braces} & <marks>.")

_PARAMETERS = parameters()


@st.composite
def tools(draw: st.DrawFn, capabilities: Collection[str], most: int = 3) -> tuple[Tool, ...]:
    """Up to `most` tools of different names."""
    fewest = draw(among((1, 1, 1, 0)))
    return tuple(_tool(draw, name, capabilities) for name in draw(names(_NAMES, min(fewest, most), most)))


def _tool(draw: st.DrawFn, name: str, capabilities: Collection[str]) -> Tool:
    forms = ("function", "function", "method", "object") if "callable-tools" in capabilities else ("function",)
    return Tool(
        name=name,
        description=draw(among(_DESCRIPTIONS)),
        parameters=draw(_PARAMETERS),
        is_async="async-tools" in capabilities and draw(among((False, False, False, True))),
        callable_form=draw(among(forms)),
    )


_VALUES: tuple[JsonValue, ...] = (None, 0, 828, 0.125, True, False, "", [], {}, ["Dubai", 828, None], {"a": {"b": 1}})


def behaviours() -> st.SearchStrategy[tuple[Behaviour, ...]]:
    """Up to two runs' behaviour; none is the default one."""
    return st.lists(_ONE, max_size=2).map(tuple)


_ONE: st.SearchStrategy[Behaviour] = st.one_of(
    st.just(Reports()),
    st.sampled_from(_VALUES).map(lambda value: Returns(value=value)),
    escapable_texts().map(lambda text: Returns(value=text)),
    injections().map(lambda text: Returns(value=text)),
    injections().map(lambda text: Returns(value=text)),
    texts().map(lambda message: Raises(message=message)),
    st.sampled_from([ReturnsOddity(oddity=oddity) for oddity in ("bytes", "object", "set", "nan")]),
    st.just(Mutates()),
)
