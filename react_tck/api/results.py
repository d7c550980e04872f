"""What a call of a user's class returns, and the outcome that it is."""

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from react_tck.model.outcome import Failure, Outcome, TrajectoryFormat
from react_tck.subjects.api import HarnessBroken
from react_tck.subjects.python import NotJson, as_json_value, require_json_value

#: The trajectory as a library exposes it: an object a step, one object with numbered keys (`thought_0`), or a text.
Steps = Sequence[Mapping[str, Any]] | Mapping[str, Any] | str

_FORMATS: Mapping[type, TrajectoryFormat] = {str: "text", dict: "mapping", list: "list", type(None): "none"}
_DUE = "return react_tck.Done(outputs), react_tck.Exhausted(steps=…), or raise what your library raises"


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


Result = Done | Exhausted | Suspended


def outcome_of(result: object, where: str) -> Outcome:
    """Return the outcome that a result is; `where` is the method that returned it.

    Raises:
        HarnessBroken: if it is none, with what would be.
    """
    match result:
        case Done(outputs=Mapping() as outputs):
            return Outcome(
                status="ok",
                outputs=_read_outputs(outputs, where),
                history=_list_entries(result.history),
                termination=result.termination,
                **_describe_steps(result.steps, where),
            )
        case Exhausted():
            error = Failure(type="Exhausted", message=str(result.message))
            return Outcome(status="error", error=error, **_describe_steps(result.steps, where))
        case Suspended(suspension=Mapping() as suspension):
            return Outcome(status="suspended", suspension=as_json_value(dict(suspension)))
        case Done():
            shown = _describe_value(result.outputs)
            wrong = f"whose outputs are {shown}; they are a mapping from the outputs' names to values"
            raise HarnessBroken(f"{where} returned react_tck.Done {wrong}")
        case Suspended():
            raise HarnessBroken(
                f"{where} returned react_tck.Suspended of {_describe_value(result.suspension)}; it is a mapping"
            )
    if inspect.iscoroutine(result):
        result.close()
        raise HarnessBroken(f"{where} returned a coroutine, which nobody awaits; define it as `async def acall`")
    wrap = "; put it into react_tck.Done" if isinstance(result, Mapping) else ""
    raise HarnessBroken(f"{where} returned {_describe_value(result)}{wrap}; {_DUE}")


def _read_outputs(outputs: Mapping[str, Any], where: str) -> Any:
    try:
        return require_json_value(dict(outputs), "outputs")
    except NotJson as error:
        raise HarnessBroken(f"{where} returned react_tck.Done whose {error}; give what JSON has") from error


def _list_entries(history: object) -> Any:
    """Return the history as JSON: the list in its `messages`, or the value itself where it has none."""
    told = as_json_value(history)
    return told["messages"] if isinstance(told, dict) and "messages" in told else told


def _describe_steps(steps: Steps | None, where: str) -> dict[str, Any]:
    told = as_json_value(steps)
    if type(told) not in _FORMATS or (steps is not None and not isinstance(steps, str | Mapping | Sequence)):
        raise HarnessBroken(
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
