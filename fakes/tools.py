"""Tools the kit owns: they do what they are scripted to, and every run is journalled."""

import asyncio
import copy
import math
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine, Generator, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from inspect import Signature
from typing import Any, NamedTuple, assert_never

from jsonschema import Draft202012Validator
from pydantic import BaseModel, JsonValue, TypeAdapter, ValidationError

from react_tck.fakes.callables import python_signature
from react_tck.fakes.journal import Journal
from react_tck.model.base import JsonObject
from react_tck.model.episode import Episode
from react_tck.model.record import ToolRan
from react_tck.model.tool import Behaviour, Interrupts, Mutates, Raises, Reads, Reports, Returns, ReturnsOddity, Tool


class _Odd:
    """A value of a class of nobody's."""

    def __repr__(self) -> str:
        return "<odd>"


_VALUES: Mapping[str, Any] = {"bytes": b"\x00\xff", "object": _Odd(), "set": {1}, "nan": float("nan")}


def _generate_results(results: list[Any]) -> Generator[Any]:
    yield from results


async def _async_generator(results: list[Any]) -> AsyncGenerator[Any]:
    for result in results:
        yield result


async def _return_results(results: list[Any]) -> list[Any]:
    return results


_DEFERRED: Mapping[str, Callable[[list[Any]], Any]] = {
    "generator": _generate_results,
    "iterator": iter,
    "async generator": _async_generator,
    "coroutine": _return_results,
}


def make_oddity(name: str, results: list[Any]) -> tuple[Any, Any]:
    """Return what is handed back, and the value it is or comes to; only what is deferred comes to the results."""
    if name in _DEFERRED:
        return _DEFERRED[name](results), results
    return copy.deepcopy(_VALUES[name]), _VALUES[name]


def settle_result(result: Any) -> Any:
    """Return a tool's result, consumed or awaited if it has to be: behind a wire nobody else can. Nothing waits."""
    if isinstance(result, Coroutine):
        return _await_result(result)
    if isinstance(result, AsyncIterator):
        return list(_drain_results(result))
    return list(result) if isinstance(result, Iterator) else result


def _await_result(coroutine: Coroutine[Any, Any, Any]) -> Any:
    try:
        coroutine.send(None)
    except StopIteration as stop:
        return stop.value
    raise RuntimeError("a tool of the kit's waits for something")


def _drain_results(results: AsyncIterator[Any]) -> Iterator[Any]:
    while True:
        try:
            yield _await_result(results.__anext__())  # type: ignore[arg-type]
        except StopAsyncIteration:
            return


#: What a tool that changes things leaves in its args, and in what it returned earlier (TRJ-006).
CHANGED_BY_TOOL = "changed by the tool"
CHANGED_LATER = "changed after it was returned"
#: What ends a thread or a task from outside, by name (ERR-015).
INTERRUPTIONS: Mapping[str, type[BaseException]] = {
    "KeyboardInterrupt": KeyboardInterrupt,
    "CancelledError": asyncio.CancelledError,
}


class ToolFailure(Exception):
    """What a tool scripted to raise raises."""


