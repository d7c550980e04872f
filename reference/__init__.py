"""The reference ReAct: a sans-I/O loop (`react_tck.reference.loop`) and the `dspy.Module` on top of it.

The loop needs no dspy; `ReAct` does, so it is imported on first use.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from react_tck.reference.react import ReAct

__all__ = ["ReAct"]


def __getattr__(name: str) -> Any:
    if name != "ReAct":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from react_tck.reference.react import ReAct

    return ReAct
