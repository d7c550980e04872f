"""`POST /v1/responses`, the newer form of chat completions: requests read into their words, replies as items."""

from collections.abc import Iterator, Mapping
from typing import Any

from react_tck.fakes.server.errors import BadRequest
from react_tck.fakes.server.reading import (
    NO_LOGPROBS,
    json_object,
    read_choice,
    read_format_kind,
    read_list,
    read_offers,
    read_schema,
    read_stream,
    refuse_unmet,
    text_of,
    validate_request,
)
from react_tck.fakes.server.wire import (
    CREATED,
    SaidBefore,
    Wanted,
    WireForm,
    sign_thought,
    split_pieces,
)
from react_tck.model.lm import LMRequest, Message, ToolCall

_INSTEAD = "use `previous_response_id`, or chat completions"
#: What isn't given here, and why.
_UNMET = {"conversation": _INSTEAD, "background": _INSTEAD, "top_logprobs": NO_LOGPROBS}
_LOGPROBS = "message.output_text.logprobs"
#: By this a client asks for what it can send back where nothing is kept.
_CIPHER = "reasoning.encrypted_content"


def read_request(body: bytes, model: str, past: SaidBefore) -> Wanted:
    """Return the request in a body; it may go on from a past conversation, and is for this model if it names none.

    Raises:
        BadRequest: if it isn't one.
    """
    values = json_object(body)
    refuse_unmet(values, _UNMET)
    included, reasoning = read_list(values.get("include"), "include"), values.get("reasoning")
    if _LOGPROBS in included:
        raise BadRequest(f"{_LOGPROBS} isn't supported here; {NO_LOGPROBS}")
    instructions = values.get("instructions")
    system = [{"role": "system", "content": instructions}] if instructions else []
    request = validate_request(
        {
            "messages": [
                *system,
                *_find_earlier(values.get("previous_response_id"), past.conversations),
                *_read_messages(values.get("input")),
            ],
            "tools": read_offers(values.get("tools")),
            "tool_choice": read_choice(values.get("tool_choice")),
            "parallel_tool_calls": values.get("parallel_tool_calls") is not False,
            "response_format": read_format_kind(_read_format(values.get("text"))),
            "answer_schema": read_schema(_read_format(values.get("text"))),
            "model": values.get("model") or model,
        }
    )
    # Instructions hold for their own request only.
    conversation = None if values.get("store") is False else request.messages[len(system) :]
    is_summarised = isinstance(reasoning, dict) and bool(reasoning.get("summary") or reasoning.get("generate_summary"))
    return Wanted(
        request,
        read_stream(values),
        shows_thoughts=is_summarised,
        signs_thoughts=_CIPHER in included,
        conversation=conversation,
    )


def _find_earlier(response_id: Any, conversations: Mapping[str, LMRequest]) -> tuple[Message, ...]:
    if response_id is None:
        return ()
    if response_id not in conversations:
        raise BadRequest(f"there is no previous response {response_id!r} in this episode")
    return conversations[response_id].messages


def _read_format(text: Any) -> Any:
    return text.get("format") if isinstance(text, dict) else None


def _read_messages(items: Any) -> list[dict[str, Any]]:
    if isinstance(items, str):
        return [{"role": "user", "content": items}]
    if not isinstance(items, list):
        raise BadRequest("`input` is neither text nor a list of items")
    messages: list[dict[str, Any]] = []
    for at, item in enumerate(items):
        _add_item(item, messages, f"input[{at}]")
    return messages


def _add_item(item: Any, messages: list[dict[str, Any]], where: str) -> None:
    """Append what the item says; calls made together become one turn, as chat completions have it."""
    if not isinstance(item, dict):
        raise BadRequest(f"{where} is not an object")
    match item.get("type", "message"):
        case "message":
            messages.append({"role": item.get("role"), "content": text_of(item.get("content"), where)})
        case "function_call":
            call = {"id": item.get("call_id"), "name": item.get("name"), "arguments": item.get("arguments")}
            if not messages or messages[-1]["role"] != "assistant":
                messages.append({"role": "assistant"})
            messages[-1]["tool_calls"] = [*messages[-1].get("tool_calls", ()), call]
        case "function_call_output":
            content = text_of(item.get("output"), where)
            messages.append({"role": "tool", "tool_call_id": item.get("call_id"), "content": content})
        case "reasoning":
            pass
        case other:
            raise BadRequest(f"{where} is of the unknown type {other!r}")


#: Why a response isn't complete, by what chat completions call it.
_CUT = {"length": "max_output_tokens", "content_filter": "content_filter"}
#: Of a part of an item: what numbers it, the names of its events and of those of its text, where its text stands, and
#: what is said with that.
_PARTS: Mapping[str, tuple[str, str, str, str, dict[str, Any]]] = {
    "output_text": ("content_index", "content_part", "output_text", "text", {"logprobs": []}),
    "refusal": ("content_index", "content_part", "refusal", "refusal", {}),
    "summary_text": ("summary_index", "reasoning_summary_part", "reasoning_summary_text", "text", {}),
}
#: The type of an event, and what it says.
_Event = tuple[str, dict[str, Any]]


