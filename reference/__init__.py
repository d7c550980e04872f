"""The reference ReAct: a sans-I/O loop (`react_tck.reference.loop`) and the `dspy.Module`s on top of it.

The loop needs no dspy; the modules do, so what stands here is imported on first use.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from react_tck.reference.confirmation import (
        ConfirmationRequired,
        ResponseRefused,
        ToolCall,
        get_confirmation_status,
    )
    from react_tck.reference.conversation import ConversationReAct
    from react_tck.reference.loop import STRICT, Policy
    from react_tck.reference.react import ReAct
    from react_tck.reference.tools import tool
    from react_tck.reference.transcript import TranscriptReAct
    from react_tck.reference.udspy import UdspyReAct

__all__ = [
    "STRICT",
    "ConfirmationRequired",
    "ConversationReAct",
    "Policy",
    "ReAct",
    "ResponseRefused",
    "ToolCall",
    "TranscriptReAct",
    "UdspyReAct",
    "get_confirmation_status",
    "tool",
]

_MODULES = {
    "STRICT": "loop",
    "ConfirmationRequired": "confirmation",
    "ConversationReAct": "conversation",
    "Policy": "loop",
    "ReAct": "react",
    "ResponseRefused": "confirmation",
    "ToolCall": "confirmation",
    "TranscriptReAct": "transcript",
    "UdspyReAct": "udspy",
    "get_confirmation_status": "confirmation",
    "tool": "tools",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
