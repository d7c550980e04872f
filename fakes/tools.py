"""Tools the kit owns: Python callables with a real signature made from JSON Schema, journalled on every run."""

import copy
import inspect
import math
from collections.abc import Callable, Mapping
from typing import Any, Protocol, assert_never

from jsonschema import Draft202012Validator
from pydantic import BaseModel, JsonValue, TypeAdapter, ValidationError

from react_tck.fakes.annotations import annotation_of
from react_tck.fakes.journal import Journal
from react_tck.model.base import JsonObject
from react_tck.model.record import ToolRan
from react_tck.model.tool import Behaviour, Mutates, Raises, Reports, Returns, ReturnsOddity, Tool

PythonTool = Callable[..., Any]

#: What a tool that changes things leaves in its args, and in what it returned earlier (TRJ-006).
CHANGED_BY_TOOL = "changed by the tool"
CHANGED_LATER = "changed after it was returned"


class ToolFailure(Exception):
    """What a tool scripted to raise raises."""


class _Odd:
    """A value of a class of nobody's."""

    def __repr__(self) -> str:
        return "<odd>"


_ODDITIES: dict[str, Any] = {"bytes": b"\x00\xff", "object": _Odd(), "set": {1}, "nan": float("nan")}


class KitTool(Protocol):
    """One of the kit's tools, here or behind a wire."""

    @property
    def tool(self) -> Tool:
        """What the subject is told of it."""

    @property
    def signature(self) -> inspect.Signature:
        """Its Python signature."""

    def run(self, args: dict[str, Any]) -> Any:
        """Run it once with args that came as JSON. Raises what the tool raises."""

    def call(self, args: dict[str, Any]) -> Any:
        """Run it once with args that came as Python values. Raises what the tool raises."""

    def refuse(self, sent: str) -> None:
        """It was to run with this, which is no JSON object."""


class ScriptedTool:
    """One tool of one episode. Its n-th run shows the n-th behaviour, the last one again and again."""

    def __init__(self, tool: Tool, behaviours: tuple[Behaviour, ...], journal: Journal, nonce: str) -> None:
        self.tool = tool
        self._behaviours = behaviours or (Reports(),)
        self._journal = journal
        self._nonce = nonce
        self._runs = 0
        self._returned: list[Any] = []
        #: The one signature the subject sees and args are held against: each has model classes of its own.
        self.signature = python_signature(tool)

    def run(self, args: dict[str, Any]) -> Any:
        """Run the tool once with args that came as JSON.

        Raises:
            ToolFailure: if it is scripted to.
        """
        return self._run(args, tuple(name for name, value in args.items() if not self._is_valid(name, value)))

    def call(self, args: dict[str, Any]) -> Any:
        """Run the tool once with args that came as Python values.

        Raises:
            ToolFailure: if it is scripted to.
        """
        return self._run(args, tuple(name for name, value in args.items() if not self._fits(name, value)))

    def refuse(self, sent: str) -> None:
        """Note a run that comes to nothing: what was sent is no JSON object."""
        error = "the args are not a JSON object"
        ran = ToolRan(invocation=self._journal.invocation, tool=self.tool.name, args={}, error=error, refused=sent)
        self._journal.add(ran)

    def _run(self, args: dict[str, Any], misfits: tuple[str, ...]) -> Any:
        behaviour = self._behaviours[min(self._runs, len(self._behaviours) - 1)]
        self._runs += 1
        ran = ToolRan(invocation=self._journal.invocation, tool=self.tool.name, args=_as_json(args), misfits=misfits)
        if isinstance(behaviour, Raises):
            self._journal.add(ran.model_copy(update={"error": behaviour.message}))
            raise ToolFailure(behaviour.message)
        result = self._result(behaviour, args)
        odd = isinstance(behaviour, ReturnsOddity)
        self._journal.add(ran.model_copy(update={"result": _as_json(result), "odd": odd}))
        return result

    def _result(self, behaviour: Returns | ReturnsOddity | Mutates | Reports, args: dict[str, Any]) -> Any:
        match behaviour:
            # Copies: a subject that changes what it got must not change what the next run returns.
            case Returns(value=value):
                return copy.deepcopy(value)
            case ReturnsOddity(oddity=oddity):
                return copy.deepcopy(_ODDITIES[oddity])
            case Reports():
                return self.report(self._runs)
            case Mutates():
                return self._mutate(args)
        assert_never(behaviour)

    def report(self, run: int) -> str:
        """What the default behaviour returns from its n-th run."""
        return f"{self.tool.name} result {run} ~{self._nonce}"

    def _is_valid(self, name: str, value: Any) -> bool:
        properties = self.tool.parameters.get("properties")
        schema = properties.get(name) if isinstance(properties, dict) else None
        return isinstance(schema, dict) and Draft202012Validator(schema).is_valid(value)

    def _fits(self, name: str, value: Any) -> bool:
        parameter = self.signature.parameters[name]
        if parameter.annotation is parameter.empty or value == parameter.default:
            return True
        try:
            read = TypeAdapter(parameter.annotation).validate_python(value, strict=True)
        except ValidationError:
            return False
        # Even strictly, pydantic reads a mapping as a model.
        return bool(read == value)

    def _mutate(self, args: dict[str, Any]) -> list[str]:
        for earlier in self._returned:
            earlier.append(CHANGED_LATER)
        for value in args.values():
            _change(value)
        result = [self.report(self._runs)]
        self._returned.append(result)
        return result


