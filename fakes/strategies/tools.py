"""Tools: names, descriptions, parameters, and the Python forms they can have."""

from collections.abc import Collection

from hypothesis import strategies as st

from react_tck.fakes.strategies.picking import among, names
from react_tck.fakes.strategies.schemas import parameters
from react_tck.model.tool import Tool

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
