"""A user's tool, made ready once so that a call costs only its own validation."""

import copy
import inspect
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, Literal, NamedTuple, get_type_hints
from weakref import WeakKeyDictionary

from jsonschema import Draft202012Validator
from pydantic import BaseModel, ConfigDict, Field, create_model
from pydantic.fields import FieldInfo

from react_tck.model.base import JsonObject
from react_tck.reference.drive import run_coroutine

#: What is known of functions, and of what is as lasting.
_ARGS: WeakKeyDictionary[Callable[..., Any], "_Args"] = WeakKeyDictionary()


class Lasting:
    """A callable object that never changes: what is known of it is made once, as of functions."""


class ArgsRefused(ValueError):
    """The args don't fit what the tool declares; the tool was not run."""


@dataclass(frozen=True)
class BoundTool:
    """A callable with its name, description and the JSON Schema of its args, by parameter name."""

    name: str
    description: str
    args: JsonObject
    function: Callable[..., Any]
    #: Whether a person has to agree before it runs (S3).
    require_confirmation: bool = False
    #: The type of each arg, for those who read it as `dspy.Tool` has it.
    arg_types: dict[str, Any] = field(default_factory=dict)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function as if it had never become a tool."""
        return self.function(*args, **kwargs)

    def describe_tool(self) -> str:
        """Return how the step prompt shows the tool (STEP-004, TOOL-002)."""
        return (
            f"{self.name}: {self.description}\n  Arguments, as JSON Schema: {json.dumps(self.args, ensure_ascii=False)}"
        )

    def invoke(self, converted: dict[str, Any]) -> Any:
        """Call the function with args that are converted; what it gives is awaited and consumed (TOOL-004, 006)."""
        result = self.function(**converted)
        return (
            run_coroutine(_await_value(result))
            if isinstance(result, Awaitable | AsyncIterator)
            else _consume_result(result)
        )

    async def ainvoke(self, converted: dict[str, Any]) -> Any:
        """Return the same, awaiting in the event loop that runs."""
        return await _await_value(self.function(**converted))

    def convert_args(self, args: JsonObject) -> dict[str, Any]:
        """Return the args as the tool declares them: lossless conversions made, everything else refused (TOOL-001,
        TOOL-017).

        Raises:
            ArgsRefused: if they don't fit.
        """
        # The tool may change what it is given; what the LM said must stay as it was (TRJ-006).
        given = copy.deepcopy(args)
        try:
            model = self._model.model_validate(given)
        except ValueError as error:
            raise ArgsRefused(str(error)) from error
        for name, schema in self._schema_validators.items():
            if name in given and (problem := _find_problem(schema, given[name])):
                raise ArgsRefused(f"{name}: {problem}")
        converted = {name: value for name, value in _map_by_name(model).items() if name in given}
        if lost := next((name for name, value in converted.items() if not _says_the_same(args[name], value)), None):
            raise ArgsRefused(f"{lost}: {args[lost]!r} is not {converted[lost]!r}")
        return converted

    def __getstate__(self) -> dict[str, Any]:
        """Without what is made at the first run: classes that are made can't be pickled."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    @cached_property
    def _model(self) -> type[BaseModel]:
        return _args_of(self.function).model

    @cached_property
    def _schema_validators(self) -> dict[str, Draft202012Validator]:
        """Validators for the parameters that only the schema types."""
        hints = _read_hints(self.function)
        return {
            name: Draft202012Validator(schema)
            for name, schema in self.args.items()
            if name not in hints and isinstance(schema, dict)
        }


def bind_tool(tool: Any) -> BoundTool:
    """Make a tool of a function, method, callable object or `dspy.Tool`."""
    if isinstance(tool, BoundTool):
        # The caller's own stays as it was: what a tool keeps of its first run is kept in the copy.
        return replace(tool)
    if callable(getattr(tool, "func", None)) and hasattr(tool, "name"):  # partials have a `func` too
        confirmed = getattr(tool, "require_confirmation", False)
        types = dict(getattr(tool, "arg_types", None) or {})
        return BoundTool(tool.name, tool.desc or "", dict(tool.args or {}), tool.func, confirmed, types)
    name, made = getattr(tool, "__name__", type(tool).__name__), _args_of(tool)
    types = {str(each.alias): each.annotation for each in made.model.model_fields.values()}
    return BoundTool(name, _read_description(tool), copy.deepcopy(made.schema), tool, arg_types=types)


def tool(
    name: str | None = None, description: str | None = None, *, require_confirmation: bool = False
) -> Callable[[Callable[..., Any]], BoundTool]:
    """Give a function a name, a description, or the need to be confirmed before it runs (S3)."""

    def decorate(function: Callable[..., Any]) -> BoundTool:
        made = bind_tool(function)
        return replace(
            made,
            name=name or made.name,
            description=description or made.description,
            require_confirmation=require_confirmation,
        )

    return decorate


def bind_tools(tools: Iterable[Any], reserved: str) -> dict[str, BoundTool]:
    """Return the tools by name.

    Raises:
        ValueError: if two have one name, or one has the reserved name (TOOL-005, TOOL-014).
    """
    bound: dict[str, BoundTool] = {}
    for tool in map(bind_tool, tools):
        if tool.name == reserved:
            raise ValueError(f"a tool is named {reserved!r}, which is built in; give it another name")
        if tool.name in bound:
            raise ValueError(f"two tools are named {tool.name!r}; give one of them another name")
        bound[tool.name] = tool
    return bound


