"""`POST /v1/chat/completions`: requests read into the model's words, completions on their way out."""

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any, cast, get_args

from pydantic import TypeAdapter, ValidationError
from pydantic_core import from_json, to_json

from react_tck.dialects.fields import check_finite, may_be_too_large
from react_tck.dialects.markup import replace_half_pairs
from react_tck.fakes.server.errors import BadRequest
from react_tck.fakes.server.wire import (
    CREATED,
    DONE,
    Reply,
    Streaming,
    Wanted,
    apply_quirks,
    count_tokens,
    split_pieces,
)
from react_tck.model.base import list_mistakes
from react_tck.model.lm import Completion, LMRequest, Message, Role, ToolCall

_ROLES = get_args(Role)
#: Characters of a text that isn't worth keeping to save its check.
_LARGE = 10_000
#: What pydantic has compiled: its own methods look it up for every request.
_REQUEST, _MESSAGE = TypeAdapter(LMRequest).validator, TypeAdapter(Message).validator


def read_request(body: bytes) -> Wanted:
    """The request in a body.

    Raises:
        BadRequest: if it isn't one.
    """
    values = json_object(body)
    messages = values.get("messages")
    if not isinstance(messages, list):
        raise BadRequest("`messages` is not a list")
    asked: dict[str, object] = {
        "messages": [_read_message(message, at, len(messages)) for at, message in enumerate(messages)],
        "model": values.get("model") or "",
    }
    if not _READERS.keys().isdisjoint(values):
        asked |= {name: reader(values[name]) for name, reader in _READERS.items() if values.get(name) is not None}
        asked["answer_schema"] = read_schema(values.get("response_format"))
    request = validate_request(asked)
    options = values.get("stream_options")
    include_usage = isinstance(options, dict) and bool(options.get("include_usage"))
    return Wanted(request, bool(values.get("stream")), include_usage)


def json_object(body: bytes) -> dict[str, Any]:
    """The object that is the body.

    Raises:
        BadRequest: if it is none.
    """
    try:
        values = _parse_body(body)
    except ValueError as error:
        raise BadRequest(f"the body is not JSON: {error}") from error
    if isinstance(values, dict):
        return values
    raise BadRequest("the body is not a JSON object")


def _parse_body(body: bytes) -> Any:
    try:
        values = from_json(body, allow_inf_nan=False)
    except ValueError:
        check_finite(body)
        return from_json(replace_half_pairs(body))
    if may_be_too_large(body):
        check_finite(body)
    return values


def validate_request(values: Mapping[str, object]) -> LMRequest:
    """The request with these values.

    Raises:
        BadRequest: if they don't make one, with all that is wrong.
    """
    try:
        return cast("LMRequest", _REQUEST.validate_python(values))
    except ValidationError as error:
        raise BadRequest("; ".join(list_mistakes(error))) from error


def text_of(content: Any, where: str) -> str | None:
    """The text of a content that is a text or a list of parts; a part that is no text is named.

    Raises:
        BadRequest: if it is neither.
    """
    if content is None or isinstance(content, str):
        return content
    if not isinstance(content, list):
        raise BadRequest(f"{where}.content is neither text nor a list of parts")
    return "\n".join(_read_part(part, where) for part in content)


def _read_part(part: Any, where: str) -> str:
    if not isinstance(part, dict) or not isinstance(part.get("type"), str):
        raise BadRequest(f"{where}.content has a part without a type")
    if not part["type"].endswith("text"):  # text, input_text, output_text
        return f"[{part['type']}]"
    if not isinstance(part.get("text"), str):
        raise BadRequest(f"{where}.content has a text part without a text")
    return str(part["text"])


def _read_images(content: Any) -> list[Any]:
    """The addresses of the image parts, as chat completions have them."""
    parts = (part.get("image_url") for part in content if isinstance(part, dict)) if isinstance(content, list) else ()
    return [image["url"] for image in parts if isinstance(image, dict) and "url" in image]