class ResponseItems(WireForm):
    """A completion as `POST /v1/responses` gives it."""

    def _write_whole(self) -> dict[str, Any]:
        cut = _CUT.get(self._manner.finish)
        return {
            **self._write_head("incomplete" if cut else "completed"),
            "incomplete_details": {"reason": cut} if cut else None,
            "output": [item for item, _ in self._write_items()],
            "usage": self._write_usage(),
        }

    def _write_head(self, status: str) -> dict[str, Any]:
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
            "parallel_tool_calls": request.parallel_tool_calls,
            "temperature": None,
            "tool_choice": request.tool_choice or "auto",
            "tools": [],
            "top_p": None,
            "usage": None,
        }

    def _write_usage(self) -> dict[str, Any]:
        return {
            "input_tokens": self._tokens["prompt_tokens"],
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": self._tokens["completion_tokens"],
            "output_tokens_details": {"reasoning_tokens": self._thought_tokens},
            "total_tokens": self._tokens["total_tokens"],
        }

    def _write_items(self) -> Iterator[tuple[dict[str, Any], Iterator[_Event]]]:
        """Yield the items, and what a stream says of each between its beginning and its end."""
        done = self._completion
        if thought := self._manner.thought:
            item_id = f"rs_{self._number}"
            summary = [{"type": "summary_text", "text": thought}] if self._wanted.shows_thoughts else []
            cipher = sign_thought(thought) if self._wanted.signs_thoughts else None
            item = {"type": "reasoning", "id": item_id, "summary": summary, "encrypted_content": cipher}
            yield item, self._part_events(summary, item_id)
        if done.content is not None:
            item_id = f"msg_{self._number}"
            item = {"type": "message", "id": item_id, "status": "completed", "role": "assistant"}
            part = {"type": "output_text", "text": done.content, "annotations": [], "logprobs": []}
            if self._manner.is_refusal:
                part = {"type": "refusal", "refusal": done.content}
            yield {**item, "content": [part]}, self._part_events([part], item_id)
        for call in done.tool_calls:
            item = {"type": "function_call", "id": _make_item_id(call), "status": "completed", "call_id": call.id}
            yield {**item, "name": call.name, "arguments": call.arguments}, self._call_events(call)

    def _write_events(self) -> Iterator[dict[str, Any]]:
        """Yield the pieces, each of a named type and numbered."""
        for number, (name, values) in enumerate(self._list_events()):
            yield {"type": name, "sequence_number": number, **values}

    def _list_events(self) -> Iterator[_Event]:
        yield "response.created", {"response": self._write_head("in_progress")}
        yield "response.in_progress", {"response": self._write_head("in_progress")}
        for index, (item, events) in enumerate(self._write_items()):
            at = {"output_index": index}
            yield "response.output_item.added", {**at, "item": _make_empty_item(item)}
            yield from ((name, {**at, **values}) for name, values in events)
            yield "response.output_item.done", {**at, "item": item}
        whole = self._write_whole()
        yield f"response.{whole['status']}", {"response": whole}

    def _part_events(self, parts: list[dict[str, Any]], item_id: str) -> Iterator[_Event]:
        for part in parts:
            index, of_part, of_text, key, more = _PARTS[part["type"]]
            at = {"item_id": item_id, index: 0}
            yield f"response.{of_part}.added", {**at, "part": {**part, key: ""}}
            for piece in split_pieces(part[key], self._streaming.chunk_sizes):
                yield f"response.{of_text}.delta", {**at, "delta": piece, **more}
            yield f"response.{of_text}.done", {**at, key: part[key], **more}
            yield f"response.{of_part}.done", {**at, "part": part}

    def _call_events(self, call: ToolCall) -> Iterator[_Event]:
        at = {"item_id": _make_item_id(call)}
        for piece in split_pieces(call.arguments, self._streaming.chunk_sizes):
            yield "response.function_call_arguments.delta", {**at, "delta": piece}
        yield "response.function_call_arguments.done", {**at, "name": call.name, "arguments": call.arguments}


def _make_empty_item(item: dict[str, Any]) -> dict[str, Any]:
    """Return the item before anything is said."""
    if item["type"] == "reasoning":
        return {**item, "summary": []}
    empty: dict[str, Any] = {"content": []} if item["type"] == "message" else {"arguments": ""}
    return {**item, **empty, "status": "in_progress"}


def _make_item_id(call: ToolCall) -> str:
    return call.id.replace("call_", "fc_")
