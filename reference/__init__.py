"""The reference ReAct: a sans-I/O loop (`react_tck.reference.loop`) and the `dspy.Module` on top of it.

The loop needs no dspy; the modules do, so they are imported on first use.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from react_tck.reference.conversation import ConversationReAct
    from react_tck.reference.react import ReAct

__all__ = ["ConversationReAct", "ReAct"]

_MODULES = {"ConversationReAct": "conversation", "ReAct": "react"}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
