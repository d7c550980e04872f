"""What `POST /v1/messages` replies, in Anthropic's form: a completion as blocks, and errors."""

import json
from collections.abc import Iterator
from typing import Any

from pydantic_core import from_json

from react_tck.dialects.fields import is_json
from react_tck.fakes.server.wire import (
    Reply,
    WireForm,
    apply_quirks,
    count_tokens,
    json_reply,
    split_pieces,
    write_event,
)
from react_tck.model.lm import ToolCall

PATH = "/v1/messages"
#: Why a message ends, by what chat completions call it.
_REASONS = {"stop": "end_turn", "tool_calls": "tool_use", "length": "max_tokens", "content_filter": "refusal"}
#: The type of an error, by its status.
_ERRORS = {
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    500: "api_error",
}
_TOO_LONG = "prompt is too long: 9000 tokens > 8192 maximum"


class MessageBlocks(WireForm):
    """A completion as `POST /v1/messages` gives it."""

    def as_json(self) -> Reply:
        """Return the message as one JSON body."""
        blocks = [block for block, _ in self._list_blocks()]
        usage = self._write_usage(self._tokens["completion_tokens"])
        return json_reply({**self._write_head(), "content": blocks, "stop_reason": self._stop_reason, "usage": usage})

    def as_events(self) -> Reply:
        """Return the message in pieces, each of a named type."""
        events = tuple(write_event(event, str(event["type"])) for event in self._write_events())
        return Reply(events=apply_quirks(events, self._streaming.quirks))

    @property
    def _tokens(self) -> dict[str, int]:
        return count_tokens(self._wanted.request, self._completion)

    @property
    def _stop_reason(self) -> str:
        return "refusal" if self._manner.is_refusal else _REASONS[self._manner.finish]

    def _write_head(self) -> dict[str, Any]:
        return {
            "id": f"msg_{self._number}",
            "type": "message",
            "role": "assistant",
            "model": self._wanted.request.model,
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": self._write_usage(1),
        }

    def _write_usage(self, said: int) -> dict[str, int]:
        """Return the tokens so far; nothing comes out of a cache."""
        cached = {"cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
        return {"input_tokens": self._tokens["prompt_tokens"], **cached, "output_tokens": said}

    def _write_events(self) -> Iterator[dict[str, Any]]:
        yield {"type": "message_start", "message": self._write_head()}
        for index, (block, deltas) in enumerate(self._list_blocks()):
            at = {"index": index}
            yield {"type": "content_block_start", **at, "content_block": _empty_block(block)}
            if index == 0:
                yield {"type": "ping"}
            for delta in deltas:
                yield {"type": "content_block_delta", **at, "delta": delta}
            yield {"type": "content_block_stop", **at}
        ending = {"stop_reason": self._stop_reason, "stop_sequence": None}
        yield {"type": "message_delta", "delta": ending, "usage": {"output_tokens": self._tokens["completion_tokens"]}}
        yield {"type": "message_stop"}

    def _list_blocks(self) -> Iterator[tuple[dict[str, Any], Iterator[dict[str, str]]]]:
        """Yield the blocks, and the pieces in which a stream says each."""
        sizes = self._streaming.chunk_sizes
        if text := self._completion.content:
            pieces = split_pieces(text, sizes)
            yield {"type": "text", "text": text}, ({"type": "text_delta", "text": piece} for piece in pieces)
        for call in self._completion.tool_calls:
            pieces = split_pieces(call.arguments, sizes)
            block = {"type": "tool_use", "id": call.id, "name": call.name, "input": _read_input(call)}
            yield block, ({"type": "input_json_delta", "partial_json": piece} for piece in pieces)


def _empty_block(block: dict[str, Any]) -> dict[str, Any]:
    """Return the block before anything is said."""
    return {**block, "text": ""} if block["type"] == "text" else {**block, "input": {}}


def _read_input(call: ToolCall) -> Any:
    """Return the value that the args are; a text that is no JSON stands for itself."""
    return json.loads(call.arguments) if is_json(call.arguments) else call.arguments


def rewrite_error(reply: Reply) -> Reply:
    """Return an error in Anthropic's form instead of OpenAI's; other replies as they are."""
    if reply.status < 400 or reply.ending != "whole":
        return reply
    error = from_json(reply.body)["error"]
    message = _TOO_LONG if error["code"] == "context_length_exceeded" else error["message"]
    kind = _ERRORS.get(reply.status, "invalid_request_error")
    body = {"type": "error", "error": {"type": kind, "message": message}, "request_id": None}
    return json_reply(body, reply.status, reply.headers)
