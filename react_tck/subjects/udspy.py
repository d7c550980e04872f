"""The real `udspy.ReAct` as a subject."""

import asyncio
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

from react_tck.fakes.annotations import annotation_of
from react_tck.fakes.lm import LMFault
from react_tck.model.case import Invocation, Options
from react_tck.model.lm import Completion, LMRequest, Message
from react_tck.model.manifest import Capability, Manifest
from react_tck.model.outcome import Outcome, failed
from react_tck.model.signature import Form, Signature
from react_tck.subjects import udspy_faults, udspy_parser
from react_tck.subjects.built import BuiltSubject
from react_tck.subjects.plain import plain
from react_tck.subjects.protocol import Doors, Instance, Subject

#: udspy speaks JSON only, has no adapters to configure, and takes no conversation history into ReAct.
_CAPABILITIES: tuple[Capability, ...] = (
    "arrow-signature",
    "class-signature",
    "typed-fields",
    "nested-fields",
    "call-max-steps",
    "async",
    "async-tools",
    "trajectory",
    "extraction",
    "parse",
    "caller-objects",
    "concurrent-calls",
)
_CHOICES = {
    "unknown-tool": "extract",
    "malformed-reply": "retries 2, then error",
    "tool-error": "observe",
    "trajectory-format": "list",
    "finish-recorded": "yes",
    "max-steps-default": "10",
    "max-steps-zero": "extract at once",
    "extraction": "chain-of-thought",
}


def subject() -> Subject:
    """The subject."""
    manifest = Manifest(
        name="udspy.ReAct",
        version=version("udspy"),
        homepage="https://github.com/silvestrid/udspy",
        dialects=("json",),
        default_dialect="json",
        capabilities=_CAPABILITIES,
        choices=_CHOICES,
        default_max_steps=10,
        retries=2,
        parse_errors=("AdapterParseError",),
    )
    return BuiltSubject(manifest, _build, udspy_parser.read)


def _build(signature: Signature, options: Options, doors: Doors) -> Instance:
    import udspy

    tools = [
        udspy.Tool(function, name=kit.tool.name, description=kit.tool.description)
        for kit, function in zip(doors.tools, doors.callables, strict=True)
    ]
    limits = {} if options.max_steps is None else {"max_iters": options.max_steps}
    made = _signature(signature)
    doors.caller.hand("the signature", made)
    doors.caller.hand("the tools", tools)
    return UdspyInstance(udspy.ReAct(made, tools=tools, **limits), signature, doors)


class UdspyInstance:
    """A constructed module."""

    def __init__(self, module: Any, signature: Signature, doors: Doors) -> None:
        self._module = module
        self._outputs = {field.name for field in signature.outputs}
        self._lm = _language_model(doors.lm)
        self._caller = doors.caller

    def call(self, invocation: Invocation) -> Outcome:
        """Call the module in the mode the invocation asks for."""
        import udspy

        try:
            with udspy.settings.context(lm=self._lm):
                prediction = self._predict(invocation, self._arguments(invocation))
        except Exception as error:
            return failed(error)
        return self._outcome(prediction)

    async def acall(self, invocation: Invocation) -> Outcome:
        """Call the module in the event loop that runs."""
        import udspy

        try:
            with udspy.settings.context(lm=self._lm):
                prediction = await self._module.aforward(**self._arguments(invocation))
        except Exception as error:
            return failed(error)
        return self._outcome(prediction)

    def _arguments(self, invocation: Invocation) -> dict[str, Any]:
        arguments: dict[str, Any] = dict(invocation.inputs)
        self._caller.hand("the inputs", arguments)
        limit = {} if invocation.max_steps is None else {"max_iters": invocation.max_steps}
        return {**arguments, **limit}

    def _predict(self, invocation: Invocation, arguments: dict[str, Any]) -> Any:
        if invocation.mode == "async":
            return asyncio.run(self._module.aforward(**arguments))
        return self._module(**arguments)

    def _outcome(self, prediction: Any) -> Outcome:
        outputs = {name: plain(value) for name, value in prediction.items() if name in self._outputs}
        return Outcome(
            status="ok",
            outputs=outputs,
            trajectory=plain(prediction["trajectory"]),
            trajectory_format="list",
        )


def _signature(wanted: Signature) -> Any:
    from udspy import InputField, OutputField
    from udspy import Signature as Base

    untyped = all(field.is_text for field in (*wanted.inputs, *wanted.outputs))
    if wanted.form is Form.ARROW and untyped:
        return wanted.arrow
    members: dict[str, Any] = {field.name: InputField(description=field.description or None) for field in wanted.inputs}
    members |= {field.name: OutputField(description=field.description or None) for field in wanted.outputs}
    annotations = {f.name: annotation_of(f.json_schema) for f in (*wanted.inputs, *wanted.outputs)}
    members |= {"__annotations__": annotations, "__module__": __name__, "__doc__": wanted.instructions}
    return type(Base)("Task", (Base,), members)


def _language_model(lm: Callable[[LMRequest], Completion]) -> Any:
    from openai.types.chat import ChatCompletion
    from udspy.lm.base import LM

    class KitLM(LM):
        """The kit's LM as udspy's."""

        async def acomplete(self, messages: list[dict[str, Any]], **_: Any) -> ChatCompletion:
            request = LMRequest(messages=tuple(Message(**_message(m)) for m in messages))
            try:
                completion = _completion(lm(request))
            except LMFault as fault:
                completion = udspy_faults.reply(fault)
            return ChatCompletion.model_validate(completion)

    return KitLM()


def _message(message: dict[str, Any]) -> dict[str, Any]:
    return {"role": message["role"], "content": message.get("content")}


def _completion(completion: Completion) -> dict[str, Any]:
    message = {"role": "assistant", "content": completion.content}
    choice = {"index": 0, "finish_reason": completion.finish_reason, "message": message}
    return {"id": "tck", "created": 0, "model": "tck", "object": "chat.completion", "choices": [choice]}
