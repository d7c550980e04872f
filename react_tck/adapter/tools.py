"""The kit's tools as a user's class gets them. What a run does, the kit says when it is asked; here it is done."""

from __future__ import annotations

import asyncio
import copy
import inspect
from collections.abc import AsyncGenerator, AsyncIterator, Coroutine, Generator, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Callable, TypeVar, overload  # noqa: UP035 - Python 3.9

from react_tck.adapter.functions import fits_annotation, make_callable, make_python_signature
from react_tck.adapter.values import as_json_value

#: What a tool that changes things leaves in its args, and in what it returned earlier (TRJ-006).
CHANGED_BY_TOOL = "changed by the tool"
CHANGED_LATER = "changed after it was returned"
#: What ends a thread or a task from outside, by name (ERR-015).
INTERRUPTIONS: dict[str, type[BaseException]] = {
    "KeyboardInterrupt": KeyboardInterrupt,
    "CancelledError": asyncio.CancelledError,
}

Made = TypeVar("Made", bound=Callable[..., Any])
#: Asks the kit what a run with these args does.
AskRun = Callable[[dict[str, Any]], dict[str, Any]]
#: Makes another function of a tool's: one that lets several calls meet first.
Decorate = Callable[[Callable[..., Any]], Callable[..., Any]]


class ToolFailure(Exception):
    """What a tool scripted to raise raises."""


class PersonNeeded(ToolFailure):
    """What a tool scripted to ask a person raises, where nobody says what else it is."""


class TaskTool:
    """One tool.

    Attributes:
        name: what the LM calls it by.
        description: a sentence.
        parameters: the JSON Schema of its args, an object.
        is_async: whether `function` is a coroutine function (capability `async-tools`).
        confirm: whether it may run only after a person has agreed (capability `confirmation`).
        function: the tool as a user would have written it: a function with parameters, types and defaults; or, with
            the capability `callable-tools`, a method or a callable object.
        is_declared: whether `function` takes args of any name, which `parameters` alone declare (capability
            `declared-tools`): give your library both.
        asking_error: what the tool raises to ask a person a question, made of that text (CNF-016): set your library's
            own, with the capability `confirmation`.
    """

    def __init__(
        self, described: Mapping[str, Any], ask: AskRun, decorate: Decorate = lambda function: function
    ) -> None:
        self._ask = ask
        self._returned: list[list[Any]] = []
        self.name: str = described["name"]
        self.description: str = described["description"]
        self.parameters: dict[str, Any] = dict(described["parameters"])
        self.is_async: bool = described["is_async"]
        self.confirm: bool = described["confirm"]
        self.asking_error: Callable[[str], Exception] = PersonNeeded
        self.is_declared: bool = described["callable_form"] == "declared"
        self._signature = make_python_signature(described)
        self.function: Callable[..., Any] = decorate(make_callable(described, self._signature, self._run_from_python))

    @property
    def schema(self) -> dict[str, Any]:
        """The tool as OpenAI's API is offered it."""
        described = {"name": self.name, "description": self.description, "parameters": self.parameters}
        return {"type": "function", "function": described}

    def run(self, args: dict[str, Any]) -> Any:
        """Run it with args as the LM wrote them, and give its result.

        Raises:
            Exception: whatever the tool raises.
        """
        # The kit holds them against the schema.
        return self._run(args, None, dict.get)

    def _run_from_python(self, args: dict[str, Any]) -> Any:
        return self._run(args, [name for name, value in args.items() if not self._fits(name, value)], getattr)

    def _run(self, args: dict[str, Any], misfits: list[str] | None, field_of: Callable[[Any, str], Any]) -> Any:
        asked: dict[str, Any] = {"args": as_json_value(args), "misfits": misfits}
        failed: Exception | None = None
        if self._has_models:
            try:
                asked["read"] = as_json_value(self._read_args(args, field_of))
            except (AttributeError, LookupError, TypeError) as error:
                failed = error
                asked["unread"] = str(error)
        said = self._ask(asked)
        if said["do"] == "fail to read" and failed:
            raise failed
        if said["do"] == "ask":
            raise self.asking_error(said["question"])
        return perform_run(said, args, self._returned)

    def _fits(self, name: str, value: Any) -> bool:
        parameter = self._signature.parameters.get(name)
        if parameter is None or parameter.annotation is parameter.empty or value == parameter.default:
            return True
        return fits_annotation(value, parameter.annotation)

    @cached_property
    def _has_models(self) -> bool:
        return any(map(_declares_model, self._properties.values()))

    @property
    def _properties(self) -> Mapping[str, Any]:
        return self.parameters.get("properties") or {}

    def _read_args(self, args: dict[str, Any], field_of: Callable[[Any, str], Any]) -> dict[str, Any]:
        return {name: _read_model(arg, self._properties.get(name), field_of) for name, arg in args.items()}


def perform_run(said: Mapping[str, Any], args: dict[str, Any], returned: list[list[Any]]) -> Any:
    """Do what the kit says: give the result, change args and what was `returned` earlier, or raise.

    Raises:
        ToolFailure: if that is what the tool does; or what interrupts it.
    """
    done = said["do"]
    if done == "raise":
        raise ToolFailure(said["message"])
    if done == "ask":
        raise PersonNeeded(said["question"])
    if done == "interrupt":
        raise INTERRUPTIONS[said["by"]]
    if done == "oddity":
        return make_oddity(said["oddity"], said["results"])
    if done == "mutate":
        for earlier in returned:
            earlier.append(CHANGED_LATER)
        for value in args.values():
            _change_lists(value)
        returned.append([said["report"]])
        return returned[-1]
    return said["value"]