def _read_message(message: Any, at: int, count: int) -> Message | dict[str, Any]:
    if not isinstance(message, dict):
        raise BadRequest(f"messages[{at}] is not an object")
    role, content = message.get("role"), message.get("content")
    if len(message) == 2 and role in _ROLES and isinstance(content, str):  # by far the most
        return _make_plain_message(role, content) if at + 1 < count and len(content) < _LARGE else message
    where = f"messages[{at}]"
    read = {
        "role": role,
        "content": text_of(content, where),
        "tool_call_id": message.get("tool_call_id"),
        "images": _read_images(content),
    }
    if calls := message.get("tool_calls"):
        if not isinstance(calls, list):
            raise BadRequest(f"{where}.tool_calls is not a list")
        read["tool_calls"] = [_read_call(call, f"{where}.tool_calls[{at}]") for at, call in enumerate(calls)]
    return read


# A conversation is sent again with every request: its messages are checked once, and kept once. The last one is new.
@lru_cache(maxsize=1024)
def _make_plain_message(role: Role, content: str) -> Message:
    message: Message = _MESSAGE.validate_python({"role": role, "content": content})
    return message


def _read_call(call: Any, where: str) -> dict[str, Any]:
    function = call.get("function") if isinstance(call, dict) else None
    if not isinstance(function, dict):
        raise BadRequest(f"{where} has no `function` object")
    if call.get("type") != "function":
        raise BadRequest(f'{where} is not of type "function"')
    return {"id": call.get("id"), "name": function.get("name"), "arguments": function.get("arguments")}


def read_offers(tools: Any) -> list[dict[str, Any]]:
    """The functions offered, as chat completions nest them or as responses write them flat.

    Raises:
        BadRequest: if one isn't a function, or they are no list.
    """
    if tools is None:
        return []
    if not isinstance(tools, list):
        raise BadRequest("`tools` is not a list")
    return [_read_offer(tool, f"tools[{at}]") for at, tool in enumerate(tools)]


def _read_offer(tool: Any, where: str) -> dict[str, Any]:
    if not isinstance(tool, dict) or tool.get("type") != "function":
        raise BadRequest(f'{where} is not of type "function"')
    function = tool.get("function", tool)
    if not isinstance(function, dict):
        raise BadRequest(f"{where}.function is not an object")
    return {
        "name": function.get("name"),
        "description": function.get("description") or "",
        "parameters": function.get("parameters") or {},
        "strict": function.get("strict") or False,
    }


def read_choice(wanted: Any) -> str | None:
    """`auto`, `none`, `required`, or the name of the one tool to call; of allowed tools, which of these."""
    if not isinstance(wanted, dict):
        return wanted  # type: ignore[no-any-return]  # the model checks it
    if wanted.get("type") == "allowed_tools":
        mode: str | None = wanted.get("allowed_tools", wanted).get("mode")
        return mode
    function = wanted.get("function", wanted)
    return function.get("name") if isinstance(function, dict) else None


def read_format_kind(wanted: Any) -> str | None:
    """The type of a response format: `text`, `json_object` or `json_schema`; None if none is wanted."""
    return wanted.get("type") if isinstance(wanted, dict) else wanted


_READERS: dict[str, Callable[[Any], object]] = {
    "tools": read_offers,
    "tool_choice": read_choice,
    "parallel_tool_calls": lambda wanted: wanted,
    "response_format": read_format_kind,
}


def read_schema(wanted: Any) -> dict[str, Any] | None:
    """The schema of a `json_schema` format, as chat completions nest it or as responses write it flat."""
    if not isinstance(wanted, dict) or wanted.get("type") != "json_schema":
        return None
    named = wanted.get("json_schema", wanted)
    schema = named.get("schema") if isinstance(named, dict) else None
    return schema if isinstance(schema, dict) else None


#: What is the same in all replies is written here once: a dict for each would be most of the work.
_JSON = (
    b'{"id":"chatcmpl-%%d","object":"chat.completion","created":%d,"model":%%b,"choices":'
    b'[{"index":0,"message":{"role":"assistant","content":%%b,"refusal":null%%b},"logprobs":null,"finish_reason":%%b}],'
    b'"usage":{"prompt_tokens":%%d,"completion_tokens":%%d,"total_tokens":%%d}}'
) % CREATED
_HEAD = b'{"id":"chatcmpl-%%d","object":"%%b","created":%d,"model":%%b' % CREATED
_COMPLETION, _CHUNK = b"chat.completion", b"chat.completion.chunk"
_GOES_ON = b',"logprobs":null,"finish_reason":null}]}\n\n'
_ENDS = b',"logprobs":null,"finish_reason":%b}]}\n\n'


