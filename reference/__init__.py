"""The reference ReAct: sans-I/O loops (`react_tck.reference.loop` and its like) and the `dspy.Module`s on top of them.

The loops need no dspy; the modules do, so they are imported on first use.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from react_tck.reference.conversation import ConversationReAct
    from react_tck.reference.react import ReAct
    from react_tck.reference.transcript import TranscriptReAct

__all__ = ["ConversationReAct", "ReAct", "TranscriptReAct"]

_MODULES = {"ConversationReAct": "conversation", "ReAct": "react", "TranscriptReAct": "transcript"}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
