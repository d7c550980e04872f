"""The kit's tools as Python subjects get them: functions, methods and objects with real parameters, like a user's.

What a subject can find out of a user's tool it finds out of these: names and annotations, defaults, the code object,
whether it has to be awaited. A parameter whose name no Python function can have is taken by `**kwargs`, as it would be
in a user's tool; nobody can see it there.
"""

import copy
import inspect
import keyword
import unicodedata
from collections.abc import Callable, Collection, Iterator
from functools import lru_cache
from types import CodeType
from typing import Any, Protocol

from pydantic import JsonValue

from react_tck.fakes.annotations import annotation_of
from react_tck.model.tool import Tool, is_typed

PythonTool = Callable[..., Any]
_Parameter = inspect.Parameter


class KitTool(Protocol):
    """One of the kit's tools, here or behind a wire."""

    @property
    def tool(self) -> Tool:
        """What the subject is told of it."""

    @property
    def signature(self) -> inspect.Signature:
        """The Python signature that the subject sees."""

    def run(self, args: dict[str, Any]) -> Any:
        """Run it once with args that came as JSON. Raises what the tool raises."""

    def call(self, args: dict[str, Any]) -> Any:
        """Run it once with args that came as Python values. Raises what the tool raises."""

    def refuse(self, sent: str) -> None:
        """Refuse to run the tool with args that are no JSON object."""


def python_tool(kit: KitTool) -> PythonTool:
    """Return the tool as a Python subject gets it: a function, method or callable object, plain or async."""
    if kit.tool.callable_form in ("function", "declared"):
        return _make_function(kit)
    run = _make_function(kit, owner=_make_unique("self", kit.signature.parameters))
    members = {"run": run, "__call__": run, "__doc__": kit.tool.description, "__name__": kit.tool.name}
    made = type("Tools", (), members)()
    form: PythonTool = made.run if kit.tool.callable_form == "method" else made
    return form


def python_signature(tool: Tool) -> inspect.Signature:
    """Return the Python signature of a tool: keyword or positional, in declared order, optional ones with defaults.

    Whatever else may be given it takes by name: the keys of an open object, and what can't be a parameter; all of it,
    where its schema alone declares it.
    """
    if tool.is_declared:
        return inspect.Signature([_Parameter("kwargs", _Parameter.VAR_KEYWORD)])
    properties, required = tool.parameters.get("properties"), tool.parameters.get("required")
    needed = required if isinstance(required, list) else []
    declared = properties if isinstance(properties, dict) else {}
    legal = [_make_parameter(name, schema, name in needed) for name, schema in declared.items() if is_legal(name)]
    made = sorted(legal, key=lambda parameter: parameter.default is not _Parameter.empty)
    if tool.is_open or len(legal) < len(declared):
        made.append(_Parameter(_make_unique("kwargs", declared), _Parameter.VAR_KEYWORD))
    return inspect.Signature(made)


def is_legal(name: str) -> bool:
    """Tell whether a Python function can have a parameter of this name."""
    return name.isidentifier() and not keyword.iskeyword(name) and unicodedata.normalize("NFKC", name) == name


def _make_parameter(name: str, schema: JsonValue, needed: bool) -> inspect.Parameter:
    declared = schema if isinstance(schema, dict) else {}
    return _Parameter(
        name,
        _Parameter.POSITIONAL_OR_KEYWORD,
        default=_Parameter.empty if needed else declared.get("default"),
        # A parameter without annotation gets its arg as given (TOOL-008).
        annotation=annotation_of(declared) if is_typed(declared) else _Parameter.empty,
    )


def _make_function(kit: KitTool, owner: str = "") -> PythonTool:
    """Return a function that hands its args to the kit; with an owner, to be bound to it."""
    parameters = kit.signature.parameters
    run = _make_unique("run", [owner, *parameters])
    scope: dict[str, Any] = {run: _forward_to_kit(kit)}
    exec(_compile_source(_write_source(kit, owner, run)), scope)
    function: PythonTool = scope["tool"]
    function.__name__ = function.__qualname__ = kit.tool.name
    function.__doc__ = kit.tool.description
    function.__defaults__ = tuple(_drop_empty(parameter.default for parameter in parameters.values())) or None
    function.__annotations__ = {name: p.annotation for name, p in parameters.items() if p.annotation is not p.empty}
    return function


def _write_source(kit: KitTool, owner: str, run: str) -> str:
    parameters = kit.signature.parameters.values()
    named = [p.name for p in parameters if p.kind is not p.VAR_KEYWORD]
    others = [f"**{p.name}" for p in parameters if p.kind is p.VAR_KEYWORD]
    taken = ", ".join([*filter(None, [owner]), *named, *others])
    handed = ", ".join([*(f"{name!r}: {name}" for name in named), *others])
    return f"{'async ' if kit.tool.is_async else ''}def tool({taken}):\n    return {run}({{{handed}}})\n"


# The fuzzer makes the same few tools thousands of times.
@lru_cache(maxsize=512)
def _compile_source(source: str) -> CodeType:
    return compile(source, "<a tool of the kit's>", "exec")


def _forward_to_kit(kit: KitTool) -> Callable[[dict[str, Any]], Any]:
    defaults = {name: p.default for name, p in kit.signature.parameters.items() if p.default is not p.empty}

    def run_tool(args: dict[str, Any]) -> Any:
        # A tool that changes its args leaves its own defaults alone.
        return kit.call({n: copy.deepcopy(arg) if arg is defaults.get(n) else arg for n, arg in args.items()})

    return run_tool


def _drop_empty(defaults: Iterator[Any]) -> Iterator[Any]:
    return (default for default in defaults if default is not _Parameter.empty)


def _make_unique(name: str, others: Collection[str]) -> str:
    """Return the name, or one like it that isn't among these."""
    while name in others:
        name += "_"
    return name
