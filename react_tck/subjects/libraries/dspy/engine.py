"""The kit's LM as the engine of a `dspy.LM`, for releases whose LM takes an engine: those with `lm15`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from math import isfinite
from typing import Any, NoReturn

from dspy import lm15

import react_tck

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
