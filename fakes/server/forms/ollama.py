"""`POST /api/chat`, Ollama's form: requests read into the words of chat completions, replies as lines of JSON."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic_core import to_json

from react_tck.fakes.server.errors import BadRequest, provider_error
from react_tck.fakes.server.forms.pairing import CallPairing
from react_tck.fakes.server.reading import (
    NO_LOGPROBS,
    find_args,
    json_object,
    read_list,
    read_offers,
    read_stream,
    refuse_unmet,
    text_of,
    validate_request,
)
from react_tck.fakes.server.wire import (
    NDJSON,
    Reply,
    SaidBefore,
    Wanted,
    WireForm,
    json_reply,
    split_pieces,
)
from react_tck.model.lm import ToolCall

#: What isn't given here, and why.
_UNMET = {"logprobs": NO_LOGPROBS, "top_logprobs": NO_LOGPROBS}
#: `CREATED`, as Ollama writes it.
_CREATED_AT = "2025-06-15T15:06:40Z"
#: Nanoseconds that a token takes.
_PER_TOKEN = 10_000_000
_TOO_LONG = "the input length exceeds the context length"


def read_request(body: bytes, model: str, past: SaidBefore) -> Wanted:
    """Return the request in a body; this is its model if it names none.

    Raises:
        BadRequest: if it isn't one.
    """
    values = json_object(body)
    form, messages = values.get("format"), read_list(values.get("messages"), "messages", is_needed=True)
    refuse_unmet(values, _UNMET)
    pairing = CallPairing(past.given)
    asked = {
        "messages": [_read_message(message, f"messages[{at}]", pairing) for at, message in enumerate(messages)],
        "tools": read_offers(values.get("tools")),
        "response_format": ("json_schema" if isinstance(form, dict) else "json_object") if form else None,
        "answer_schema": form if isinstance(form, dict) else None,
        "model": values.get("model") or model,
    }
    # A stream is what comes unless it is declined.
    stream = read_stream(values) or values.get("stream") is None
    return Wanted(validate_request(asked), stream, shows_thoughts=values.get("think") is not False)


def answer_show(_: bytes, __: str) -> Reply:
    """Return what a model can do, whichever it is: all that is spoken of here."""
    able, info = ["completion", "tools", "vision", "thinking"], {"general.architecture": "scripted"}
    return json_reply({"details": {}, "model_info": info, "capabilities": able, "template": "{{ .Tools }}"})


def _read_message(message: Any, where: str, pairing: CallPairing) -> dict[str, Any]:
    if not isinstance(message, dict):
        raise BadRequest(f"{where} is not an object")
    role = message.get("role")
    read = {
        "role": role,
        "content": text_of(message.get("content"), where),
        "images": [f"data:;base64,{image}" for image in read_list(message.get("images"), f"{where}.images")],
    }
    if calls := message.get("tool_calls"):
        place = f"{where}.tool_calls"
        read["tool_calls"] = pairing.identify_calls(
            [_read_call(call, place) for call in read_list(calls, place)], place
        )
    if role == "tool":
        name = message.get("tool_name") or message.get("name")
        read["tool_call_id"] = pairing.identify_result(name, message.get("tool_call_id"))
    return read


def _read_call(call: Any, where: str) -> dict[str, Any]:
    function = call.get("function") if isinstance(call, dict) else None
    if not isinstance(function, dict) or not isinstance(function.get("arguments"), dict):
        raise BadRequest(f"{where} has one without a `function` whose `arguments` are an object")
    arguments = json.dumps(function["arguments"], ensure_ascii=False)
    return {"id": call.get("id"), "name": function.get("name"), "arguments": arguments}


class ChatLines(WireForm):
    """A completion as `POST /api/chat` gives it."""

    def as_json(self) -> Reply:
        """Return the completion as one JSON body."""
        if unreadable := self._find_unreadable():
            return unreadable
        calls = [_write_call(at, call) for at, call in enumerate(self._completion.tool_calls)]
        thought = {"thinking": self._thought} if self._thought else {}
        message = {"content": self._completion.content or "", **thought, **({"tool_calls": calls} if calls else {})}
        return json_reply({**self._write_line(message), **self._write_end()})

    def as_events(self) -> Reply:
        """Return the completion as lines of JSON, of which the last says what it has cost."""
        if unreadable := self._find_unreadable():
            return unreadable
        lines = [self._write_line({"content": "", **message}) for message in self._list_pieces()]
        lines.append({**self._write_line({"content": ""}), **self._write_end()})
        return Reply(events=tuple(b"%b\n" % to_json(line) for line in lines), content_type=NDJSON)

    @property
    def _thought(self) -> str:
        return self._manner.thought if self._wanted.shows_thoughts else ""

    def _find_unreadable(self) -> Reply | None:
        """Return Ollama's error, if the model has called a tool in a way that Ollama can't read."""
        for call in self._completion.tool_calls:
            if find_args(call) is None:
                message = f"error parsing tool call: raw='{call.arguments}', err=unexpected end of JSON input"
                return provider_error(500, message, "server_error")
        return None

    def _list_pieces(self) -> Iterator[dict[str, Any]]:
        sizes = self._streaming.chunk_sizes
        yield from ({"thinking": piece} for piece in split_pieces(self._thought, sizes))
        yield from ({"content": piece} for piece in split_pieces(self._completion.content or "", sizes))
        for at, call in enumerate(self._completion.tool_calls):
            yield {"tool_calls": [_write_call(at, call)]}

    def _write_line(self, message: dict[str, Any]) -> dict[str, Any]:
        head = {"model": self._wanted.request.model, "created_at": _CREATED_AT}
        return {**head, "message": {"role": "assistant", **message}, "done": False}

    def _write_end(self) -> dict[str, Any]:
        return {
            "done": True,
            "done_reason": "length" if self._manner.finish == "length" else "stop",
            "total_duration": _PER_TOKEN * self._tokens["total_tokens"],
            "prompt_eval_count": self._tokens["prompt_tokens"],
            "eval_count": self._tokens["completion_tokens"],
        }


def _write_call(at: int, call: ToolCall) -> dict[str, Any]:
    return {"id": call.id, "function": {"index": at, "name": call.name, "arguments": find_args(call)}}


def write_error(_: int, error: Mapping[str, Any]) -> dict[str, Any]:
    """Return the body of an error, of OpenAI's, as Ollama says it."""
    return {"error": _TOO_LONG if error.get("code") == "context_length_exceeded" else error["message"]}
