"""What subjects built on dspy share: the kit's LM as a dspy LM, adapters by dialect, signatures, outcomes."""

import json
from collections.abc import Callable, Iterator, Sequence, Set
from contextlib import contextmanager
from itertools import count
from typing import Any, Literal

import dspy
from dspy import lm15
from dspy.utils.callback import BaseCallback
from pydantic import JsonValue
from pydantic_core import PydanticSerializationError, to_jsonable_python

from react_tck.dialects.fields import finite_json
from react_tck.fakes.annotations import annotation_of
from react_tck.fakes.lm import CUT_TEXT, LMFault
from react_tck.model.base import JsonObject
from react_tck.model.case import Demos, Invocation, Options
from react_tck.model.lm import Completion, LMRequest, Message, ToolCall, ToolOffer
from react_tck.model.outcome import Outcome, failed
from react_tck.model.signature import Field, Form, Signature
from react_tck.reference.confirmation import ConfirmationRequired
from react_tck.subjects.python import plain

_ADAPTERS: dict[str, Callable[[], dspy.Adapter]] = {
    "chat": dspy.ChatAdapter,
    "json": dspy.JSONAdapter,
    "xml": dspy.XMLAdapter,
    "native": lambda: dspy.ChatAdapter(use_native_function_calling=True),
}


#: What modules put into a prediction themselves: the extraction's reasoning, and a conversation's history.
OWN = frozenset({"reasoning", "history", "termination_reason"})

#: The trajectory's format, by the type of what the prediction has for it.
_FORMATS: dict[type[Any], Literal["none", "list"]] = {type(None): "none", list: "list"}

#: What a provider's failure is to dspy.
_FAULTS: dict[str, type[Exception]] = {
    "rate-limit": lm15.RateLimitError,
    "timeout": lm15.TimeoutError,
    "server-error": lm15.ServerError,
    "context-window": lm15.ContextLengthError,
    "bad-request": lm15.InvalidRequestError,
    "unauthorized": lm15.AuthError,
    "forbidden": lm15.AuthError,
    "connection-reset": lm15.TransportError,
    "truncated-body": lm15.TransportError,
    "truncated-stream": lm15.StreamAssemblyError,
    "invalid-json": lm15.ProviderError,
    "empty-choices": lm15.ProviderError,
}


class Engine:
    """A dspy engine that asks the kit's LM; it takes tools natively where the case's adapter does."""

    def __init__(self, lm: Callable[[LMRequest], Completion], supports_function_calling: bool = False) -> None:
        self._lm = lm
        self._calls = count(1)
        self.supports_function_calling = supports_function_calling

    def complete(self, request: lm15.Request, **_: Any) -> lm15.Response:
        """Translate, ask, translate back."""
        try:
            completion = self._lm(_request(request))
        except LMFault as fault:
            if fault.fault == "finish-length":
                return _response(request, (lm15.TextPart(text=CUT_TEXT),), "length")
            raise _FAULTS[fault.fault](str(fault)) from fault
        return _response(request, tuple(self._parts(completion)), _finish_reason(completion))

    def _parts(self, completion: Completion) -> Iterator[Any]:
        if completion.content or not completion.tool_calls:
            yield lm15.TextPart(text=completion.content or "")
        for call in completion.tool_calls:
            # As a provider does, each call gets an id that no other of the episode has. A call of an empty name is
            # nothing that lm15 can hold.
            yield lm15.ToolCallPart(id=f"call_{next(self._calls)}", name=call.name or " ", input=_input_of(call))


class AsyncEngine:
    """The same for async calls; the kit's LM never makes anybody wait."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.supports_function_calling = engine.supports_function_calling

    async def complete(self, request: lm15.Request, **_: Any) -> lm15.Response:
        """Translate, ask, translate back."""
        return self._engine.complete(request)


def _finish_reason(completion: Completion) -> str:
    if completion.finish_reason == "length":
        return "length"
    return "tool_call" if completion.tool_calls else "stop"


def _response(request: lm15.Request, parts: tuple[Any, ...], finish_reason: str) -> lm15.Response:
    return lm15.Response(
        id="tck",
        model=request.model,
        message=lm15.Message(role="assistant", parts=parts),
        finish_reason=finish_reason,
        usage=lm15.Usage(),
    )


def adapter(dialect: str | None) -> dspy.Adapter | None:
    """dspy's adapter for a dialect."""
    return _ADAPTERS[dialect]() if dialect else None


def predictor(wanted: str) -> type[dspy.Module]:
    """dspy's predictor of this name."""
    kinds: dict[str, type[dspy.Module]] = {"predict": dspy.Predict, "chain-of-thought": dspy.ChainOfThought}
    return kinds[wanted]


@contextmanager
def configured(lm: dspy.LM, wanted: str | None, callbacks: Sequence[BaseCallback] = ()) -> Iterator[None]:
    """dspy's settings as the case wants them; where it names no adapter, none is configured (ADP-003)."""
    # dspy serves async tools in sync calls only to those who ask for it.
    settings: dict[str, Any] = {"lm": lm, "allow_tool_async_sync_conversion": True}
    if wanted:
        settings["adapter"] = adapter(wanted)
    if callbacks:
        settings["callbacks"] = [*callbacks]
    with dspy.context(**settings):
        yield


