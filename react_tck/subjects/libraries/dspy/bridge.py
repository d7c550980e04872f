"""What subjects built on dspy share: the kit's LM as a dspy LM, adapters by dialect, signatures, outcomes."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from math import isfinite
from typing import Any, NoReturn

import dspy
from dspy import lm15
from dspy.utils.callback import BaseCallback

import react_tck

_ADAPTERS: dict[str, Callable[[], dspy.Adapter]] = {
    "chat": dspy.ChatAdapter,
    "json": dspy.JSONAdapter,
    "xml": dspy.XMLAdapter,
    "native": lambda: dspy.ChatAdapter(use_native_function_calling=True),
}


#: What modules put into a prediction themselves: the extraction's reasoning, and a conversation's history.
OWN = frozenset({"reasoning", "history", "termination_reason"})

#: What a provider's failure is to dspy.
_FAULTS: dict[str, type[lm15.ProviderError]] = {
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

    def __init__(self, lm: react_tck.LM, supports_function_calling: bool = False) -> None:
        self._lm = lm
        self.supports_function_calling = supports_function_calling

    def complete(self, request: lm15.Request, **_: Any) -> lm15.Response:
        """Ask the kit's LM; request and response are translated. Raises the lm15 error of a provider's failure."""
        tools = [_render_offer(tool) for tool in request.tools]
        try:
            reply = self._lm.chat(list(_render_request(request)), tools, _render_choice(request.config.tool_choice))
        except react_tck.LMFault as fault:
            # dspy asks again when the provider says: here, at once.
            raise _FAULTS[fault.fault](str(fault), retry_after=0.0) from fault
        return lm15.Response(
            id="tck",
            model=request.model,
            message=lm15.Message(role="assistant", parts=tuple(_make_parts(reply))),
            finish_reason=_finish_reason(reply),
            usage=lm15.Usage(),
        )


class AsyncEngine:
    """The same for async calls; the kit's LM never makes anybody wait."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.supports_function_calling = engine.supports_function_calling

    async def complete(self, request: lm15.Request, **_: Any) -> lm15.Response:
        """Ask the kit's LM, as `Engine.complete` does."""
        return self._engine.complete(request)


def _make_parts(reply: react_tck.LMReply) -> Iterator[Any]:
    if reply.text or not reply.tool_calls:
        yield lm15.TextPart(text=reply.text)
    for call in reply.tool_calls:
        # A call of an empty name is nothing that lm15 can hold.
        yield lm15.ToolCallPart(id=call.id, name=call.name or " ", input=_input_of(call.arguments))


def _finish_reason(reply: react_tck.LMReply) -> str:
    if reply.finish_reason == "length":
        return "length"
    return "tool_call" if reply.tool_calls else "stop"


def make_adapter(dialect: str | None) -> dspy.Adapter | None:
    """dspy's adapter for a dialect."""
    return _ADAPTERS[dialect]() if dialect else None


def find_predictor(wanted: str) -> type[dspy.Module]:
    """dspy's predictor of this name."""
    kinds: dict[str, type[dspy.Module]] = {"predict": dspy.Predict, "chain-of-thought": dspy.ChainOfThought}
    return kinds[wanted]


@contextmanager
def configure_dspy(lm: dspy.LM, wanted: str | None, callbacks: Sequence[BaseCallback] = ()) -> Iterator[None]:
    """dspy's settings as the case wants them; where it names no adapter, none is configured (ADP-003)."""
    chosen: dict[str, Any] = {"adapter": make_adapter(wanted)} if wanted else {}
    heard: dict[str, Any] = {"callbacks": [*callbacks]} if callbacks else {}
    with dspy.context(lm=lm, allow_tool_async_sync_conversion=True, **chosen, **heard):
        yield


def language_model(lm: react_tck.LM, is_native: bool = False, **settings: Any) -> dspy.LM:
    """Return the kit's LM as dspy's. Its cache must be off: a second, identical episode has to ask again."""
    engine = Engine(lm, supports_function_calling=is_native)
    return dspy.LM("tck", engine=engine, async_engine=AsyncEngine(engine), cache=False, **settings)


def make_signature(task: react_tck.Task) -> str | type[dspy.Signature]:
    """Return the signature in the form that the task has."""
    if task.form == "arrow":
        return task.arrow
    return _make_value_signature(task) if task.form == "value" else _make_class_signature(task)


def _make_value_signature(task: react_tck.Task) -> type[dspy.Signature]:
    inputs = {field.name: (_find_annotation(field), _make_input(field)) for field in task.inputs}
    outputs = {field.name: (_find_annotation(field), _make_output(field)) for field in task.outputs}
    made: type[dspy.Signature] = dspy.Signature({**inputs, **outputs}, task.instructions or None)
    return made


def _make_class_signature(task: react_tck.Task) -> type[dspy.Signature]:
    members: dict[str, Any] = {field.name: _make_input(field) for field in task.inputs}
    members |= {field.name: _make_output(field) for field in task.outputs}
    annotations = {field.name: _find_annotation(field) for field in (*task.inputs, *task.outputs)}
    members |= {"__annotations__": annotations, "__module__": __name__}
    if task.instructions:
        members["__doc__"] = task.instructions
    made: type[dspy.Signature] = type(dspy.Signature)("Task", (dspy.Signature,), members)
    return made


