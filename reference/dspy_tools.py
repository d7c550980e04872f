"""dspy's tools and callbacks: a user's tool as `dspy.Tool` has it, and who is told of its runs (OBS-001)."""

import logging
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import dspy
from dspy.utils.callback_context import ACTIVE_CALL_ID
from pydantic import PrivateAttr, TypeAdapter

from react_tck.reference.tools import BoundTool, bind_tool

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


class AgentTool(dspy.Tool):
    """A `dspy.Tool` that is run as the agent runs it, whoever calls it."""

    _bound: BoundTool = PrivateAttr()

    @property
    def bound(self) -> BoundTool:
        """The bound tool that every call of this one runs, with its validation of args."""
        return self._bound

    @property
    def description(self) -> str:
        """The name that udspy has for `desc`. dspy asks only its own types for a description of the type."""
        return self._bound.description

    @property
    def require_confirmation(self) -> bool:
        """Whether a person has to agree before it runs, whichever agent it is given to."""
        return self._bound.require_confirmation

    def __call__(self, **args: Any) -> Any:
        """Run it with args as the LM writes them. Raises ArgsRefused."""
        with notify_callbacks(self, args) as tell:
            return tell(self._bound.invoke(self._bound.convert_args(args)))

    async def acall(self, **args: Any) -> Any:
        """Run it as `__call__` does, in the event loop that runs. Raises ArgsRefused."""
        with notify_callbacks(self, args) as tell:
            return tell(await self._bound.ainvoke(self._bound.convert_args(args)))


def as_dspy(tool: BoundTool) -> AgentTool:
    """Return the tool as dspy's. Not validated, for it has been: its function, its name and the schema of its args."""
    made: AgentTool = AgentTool.model_construct(
        func=tool.function,
        name=tool.name,
        desc=tool.description,
        args=tool.args,
        arg_types=dict(tool.arg_types),
        has_kwargs=True,
    )
    made._bound = tool
    return made


def bound_of(tool: Any) -> BoundTool:
    """Return what is run for a tool, which may be the user's own, or one put in the place of another."""
    return tool.bound if isinstance(tool, AgentTool) else bind_tool(tool)


def hold_tools(bound: Mapping[str, BoundTool], own: Iterable[Any]) -> dict[str, Any]:
    """Return the tools by name: the user's objects that are bound as they stand, else tools of the agent's."""
    named = {tool.name: tool for tool in own}
    return {
        name: named[name] if name in named and bound_of(named[name]) == tool else as_dspy(tool)
        for name, tool in bound.items()
    }


def has_own_call(tool: Any, method: str) -> bool:
    """Tell whether the class of a user's tool says itself what a call does, by `__call__` or `acall`."""
    if isinstance(tool, AgentTool) or not isinstance(tool, dspy.Tool):
        return False
    return getattr(type(tool), method) is not getattr(dspy.Tool, method)


def has_custom_types(result: Any) -> bool:
    """Tell whether a tool's result is, or holds, a value of dspy's own types, such as an image."""
    if isinstance(result, dict):
        return any(map(has_custom_types, result.values()))
    return any(map(has_custom_types, result)) if isinstance(result, list | tuple) else isinstance(result, dspy.Type)


def restore_value(annotation: Any, value: Any) -> Any:
    """Return an input of this type as it was before it became JSON.

    A value of dspy's own types, such as an image, stays the text that it became: dspy makes parts of messages of it.
    """
    if dspy.Type.extract_custom_type_from_annotation(annotation):
        return value
    return TypeAdapter(annotation).validate_python(value)