def language_model(lm: Callable[[LMRequest], Completion], options: Options | None = None) -> dspy.LM:
    """The kit's LM as dspy's. Its cache must be off: a second, identical episode has to ask again."""
    is_native = options is not None and "native" in (options.adapter, options.module_adapter)
    engine = Engine(lm, supports_function_calling=is_native)
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


def give_demos(module: dspy.Module, demos: Demos) -> None:
    """Demos for the two internal predictors, as an optimizer gives them."""
    predictors: dict[str, Any] = {name.partition(".")[0]: made for name, made in module.named_predictors()}
    predictors["react"].demos = [dspy.Example(**demo) for demo in demos.step]
    predictors["extract"].demos = [dspy.Example(**demo) for demo in demos.extraction]


def inputs(wanted: Signature, invocation: Invocation) -> dict[str, Any]:
    """The inputs of a call, the conversation history as dspy's own."""
    images = {field.name for field in wanted.inputs if field.is_image}
    given = {n: dspy.Image(value) if n in images else value for n, value in invocation.inputs.items()}
    if invocation.history is None:
        return given
    messages = [dict(turn) for turn in invocation.history]
    # A conversation has a history whether or not its signature names one (S0).
    return {**given, wanted.history_field or "history": dspy.History(messages=messages)}


def outcome(wanted: Signature, predict: Callable[[], dspy.Prediction], own: Set[str] = OWN) -> Outcome:
    """The outcome of a call, whatever it ends with; `own` are what the prediction holds besides the user's outputs."""
    try:
        prediction = predict()
    except ConfirmationRequired as asked:
        return Outcome(status="suspended", suspension=asked.dump())
    except Exception as error:
        return failed(error)
    values = dict(prediction.items())
    held = {name: values.pop(name, None) for name in {*own, "trajectory"} - {field.name for field in wanted.outputs}}
    trajectory = plain(held.get("trajectory"))
    return Outcome(
        status="ok",
        outputs={name: plain(value) for name, value in values.items()},
        trajectory=trajectory,
        trajectory_format=_FORMATS.get(type(trajectory), "mapping"),
        history=_history(held.get("history")),
        termination=held.get("termination_reason"),
    )


def _history(history: Any) -> JsonValue:
    """As JSON; what that can't hold, a part or the whole, is written as Python writes it."""
    made: JsonValue
    try:
        made = to_jsonable_python(history, fallback=repr)
    except PydanticSerializationError:
        made = repr(history)
    return made.get("messages") if isinstance(made, dict) and "messages" in made else made


def _annotation(field: Field) -> Any:
    if field.is_image:
        return dspy.Image
    return dspy.History if field.history else annotation_of(field.json_schema)


def _input(field: Field) -> Any:
    return dspy.InputField(desc=field.description) if field.description else dspy.InputField()


def _output(field: Field) -> Any:
    return dspy.OutputField(desc=field.description) if field.description else dspy.OutputField()


def _request(request: lm15.Request) -> LMRequest:
    system = [Message(role="system", content=_text(request.system))] if request.system else []
    rest = [made for message in request.messages for made in _messages(message)]
    return LMRequest(
        messages=(*system, *rest),
        tools=tuple(_offer(tool) for tool in request.tools),
        tool_choice=_choice(request.config.tool_choice),
        model=request.model,
    )


def _messages(message: lm15.Message) -> Iterator[Message]:
    """A message as chat completions have it: the results of several calls are a message each."""
    if message.role == "tool":
        for part in message.parts_of(lm15.ToolResultPart):
            yield Message(role="tool", content=_text(part.content), tool_call_id=part.id)
        return
    calls = tuple(_call(part) for part in message.parts_of(lm15.ToolCallPart))
    images = tuple(
        part.url or f"data:{part.media_type};base64,{part.data}" for part in message.parts_of(lm15.ImagePart)
    )
    content = _text(message.parts) or (None if calls else "")
    yield Message(role=message.role, content=content, tool_calls=calls, images=images)


def _call(part: lm15.ToolCallPart) -> ToolCall:
    return ToolCall(id=part.id, name=part.name, arguments=json.dumps(part.input, ensure_ascii=False))


def _input_of(call: ToolCall) -> JsonObject:
    """The arguments as dspy reads them from a provider."""
    try:
        arguments = finite_json(call.arguments)
    except ValueError:
        arguments = None
    return arguments if isinstance(arguments, dict) else {"partial_json": call.arguments}


def _choice(wanted: Any) -> str | None:
    if wanted is None:
        return None
    return str(wanted.allowed[0] if len(wanted.allowed) == 1 else wanted.mode)


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(part.text for part in content if part.type == "text")


def _offer(tool: Any) -> ToolOffer:
    parameters: JsonObject = dict(tool.parameters or {})
    return ToolOffer(name=tool.name, description=tool.description or "", parameters=parameters)