class ChatCompletion:
    """A completion as `POST /v1/chat/completions` gives it."""

    def __init__(self, number: int, wanted: Wanted, streaming: Streaming, completion: Completion) -> None:
        self._number = number
        self._wanted = wanted
        self._streaming = streaming
        self._completion = completion

    def as_json(self) -> Reply:
        """The completion as one JSON body."""
        request, done = self._wanted.request, self._completion
        calls = [{**_make_call_head(call), "function": _make_call_body(call)} for call in done.tool_calls]
        called = b',"tool_calls":%b' % to_json(calls) if calls else b""
        said = (_quote_json(request.model), _quote_json(done.content), called, _quote_json(done.finish_reason))
        return Reply(200, _JSON % (self._number, *said, *count_tokens(request, done).values()))

    def as_events(self) -> Reply:
        """The completion as server-sent events, cut into chunks of the sizes that are set."""
        done, quirks, head = self._completion, self._streaming.quirks, self._write_head(_CHUNK)
        # All events begin alike.
        begun = b'data: %b,"choices":[{"index":0,"delta":' % head
        events = [begun + delta for delta in _write_text_events(done.content, self._streaming.chunk_sizes)]
        if done.tool_calls:
            events += [b"%b%b%b" % (begun, to_json(delta), _GOES_ON) for delta in self._stream_calls()]
        events.append(b"%b{}%b" % (begun, _ENDS % _quote_json(done.finish_reason)))
        if self._wanted.include_usage or "usage-chunk" in quirks:
            spent = to_json(count_tokens(self._wanted.request, done))
            events.append(b'data: %b,"choices":[],"usage":%b}\n\n' % (head, spent))
        events.append(DONE)
        return Reply(events=apply_quirks(tuple(events), quirks))

    def without_choices(self, *, stream: bool) -> Reply:
        """A completion, or a chunk, whose choices are empty."""
        empty = b'%b,"choices":[]}' % self._write_head(_CHUNK if stream else _COMPLETION)
        return Reply(events=(b"data: %b\n\n" % empty, DONE)) if stream else Reply(body=empty)

    def _write_head(self, kind: bytes) -> bytes:
        """The bytes with which every completion or chunk begins: id, kind and model."""
        return _HEAD % (self._number, kind, _quote_json(self._wanted.request.model))

    def _stream_calls(self) -> Iterator[dict[str, object]]:
        sizes = self._streaming.chunk_sizes
        for index, call in enumerate(self._completion.tool_calls):
            at = {} if "no-index" in self._streaming.quirks else {"index": index}
            again = _make_call_head(call) if "repeated-id" in self._streaming.quirks else {}
            yield {"tool_calls": [{**at, **_make_call_head(call), "function": {"name": call.name, "arguments": ""}}]}
            for piece in split_pieces(call.arguments, sizes):
                yield {"tool_calls": [{**at, **again, "function": {"arguments": piece}}]}


# A text is said again: each episode is played twice, and whoever asks again is told the same.
@lru_cache(maxsize=64)
def _quote_json(text: str | None) -> bytes:
    return to_json(text)


@lru_cache(maxsize=64)
def _write_text_events(content: str | None, sizes: tuple[int, ...]) -> tuple[bytes, ...]:
    """What stands in the events of a text after their head."""
    first = b'{"role":"assistant","content":%b}%b' % (b"null" if content is None else b'""', _GOES_ON)
    return (first, *(b'{"content":%b}%b' % (to_json(piece), _GOES_ON) for piece in split_pieces(content or "", sizes)))


def _make_call_head(call: ToolCall) -> dict[str, str]:
    return {"id": call.id, "type": "function"}


def _make_call_body(call: ToolCall) -> dict[str, str]:
    return {"name": call.name, "arguments": call.arguments}
