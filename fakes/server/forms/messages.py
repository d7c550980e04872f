"""`POST /v1/messages`, Anthropic's form: its requests read into the words of chat completions."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from react_tck.dialects.fields import is_json
from react_tck.fakes.server.errors import BadRequest
from react_tck.fakes.server.reading import json_object, read_list, read_stream, validate_request
from react_tck.fakes.server.wire import (
    Reply,
    SaidBefore,
    Wanted,
    WireForm,
    count_tokens,
    find_thoughts,
    json_reply,
    sign_thought,
    split_pieces,
)
from react_tck.model.lm import Completion, Message, ToolCall, ToolOffer

#: What says which tool may be called, as chat completions call it; `tool` names one.
_CHOICES = {"auto": "auto", "any": "required", "none": "none"}
#: Blocks in which the model has thought for itself.
_THOUGHTS = ("thinking", "redacted_thinking")


def read_request(body: bytes, model: str, past: SaidBefore) -> Wanted:
    """Return the request in a body; this is its model if it names none.

    Raises:
        BadRequest: if it isn't one.
    """
    values = json_object(body)
    limit = values.get("max_tokens")
    if type(limit) is not int or limit < 1:
        raise BadRequest(f"`max_tokens` is {json.dumps(limit)}, and has to be a number of tokens")
    return _read_values(values, model, past)


def answer_count(body: bytes, model: str) -> Reply:
    """Return how many tokens the request in a body has, as replies to it say. Raises BadRequest."""
    request = _read_values(json_object(body), model, SaidBefore()).request
    return json_reply({"input_tokens": count_tokens(request, Completion())["prompt_tokens"]})


def _read_values(values: dict[str, Any], model: str, past: SaidBefore) -> Wanted:
    thinking = values.get("thinking")
    mode = thinking.get("type") if isinstance(thinking, dict) else None
    messages = read_list(values.get("messages"), "messages", is_needed=True)
    choice, answer = values.get("tool_choice"), _find_format(values)
    before, offered = _find_thread(values.get("thread"), past)
    tools = [_read_offer(tool, f"tools[{at}]") for at, tool in enumerate(values.get("tools") or ())]
    asked = {
        "messages": [*_read_system(values.get("system")), *before, *_read_messages(messages)],
        "tools": tools or offered,
        "tool_choice": _read_choice(choice),
        "parallel_tool_calls": not (isinstance(choice, dict) and choice.get("disable_parallel_tool_use")),
        "response_format": answer and answer.get("type"),
        "answer_schema": answer and answer.get("schema"),
        "model": values.get("model") or model,
    }
    _check_thoughts(messages, find_thoughts(past.given), is_demanded=mode == "enabled")
    request = validate_request(asked)
    return Wanted(
        request,
        read_stream(values),
        call_prefix="toolu_",
        conversation=request.messages if values.get("thread") else None,
        reply_prefix="msg_",
        shows_thoughts=mode != "disabled",
    )


def _find_thread(thread: Any, past: SaidBefore) -> tuple[Sequence[Message], Sequence[ToolOffer]]:
    """Return what was said and offered in the thread that the request goes on with, if it goes on with one."""
    if not isinstance(thread, dict) or thread.get("type") != "continue":
        return (), ()
    id_ = str(thread.get("previous_message_id"))
    if id_ not in past.conversations:
        raise BadRequest(f"there is no previous message {id_!r} in this episode")
    return past.conversations[id_].messages, past.conversations[id_].tools


def _check_thoughts(messages: list[Any], given: Mapping[str, str], *, is_demanded: bool) -> None:
    """Hold the thoughts of turns with calls against those that were given, as Anthropic does.

    Raises:
        BadRequest: if one was changed; if the last of them is missing where they are demanded.
    """
    turns = [(at, each["content"]) for at, each in enumerate(messages) if each["role"] == "assistant"]
    for at, blocks in turns:
        called = (block.get("id") for block in blocks if isinstance(block, dict) and block["type"] == "tool_use")
        if not (thought := given.get(str(next(called, "")))):
            continue
        shown = [(block.get("thinking"), block.get("signature")) for block in blocks if block["type"] == "thinking"]
        if shown and shown != [(thought, sign_thought(thought))]:
            raise BadRequest(f"messages[{at}].content[0]: Invalid `signature` in `thinking` block")
        if is_demanded and at == turns[-1][0] and blocks[0]["type"] not in _THOUGHTS:
            raise BadRequest(
                f"messages[{at}].content[0]: Expected `thinking` or `redacted_thinking`, but found "
                f"`{blocks[0]['type']}`: the turn was given with a thought, which is sent back with it"
            )


def _find_format(values: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return what the text of the reply has to be."""
    config = values.get("output_config")
    found = config.get("format") if isinstance(config, dict) else values.get("output_format")
    return found if isinstance(found, dict) else None


def _read_system(system: Any) -> Iterator[dict[str, Any]]:
    if system:
        yield {"role": "system", "content": "\n".join(_list_texts(system, "system"))}


def _read_messages(messages: list[Any]) -> Iterator[dict[str, Any]]:
    """Yield each in the words of chat completions, in which every result of a tool is a message of its own."""
    for at, message in enumerate(messages):
        where = f"messages[{at}]"
        role = message.get("role") if isinstance(message, dict) else None
        if role not in ("user", "assistant"):
            raise BadRequest(f'{where} is not an object with the role "user" or "assistant"')
        blocks = _list_blocks(message.get("content"), f"{where}.content")
        yield from [_read_turn(blocks, where)] if role == "assistant" else _read_blocks(blocks, where)


