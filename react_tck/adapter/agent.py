"""A decorated class as it is driven: an instance of the class for every agent that is built."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Mapping, Sequence
from typing import Any, Callable  # noqa: UP035 - Python 3.9

from react_tck.adapter.lm import LM
from react_tck.adapter.results import Notice, Outcome, make_error_outcome, make_outcome
from react_tck.adapter.task import Task
from react_tck.adapter.tools import INTERRUPTIONS, Decorate, TaskTool, Tools
from react_tck.adapter.values import AdapterBroken, Caller, as_json_value, describe_error

#: Asks the kit: `chat`, `endpoint`, or `run`. In the kit's process it is a function, elsewhere a route over HTTP.
Ask = Callable[[str, dict[str, Any]], dict[str, Any]]


class OperationMissing(Exception):
    """The class doesn't define what it is asked for; the message says what that is."""


class BuiltAgent:
    """An agent that has been built of a signature, tools and options, as the wire has them (docs/PROTOCOL.md)."""

    def __init__(
        self,
        made: type,
        params: Mapping[str, Any],
        ask: Ask,
        caller: Caller,
        raised: Callable[[Exception], object] = lambda _: None,
        decorate: Decorate = lambda function: function,
    ) -> None:
        if not hasattr(made, "build"):
            raise ValueError(f"{made.__name__} is a parser, and no agent")
        self._raised = raised
        self._caller = caller
        self._options = params["options"]
        #: The very history that each call has returned, in their order; None where it gave none.
        self._histories: list[Any] = []
        self._is_interrupted = False
        tools = [TaskTool(tool, self._make_runner(at, ask), decorate) for at, tool in enumerate(params["tools"])]
        self._agent: Any = made()
        caller.note_object("the tools", [tool.function for tool in tools])
        self._agent.build(Task(params["signature"], self._options, caller.note_object), Tools(tools), LM(ask))

    def call(self, params: Mapping[str, Any]) -> Outcome:
        """Call it in the mode that is asked for; a class that is asynchronous only, in a loop of its own."""
        if self._is_async(params["mode"], "call"):
            return self._end(lambda: asyncio.run(self.acall(params)))
        inputs, keywords = self._prepare_call(self._agent.call, params)
        self._histories.append(None)
        return self._end(lambda: self._run_operation("call", lambda: self._agent.call(inputs, **keywords)))

    async def acall(self, params: Mapping[str, Any]) -> Outcome:
        """Call it in the event loop that runs."""
        inputs, keywords = self._prepare_call(self._agent.acall, params)
        self._histories.append(None)
        try:
            result = await self._agent.acall(inputs, **keywords)
        except Exception as error:
            self._raised(error)
            return make_error_outcome(error)
        return self._record_result("acall", result)

    def resume(self, params: Mapping[str, Any]) -> Outcome:
        """Go on with a suspended call; here that may be the first of all."""
        given = (params["suspension"], params["response"])
        if self._is_async(params["mode"], "resume"):
            return self._end(lambda: self._run_operation("aresume", lambda: asyncio.run(self._agent.aresume(*given))))
        return self._end(lambda: self._run_operation("resume", lambda: self._agent.resume(*given)))

    def status(self, confirmation_id: str) -> str:
        """Return what became of a confirmation.

        Raises:
            OperationMissing: if the class doesn't say.
        """
        if not hasattr(self._agent, "status"):
            raise OperationMissing(f"{type(self._agent).__name__} has no `status(confirmation_id)`")
        return str(self._agent.status(confirmation_id))

    def describe(self) -> Any:
        """Its tools and signatures, as the class tells them."""
        return as_json_value(self._agent.describe())

    def list_notices(self) -> Sequence[Notice]:
        """Return what its library's callbacks have been told.

        Raises:
            AdapterBroken: if those are no notices.
        """
        said = self._agent.heard()
        if not isinstance(said, Sequence) or not all(isinstance(each, Notice) for each in said):
            raise AdapterBroken(
                f"{_name_method(self._agent, 'heard')} returned {said!r}; return a list of react_tck.Notice"
            )
        return said

    def dump(self) -> Any:
        """Return the agent's state as JSON, as the `dump` of the user's class gives it; `load` takes it back."""
        return as_json_value(self._agent.dump())

    def load(self, state: Any) -> None:
        """Take over what was saved."""
        self._agent.load(state)

    def _make_runner(self, at: int, ask: Ask) -> Callable[[dict[str, Any]], dict[str, Any]]:
        def ask_for_run(asked: dict[str, Any]) -> dict[str, Any]:
            said = ask("run", {"tool": at, **asked})
            self._is_interrupted = self._is_interrupted or said["do"] == "interrupt"
            return said

        return ask_for_run

    def _end(self, operation: Callable[[], Outcome]) -> Outcome:
        """Return what a call comes to: a tool's interruption is its outcome, and anybody else's ends the run."""
        try:
            return operation()
        except tuple(INTERRUPTIONS.values()) as interruption:
            if not self._is_interrupted:
                raise
            return make_error_outcome(interruption)

    def _is_async(self, mode: str, method: str) -> bool:
        """Whether a call in this mode goes to the asynchronous one of two methods."""
        return hasattr(self._agent, f"a{method}") and (mode == "async" or not hasattr(self._agent, method))

    def _prepare_call(
        self, method: Callable[..., Any], params: Mapping[str, Any]
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        inputs: dict[str, Any] = dict(params["inputs"])
        self._caller.note_object("the inputs", inputs)
        history: Any = None if params["history"] is None else list(params["history"])
        if params["follows"] is not None:
            history = self._histories[params["follows"]]
        if history is not None:
            self._caller.note_object("the history", history)
        adapter = params["adapter"] or self._options["adapter"]
        given = {"max_steps": params["max_steps"], "history": history, "adapter": adapter}
        return inputs, select_arguments(method, given)

    def _run_operation(self, method: str, operation: Callable[[], Any]) -> Outcome:
        try:
            result = operation()
        except Exception as error:
            self._raised(error)
            return make_error_outcome(error)
        return self._record_result(method, result)

    def _record_result(self, method: str, result: object) -> Outcome:
        self._histories[-1:] = [getattr(result, "history", None)]
        return make_outcome(result, _name_method(self._agent, method))


def read_reply(made: type, params: Mapping[str, Any], typed: Sequence[str]) -> dict[str, Any]:
    """Have the parser of a class read a reply; an error goes by the first of its classes that is typed.

    Raises:
        AdapterBroken: if it returns no fields.
    """
    try:
        parser: Any = made()
        given = select_arguments(parser.parse, {"dialect": params["dialect"]})
        found = parser.parse(params["reply"]["content"] or "", dict(params["fields"]), **given)
    except Exception as error:
        return tell_parse_error(error, typed)
    if not isinstance(found, Mapping):
        raise AdapterBroken(f"{_name_method(parser, 'parse')} returned {found!r}; return the fields by name, or raise")
    return {"fields": as_json_value(dict(found))}


def tell_parse_error(error: Exception, typed: Sequence[str]) -> dict[str, Any]:
    """Return what a parser raised, by the first of its classes that is among the typed ones."""
    names = [ancestor.__name__ for ancestor in type(error).__mro__]
    name = next((name for name in names if name in typed), names[0])
    return {"error": {**describe_error(error), "type": name}}


def select_arguments(method: Callable[..., Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the method takes of this; what isn't given it has a default for."""
    parameters = inspect.signature(method).parameters
    return {name: value for name, value in given.items() if name in parameters and value is not None}


def _name_method(agent: object, method: str) -> str:
    return f"{type(agent).__name__}.{method}"
