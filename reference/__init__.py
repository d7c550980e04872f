"""The reference ReAct: a sans-I/O loop (`react_tck.reference.loop`) and the `dspy.Module` on top of it.

The loop needs no dspy; the modules do, so what stands here is imported on first use.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from react_tck.reference.confirmation import ConfirmationRequired, ResponseRefused, get_confirmation_status
    from react_tck.reference.react import ReAct
    from react_tck.reference.tools import tool

__all__ = ["ConfirmationRequired", "ReAct", "ResponseRefused", "get_confirmation_status", "tool"]

_HOMES = {
    "ConfirmationRequired": "confirmation",
    "ReAct": "react",
    "ResponseRefused": "confirmation",
    "get_confirmation_status": "confirmation",
    "tool": "tools",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"react_tck.reference.{_HOMES[name]}"), name)