def _list_blocks(content: Any, where: str) -> list[dict[str, Any]]:
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    if not isinstance(content, list) or not all(isinstance(block, dict) and "type" in block for block in content):
        raise BadRequest(f"{where} is neither text nor a list of blocks that have a type")
    return content


def _list_texts(content: Any, where: str) -> Iterator[str]:
    """Yield the texts of blocks; one that is no text is named."""
    for block in _list_blocks(content, where):
        if block["type"] == "text" and not isinstance(block.get("text"), str):
            raise BadRequest(f"{where} has a text block without a text")
        yield block["text"] if block["type"] == "text" else f"[{block['type']}]"


def _read_turn(blocks: list[dict[str, Any]], where: str) -> dict[str, Any]:
    """Return a turn of the model: its text, and the calls beside it."""
    said = [block for block in blocks if block["type"] not in ("tool_use", *_THOUGHTS)]
    calls = [_read_call(block) for block in blocks if block["type"] == "tool_use"]
    text = "\n".join(_list_texts(said, f"{where}.content")) if said else None
    return {"role": "assistant", "content": text, "tool_calls": calls}


def _read_call(block: Mapping[str, Any]) -> dict[str, Any]:
    given = block.get("input")
    arguments = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)
    return {"id": block.get("id"), "name": block.get("name"), "arguments": arguments}


def _read_blocks(blocks: list[dict[str, Any]], where: str) -> Iterator[dict[str, Any]]:
    """Yield what a user's turn says: results of tools and, in one message, what stands before or behind them."""
    said: list[dict[str, Any]] = []
    for block in (*blocks, None):
        if block is not None and block["type"] != "tool_result":
            said.append(block)
            continue
        if said:
            yield {
                "role": "user",
                "content": "\n".join(_list_texts(said, f"{where}.content")),
                "images": _find_images(said),
            }
            said = []
        if block is not None:
            content = "\n".join(_list_texts(block.get("content") or "", f"{where}.content"))
            yield {"role": "tool", "tool_call_id": block.get("tool_use_id"), "content": content}


def _find_images(blocks: list[dict[str, Any]]) -> list[str]:
    """Return the addresses of the images, those that stand in the request too."""
    sources = [block.get("source") for block in blocks if block["type"] == "image"]
    return [
        source.get("url") or f"data:{source.get('media_type')};base64,{source.get('data')}"
        for source in sources
        if isinstance(source, dict)
    ]


def _read_offer(tool: Any, where: str) -> dict[str, Any]:
    if not isinstance(tool, dict) or not isinstance(tool.get("input_schema"), dict):
        raise BadRequest(f"{where} has no `input_schema`: tools that Anthropic runs itself aren't there")
    return {
        "name": tool.get("name"),
        "description": tool.get("description") or "",
        "parameters": tool["input_schema"],
        "strict": tool.get("strict") or False,
    }


def _read_choice(choice: Any) -> str | None:
    if choice is None:
        return None
    kind = choice.get("type") if isinstance(choice, dict) else None
    if kind == "tool":
        return str(choice.get("name"))
    if kind not in _CHOICES:
        raise BadRequest(f"`tool_choice` is {json.dumps(choice)}; its type is one of {', '.join(_CHOICES)} and tool")
    return _CHOICES[kind]


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


#: What blocks begin with.
_EMPTY: Mapping[str, dict[str, Any]] = {
    "text": {"text": ""},
    "thinking": {"thinking": "", "signature": ""},
    "tool_use": {"input": {}},
}


class MessageBlocks(WireForm):
    """A completion as `POST /v1/messages` gives it."""

    def _write_whole(self) -> dict[str, Any]:
        blocks = [block for block, _ in self._list_blocks()]
        usage = self._write_usage(self._tokens["completion_tokens"])
        return {**self._write_head(), "content": blocks, "stop_reason": self._stop_reason, "usage": usage}

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
        if (thought := self._manner.thought) and self._wanted.shows_thoughts:
            signature = {"signature": sign_thought(thought)}
            deltas = [{"type": "thinking_delta", "thinking": piece} for piece in split_pieces(thought, sizes)]
            block = {"type": "thinking", "thinking": thought, **signature}
            yield block, iter([*deltas, {"type": "signature_delta", **signature}])
        if text := self._completion.content:
            pieces = split_pieces(text, sizes)
            yield {"type": "text", "text": text}, ({"type": "text_delta", "text": piece} for piece in pieces)
        for call in self._completion.tool_calls:
            pieces = split_pieces(call.arguments, sizes)
            block = {"type": "tool_use", "id": call.id, "name": call.name, "input": _read_input(call)}
            yield block, ({"type": "input_json_delta", "partial_json": piece} for piece in pieces)


def _empty_block(block: dict[str, Any]) -> dict[str, Any]:
    """Return the block before anything is said."""
    return block | _EMPTY[block["type"]]


def _read_input(call: ToolCall) -> Any:
    """Return the value that the args are; a text that is no JSON stands for itself."""
    return json.loads(call.arguments) if is_json(call.arguments) else call.arguments


def write_error(status: int, error: Mapping[str, Any]) -> dict[str, Any]:
    """Return the body of an error, of OpenAI's, as Anthropic says it."""
    message = _TOO_LONG if error["code"] == "context_length_exceeded" else error["message"]
    kind = _ERRORS.get(status, "invalid_request_error")
    return {"type": "error", "error": {"type": kind, "message": message}, "request_id": None}
