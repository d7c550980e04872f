"""What a call of a user's class returns, and the outcome that it is."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Union

from react_tck.adapter.values import AdapterBroken, NotJson, as_json_value, describe_error, require_json_value

_FORMATS = {str: "text", dict: "mapping", list: "list", type(None): "none"}
_DUE = "return react_tck.Done(outputs), react_tck.Exhausted(steps=…), or raise what your library raises"

#: The trajectory as a library exposes it: an object a step, one object with numbered keys (`thought_0`), or a text.
Steps = Union[Sequence[Mapping[str, Any]], Mapping[str, Any], str]  # noqa: UP007 - Python 3.9


class Notice(NamedTuple):
    """What a callback of your library's was told of: that a tool's run, or the reading of a reply, is over.

    Attributes:
        what: `tool` or `reading`.
        name: the tool's, or that of what read the reply.
    """

    what: str
    name: str


@dataclass(frozen=True)
class Done:
    """The call has its answer.

    >>> import react_tck
    >>> react_tck.Done({"answer": 5}, steps=[{"tool": "add", "args": {"a": 2, "b": 3}, "observation": 5}]).outputs
    {'answer': 5}

    Attributes:
        outputs: the signature's outputs by name, and nothing else, as JSON or as models with a `model_dump`. What is
            neither is refused, with its place; a number that JSON hasn't (`nan`) is told as text.
        steps: the trajectory as your library exposes it, unchanged, if it does (capability `trajectory`): a list of
            objects, an object with numbered keys, or a text.
        history: what the next call is to go on from (capabilities `conversation` and `transcript`), which is handed it
            as the very object: a list, or what has one as its `messages`.
        termination: why it stopped, in your library's own word, if it has one.
    """

    outputs: Mapping[str, Any]
    steps: Steps | None = None
    history: Any = None
    termination: str | None = None


@dataclass(frozen=True)
class Exhausted:
    """The steps have run out, and there is no answer.

    Attributes:
        steps: the trajectory so far, as `Done` has it.
        message: what the error says.
    """

    steps: Steps | None = None
    message: str = "the steps have run out"


@dataclass(frozen=True)
class Suspended:
    """The call waits for a person (capability `confirmation`).

    Attributes:
        suspension: what `resume` is given back: `question`, `confirmation_id`, `tool_call` with name, args and call id,
            `context` with the trajectory, the iteration and the inputs, and whatever else you need beside these.
    """

    suspension: Mapping[str, Any]


#: An outcome as the wire has it (docs/PROTOCOL.md).
Outcome = dict[str, Any]


def make_error_outcome(error: BaseException) -> Outcome:
    """Return the outcome of a call that raised."""
    return {"status": "error", "error": describe_error(error)}


def make_outcome(result: object, where: str) -> Outcome:
    """Return the outcome that a result is; `where` is the method that returned it.

    Raises:
        AdapterBroken: if it is none, with what would be.
    """
    if isinstance(result, Done):
        return {"status": "ok", **_describe_done(result, where), **_describe_steps(result.steps, where)}
    if isinstance(result, Exhausted):
        error = {"type": "Exhausted", "message": str(result.message)}
        return {"status": "error", "error": error, **_describe_steps(result.steps, where)}
    if isinstance(result, Suspended):
        if isinstance(result.suspension, Mapping):
            return {"status": "suspended", "suspension": as_json_value(dict(result.suspension))}
        raise AdapterBroken(
            f"{where} returned react_tck.Suspended of {_describe_value(result.suspension)}; it is a mapping"
        )
    if inspect.iscoroutine(result):
        result.close()
        raise AdapterBroken(f"{where} returned a coroutine, which nobody awaits; define it as `async def acall`")
    wrap = "; put it into react_tck.Done" if isinstance(result, Mapping) else ""
    raise AdapterBroken(f"{where} returned {_describe_value(result)}{wrap}; {_DUE}")


def _describe_done(result: Done, where: str) -> Outcome:
    if not isinstance(result.outputs, Mapping):
        wrong = f"whose outputs are {_describe_value(result.outputs)}; they are a mapping from the outputs' names to"
        raise AdapterBroken(f"{where} returned react_tck.Done {wrong} values")
    try:
        outputs = require_json_value(dict(result.outputs), "outputs")
    except NotJson as error:
        raise AdapterBroken(f"{where} returned react_tck.Done whose {error}; give what JSON has") from error
    return {"outputs": outputs, "history": _list_entries(result.history), "termination": result.termination}


def _list_entries(history: object) -> Any:
    """Return the history as JSON: the list in its `messages`, or the value itself where it has none."""
    told = as_json_value(history)
    return told["messages"] if isinstance(told, dict) and "messages" in told else told


def _describe_steps(steps: Any, where: str) -> Outcome:
    told = as_json_value(steps)
    if type(told) not in _FORMATS or (steps is not None and not isinstance(steps, (str, Mapping, Sequence))):
        raise AdapterBroken(
            f"{where} returned {_describe_value(steps)} as steps; they are a list of objects, an object or text"
        )
    return {"trajectory": told, "trajectory_format": _FORMATS[type(told)]}


def _describe_value(value: object) -> str:
    """Return the value, short; what it is, where that doesn't show."""
    if value is None:
        return "None"
    text = repr(value)
    kind = "a text" if isinstance(value, str) else f"a {type(value).__name__}"
    return f"{kind}, {text if len(text) < 60 else f'{text[:60]}…'}"
