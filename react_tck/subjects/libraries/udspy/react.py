"""The real `udspy.ReAct` as a subject."""

import asyncio
from collections.abc import Callable
from contextvars import copy_context
from importlib.metadata import version
from threading import Lock
from typing import Any

from react_tck.fakes.annotations import annotation_of
from react_tck.fakes.lm import LMFault
from react_tck.model.base import JsonObject
from react_tck.model.case import Invocation, Mode, Options, Resumption
from react_tck.model.lm import Completion, LMRequest, Message
from react_tck.model.manifest import Capability, Description, Fields, Manifest
from react_tck.model.outcome import Outcome, failed
from react_tck.model.signature import Form, Signature
from react_tck.subjects.api import Endpoints, Instance, Subject
from react_tck.subjects.libraries.udspy import bridge
from react_tck.subjects.python import BuiltSubject, plain

#: udspy speaks JSON only, has no adapters to configure, and takes no conversation history into ReAct. Its 0.1.8 has no
#: clarification tool, no native steps in ReAct, and nothing that takes a suspended state.
_CAPABILITIES: tuple[Capability, ...] = (
    "arrow-signature",
    "class-signature",
    "typed-fields",
    "nested-fields",
    "call-max-steps",
    "async",
    "async-tools",
    "tool-interruptions",
    "trajectory",
    "extraction",
    "step-signature",
    "confirmation",
    "inspection",
    "udspy-surface",
    "parse",
    "caller-objects",
    "concurrent-calls",
)
#: What can be inspected (UDS-003).
_SIGNATURES = ("signature", "react_signature", "extract_signature")
_CHOICES = {
    "unknown-tool": "extract",
    "malformed-args": "observe",
    "schema-mismatch": "coerce when lossless",
    "malformed-reply": "retries 2, then error",
    "tool-name-matching": "exact",
    "args-notation": "JSON only",
    "empty-args": "observe",
    "repeated-field": "last",
    "cut-off-answer": "returned",
    "lm-fault": "error",
    "steps-exhausted": "extract",
    "step-adapter": "same as extraction",
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
    return BuiltSubject(manifest, _build, bridge.read)


def _build(signature: Signature, options: Options, endpoints: Endpoints) -> Instance:
    import udspy

    tools = [
        udspy.Tool(
            function,
            name=kit.tool.name,
            description=kit.tool.description,
            require_confirmation=kit.tool.confirm,
        )
        for kit, function in zip(endpoints.tools, endpoints.callables, strict=True)
    ]
    limits = {} if options.max_steps is None else {"max_iters": options.max_steps}
    made = _signature(signature)
    endpoints.caller.hand("the signature", made)
    endpoints.caller.hand("the tools", tools)
    return UdspyInstance(udspy.ReAct(made, tools=tools, **limits), signature, endpoints)


class UdspyInstance:
    """A constructed module."""

    def __init__(self, module: Any, signature: Signature, endpoints: Endpoints) -> None:
        self._module = module
        self._outputs = {field.name for field in signature.outputs}
        self._lm = _language_model(endpoints.lm)
        self._caller = endpoints.caller
        # udspy keeps responses in a context variable, by an id that other instances' calls have too.
        self._context = copy_context()
        self._in_use = Lock()

    def call(self, invocation: Invocation) -> Outcome:
        """Call the module in the mode the invocation asks for."""
        arguments = self._arguments(invocation)
        if not self._in_use.acquire(blocking=False):
            # A context holds one call at a time; what it knows goes for calls at once as well.
            return self._context.copy().run(self._call, arguments, invocation.mode)
        try:
            return self._context.run(self._call, arguments, invocation.mode)
        finally:
            self._in_use.release()

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

    def resume(self, suspension: JsonObject, resumption: Resumption) -> Outcome:
        """Respond, and make the same call again: S3's own way, since its `resume` isn't there."""
        asked: dict[str, Any] = suspension
        try:
            self._context.run(bridge.respond, asked["confirmation_id"], asked["tool_call"]["name"], resumption.response)
        except NotImplementedError as error:
            return failed(error)
        return self._context.run(self._call, asked["call"], resumption.mode)

    def status(self, confirmation_id: str) -> str:
        """What udspy says became of a confirmation."""
        from udspy.confirmation import get_confirmation_status

        status: str = self._context.run(get_confirmation_status, confirmation_id)
        return status

    def describe(self) -> Description:
        """The tools and signatures that the module exposes."""
        signatures = {name: _fields(getattr(self._module, name)) for name in _SIGNATURES}
        tools = {name: tool.description or "" for name, tool in self._module.tools.items()}
        return Description(tools=tools, signatures=signatures)

    def _call(self, arguments: dict[str, Any], mode: Mode) -> Outcome:
        import udspy

        try:
            with udspy.settings.context(lm=self._lm):
                prediction = self._predict(arguments, mode)
        except udspy.ConfirmationRequired as asked:
            return Outcome(status="suspended", suspension=bridge.suspension(asked, arguments))
        except Exception as error:
            return failed(error)
        return self._outcome(prediction)

    def _predict(self, arguments: dict[str, Any], mode: Mode) -> Any:
        if mode == "async":
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


def _fields(signature: Any) -> Fields:
    return Fields(
        inputs=tuple(signature.get_input_fields()),
        outputs=tuple(signature.get_output_fields()),
        instructions=signature.get_instructions(),
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
                completion = bridge.fault_reply(fault)
            return ChatCompletion.model_validate(completion)

    return KitLM()


def _message(message: dict[str, Any]) -> dict[str, Any]:
    return {"role": message["role"], "content": message.get("content")}


def _completion(completion: Completion) -> dict[str, Any]:
    message = {"role": "assistant", "content": completion.content}
    choice = {"index": 0, "finish_reason": completion.finish_reason, "message": message}
    return {"id": "tck", "created": 0, "model": "tck", "object": "chat.completion", "choices": [choice]}
