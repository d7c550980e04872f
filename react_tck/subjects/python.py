"""A Python implementation as a subject: a manifest, and a function that builds an agent. Your own, in a few lines:

@python_subject(Manifest(name="mine", version="1.0", dialects=("chat",), default_dialect="chat", ...))
def subject(signature, tools, options, lm):
    agent = MyReAct(signature.arrow, tools, max_steps=options.max_steps or 10, llm=lm)
    return lambda inputs: agent(**inputs)
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from react_tck.model.case import Invocation, Options
from react_tck.model.lm import LMRequest, Message
from react_tck.model.manifest import Manifest
from react_tck.model.outcome import Failure, Outcome, TrajectoryFormat, failed
from react_tck.model.protocol import Parsed, Parsing
from react_tck.model.signature import Signature
from react_tck.model.tool import Tool
from react_tck.subjects.api import ConstructionError, Endpoints, HarnessBroken, Instance, Subject


def plain(value: Any) -> Any:
    """The value as JSON; models by their fields, and what JSON can't hold as Python writes it."""
    match value:
        case None | bool() | int() | str():
            return value
        case float():
            return value if math.isfinite(value) else str(value)
        case dict():
            return {str(key): plain(inner) for key, inner in value.items()}
        case list() | tuple():
            return [plain(inner) for inner in value]
    dump = getattr(value, "model_dump", None)
    return plain(dump()) if callable(dump) else repr(value)


#: Reads a reply; raises what the parser raises.
Read = Callable[[Parsing], Mapping[str, Any]]


def parsed(read: Read, parsing: Parsing, typed: Iterable[str]) -> Parsed:
    """What the parser makes of a reply; an error goes by the first of its classes that is among the typed ones."""
    try:
        return Parsed(fields=plain(dict(read(parsing))))
    except Exception as error:
        names = [ancestor.__name__ for ancestor in type(error).__mro__]
        known = frozenset(typed)
        name = next((name for name in names if name in known), names[0])
        return Parsed(error=Failure(type=name, message=str(error)))


#: Builds an instance; raises what the subject refuses the case with.
Construct = Callable[[Signature, Options, Endpoints], Instance]


class BuiltSubject:
    """Whatever the build function raises is a refusal to be constructed. `read` is its parser, if it has one."""

    def __init__(self, manifest: Manifest, build: Construct, read: Read | None = None) -> None:
        self._manifest = manifest
        self._build = build
        self._read = read

    def initialize(self) -> Manifest:
        """The manifest."""
        return self._manifest

    def construct(
        self,
        signature: Signature,
        tools: tuple[Tool, ...],  # noqa: ARG002 - Python subjects read the tools off the callables
        options: Options,
        endpoints: Endpoints,
    ) -> Instance:
        """Build the instance.

        Raises:
            ConstructionError: whatever the build function raises.
        """
        try:
            return self._build(signature, options, endpoints)
        except Exception as error:
            raise ConstructionError(f"{type(error).__name__}: {error}") from error

    def parse(self, parsing: Parsing) -> Parsed:
        """Read a reply.

        Raises:
            HarnessBroken: if there is no parser, although the manifest declares `parse`.
        """
        if self._read is None:
            raise HarnessBroken(f"{self._manifest.name} declares 'parse', and has no parser")
        return parsed(self._read, parsing, self._manifest.parse_errors)


#: Chat messages in, the reply's text out.
AskLM = Callable[[Sequence[Mapping[str, Any]]], str]
#: Inputs in; outputs, and `trajectory` if there is one, out.
Agent = Callable[[dict[str, Any]], Mapping[str, Any]]
Build = Callable[[Signature, Sequence[Callable[..., Any]], Options, AskLM], Agent]


def python_subject(manifest: Manifest) -> Callable[[Build], Callable[[], Subject]]:
    """Turn a function that builds an agent into a factory for `python:module:factory`.

    The function gets the signature, the tools as Python callables, the options, and the LM as a function from chat
    messages to text. What it raises is a refusal to be constructed; what the agent raises is an error outcome.
    """

    def factory(build: Build) -> Callable[[], Subject]:
        def construct(signature: Signature, options: Options, endpoints: Endpoints) -> Instance:
            def ask(messages: Sequence[Mapping[str, Any]]) -> str:
                made = tuple(Message(role=message["role"], content=message["content"]) for message in messages)
                return endpoints.lm(LMRequest(messages=made)).content or ""

            return _FactoryInstance(build(signature, endpoints.callables, options, ask), signature)

        return lambda: BuiltSubject(manifest, construct)

    return factory


class _FactoryInstance:
    def __init__(self, agent: Agent, signature: Signature) -> None:
        self._agent = agent
        self._outputs = [field.name for field in signature.outputs]

    def call(self, invocation: Invocation) -> Outcome:
        """Call the agent with the inputs, and with `max_steps` where the case gives one for this call."""
        limit = {} if invocation.max_steps is None else {"max_steps": invocation.max_steps}
        try:
            result = self._agent({**invocation.inputs, **limit})
        except Exception as error:
            return failed(error)
        trajectory = plain(result.get("trajectory"))
        outputs = {name: plain(result[name]) for name in self._outputs if name in result}
        return Outcome(status="ok", outputs=outputs, trajectory=trajectory, trajectory_format=_format_of(trajectory))


def _format_of(trajectory: Any) -> TrajectoryFormat:
    match trajectory:
        case str():
            return "text"
        case dict():
            return "mapping"
        case list():
            return "list"
    return "none"
