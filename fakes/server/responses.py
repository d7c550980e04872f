"""`POST /v1/responses`: the newer form of the same, without streams."""

from typing import Any

from react_tck.fakes.server.chat import choice, json_object, kind, offers, text_of, validated
from react_tck.fakes.server.completions import CREATED, usage
from react_tck.fakes.server.errors import BadRequest
from react_tck.fakes.server.wire import Reply, json_reply
from react_tck.model.lm import Completion, LMRequest


def read(body: bytes) -> LMRequest:
    """The request in a body, in the words of chat completions.

    Raises:
        BadRequest: if it isn't one.
    """
    values = json_object(body)
    for name in ("stream", "previous_response_id", "conversation", "background"):
        if values.get(name):
            raise BadRequest(f"`{name}` isn't supported here; use chat completions")
    instructions = values.get("instructions")
    system = [{"role": "system", "content": instructions}] if instructions else []
    return validated(
        messages=[*system, *_messages(values.get("input"))],
        tools=offers(values.get("tools")),
        tool_choice=choice(values.get("tool_choice")),
        response_format=_format(values.get("text")),
        model=values.get("model") or "",
    )


def _format(text: Any) -> str | None:
    return kind(text.get("format")) if isinstance(text, dict) else None


def _messages(items: Any) -> list[dict[str, Any]]:
    if isinstance(items, str):
        return [{"role": "user", "content": items}]
    if not isinstance(items, list):
        raise BadRequest("`input` is neither text nor a list of items")
    messages: list[dict[str, Any]] = []
    for at, item in enumerate(items):
        _add(item, messages, f"input[{at}]")
    return messages


def _add(item: Any, messages: list[dict[str, Any]], where: str) -> None:
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


def as_json(number: int, request: LMRequest, completion: Completion) -> Reply:
    """The completion as a response with its items."""
    tokens = usage(request, completion)
    cut = completion.finish_reason == "length"
    return json_reply(
        {
            "id": f"resp_{number}",
            "object": "response",
            "created_at": CREATED,
            "status": "incomplete" if cut else "completed",
            "error": None,
            "incomplete_details": {"reason": "max_output_tokens"} if cut else None,
            "instructions": None,
            "metadata": {},
            "model": request.model,
            "output": _output(number, completion),
            "parallel_tool_calls": True,
            "temperature": None,
            "tool_choice": request.tool_choice or "auto",
            "tools": [],
            "top_p": None,
            "usage": {
                "input_tokens": tokens["prompt_tokens"],
                "input_tokens_details": {"cached_tokens": 0},
                "output_tokens": tokens["completion_tokens"],
                "output_tokens_details": {"reasoning_tokens": 0},
                "total_tokens": tokens["total_tokens"],
            },
        }
    )


def _output(number: int, completion: Completion) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = []
    if completion.content is not None:
        text = {"type": "output_text", "text": completion.content, "annotations": [], "logprobs": []}
        items.append(_item("message", f"msg_{number}", role="assistant", content=[text]))
    for call in completion.tool_calls:
        item_id = call.id.replace("call_", "fc_")
        items.append(_item("function_call", item_id, call_id=call.id, name=call.name, arguments=call.arguments))
    return items


def _item(kind: str, item_id: str, **values: object) -> dict[str, Any]:
    return {"type": kind, "id": item_id, "status": "completed", **values}
