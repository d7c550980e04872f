"""The kit's tools as Python functions, methods and objects with real parameters, like a user's.

What a subject can find out of a user's tool it finds out of these: names and annotations, defaults, the code object,
whether it has to be awaited. A parameter whose name no Python function can have is taken by `**kwargs`, as it would be
in a user's tool; nobody can see it there.
"""

from __future__ import annotations

import copy
import inspect
import keyword
import unicodedata
from collections.abc import Collection, Mapping
from functools import lru_cache
from types import CodeType
from typing import Any, Callable, Literal, Union, get_args, get_origin  # noqa: UP035 - Python 3.9

_Parameter = inspect.Parameter
#: Runs a tool with its args by name.
Run = Callable[[dict[str, Any]], Any]


def make_callable(tool: Mapping[str, Any], signature: inspect.Signature, run: Run) -> Callable[..., Any]:
    """Make a tool, described as the wire has it, in its form: a function, method or callable object."""
    if tool["callable_form"] in ("function", "declared"):
        return _make_function(tool, signature, run)
    method = _make_function(tool, signature, run, owner=_make_unique("self", signature.parameters))
    members = {"run": method, "__call__": method, "__doc__": tool["description"], "__name__": tool["name"]}
    made = type("Tools", (), members)()
    form: Callable[..., Any] = made.run if tool["callable_form"] == "method" else made
    return form


def make_python_signature(tool: Mapping[str, Any]) -> inspect.Signature:
    """Return the Python signature of a tool: keyword or positional, in declared order, optional ones with defaults.

    Whatever else may be given it takes by name: the keys of an open object, and what can't be a parameter; all of it,
    where its schema alone declares it.
    """
    if tool["callable_form"] == "declared":
        return inspect.Signature([_Parameter("kwargs", _Parameter.VAR_KEYWORD)])
    needed = tool["parameters"].get("required") or ()
    declared = tool["parameters"].get("properties") or {}
    legal = [_make_parameter(name, schema, name in needed) for name, schema in declared.items() if is_legal(name)]
    made = sorted(legal, key=lambda parameter: parameter.default is not _Parameter.empty)
    if tool["parameters"].get("additionalProperties", False) is not False or len(legal) < len(declared):
        made.append(_Parameter(_make_unique("kwargs", declared), _Parameter.VAR_KEYWORD))
    return inspect.Signature(made)


def is_legal(name: str) -> bool:
    """Whether a Python function can have a parameter of this name."""
    return name.isidentifier() and not keyword.iskeyword(name) and unicodedata.normalize("NFKC", name) == name


def _make_parameter(name: str, schema: Mapping[str, Any], needed: bool) -> inspect.Parameter:
    is_typed = not {"type", "enum", "anyOf"}.isdisjoint(schema)
    return _Parameter(
        name,
        _Parameter.POSITIONAL_OR_KEYWORD,
        default=_Parameter.empty if needed else schema.get("default"),
        # A parameter without annotation gets its arg as given (TOOL-008).
        annotation=annotation_of(schema) if is_typed else _Parameter.empty,
    )


def _make_function(
    tool: Mapping[str, Any], signature: inspect.Signature, run: Run, owner: str = ""
) -> Callable[..., Any]:
    """Return a function that hands its args on by name; with an owner, to be bound to it."""
    parameters = signature.parameters
    runner = _make_unique("run", [owner, *parameters])
    scope: dict[str, Any] = {runner: _keep_defaults(signature, run)}
    exec(_compile_source(_write_source(tool, signature, owner, runner)), scope)
    function: Callable[..., Any] = scope["tool"]
    function.__name__ = function.__qualname__ = tool["name"]
    function.__doc__ = tool["description"]
    defaults = tuple(p.default for p in parameters.values() if p.default is not p.empty)
    function.__defaults__ = defaults or None
    function.__annotations__ = {name: p.annotation for name, p in parameters.items() if p.annotation is not p.empty}
    return function