class ScriptedTool:
    """One tool of one episode. Its n-th run shows the n-th behaviour, the last one again and again."""

    def __init__(self, tool: Tool, behaviours: tuple[Behaviour, ...], journal: Journal, nonce: str) -> None:
        self.tool = tool
        self._behaviours = behaviours or (Reports(),)
        self._journal = journal
        self._nonce = nonce
        self._runs = 0
        self._returned: list[Any] = []

    @cached_property
    def signature(self) -> Signature:
        """The one signature the subject sees and args are held against: each has model classes of its own."""
        return python_signature(self.tool)

    def run(self, args: dict[str, Any]) -> Any:
        """Run the tool once with args that came as JSON.

        Raises:
            ToolFailure: if it is scripted to; or what interrupts it.
        """
        misfits = tuple(name for name, value in args.items() if not self._is_valid(name, value))
        return self._run_once(args, misfits, dict.get)

    def call(self, args: dict[str, Any]) -> Any:
        """Run the tool once with args that came as Python values.

        Raises:
            ToolFailure: if it is scripted to; or what interrupts it.
        """
        return self._run_once(
            args, tuple(name for name, value in args.items() if not self._fits_type(name, value)), getattr
        )

    def refuse(self, sent: str) -> None:
        """Note a run that comes to nothing: what was sent is no JSON object."""
        error = "the args are not a JSON object"
        ran = ToolRan(invocation=self._journal.invocation, tool=self.tool.name, args={}, error=error, refused=sent)
        self._journal.add_event(ran)

    def _run_once(self, args: dict[str, Any], misfits: tuple[str, ...], field_of: Callable[[Any, str], Any]) -> Any:
        behaviour = self._behaviours[min(self._runs, len(self._behaviours) - 1)]
        self._runs += 1
        ran = ToolRan(invocation=self._journal.invocation, tool=self.tool.name, args=_as_json(args), misfits=misfits)
        if isinstance(behaviour, Raises):
            self._journal.add_event(ran.model_copy(update={"error": behaviour.message}))
            raise ToolFailure(behaviour.message)
        if isinstance(behaviour, Interrupts):
            self._journal.add_event(ran.model_copy(update={"interrupted": True}))
            raise INTERRUPTIONS[behaviour.by]
        if isinstance(behaviour, Reads):
            try:
                behaviour = Returns(value={n: _read_model(arg, self._schema(n), field_of) for n, arg in args.items()})
            except (AttributeError, LookupError, TypeError) as error:
                self._journal.add_event(ran.model_copy(update={"error": f"{type(error).__name__}: {error}"}))
                raise
        result, value = self._make_result(behaviour, args)
        odd = isinstance(behaviour, ReturnsOddity)
        self._journal.add_event(ran.model_copy(update={"result": _as_json(value), "odd": odd}))
        return result

    def _make_result(
        self, behaviour: Returns | ReturnsOddity | Mutates | Reports, args: dict[str, Any]
    ) -> tuple[Any, Any]:
        """Return what is handed back, and the value that it is: only of an oddity it is another."""
        match behaviour:
            # Copies: a subject that changes what it got must not change what the next run returns.
            case ReturnsOddity(oddity=name):
                return make_oddity(name, [self.write_report(self._runs)])
            case Returns(value=value):
                result: Any = copy.deepcopy(value)
            case Reports():
                result = self.write_report(self._runs)
            case Mutates():
                result = self._mutate_args(args)
            case _:
                assert_never(behaviour)
        return result, result

    def write_report(self, run: int) -> str:
        """Return what the default behaviour returns from its n-th run."""
        return f"{self.tool.name} result {run} ~{self._nonce}"

    def _is_valid(self, name: str, value: Any) -> bool:
        schema = self._schema(name)
        return isinstance(schema, dict) and Draft202012Validator(schema).is_valid(value)

    def _schema(self, name: str) -> JsonValue:
        properties = self.tool.parameters.get("properties")
        return properties.get(name) if isinstance(properties, dict) else None

    def _fits_type(self, name: str, value: Any) -> bool:
        parameter = self.signature.parameters.get(name)
        if parameter is None or parameter.annotation is parameter.empty or value == parameter.default:
            return True
        try:
            read = TypeAdapter(parameter.annotation).validate_python(value, strict=True)
        except ValidationError:
            return False
        # Even strictly, pydantic reads a mapping as a model.
        return bool(read == value)

    def _mutate_args(self, args: dict[str, Any]) -> list[str]:
        for earlier in self._returned:
            earlier.append(CHANGED_LATER)
        for value in args.values():
            _change_lists(value)
        result = [self.write_report(self._runs)]
        self._returned.append(result)
        return result


def scripted_tools(episode: Episode, journal: Journal) -> tuple[ScriptedTool, ...]:
    """Return the tools of an episode."""
    return tuple(
        ScriptedTool(tool, episode.behaviours.get(tool.name, ()), journal, episode.nonce) for tool in episode.case.tools
    )


def _read_model(value: Any, schema: JsonValue, field_of: Callable[[Any, str], Any]) -> Any:
    """Return the value as the tool reads it: of a model the fields that it declares."""
    match schema:
        case {"anyOf": [*members]} if value is not None:
            return _read_model(value, next(each for each in members if each != {"type": "null"}), field_of)
        case {"properties": dict() as fields}:
            return {name: _read_model(field_of(value, name), inner, field_of) for name, inner in fields.items()}
        case {"items": items}:
            return [_read_model(each, items, field_of) for each in value]
        case {"additionalProperties": dict() as inner}:
            return {name: _read_model(each, inner, field_of) for name, each in value.items()}
    return value


