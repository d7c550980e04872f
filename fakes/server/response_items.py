"""Completions on their way out, in the form of responses: a list of items."""

from collections.abc import Iterator
from itertools import count
from typing import Any

from react_tck.fakes.server.form import CREATED, Wanted, sent, usage
from react_tck.fakes.server.streaming import Streaming, cut, dressed
from react_tck.fakes.server.wire import Reply, event, json_reply
from react_tck.model.lm import Completion, ToolCall

#: The type of an event, and what it says.
_Event = tuple[str, dict[str, Any]]


class Response:
    """A completion as `POST /v1/responses` gives it."""

    def __init__(self, number: int, wanted: Wanted, streaming: Streaming, completion: Completion) -> None:
        self._number = number
        self._wanted = wanted
        self._streaming = streaming
        self._completion = completion

    def as_json(self) -> Reply:
        """The whole response."""
        return json_reply(self._whole())

    def as_events(self) -> Reply:
        """The response in pieces, each of a named type and numbered."""
        number = count()
        events = tuple(
            event({"type": name, "sequence_number": next(number), **values}, name) for name, values in self._events()
        )
        return Reply(events=dressed(events, self._streaming.quirks))

    def without_choices(self, *, stream: bool) -> Reply:
        """A response without items."""
        return sent(Response(self._number, self._wanted, self._streaming, Completion()), stream=stream)

    def _whole(self) -> dict[str, Any]:
        is_cut = self._completion.finish_reason == "length"
        return {
            **self._head("incomplete" if is_cut else "completed"),
            "incomplete_details": {"reason": "max_output_tokens"} if is_cut else None,
            "output": [item for item, _ in self._items()],
            "usage": self._usage(),
        }

    def _head(self, status: str) -> dict[str, Any]:
        request = self._wanted.request
        return {
            "id": f"resp_{self._number}",
            "object": "response",
            "created_at": CREATED,
            "status": status,
            "error": None,
            "incomplete_details": None,
            "instructions": None,
            "metadata": {},
            "model": request.model,
            "output": [],
            "parallel_tool_calls": True,
            "temperature": None,
            "tool_choice": request.tool_choice or "auto",
            "tools": [],
            "top_p": None,
            "usage": None,
        }

    def _usage(self) -> dict[str, Any]:
        tokens = usage(self._wanted.request, self._completion)
        return {
            "input_tokens": tokens["prompt_tokens"],
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": tokens["completion_tokens"],
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": tokens["total_tokens"],
        }

    def _items(self) -> Iterator[tuple[dict[str, Any], Iterator[_Event]]]:
        """The items, and what a stream says of each between its beginning and its end."""
        done = self._completion
        if done.content is not None:
            item_id = f"msg_{self._number}"
            item = {"type": "message", "id": item_id, "status": "completed", "role": "assistant"}
            yield {**item, "content": [_part(done.content)]}, self._text_events(done.content, item_id)
        for call in done.tool_calls:
            item = {"type": "function_call", "id": _id(call), "status": "completed", "call_id": call.id}
            yield {**item, "name": call.name, "arguments": call.arguments}, self._call_events(call)

    def _events(self) -> Iterator[_Event]:
        yield "response.created", {"response": self._head("in_progress")}
        yield "response.in_progress", {"response": self._head("in_progress")}
        for index, (item, events) in enumerate(self._items()):
            at = {"output_index": index}
            yield "response.output_item.added", {**at, "item": _begun(item)}
            yield from ((name, {**at, **values}) for name, values in events)
            yield "response.output_item.done", {**at, "item": item}
        whole = self._whole()
        yield f"response.{whole['status']}", {"response": whole}

    def _text_events(self, text: str, item_id: str) -> Iterator[_Event]:
        at = {"item_id": item_id, "content_index": 0}
        yield "response.content_part.added", {**at, "part": _part("")}
        for piece in cut(text, self._streaming.chunk_sizes):
            yield "response.output_text.delta", {**at, "delta": piece, "logprobs": []}
        yield "response.output_text.done", {**at, "text": text, "logprobs": []}
        yield "response.content_part.done", {**at, "part": _part(text)}

    def _call_events(self, call: ToolCall) -> Iterator[_Event]:
        at = {"item_id": _id(call)}
        for piece in cut(call.arguments, self._streaming.chunk_sizes):
            yield "response.function_call_arguments.delta", {**at, "delta": piece}
        yield "response.function_call_arguments.done", {**at, "name": call.name, "arguments": call.arguments}


def _begun(item: dict[str, Any]) -> dict[str, Any]:
    """The item before anything is said."""
    empty: dict[str, Any] = {"content": []} if item["type"] == "message" else {"arguments": ""}
    return {**item, **empty, "status": "in_progress"}


def _id(call: ToolCall) -> str:
    return call.id.replace("call_", "fc_")


def _part(text: str) -> dict[str, Any]:
    return {"type": "output_text", "text": text, "annotations": [], "logprobs": []}
