"""`POST /v1/chat/completions`: requests read into the model's words, completions written as JSON and as events."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from pydantic import ValidationError
from pydantic_core import from_json, to_json

from react_tck.fakes.server.errors import BadRequest
from react_tck.fakes.server.wire import DONE, Reply, event, json_reply
from react_tck.model.lm import Completion, LMRequest

#: What a provider's clock would say: the same in every run.
CREATED = 1_750_000_000
_PLAIN = {"role", "content"}


class ChatRequest(NamedTuple):
    """What is asked of the LM, and how the reply is to be sent."""

    request: LMRequest
    stream: bool
    include_usage: bool


def read(body: bytes) -> ChatRequest:
    """The request in a body.

    Raises:
        BadRequest: if it isn't one.
    """
    values = json_object(body)
    messages = values.get("messages")
    if not isinstance(messages, list):
        raise BadRequest("`messages` is not a list")
    request = validated(
        messages=[_message(message, f"messages[{at}]") for at, message in enumerate(messages)],
        tools=offers(values.get("tools")),
        tool_choice=choice(values.get("tool_choice")),
        response_format=kind(values.get("response_format")),
        model=values.get("model") or "",
    )
    options = values.get("stream_options")
    include_usage = isinstance(options, dict) and bool(options.get("include_usage"))
    return ChatRequest(request, bool(values.get("stream")), include_usage)


def json_object(body: bytes) -> dict[str, Any]:
    """The object that is the body.

    Raises:
        BadRequest: if it is none.
    """
    try:
        values = from_json(body)
    except ValueError as error:
        raise BadRequest(f"the body is not JSON: {error}") from error
    if not isinstance(values, dict):
        raise BadRequest("the body is not a JSON object")
    return values


def validated(**values: Any) -> LMRequest:
    """The request with these values.

    Raises:
        BadRequest: if they don't make one, with all that is wrong.
    """
    try:
        return LMRequest.model_validate(values)
    except ValidationError as error:
        wrong = (f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors())
        raise BadRequest("; ".join(wrong)) from error


def text_of(content: Any, where: str) -> str | None:
    """The text of a content that is a text or a list of parts; a part that is no text is named.

    Raises:
        BadRequest: if it is neither.
    """
    if content is None or isinstance(content, str):
        return content
    if not isinstance(content, list):
        raise BadRequest(f"{where}.content is neither text nor a list of parts")
    return "\n".join(_part(part, where) for part in content)


def _part(part: Any, where: str) -> str:
    if not isinstance(part, dict) or not isinstance(part.get("type"), str):
        raise BadRequest(f"{where}.content has a part without a type")
    if not part["type"].endswith("text"):  # text, input_text, output_text
        return f"[{part['type']}]"
    if not isinstance(part.get("text"), str):
        raise BadRequest(f"{where}.content has a text part without a text")
    text: str = part["text"]
    return text


def _message(message: Any, where: str) -> dict[str, Any]:
    if not isinstance(message, dict):
        raise BadRequest(f"{where} is not an object")
    if message.keys() == _PLAIN and isinstance(message["content"], str):
        return message  # by far the most
    read = {
        "role": message.get("role"),
        "content": text_of(message.get("content"), where),
        "tool_call_id": message.get("tool_call_id"),
    }
    if calls := message.get("tool_calls"):
        if not isinstance(calls, list):
            raise BadRequest(f"{where}.tool_calls is not a list")
        read["tool_calls"] = [_call(call, f"{where}.tool_calls[{at}]") for at, call in enumerate(calls)]
    return read


def _call(call: Any, where: str) -> dict[str, Any]:
    function = call.get("function") if isinstance(call, dict) else None
    if not isinstance(function, dict):
        raise BadRequest(f"{where} has no `function` object")
    if call.get("type") != "function":
        raise BadRequest(f'{where} is not of type "function"')
    return {"id": call.get("id"), "name": function.get("name"), "arguments": function.get("arguments")}


def offers(tools: Any) -> list[dict[str, Any]]:
    """The functions offered, as chat completions nest them or as responses write them flat.

    Raises:
        BadRequest: if one isn't a function, or they are no list.
    """
    if tools is None:
        return []
    if not isinstance(tools, list):
        raise BadRequest("`tools` is not a list")
    return [_offer(tool, f"tools[{at}]") for at, tool in enumerate(tools)]


def _offer(tool: Any, where: str) -> dict[str, Any]:
    if not isinstance(tool, dict) or tool.get("type") != "function":
        raise BadRequest(f'{where} is not of type "function"')
    function = tool.get("function", tool)
    if not isinstance(function, dict):
        raise BadRequest(f"{where}.function is not an object")
    return {
        "name": function.get("name"),
        "description": function.get("description") or "",
        "parameters": function.get("parameters") or {},
    }


def choice(wanted: Any) -> str | None:
    """`auto`, `none`, `required`, or the name of the one tool to call."""
    if not isinstance(wanted, dict):
        return wanted  # type: ignore[no-any-return]  # the model checks it
    function = wanted.get("function", wanted)
    return function.get("name") if isinstance(function, dict) else None


def kind(wanted: Any) -> str | None:
    """`text`, `json_object` or `json_schema`."""
    return wanted.get("type") if isinstance(wanted, dict) else wanted


def usage(request: LMRequest, completion: Completion) -> dict[str, int]:
    """Numbers that depend on nothing but the texts: a token is four characters."""
    prompt = sum(len(message.content or "") for message in request.messages) // 4
    written = len(completion.content or "") + sum(len(call.arguments) for call in completion.tool_calls)
    return {"prompt_tokens": prompt, "completion_tokens": written // 4, "total_tokens": prompt + written // 4}


class Rendering:
    """One completion on its way out, as JSON and as events of the same content."""

    def __init__(self, number: int, request: LMRequest, completion: Completion) -> None:
        self._number = number
        self._request = request
        self._completion = completion

    def head(self, kind: str) -> dict[str, object]:
        """How every object of this kind begins."""
        return {"id": f"chatcmpl-{self._number}", "object": kind, "created": CREATED, "model": self._request.model}

    def as_json(self) -> Reply:
        """The whole completion."""
        done = self._completion
        message: dict[str, object] = {"role": "assistant", "content": done.content, "refusal": None}
        if done.tool_calls:
            message["tool_calls"] = [_call_said(call.id, call.name, call.arguments) for call in done.tool_calls]
        choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": done.finish_reason}
        used = usage(self._request, done)
        return json_reply({**self.head("chat.completion"), "choices": [choice], "usage": used})

    def as_events(self, size: int, include_usage: bool) -> Reply:
        """The completion in pieces of this many characters."""
        head = self.head("chat.completion.chunk")
        # All events begin alike: this is written once, because it is most of the work.
        begun = b'data: %b,"choices":[' % to_json(head)[:-1]
        events = [b"%b%b]}\n\n" % (begun, to_json(choice)) for choice in self._choices(size)]
        if include_usage:
            events.append(event({**head, "choices": [], "usage": usage(self._request, self._completion)}))
        return Reply(events=(*events, DONE))

    def _choices(self, size: int) -> Iterator[dict[str, object]]:
        for delta in self._deltas(size):
            yield {"index": 0, "delta": delta, "logprobs": None, "finish_reason": None}
        yield {"index": 0, "delta": {}, "logprobs": None, "finish_reason": self._completion.finish_reason}

    def _deltas(self, size: int) -> Iterator[dict[str, object]]:
        content = self._completion.content
        yield {"role": "assistant", "content": None if content is None else ""}
        for piece in pieces(content or "", size):
            yield {"content": piece}
        for index, call in enumerate(self._completion.tool_calls):
            yield {"tool_calls": [{"index": index, **_call_said(call.id, call.name, "")}]}
            for piece in pieces(call.arguments, size):
                yield {"tool_calls": [{"index": index, "function": {"arguments": piece}}]}


def pieces(text: str, size: int) -> Iterator[str]:
    """The text, cut after every `size` characters."""
    return (text[at : at + size] for at in range(0, len(text), size))


def _call_said(call_id: str, name: str, arguments: str) -> dict[str, object]:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}
