"""`POST /v1/messages`, Anthropic's form: its requests read into the words of chat completions."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from react_tck.fakes.server.errors import BadRequest
from react_tck.fakes.server.reading import json_object, read_stream, validate_request
from react_tck.fakes.server.wire import Wanted

#: What says which tool may be called, as chat completions call it; `tool` names one.
_CHOICES = {"auto": "auto", "any": "required", "none": "none"}
#: Blocks in which the model has thought for itself.
_THOUGHTS = ("thinking", "redacted_thinking")


def read_request(body: bytes) -> Wanted:
    """Return the request in a body.

    Raises:
        BadRequest: if it isn't one.
    """
    values = json_object(body)
    limit = values.get("max_tokens")
    if type(limit) is not int or limit < 1:
        raise BadRequest(f"`max_tokens` is {json.dumps(limit)}, and has to be a number of tokens")
    messages, choice, answer = values.get("messages"), values.get("tool_choice"), _find_format(values)
    if not isinstance(messages, list):
        raise BadRequest("`messages` is not a list")
    asked = {
        "messages": [*_read_system(values.get("system")), *_read_messages(messages)],
        "tools": [_read_offer(tool, f"tools[{at}]") for at, tool in enumerate(values.get("tools") or ())],
        "tool_choice": _read_choice(choice),
        "parallel_tool_calls": not (isinstance(choice, dict) and choice.get("disable_parallel_tool_use")),
        "response_format": answer and answer.get("type"),
        "answer_schema": answer and answer.get("schema"),
        "model": values.get("model") or "",
    }
    return Wanted(validate_request(asked), read_stream(values), call_prefix="toolu_")


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
