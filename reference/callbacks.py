"""dspy's callbacks, told of the runs of our tools as `dspy.Tool` tells them of its own (OBS-001).

`with_callbacks` can't: it passes args on by keyword, beside a parameter `instance` of its own.
"""

import logging
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import dspy
from dspy.utils.callback_context import ACTIVE_CALL_ID

_LOG = logging.getLogger(__name__)


@contextmanager
def notify_callbacks(tool: dspy.Tool, args: dict[str, Any]) -> Iterator[Callable[[Any], Any]]:
    """Tell of a run that begins, and of its end; what is given is called with the result, and gives it back."""
    callbacks = dspy.settings.get("callbacks", [])
    if not callbacks:
        yield lambda result: result
        return
    ended: dict[str, Any] = {"outputs": None, "exception": None}

    def record_outputs(result: Any) -> Any:
        ended["outputs"] = result
        return result

    call_id, caller = uuid.uuid4().hex, ACTIVE_CALL_ID.get()
    _call_handlers(callbacks, "on_tool_start", call_id=call_id, instance=tool, inputs={"kwargs": args})
    ACTIVE_CALL_ID.set(call_id)
    try:
        yield record_outputs
    except BaseException as error:
        ended["exception"] = error
        raise
    finally:
        ACTIVE_CALL_ID.set(caller)
        _call_handlers(callbacks, "on_tool_end", call_id=call_id, **ended)


def _call_handlers(callbacks: list[Any], handler: str, **what: Any) -> None:
    for callback in callbacks:
        try:
            getattr(callback, handler)(**what)
        except Exception as error:  # as dspy has it: who listens doesn't disturb
            _LOG.warning("Error when calling callback %s: %s", callback, error)