def give_demos(module: dspy.Module, step: Sequence[Mapping[str, Any]], extraction: Sequence[Mapping[str, Any]]) -> None:
    """Demos for the two internal predictors, as an optimizer gives them."""
    predictors: dict[str, Any] = {name.partition(".")[0]: made for name, made in module.named_predictors()}
    predictors["react"].demos = [dspy.Example(**demo) for demo in step]
    predictors["extract"].demos = [dspy.Example(**demo) for demo in extraction]


def make_tool(tool: Any, function: Callable[..., Any]) -> Any:
    """Return what a user gives dspy: the function, or a `dspy.Tool` of it, where its args are declared beside it."""
    if not tool.is_declared:
        return function
    return dspy.Tool(function, name=tool.name, desc=tool.description, args=dict(tool.parameters["properties"]))


def make_arguments(task: react_tck.Task, inputs: Mapping[str, Any], history: Any = None) -> dict[str, Any]:
    """Return the inputs of a call as dspy's; a history is earlier turns, or what an earlier call gave."""
    images = {field.name for field in task.inputs if field.is_image}
    given = {name: dspy.Image(value) if name in images else value for name, value in inputs.items()}
    if history is None:
        return given
    # A conversation has a history whether or not its signature names one (S0).
    name = next((field.name for field in task.inputs if field.history), "history")
    return {**given, name: dspy.History(messages=history) if isinstance(history, list) else history}


def make_result(task: react_tck.Task, prediction: dspy.Prediction, own: Set[str] = OWN) -> react_tck.Done:
    """Return what a call came to; `own` are what the prediction holds besides the user's outputs."""
    values = dict(prediction.items())
    held = {name: values.pop(name, None) for name in {*own, "trajectory"} - {field.name for field in task.outputs}}
    return react_tck.Done(
        values,
        steps=held.get("trajectory"),
        history=held.get("history"),
        termination=held.get("termination_reason"),
    )


def _find_annotation(field: Any) -> Any:
    if field.is_image:
        return dspy.Image
    return dspy.History if field.history else react_tck.annotation_of(field.json_schema)


def _make_input(field: Any) -> Any:
    return dspy.InputField(desc=field.description) if field.description else dspy.InputField()


def _make_output(field: Any) -> Any:
    return dspy.OutputField(desc=field.description) if field.description else dspy.OutputField()


def _render_request(request: lm15.Request) -> Iterator[dict[str, Any]]:
    """Yield the messages as chat completions have them."""
    if request.system:
        yield {"role": "system", "content": _join_text(request.system)}
    for message in request.messages:
        yield from _render_message(message)


def _render_message(message: lm15.Message) -> Iterator[dict[str, Any]]:
    """Yield a message as chat completions have it: the results of several calls are a message each."""
    if message.role == "tool":
        for part in message.parts_of(lm15.ToolResultPart):
            yield {"role": "tool", "content": _join_text(part.content), "tool_call_id": part.id}
        return
    made: dict[str, Any] = {"role": message.role, "content": _render_content(message)}
    if calls := message.parts_of(lm15.ToolCallPart):
        made |= {"content": made["content"] or None, "tool_calls": [_render_call(part) for part in calls]}
    yield made


def _render_content(message: lm15.Message) -> str | list[dict[str, Any]]:
    """Its text; with images, in the parts that it has."""
    if not message.parts_of(lm15.ImagePart):
        return _join_text(message.parts)
    return [_render_part(part) for part in message.parts if part.type in ("text", "image")]


def _render_part(part: Any) -> dict[str, Any]:
    if part.type == "text":
        return {"type": "text", "text": part.text}
    return {"type": "image_url", "image_url": {"url": part.url or f"data:{part.media_type};base64,{part.data}"}}


def _render_call(part: lm15.ToolCallPart) -> dict[str, Any]:
    function = {"name": part.name, "arguments": json.dumps(part.input, ensure_ascii=False)}
    return {"id": part.id, "type": "function", "function": function}


def _input_of(arguments: str) -> dict[str, Any]:
    """Return the arguments of a call as dspy reads them from a provider."""
    try:
        read = json.loads(arguments, parse_float=_parse_finite, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        read = None
    return read if isinstance(read, dict) else {"partial_json": arguments}


def _parse_finite(number: str) -> float:
    return float(number) if isfinite(float(number)) else _refuse_constant(number)


def _refuse_constant(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON")


def _render_choice(wanted: Any) -> Any:
    if wanted is None or len(wanted.allowed) != 1:
        return wanted and str(wanted.mode)
    return {"type": "function", "function": {"name": str(wanted.allowed[0])}}


def _join_text(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(part.text for part in content if part.type == "text")


def _render_offer(tool: Any) -> dict[str, Any]:
    described = {"name": tool.name, "description": tool.description or "", "parameters": dict(tool.parameters or {})}
    return {"type": "function", "function": described}