def _read_description(function: Callable[..., Any]) -> str:
    own = inspect.getdoc(function)
    if own or inspect.isroutine(function):
        return own or ""
    return inspect.getdoc(type(function).__call__) or ""


def _inline_definitions(value: Any, definitions: JsonObject) -> Any:
    """Return the schema with definitions put in the place of references, so that the LM sees every field (TOOL-002)."""
    if isinstance(value, list):
        return [_inline_definitions(item, definitions) for item in value]
    if not isinstance(value, dict):
        return value
    name = str(value.get("$ref", "")).rpartition("/")[2]
    if name in definitions:
        # A model that contains itself is shown once; further down its name must do.
        others = {other: schema for other, schema in definitions.items() if other != name}
        beside = {key: inner for key, inner in value.items() if key != "$ref"}
        return _inline_definitions({**definitions[name], **beside}, others)  # type: ignore[dict-item]
    return {key: _inline_definitions(inner, definitions) for key, inner in value.items()}


class _Args(NamedTuple):
    """What a function takes: the class that validates it, and its schema by parameter."""

    model: type[BaseModel]
    schema: JsonObject


def _args_of(function: Callable[..., Any]) -> _Args:
    """Made once for all agents that have the function: nobody else sees them."""
    if not inspect.isfunction(function) and not isinstance(function, Lasting):
        return _make_args(function)
    known = _ARGS.get(function)
    if known is None:
        known = _ARGS[function] = _make_args(function)
    return known


def _make_args(function: Callable[..., Any]) -> _Args:
    model = _args_model(function)
    schema = model.model_json_schema()
    shown = _inline_definitions(_drop_titles(schema.get("properties", {})), schema.get("$defs", {}))
    return _Args(model, shown)


def _drop_titles(properties: JsonObject) -> JsonObject:
    """Return the parameters without the titles that pydantic makes of their names, as dspy has them."""
    return {
        name: {key: value for key, value in schema.items() if key != "title"} if isinstance(schema, dict) else schema
        for name, schema in properties.items()
    }


def _args_model(function: Callable[..., Any]) -> type[BaseModel]:
    hints = _read_hints(function)
    parameters = inspect.signature(function).parameters.values()
    named = [p for p in parameters if p.kind not in (p.VAR_KEYWORD, p.VAR_POSITIONAL)]
    # By alias, since pydantic doesn't let a field have any name: `schema`, `_private`, `model_config`.
    declared: dict[str, Any] = {
        f"arg_{number}": (hints.get(p.name, Any), _make_field(p)) for number, p in enumerate(named)
    }
    extra: Literal["allow", "forbid"] = "allow" if any(p.kind is p.VAR_KEYWORD for p in parameters) else "forbid"
    return create_model("Args", __config__=ConfigDict(extra=extra), **declared)


def _make_field(parameter: inspect.Parameter) -> Any:
    """Return the parameter as a field; a default may be pydantic's own `Field(...)`, as udspy's tools have it (S3)."""
    default = parameter.default
    if isinstance(default, FieldInfo):
        return Field(default.default, description=default.description, alias=parameter.name)
    return Field(... if default is parameter.empty else default, alias=parameter.name)


def _map_by_name(args: BaseModel) -> dict[str, Any]:
    declared = {str(field.alias): getattr(args, name) for name, field in type(args).model_fields.items()}
    return {**(args.model_extra or {}), **declared}


def _read_hints(function: Callable[..., Any]) -> dict[str, Any]:
    own = getattr(function, "__signature__", None)
    if isinstance(own, inspect.Signature) and not inspect.isroutine(function):
        return {name: each.annotation for name, each in own.parameters.items() if each.annotation is not each.empty}
    described = function if inspect.isroutine(function) else type(function).__call__
    hints = get_type_hints(described)
    hints.pop("return", None)
    return hints


def _says_the_same(given: Any, value: Any) -> bool:
    """Tell whether truth values stayed truth values: pydantic makes 1 of `true` and `true` of "on"."""
    match given, value:
        case list(), list():
            return all(map(_says_the_same, given, value))
        case dict(), BaseModel():
            return _says_the_same(given, value.model_dump(by_alias=True))
        case dict(), dict():
            return all(_says_the_same(given[name], value[name]) for name in given.keys() & value.keys())
    is_truth = isinstance(given, bool) or isinstance(value, bool)
    return not is_truth or str(given).lower() == str(value).lower()


def _find_problem(validator: Draft202012Validator, value: Any) -> str | None:
    error = next(iter(validator.iter_errors(value)), None)
    return error.message if error else None


async def _await_value(result: Any) -> Any:
    """Return what is observed of a result that may have to be awaited, and then to be consumed."""
    if isinstance(result, Awaitable):
        result = await result
    return [each async for each in result] if isinstance(result, AsyncIterator) else _consume_result(result)


def _consume_result(result: Any) -> Any:
    return list(result) if isinstance(result, Iterator) else result