def _change_lists(value: Any) -> None:
    """Append to every list inside the value."""
    if isinstance(value, dict):
        for inner in value.values():
            _change_lists(inner)
    elif isinstance(value, list):
        value.append(CHANGED_BY_TOOL)


def _declares_model(schema: Any) -> bool:
    """Whether a value has fields of its own, or holds one that has."""
    if not isinstance(schema, dict):
        return False
    inside = (*schema.get("anyOf", ()), schema.get("items"), schema.get("additionalProperties"))
    return isinstance(schema.get("properties"), dict) or any(map(_declares_model, inside))


def _read_model(value: Any, schema: Any, field_of: Callable[[Any, str], Any]) -> Any:
    """Return the value as the tool reads it: of a model the fields that it declares."""
    declared = schema if isinstance(schema, dict) else {}
    if "anyOf" in declared and value is not None:
        inner = next(each for each in declared["anyOf"] if each != {"type": "null"})
        return _read_model(value, inner, field_of)
    if isinstance(declared.get("properties"), dict):
        return {
            name: _read_model(field_of(value, name), inner, field_of) for name, inner in declared["properties"].items()
        }
    if "items" in declared:
        return [_read_model(each, declared["items"], field_of) for each in value]
    if isinstance(declared.get("additionalProperties"), dict):
        return {name: _read_model(each, declared["additionalProperties"], field_of) for name, each in value.items()}
    return value


class Tools(Sequence[TaskTool]):
    """The tools of a task, in order; two of them may have one name."""

    def __init__(self, tools: Sequence[TaskTool]) -> None:
        self._tools = tuple(tools)

    @overload
    def __getitem__(self, index: int) -> TaskTool: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[TaskTool]: ...

    def __getitem__(self, index: int | slice) -> TaskTool | Sequence[TaskTool]:
        return self._tools[index]

    def __len__(self) -> int:
        return len(self._tools)

    def __iter__(self) -> Iterator[TaskTool]:
        return iter(self._tools)

    def as_functions(self) -> list[Callable[..., Any]]:
        """Functions with names, docstrings, types and defaults, as users write tools."""
        return [tool.function for tool in self._tools]

    def as_schemas(self) -> list[dict[str, Any]]:
        """Return what OpenAI's API takes as `tools`."""
        return [tool.schema for tool in self._tools]


class _Odd:
    """A value of a class of nobody's."""

    def __repr__(self) -> str:
        return "<odd>"


_VALUES: dict[str, Any] = {"bytes": b"\x00\xff", "object": _Odd(), "set": {1}, "nan": float("nan")}


def _generate_results(results: list[Any]) -> Generator[Any, None, None]:
    yield from results


async def _async_generator(results: list[Any]) -> AsyncGenerator[Any, None]:
    for result in results:
        yield result


async def _return_results(results: list[Any]) -> list[Any]:
    return results


_DEFERRED: dict[str, Any] = {
    "generator": _generate_results,
    "iterator": iter,
    "async generator": _async_generator,
    "coroutine": _return_results,
}


def make_oddity(name: str, results: list[Any]) -> Any:
    """Return what is handed back; only what is deferred comes to the results."""
    return _DEFERRED[name](results) if name in _DEFERRED else copy.deepcopy(_VALUES[name])


def find_value(name: str, results: list[Any]) -> Any:
    """Return the value that the oddity is, or comes to."""
    return results if name in _DEFERRED else _VALUES[name]


def settle_result(result: Any) -> Any:
    """Consume or await a tool's result if it has to be: behind a wire nobody else can. Nothing of it ever waits."""
    if isinstance(result, Coroutine):
        return _await_result(result)
    if isinstance(result, AsyncIterator):
        return list(_drain_results(result))
    return list(result) if isinstance(result, Iterator) else result


def _await_result(coroutine: Any) -> Any:
    try:
        coroutine.send(None)
    except StopIteration as stop:
        return stop.value
    raise RuntimeError("a tool of the kit's waits for something")


def _drain_results(results: AsyncIterator[Any]) -> Iterator[Any]:
    while True:
        try:
            yield _await_result(results.__anext__())
        except StopAsyncIteration:
            return


#: By name: a function, or a class of which it is a method.
TEAM_TOOLS: dict[str, Callable[..., Any]] = {}


def tool(made: Made) -> Made:
    """Make a function of yours a tool of your own features; of a class, each method without `_` before its name.

    It stands in your `conftest.py`, or in what that imports. A scenario names it as it names the kit's tools, and its
    runs run your function in the kit's process, whatever the agent runs in, unless the scenario says what it returns.

    >>> import react_tck
    >>> @react_tck.tool
    ... def lookup_order(number: int) -> dict[str, str]:
    ...     return {"state": "sent"}

    The LM is told the docstring, and the args by their annotations. What it returns comes to the agent as JSON, what it
    raises as an error with the same text; an async function is awaited. What a function remembers stays for the next
    scenario: of a class there is a new instance whenever a scenario is played.
    """
    if isinstance(made, type):
        methods = (name for name, each in vars(made).items() if inspect.isfunction(each))
        TEAM_TOOLS.update((name, made) for name in methods if not name.startswith("_"))
    else:
        TEAM_TOOLS[made.__name__] = made
    return made
