"""The kit's LM and tools as a harness in Python reaches them: over HTTP."""

import http.client
import json
from typing import Any
from urllib.parse import urlsplit

from pydantic import JsonValue

from react_tck.adapter.lm import LMFault, LMRefusal
from react_tck.adapter.tools import PersonNeeded, ToolFailure
from react_tck.model.base import JsonObject
from react_tck.model.lm import Completion, LMRequest, ToolCall
from react_tck.model.protocol import Endpoint
from react_tck.model.tool import Tool

_TIMEOUT = 60
#: The kit's LM answers at once, or never.
_LM_TIMEOUT = 10
#: By status or error code.
_FAULTS = {
    429: "rate-limit",
    500: "server-error",
    "context_length_exceeded": "context-window",
    "invalid_value": "bad-request",
    "invalid_api_key": "unauthorized",
    "permission_denied": "forbidden",
}


class RemoteLM:
    """Asks the kit's chat-completions endpoint."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint

    def complete(self, request: LMRequest) -> Completion:
        """Return the reply to a request.

        Raises:
            LMFault: if the endpoint fails as a provider does.
            LMRefusal: if it gives anything else but a completion.
        """
        body = _chat_request(request, self._endpoint.model)
        try:
            status, reply = _post_json(
                f"{self._endpoint.base_url}/chat/completions", body, self._endpoint.api_key, _LM_TIMEOUT
            )
        except (OSError, http.client.HTTPException, ValueError) as broken:
            raise LMFault(_find_fault(broken)) from broken
        if status == http.client.OK and reply["choices"]:
            return _read_completion(reply)
        if status == http.client.OK:
            raise LMFault("empty-choices")
        error = reply.get("error") or {}
        if fault := _FAULTS.get(status) or _FAULTS.get(error.get("code")):
            raise LMFault(fault)
        raise LMRefusal(f"the LM answered {status}: {error}")


class RemoteTool:
    """One of the kit's tools, run over HTTP."""

    def __init__(self, tool: Tool, tools_url: str) -> None:
        self.tool = tool
        self._url = f"{tools_url}/{tool.name}"

    def answer_run(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Say what a run does: the kit has run it."""
        try:
            return {"do": "return", "value": self.run(asked["args"])}
        except PersonNeeded as need:
            return {"do": "ask", "question": str(need)}
        except ToolFailure as failure:
            return {"do": "raise", "message": str(failure)}

    def run(self, args: dict[str, Any]) -> Any:
        """Run it.

        Raises:
            ToolFailure: if it fails.
        """
        _, reply = _post_json(self._url, args)
        if "error" in reply:
            raise (PersonNeeded if reply.get("asks") else ToolFailure)(str(reply["error"]))
        return reply["result"]

    def refuse(self, sent: str) -> None:
        """Let the kit refuse it: the record is there."""
        _send_body(self._url, sent)


def _find_fault(error: Exception) -> str:
    """Return the provider's failure that a client meets as this error."""
    if isinstance(error, TimeoutError):
        return "timeout"
    return "connection-reset" if isinstance(error, OSError) else "truncated-body"


def _post_json(url: str, body: JsonObject, api_key: str = "", timeout: float = _TIMEOUT) -> tuple[int, dict[str, Any]]:
    return _send_body(url, json.dumps(body, default=_as_object), api_key, timeout)


def _send_body(url: str, body: str, api_key: str = "", timeout: float = _TIMEOUT) -> tuple[int, dict[str, Any]]:
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(str(parts.hostname), parts.port, timeout=timeout)
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {api_key}"}
    try:
        connection.request("POST", parts.path, body.encode(errors="surrogatepass"), headers)
        response = connection.getresponse()
        reply: dict[str, Any] = json.loads(response.read())
    finally:
        connection.close()
    return response.status, reply


def _as_object(value: Any) -> Any:
    """Args that a subject made objects of travel as what they were."""
    return value.model_dump() if hasattr(value, "model_dump") else repr(value)


def _chat_request(request: LMRequest, model: str) -> JsonObject:
    body: JsonObject = {
        "model": model,
        "messages": [_render_message(message.model_dump()) for message in request.messages],
    }
    if request.tools:
        body["tools"] = [{"type": "function", "function": offer.model_dump(mode="json")} for offer in request.tools]
    if request.tool_choice:
        body["tool_choice"] = _render_choice(request.tool_choice)
    return body


def _render_choice(wanted: str) -> JsonValue:
    if wanted in ("auto", "none", "required"):
        return wanted
    return {"type": "function", "function": {"name": wanted}}


def _render_message(message: dict[str, Any]) -> JsonObject:
    made: JsonObject = {"role": message["role"], "content": message["content"]}
    if message["images"]:
        parts: list[JsonValue] = [{"type": "image_url", "image_url": {"url": url}} for url in message["images"]]
        made["content"] = [{"type": "text", "text": message["content"] or ""}, *parts]
    if message["tool_calls"]:
        made["tool_calls"] = [
            {"id": c["id"], "type": "function", "function": {"name": c["name"], "arguments": c["arguments"]}}
            for c in message["tool_calls"]
        ]
    if message["tool_call_id"]:
        made["tool_call_id"] = message["tool_call_id"]
    return made


def _read_completion(reply: dict[str, Any]) -> Completion:
    choice = reply["choices"][0]
    calls = choice["message"].get("tool_calls") or []
    return Completion(
        content=choice["message"].get("content"),
        tool_calls=tuple(
            ToolCall(id=c["id"], name=c["function"]["name"], arguments=c["function"]["arguments"]) for c in calls
        ),
        finish_reason=choice["finish_reason"],
    )
