"""Your own Python implementation as a subject, in a few lines.

@python_subject(Manifest(name="mine", version="1.0", dialects=("chat",), default_dialect="chat", ...))
def subject(signature, tools, options, lm):
    agent = MyReAct(signature.arrow, tools, max_steps=options.max_steps or 10, llm=lm)
    return lambda inputs: agent(**inputs)
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from react_tck.model.case import Invocation, Options
from react_tck.model.lm import LMRequest, Message
from react_tck.model.manifest import Manifest
from react_tck.model.outcome import Outcome, TrajectoryFormat, failed
from react_tck.model.signature import Signature
from react_tck.subjects.api import Endpoints, Instance, Subject
from react_tck.subjects.built import BuiltSubject
from react_tck.subjects.plain import plain

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
    return lambda build: lambda: BuiltSubject(manifest, _building(build))


def _building(
    build: Build,
) -> Callable[[Signature, Options, Endpoints], Instance]:
    def made(signature: Signature, options: Options, endpoints: Endpoints) -> Instance:
        return _FactoryInstance(build(signature, endpoints.callables, options, _ask(endpoints)), signature)

    return made


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


def _ask(endpoints: Endpoints) -> AskLM:
    def ask(messages: Sequence[Mapping[str, Any]]) -> str:
        made = tuple(Message(role=message["role"], content=message["content"]) for message in messages)
        return endpoints.lm(LMRequest(messages=made)).content or ""

    return ask


def _format_of(trajectory: Any) -> TrajectoryFormat:
    match trajectory:
        case str():
            return "text"
        case dict():
            return "mapping"
        case list():
            return "list"
    return "none"
