"""Tools the kit owns: they do what they are scripted to, and every run is journalled.

What a run does is said here, and done where the tool is: in this process, or in the one of an adapter.
"""

import asyncio
import copy
import inspect
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from types import MethodType
from typing import Any, Protocol, assert_never, get_type_hints

from jsonschema import Draft202012Validator
from pydantic import JsonValue, TypeAdapter, ValidationError
from pydantic_core import to_jsonable_python

from react_tck.adapter.tools import TEAM_TOOLS, find_value, perform_run
from react_tck.adapter.values import as_json_value
from react_tck.fakes.journal import Journal
from react_tck.model.base import JsonObject
from react_tck.model.episode import Episode
from react_tck.model.record import PersonAsked, ToolRan
from react_tck.model.tool import (
    Asks,
    Behaviour,
    Interrupts,
    Mutates,
    Performs,
    Raises,
    Reads,
    Reports,
    Returns,
    ReturnsOddity,
    Tool,
)

#: The instances of classes whose methods are tools: those of one episode.
Instances = dict[Callable[..., Any], Any]


class KitTool(Protocol):
    """One of the kit's tools."""

    @property
    def tool(self) -> Tool:
        """What the subject is told of it."""

    def answer_run(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Say what a run does: the `args` as JSON, which of them are `misfits`, and what is `read` in models."""

    def run(self, args: dict[str, Any]) -> Any:
        """Run it once with args that came as JSON. Raises what the tool raises."""

    def refuse(self, sent: str) -> None:
        """Note that it was to run with this, which is no JSON object."""


class ScriptedTool:
    """One tool of one episode. Its n-th run shows the n-th behaviour, the last one again and again."""

    def __init__(
        self,
        tool: Tool,
        behaviours: tuple[Behaviour, ...],
        journal: Journal,
        nonce: str,
        instances: Instances | None = None,
    ) -> None:
        self.tool = tool
        self._instances = {} if instances is None else instances
        self._behaviours = behaviours or (Reports(),)
        self._journal = journal
        self._nonce = nonce
        self._runs = 0
        self._returned: list[Any] = []

    def run(self, args: dict[str, Any]) -> Any:
        """Run the tool once with args that came as JSON.

        Raises:
            ToolFailure: if it is scripted to; or what interrupts it.
        """
        with self._journal.faults.note_failure():
            said = self.answer_run({"args": args, "misfits": None})
        return perform_run(said, args, self._returned)

    def answer_run(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Say what a run with these args does; where nobody says which don't fit, they are held against the schema."""
        args, misfits = asked["args"], asked["misfits"]
        if misfits is None:
            misfits = [name for name, value in args.items() if not self._is_valid(name, value)]
        behaviour = self._behaviours[min(self._runs, len(self._behaviours) - 1)]
        self._runs += 1
        if isinstance(behaviour, Asks):
            known: dict[str, Any] = {"invocation": self._journal.invocation, "tool": self.tool.name}
            self._journal.add_event(PersonAsked(**known, args=copy.deepcopy(args), question=behaviour.question))
            return {"do": "ask", "question": behaviour.question}
        said, seen = self._decide_run(behaviour, asked)
        ran = ToolRan(
            invocation=self._journal.invocation,
            tool=self.tool.name,
            args=copy.deepcopy(args),
            misfits=tuple(misfits),
        )
        self._journal.add_event(ran.model_copy(update=seen))
        return said

    def refuse(self, sent: str) -> None:
        """Note a run that comes to nothing: what was sent is no JSON object."""
        error = "the args are not a JSON object"
        ran = ToolRan(invocation=self._journal.invocation, tool=self.tool.name, args={}, error=error, refused=sent)
        self._journal.add_event(ran)

    def _decide_run(self, behaviour: Behaviour, asked: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return what is to be done, and what stands in the journal of it."""
        report = self.write_report(self._runs)
        match behaviour:
            case Raises(message=message):
                return {"do": "raise", "message": message}, {"error": message}
            case Interrupts(by=by):
                return {"do": "interrupt", "by": by}, {"interrupted": True}
            case Reads() if "unread" in asked:
                return {"do": "fail to read"}, {"error": asked["unread"]}
            case ReturnsOddity(oddity=name):
                value = as_json_value(find_value(name, [report]))
                return {"do": "oddity", "oddity": name, "results": [report]}, {"result": value, "odd": True}
            case Performs():
                try:
                    returned = run_team_tool(self.tool.name, copy.deepcopy(asked["args"]), self._instances)
                except Exception as error:  # the team's own, of whatever type
                    message = str(error) or type(error).__name__
                    return {"do": "raise", "message": message}, {"error": message}
            case Mutates():
                return {"do": "mutate", "report": report}, {"result": [report]}
            case Reads():
                returned = asked.get("read", asked["args"])
            case Returns(value=value):
                returned = value
            case Reports():
                returned = report
            case Asks():
                raise AssertionError("nothing comes of a run that asks")
            case _:
                assert_never(behaviour)
        # Copies: a subject that changes what it got must not change what the next run returns.
        return {"do": "return", "value": copy.deepcopy(returned)}, {"result": copy.deepcopy(returned)}

    def write_report(self, run: int) -> str:
        """Return what the default behaviour returns from its n-th run."""
        return f"{self.tool.name} result {run} ~{self._nonce}"

    def _is_valid(self, name: str, value: Any) -> bool:
        schema = self._schema(name)
        return isinstance(schema, dict) and Draft202012Validator(schema).is_valid(value)

    def _schema(self, name: str) -> JsonValue:
        properties = self.tool.parameters.get("properties")
        return properties.get(name) if isinstance(properties, dict) else None


def scripted_tools(episode: Episode, journal: Journal) -> tuple[ScriptedTool, ...]:
    """Return the tools of an episode."""
    instances: Instances = {}
    return tuple(
        ScriptedTool(tool, episode.behaviours.get(tool.name, ()), journal, episode.nonce, instances)
        for tool in episode.case.tools
    )


def make_tool(name: str, description: str, parameters: JsonObject) -> Tool:
    """Return a tool with these parameters; those without a default are required."""
    required = [key for key, schema in parameters.items() if isinstance(schema, dict) and "default" not in schema]
    schema: JsonObject = {"type": "object", "properties": parameters, "required": [*required]}
    return Tool(name=name, description=description, parameters=schema)


class TeamToolWrong(ValueError):
    """A function can't be a tool as it is; the message says why."""


def describe_team_tool(name: str) -> Tool:
    """Return what the LM is told of a tool: its docstring, and its args by their annotations.

    Raises:
        TeamToolWrong: if no JSON Schema can be made of them.
    """
    made = TEAM_TOOLS[name]
    function: Any = MethodType(getattr(made, name), made) if isinstance(made, type) else made
    try:
        schema = TypeAdapter(function).json_schema()
        schema = _write_out(schema, schema.pop("$defs", {}))
    except Exception as error:  # what pydantic has against it has no common type
        why = str(error).partition("\n")[0]
        raise TeamToolWrong(f"the parameters of your tool {name!r} have no JSON Schema: {why}") from error
    return Tool(name=name, description=inspect.getdoc(function) or name, parameters=schema)


def _write_out(schema: Any, known: JsonObject, inside: tuple[str, ...] = ()) -> Any:
    """Return the schema with what it refers to in its place."""
    if isinstance(schema, list):
        return [_write_out(each, known, inside) for each in schema]
    if not isinstance(schema, dict):
        return schema
    name = str(schema.get("$ref", "")).rpartition("/")[2]
    if name in inside:
        raise ValueError(f"{name} consists of itself")
    if name:
        return _write_out(known[name], known, (*inside, name))
    return {key: _write_out(value, known, inside) for key, value in schema.items()}


def run_team_tool(name: str, args: JsonObject, instances: Instances) -> JsonValue:
    """Run it once, and return its result as JSON; raises whatever it raises."""
    function = made = TEAM_TOOLS[name]
    if isinstance(made, type):
        if made not in instances:
            instances[made] = made()
        function = getattr(instances[made], name)
    hints = get_type_hints(function)
    result = function(**{key: _read_arg(value, hints.get(key, Any)) for key, value in args.items()})
    if inspect.iscoroutine(result):
        with ThreadPoolExecutor(1) as thread:  # in this one, the agent's own loop may run
            result = thread.submit(asyncio.run, result).result()
    value: JsonValue = as_json_value(to_jsonable_python(result, fallback=str))
    return value


def _read_arg(value: JsonValue, annotation: Any) -> Any:
    """Return a model where one is declared; what isn't of its type is handed over as it came."""
    try:
        return TypeAdapter(annotation).validate_json(json.dumps(value), strict=True)
    except ValidationError:
        return value


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
