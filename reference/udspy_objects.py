"""udspy's own objects, as programs around `UdspyReAct` go on using them: its LM, its confirmations, its callbacks.

`UdspyReAct` asks for this module only where udspy has been imported: nobody else can have any of them.
"""

import json
from typing import Any

import dspy
from dspy import lm15
from dspy.clients.lm15_boundary import request_kwargs
from udspy import ConfirmationRequired as UdspysConfirmationRequired
from udspy import ModuleCallback, ReactContext, settings
from udspy import Tool as UdspysTool
from udspy.confirmation import ApprovalData, clear_confirmation, get_confirmation_context

from react_tck.reference.confirmation import CONFIRMATIONS, ConfirmationRequired
from react_tck.reference.loop import Call

__all__ = [
    "ModuleCallback",
    "ReactContext",
    "UdspyConfirmation",
    "UdspysConfirmationRequired",
    "UdspysTool",
    "answer_to",
    "lm",
]


class UdspyConfirmation(ConfirmationRequired, UdspysConfirmationRequired):
    """The call is suspended, and `except udspy.ConfirmationRequired` catches it."""


class UdspyEngine:
    """A dspy engine that asks a LM of udspy's, with what `udspy.settings` has for every request, for this model."""

    def __init__(self, asked: Any, model: str | None) -> None:
        self._asked = asked
        self._model = {} if model is None else {"model": model}

    def complete(self, request: lm15.Request, **_: Any) -> lm15.Response:
        """Send the request to udspy's LM, and give back its completion as a response of dspy's."""
        return _read_completion(request, self._asked.complete(**self._build_request(request)))

    def _build_request(self, request: lm15.Request) -> dict[str, Any]:
        written: dict[str, Any] = {**request_kwargs(request, "chat"), **settings.default_kwargs, **self._model}
        return written


class AsyncUdspyEngine(UdspyEngine):
    """A `UdspyEngine` that asks udspy's LM without blocking the event loop."""

    async def complete(self, request: lm15.Request, **_: Any) -> lm15.Response:
        """Send the request to udspy's LM, and give back its completion as a response of dspy's."""
        return _read_completion(request, await self._asked.acomplete(**self._build_request(request)))


def lm(model: str | None) -> dspy.LM | None:
    """The LM of `udspy.settings` as dspy's, for its own model or another; None, if there is none.

    It is udspy's to try again.
    """
    try:
        asked = settings.lm
    except RuntimeError:
        return None
    engines = {"engine": UdspyEngine(asked, model), "async_engine": AsyncUdspyEngine(asked, model)}
    return dspy.LM("udspy", **engines, cache=False, num_retries=0)


def _read_completion(request: lm15.Request, completion: Any) -> lm15.Response:
    return lm15.response_from_openai_chat(completion.model_dump(), model=request.model)


def answer_to(call: Call) -> tuple[str, str] | None:
    """The confirmation in which such a call waits, and what a person has said of it by `respond_to_confirmation`.

    It is told once: the next such call waits again (CNF-015).
    """
    for confirmation_id, given in get_confirmation_context().items():
        if (said := _describe_response(given)) and CONFIRMATIONS.has_waiting(confirmation_id, call):
            clear_confirmation(confirmation_id)
            return confirmation_id, said
    return None


def _describe_response(given: ApprovalData) -> str | None:
    """The response in the words that `resume` takes."""
    if given.get("approved"):
        return json.dumps({"edit": {"args": given["data"]}}) if given.get("data") else "yes"
    return "no" if given.get("status") == "rejected" else None
