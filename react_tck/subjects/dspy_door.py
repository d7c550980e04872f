"""What subjects built on dspy share: the kit's LM as a dspy LM, adapters by dialect, signatures, outcomes."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import dspy
from dspy import lm15

from react_tck.fakes.annotations import annotation_of
from react_tck.fakes.faults import CUT_TEXT
from react_tck.fakes.lm import LMFault
from react_tck.model.base import JsonObject
from react_tck.model.case import Invocation, Options
from react_tck.model.lm import Completion, LMRequest, Message, ToolOffer
from react_tck.model.outcome import Outcome, failed
from react_tck.model.signature import Field, Form, Signature
from react_tck.subjects.plain import plain

_ADAPTERS: dict[str, Callable[[], dspy.Adapter]] = {
    "chat": dspy.ChatAdapter,
    "json": dspy.JSONAdapter,
    "xml": dspy.XMLAdapter,
}


#: What a provider's failure is to dspy.
_FAULTS: dict[str, type[Exception]] = {
    "rate-limit": lm15.RateLimitError,
    "timeout": lm15.TimeoutError,
    "server-error": lm15.ServerError,
    "context-window": lm15.ContextLengthError,
    "connection-reset": lm15.TransportError,
    "truncated-body": lm15.TransportError,
    "truncated-stream": lm15.StreamAssemblyError,
    "invalid-json": lm15.ProviderError,
    "empty-choices": lm15.ProviderError,
}


class Engine:
    """A dspy engine that asks the kit's LM."""

    def __init__(self, lm: Callable[[LMRequest], Completion]) -> None:
        self._lm = lm

    def complete(self, request: lm15.Request, **_: Any) -> lm15.Response:
        """Translate, ask, translate back."""
        try:
            completion = self._lm(_request(request))
        except LMFault as fault:
            if fault.fault == "finish-length":
                return _response(request, CUT_TEXT, "length")
            raise _FAULTS[fault.fault](str(fault)) from fault
        return _response(request, completion.content or "")


class AsyncEngine:
    """The same for async calls; the kit's LM never makes anybody wait."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    async def complete(self, request: lm15.Request, **_: Any) -> lm15.Response:
        """Translate, ask, translate back."""
        return self._engine.complete(request)


def _response(request: lm15.Request, text: str, finish_reason: str = "stop") -> lm15.Response:
    return lm15.Response(
        id="tck",
        model=request.model,
        message=lm15.Message.assistant(text),
        finish_reason=finish_reason,
        usage=lm15.Usage(),
    )


def adapter(dialect: str | None) -> dspy.Adapter | None:
    """dspy's adapter for a dialect."""
    return _ADAPTERS[dialect]() if dialect else None


@contextmanager
def configured(lm: dspy.LM, options: Options) -> Iterator[None]:
    """dspy's settings as the case wants them; where it names no adapter, none is configured (ADP-003)."""
    # dspy serves async tools in sync calls only to those who ask for it.
    settings: dict[str, Any] = {"lm": lm, "allow_tool_async_sync_conversion": True}
    if options.adapter:
        settings["adapter"] = adapter(options.adapter)
    with dspy.context(**settings):
        yield


def language_model(lm: Callable[[LMRequest], Completion]) -> dspy.LM:
    """The kit's LM as dspy's. Its cache must be off: a second, identical episode has to ask again."""
    engine = Engine(lm)
    return dspy.LM("tck", engine=engine, async_engine=AsyncEngine(engine), cache=False, num_retries=0)


def signature(wanted: Signature) -> str | type[dspy.Signature]:
    """The signature in the form the case wants."""
    if wanted.form is Form.ARROW:
        return wanted.arrow
    if wanted.form is Form.VALUE:
        return _value(wanted)
    return _class(wanted)


def _value(wanted: Signature) -> type[dspy.Signature]:
    inputs = {field.name: (_annotation(field), _input(field)) for field in wanted.inputs}
    outputs = {field.name: (_annotation(field), _output(field)) for field in wanted.outputs}
    made: type[dspy.Signature] = dspy.Signature({**inputs, **outputs}, wanted.instructions or None)
    return made


def _class(wanted: Signature) -> type[dspy.Signature]:
    members: dict[str, Any] = {field.name: _input(field) for field in wanted.inputs}
    members |= {field.name: _output(field) for field in wanted.outputs}
    annotations = {field.name: _annotation(field) for field in (*wanted.inputs, *wanted.outputs)}
    members |= {"__annotations__": annotations, "__module__": __name__}
    if wanted.instructions:
        members["__doc__"] = wanted.instructions
    made: type[dspy.Signature] = type(dspy.Signature)("Task", (dspy.Signature,), members)
    return made


def inputs(wanted: Signature, invocation: Invocation) -> dict[str, Any]:
    """The inputs of a call, the conversation history as dspy's own."""
    if invocation.history is None or wanted.history_field is None:
        return dict(invocation.inputs)
    messages = [dict(turn) for turn in invocation.history]
    return {**invocation.inputs, wanted.history_field: dspy.History(messages=messages)}


def outcome(wanted: Signature, predict: Callable[[], dspy.Prediction]) -> Outcome:
    """The outcome of a call, whatever it ends with."""
    try:
        prediction = predict()
    except Exception as error:
        return failed(error)
    named = {name: plain(value) for name, value in prediction.items()}
    trajectory = named.pop("trajectory", None)
    own = {"reasoning"} - {field.name for field in wanted.outputs}
    outputs = {name: value for name, value in named.items() if name not in own}
    return Outcome(
        status="ok",
        outputs=outputs,
        trajectory=trajectory,
        trajectory_format="none" if trajectory is None else "mapping",
    )


def _annotation(field: Field) -> Any:
    return dspy.History if field.history else annotation_of(field.json_schema)


def _input(field: Field) -> Any:
    return dspy.InputField(desc=field.description) if field.description else dspy.InputField()


def _output(field: Field) -> Any:
    return dspy.OutputField(desc=field.description) if field.description else dspy.OutputField()


def _request(request: lm15.Request) -> LMRequest:
    system = Message(role="system", content=_text(request.system)) if request.system else None
    rest = [Message(role=message.role, content=_text(message.parts)) for message in request.messages]
    offers = [_offer(tool) for tool in request.tools]
    return LMRequest(messages=tuple([system, *rest] if system else rest), tools=tuple(offers), model=request.model)


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(part.text for part in content if part.type == "text")


def _offer(tool: Any) -> ToolOffer:
    parameters: JsonObject = dict(tool.parameters or {})
    return ToolOffer(name=tool.name, description=tool.description or "", parameters=parameters)