def _write_source(tool: Mapping[str, Any], signature: inspect.Signature, owner: str, run: str) -> str:
    parameters = signature.parameters.values()
    named = [p.name for p in parameters if p.kind is not p.VAR_KEYWORD]
    others = [f"**{p.name}" for p in parameters if p.kind is p.VAR_KEYWORD]
    taken = ", ".join([*filter(None, [owner]), *named, *others])
    handed = ", ".join([*(f"{name!r}: {name}" for name in named), *others])
    return f"{'async ' if tool['is_async'] else ''}def tool({taken}):\n    return {run}({{{handed}}})\n"


# The fuzzer makes the same few tools thousands of times.
@lru_cache(maxsize=512)
def _compile_source(source: str) -> CodeType:
    return compile(source, "<a tool of the kit's>", "exec")


def _keep_defaults(signature: inspect.Signature, run: Run) -> Run:
    defaults = {name: p.default for name, p in signature.parameters.items() if p.default is not p.empty}

    def run_tool(args: dict[str, Any]) -> Any:
        # A tool that changes its args leaves its own defaults alone.
        return run({n: copy.deepcopy(arg) if arg is defaults.get(n) else arg for n, arg in args.items()})

    return run_tool


def _make_unique(name: str, others: Collection[str]) -> str:
    """Return the name, or one like it that isn't among these."""
    while name in others:
        name += "_"
    return name


_SCALARS: dict[str, Any] = {
    "string": str,
    "integer": int,
    "number": float,
    "boolean": bool,
    "null": None,
}


def annotation_of(schema: Mapping[str, Any]) -> Any:
    """Return the Python type of a JSON Schema; `Any` where the schema says nothing.

    An object with properties becomes a pydantic model named by the schema's title; where there is no pydantic, a
    mapping.

    >>> from react_tck import annotation_of
    >>> annotation_of({"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}]})
    list[str] | None
    >>> annotation_of({"enum": ["low", "high"]})
    typing.Literal['low', 'high']
    """
    if "enum" in schema:
        return Literal[tuple(schema["enum"])]
    if "anyOf" in schema:
        return _unite_types([annotation_of(member) for member in schema["anyOf"]])
    kind = schema.get("type")
    if kind == "array":
        items = schema.get("items")
        return list[annotation_of(items)] if items else list  # type: ignore[misc]
    if kind == "object" and schema.get("properties"):
        return _make_model(schema)
    if kind == "object":
        values = schema.get("additionalProperties")
        return dict[str, annotation_of(values)] if isinstance(values, dict) else dict[str, Any]  # type: ignore[misc]
    return _SCALARS[kind] if kind else Any


def fits_annotation(value: Any, annotation: Any) -> bool:
    """Whether a value is what code with this annotation was promised: as it is, nothing is converted."""
    origin, inside = get_origin(annotation), get_args(annotation)
    if annotation is Any:
        return True
    if annotation is None or annotation is type(None):
        return value is None
    if origin is Literal:
        return any(value == each and isinstance(value, bool) == isinstance(each, bool) for each in inside)
    if origin is Union or type(annotation).__name__ == "UnionType":
        return any(fits_annotation(value, member) for member in inside)
    if origin is list:
        return isinstance(value, list) and all(fits_annotation(each, inside[0]) for each in value)
    if origin is dict:
        return isinstance(value, dict) and all(
            isinstance(key, str) and fits_annotation(each, inside[1]) for key, each in value.items()
        )
    if annotation in (int, float):
        # A whole number is a number, and nan isn't even itself.
        kinds = int if annotation is int else (int, float)
        return isinstance(value, kinds) and not isinstance(value, bool) and value == value
    return isinstance(value, annotation)


def _make_model(schema: Mapping[str, Any]) -> Any:
    try:
        from pydantic import ConfigDict, create_model
    except ImportError:
        return dict[str, Any]
    required = schema.get("required") or ()
    fields: dict[str, Any] = {
        name: (annotation_of(inner), ... if name in required else inner.get("default"))
        for name, inner in schema["properties"].items()
    }
    extra: Literal["allow", "ignore"] = "allow" if schema.get("additionalProperties") else "ignore"
    return create_model(
        str(schema.get("title", "Object")), __config__=ConfigDict(extra=extra), __module__=__name__, **fields
    )


def _unite_types(members: list[Any]) -> Any:
    union = members[0]
    for member in members[1:]:
        try:
            union = union | member
        except TypeError:  # Python 3.9
            union = Union[union, member]  # noqa: UP007
    return union