def _change(value: Any) -> None:
    """Append to every list inside the value."""
    if isinstance(value, dict):
        for inner in value.values():
            _change(inner)
    elif isinstance(value, list):
        value.append(CHANGED_BY_TOOL)


def python_tool(scripted: KitTool) -> PythonTool:
    """The tool as a Python subject gets it: a function, method or callable object, plain or async."""
    signature = scripted.signature

    def call(*args: Any, **kwargs: Any) -> Any:
        return scripted.call(dict(signature.bind(*args, **kwargs).arguments))

    async def call_async(*args: Any, **kwargs: Any) -> Any:
        return call(*args, **kwargs)

    function = call_async if scripted.tool.is_async else call
    return _dressed(function, scripted.tool, signature)


def python_signature(tool: Tool) -> inspect.Signature:
    """The Python signature of a tool: keyword or positional, in declared order, optional ones with defaults."""
    return inspect.Signature(list(_parameters(tool.parameters)))


def _parameters(parameters: JsonObject) -> list[inspect.Parameter]:
    properties = parameters.get("properties")
    required = parameters.get("required")
    if not isinstance(properties, dict):
        return []
    needed = required if isinstance(required, list) else []
    made = [_parameter(name, schema, name in needed) for name, schema in properties.items()]
    return sorted(made, key=lambda parameter: parameter.default is not inspect.Parameter.empty)


def _parameter(name: str, schema: JsonValue, needed: bool) -> inspect.Parameter:
    declared = schema if isinstance(schema, dict) else {}
    return inspect.Parameter(
        name,
        inspect.Parameter.POSITIONAL_OR_KEYWORD,
        default=inspect.Parameter.empty if needed else declared.get("default"),
        # A tool without annotations gets its args as given (TOOL-001).
        annotation=annotation_of(declared) if declared else inspect.Parameter.empty,
    )


def _dressed(function: PythonTool, tool: Tool, signature: inspect.Signature) -> PythonTool:
    annotations = {
        p.name: p.annotation for p in signature.parameters.values() if p.annotation is not inspect.Parameter.empty
    }
    attributes: Mapping[str, Any] = {
        "__name__": tool.name,
        "__qualname__": tool.name,
        "__doc__": tool.description,
        "__signature__": signature,
        "__annotations__": annotations,
    }
    for name, value in attributes.items():
        setattr(function, name, value)
    return _in_form(function, tool, attributes)


def _in_form(function: PythonTool, tool: Tool, attributes: Mapping[str, Any]) -> PythonTool:
    if tool.callable_form == "function":
        return function
    owner = _owner(function, tool, attributes)
    form: PythonTool = owner.run if tool.callable_form == "method" else owner
    return form


def _owner(function: PythonTool, tool: Tool, attributes: Mapping[str, Any]) -> Any:
    def bound(self: object, *args: Any, **kwargs: Any) -> Any:  # noqa: ARG001 - a method's own first parameter
        return function(*args, **kwargs)

    async def bound_async(self: object, *args: Any, **kwargs: Any) -> Any:  # noqa: ARG001 - the same
        return await function(*args, **kwargs)

    method = bound_async if tool.is_async else bound
    signature: inspect.Signature = attributes["__signature__"]
    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    with_self = signature.replace(parameters=[own, *signature.parameters.values()])
    for name, value in {**attributes, "__signature__": with_self}.items():
        setattr(method, name, value)
    members = {"run": method, "__call__": method, "__doc__": tool.description, "__name__": tool.name}
    return type("Tools", (), members)()


def _as_json(value: Any) -> JsonValue | Any:
    """A copy of the value as JSON; what JSON can't hold is shown as Python writes it."""
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