def _change_lists(value: Any) -> None:
    """Append to every list inside the value."""
    if isinstance(value, dict):
        for inner in value.values():
            _change_lists(inner)
    elif isinstance(value, list):
        value.append(CHANGED_BY_TOOL)


def _as_json(value: Any) -> JsonValue | Any:
    """Return a copy of the value as JSON; what JSON can't hold is shown as Python writes it."""
    match value:
        case None | bool() | int() | str():
            return value
        case float():
            return value if math.isfinite(value) else str(value)
        case BaseModel():
            return _as_json(value.model_dump())
        case dict():
            return {str(key): _as_json(inner) for key, inner in value.items()}
        case list() | tuple():
            return [_as_json(inner) for inner in value]
    return repr(value)


def make_tool(name: str, description: str, parameters: JsonObject) -> Tool:
    """Return a tool with these parameters; those without a default are required."""
    required = [key for key, schema in parameters.items() if isinstance(schema, dict) and "default" not in schema]
    schema: JsonObject = {"type": "object", "properties": parameters, "required": [*required]}
    return Tool(name=name, description=description, parameters=schema)


_PLACE: JsonObject = {
    "title": "Place",
    "type": "object",
    "properties": {"street": {"type": "string"}, "floor": {"type": "integer"}},
    "required": ["street", "floor"],
}

TOOLBOX = {
    tool.name: tool
    for tool in (
        make_tool("add", "Adds two whole numbers.", {"a": {"type": "integer"}, "b": {"type": "integer"}}),
        make_tool("search", "Searches the archive for a phrase.", {"query": {"type": "string"}}),
        make_tool("translate", "Puts a text into another language.", {"text": {"type": "string"}}),
        make_tool("weather", "Reports the weather of a city.", {"city": {"type": "string"}}),
        make_tool("ping", "Checks that the service is up.", {}),
        # For STEP-004: every type, one inside another, and arguments called like words of JSON Schema.
        make_tool(
            "book",
            "Reserves a table.",
            {
                "guests": {"type": "integer"},
                "outdoors": {"type": "boolean"},
                "budget": {"type": "number"},
                "dishes": {"type": "array", "items": {"type": "string"}},
            },
        ),
        make_tool("visit", "Plans a visit.", {"place": _PLACE}),
        make_tool("publish", "Publishes the report.", {"title": {"type": "boolean"}, "default": {"type": "integer"}}),
    )
}


class Alteration(NamedTuple):
    """An object that isn't what it was when it was handed over."""

    what: str
    before: JsonValue
    after: JsonValue


@dataclass
class Caller:
    """Remembers how every object looked when it was handed over."""

    _handed: list[tuple[str, Any, JsonValue]] = field(default_factory=list)

    def note_object(self, what: str, value: Any) -> None:
        """Remember an object that the subject is given."""
        self._handed.append((what, value, portray_value(value)))

    def find_changes(self) -> Iterator[Alteration]:
        """Yield the objects that look different now."""
        for what, value, before in self._handed:
            if (after := portray_value(value)) != before:
                yield Alteration(what, before, after)


def portray_value(value: Any) -> Any:
    """Return a value, class or function as JSON, with all that a subject could change about it."""
    match value:
        case None | bool() | int() | float() | str():
            return value
        case dict():
            return {str(key): portray_value(inner) for key, inner in value.items()}
        case list() | tuple():
            return [portray_value(inner) for inner in value]
        case BaseModel():
            # Some iterate over what they hold, not over their fields.
            return portray_value({**value.__dict__, **(value.model_extra or {})})
        case type():
            return [value.__name__, value.__doc__, repr(getattr(value, "model_fields", value.__annotations__))]
    members = {name: repr(inner) for name, inner in getattr(value, "__dict__", {}).items()}
    return {"type": type(value).__name__, "name": getattr(value, "__name__", ""), "doc": value.__doc__, **members}
