"""The requests of `POST /v1/responses`, the newer form of the same, read into the words of chat completions."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from react_tck.fakes.server.chat import choice, json_object, kind, offers, text_of, validated
from react_tck.fakes.server.errors import BadRequest
from react_tck.fakes.server.form import Wanted
from react_tck.model.lm import Completion, Message


class Conversation(NamedTuple):
    """What a request says, with what came before it; instructions hold for their own request only."""

    messages: tuple[Message, ...]
    is_kept: bool

    def after(self, said: Completion) -> tuple[Message, ...]:
        """The messages, with this reply to them."""
        return (*self.messages, Message(role="assistant", content=said.content, tool_calls=said.tool_calls))


def read(body: bytes, conversations: Mapping[str, tuple[Message, ...]]) -> tuple[Wanted, Conversation]:
    """The request in a body; it may go on from one of these conversations.

    Raises:
        BadRequest: if it isn't one.
    """
    values = json_object(body)
    for name in ("conversation", "background"):
        if values.get(name):
            raise BadRequest(f"`{name}` isn't supported here; use `previous_response_id`, or chat completions")
    instructions = values.get("instructions")
    system = [{"role": "system", "content": instructions}] if instructions else []
    request = validated(
        messages=[
            *system,
            *_earlier(values.get("previous_response_id"), conversations),
            *_messages(values.get("input")),
        ],
        tools=offers(values.get("tools")),
        tool_choice=choice(values.get("tool_choice")),
        response_format=_format(values.get("text")),
        model=values.get("model") or "",
    )
    conversation = Conversation(request.messages[len(system) :], values.get("store") is not False)
    return Wanted(request, bool(values.get("stream"))), conversation


def _earlier(response_id: Any, conversations: Mapping[str, tuple[Message, ...]]) -> tuple[Message, ...]:
    if response_id is None:
        return ()
    if response_id not in conversations:
        raise BadRequest(f"there is no previous response {response_id!r} in this episode")
    return conversations[response_id]


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
