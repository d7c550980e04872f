"""`POST /v1/chat/completions`, and the older `/v1/completions`: requests in, completions out."""

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import chain, zip_longest
from typing import Any, get_args

from pydantic import TypeAdapter
from pydantic_core import to_json

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
    read_usage_wish,
    refuse_unmet,
    text_of,
    validate_request,
)
from react_tck.fakes.server.wire import (
    CREATED,
    DONE,
    Reply,
    SaidBefore,
    Wanted,
    WireForm,
    apply_quirks,
    split_pieces,
)
from react_tck.model.lm import Completion, Message, Role, ToolCall

_ROLES = get_args(Role)
#: Characters of a text that isn't worth keeping to save its check.
_LARGE = 10_000
#: What pydantic has compiled: its own methods look it up for every message.
_MESSAGE = TypeAdapter(Message).validator
_INSTEAD = "put what you want into the prompt"
#: What isn't given here, and why.
_UNMET = {"logprobs": NO_LOGPROBS, "top_logprobs": NO_LOGPROBS, "echo": _INSTEAD, "suffix": _INSTEAD}


def read_request(body: bytes, model: str, _: SaidBefore) -> Wanted:
    """Return the request in a body; this is its model if it names none.

    Raises:
        BadRequest: if it isn't one.
    """
    return _read_values(json_object(body), model)


def read_prompt(body: bytes, model: str, _: SaidBefore) -> Wanted:
    """Return the request in a body of the older form, whose prompt is a message of the user's. Raises BadRequest."""
    values = json_object(body)
    prompt = values.get("prompt")
    text = prompt[0] if isinstance(prompt, list) and len(prompt) == 1 else prompt
    if not isinstance(text, str) or values.get("best_of", 1) not in (None, 1):
        raise BadRequest("`prompt` is not one text, or `best_of` isn't 1; of several, ask for each")
    return _read_values({**values, "messages": [{"role": "user", "content": text}]}, model)


def _read_values(values: dict[str, Any], model: str) -> Wanted:
    messages = read_list(values.get("messages"), "messages", is_needed=True)
    asked: dict[str, object] = {
        "messages": [_read_message(message, at, len(messages)) for at, message in enumerate(messages)],
        "model": values.get("model") or model,
    }
    refuse_unmet(values, _UNMET)
    if values.get("n", 1) not in (None, 1):
        raise BadRequest("`n` isn't supported here, but for 1; a request is given one reply, so ask once for each")
    if not _READERS.keys().isdisjoint(values):
        asked |= {name: reader(values[name]) for name, reader in _READERS.items() if values.get(name) is not None}
        asked["answer_schema"] = read_schema(values.get("response_format"))
    request = validate_request(asked)
    return Wanted(request, read_stream(values), read_usage_wish(values))


def _read_images(content: Any) -> list[Any]:
    """Return the addresses of the image parts, as chat completions have them."""
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


_READERS: dict[str, Callable[[Any], object]] = {
    "tools": read_offers,
    "tool_choice": read_choice,
    "parallel_tool_calls": lambda wanted: wanted,
    "response_format": read_format_kind,
}


#: What is the same in all replies is written here once: a dict for each would be most of the work.
_JSON = (
    b'{"id":"chatcmpl-%%d","object":"chat.completion","created":%d,"model":%%b,"choices":'
    b'[{"index":0,"message":{"role":"assistant","content":%%b,"refusal":%%b%%b},"logprobs":null,"finish_reason":%%b}],'
    b'"usage":{"prompt_tokens":%%d,"completion_tokens":%%d,"total_tokens":%%d}}'
) % CREATED
_HEAD = b'{"id":"chatcmpl-%%d","object":"%%b","created":%d,"model":%%b' % CREATED
_COMPLETION, _CHUNK = b"chat.completion", b"chat.completion.chunk"
_GOES_ON = b',"logprobs":null,"finish_reason":null}]}\n\n'
_ENDS = b',"logprobs":null,"finish_reason":%b}]}\n\n'


class ChatCompletion(WireForm):
    """A completion as `POST /v1/chat/completions` gives it."""

    def as_json(self) -> Reply:
        """Return the completion as one JSON body."""
        request, done = self._wanted.request, self._completion
        calls = [{**_make_call_head(call), "function": _make_call_body(call)} for call in done.tool_calls]
        called = b',"tool_calls":%b' % to_json(calls) if calls else b""
        if self._manner.thought:
            called += b',"reasoning_content":%b' % to_json(self._manner.thought)
        texts = (None, done.content) if self._manner.is_refusal else (done.content, None)
        said = (_quote_json(request.model), *map(_quote_json, texts), called, _quote_json(self._manner.finish))
        return Reply(200, _JSON % (self._number, *said, *self._tokens.values()))

    def as_events(self) -> Reply:
        """Return the completion as server-sent events, cut into chunks of the sizes that are set."""
        done, quirks, head = self._completion, self._quirks, self._write_head(_CHUNK)
        # All events begin alike.
        begun = b'data: %b,"choices":[{"index":0,"delta":' % head
        deltas = _write_text_events(done.content, self._streaming.chunk_sizes, self._manner.is_refusal)
        events = [begun + delta for delta in deltas]
        # As DeepSeek and vLLM do, before the text.
        thought = split_pieces(self._manner.thought, self._streaming.chunk_sizes)
        events[1:1] = [b'%b{"reasoning_content":%b}%b' % (begun, to_json(piece), _GOES_ON) for piece in thought]
        if "blank-text" in quirks and _may_follow_blanks(done):
            events.insert(1, b'%b{"content":"\\n\\n"}%b' % (begun, _GOES_ON))
        if "empty-first" in quirks:
            events = [b'data: %b,"choices":[]}\n\n' % head, b"%b{}%b" % (begun, _GOES_ON), *events]
        if done.tool_calls:
            events += [b"%b%b%b" % (begun, to_json(delta), _GOES_ON) for delta in self._stream_calls()]
        events.append(b"%b{}%b" % (begun, _ENDS % _quote_json(self._manner.finish)))
        if self._wanted.include_usage or "usage-chunk" in quirks:
            spent = to_json(self._tokens)
            events.append(b'data: %b,"choices":[],"usage":%b}\n\n' % (head, spent))
        events.append(DONE)
        return Reply(events=apply_quirks(tuple(events), quirks))

    def without_choices(self, *, stream: bool) -> Reply:
        """Return a completion, or a chunk, whose choices are empty."""
        empty = b'%b,"choices":[]}' % self._write_head(_CHUNK if stream else _COMPLETION)
        return Reply(events=(b"data: %b\n\n" % empty, DONE)) if stream else Reply(body=empty)

    def _write_head(self, kind: bytes) -> bytes:
        """Return the bytes with which every completion or chunk begins: id, kind and model."""
        return _HEAD % (self._number, kind, _quote_json(self._wanted.request.model))

    def _stream_calls(self) -> Iterable[dict[str, object]]:
        """Return the deltas of calls, one call after the other or all in turns."""
        calls = [self._stream_call(index, call) for index, call in enumerate(self._completion.tool_calls)]
        if "interleaved" not in self._quirks:
            return chain.from_iterable(calls)
        return filter(None, chain.from_iterable(zip_longest(*calls)))

    def _stream_call(self, index: int, call: ToolCall) -> Iterator[dict[str, object]]:
        at = {} if "no-index" in self._quirks else {"index": 0 if "same-index" in self._quirks else index}
        again = _make_call_head(call) if "repeated-id" in self._quirks else {}
        yield {"tool_calls": [{**at, **_make_call_head(call), "function": {"name": call.name, "arguments": ""}}]}
        for piece in split_pieces(call.arguments, self._streaming.chunk_sizes):
            yield {"tool_calls": [{**at, **again, "function": {"arguments": piece}}]}


# A text is said again: each episode is played twice, and whoever asks again is told the same.
@lru_cache(maxsize=64)
def _quote_json(text: str | None) -> bytes:
    return to_json(text)


@lru_cache(maxsize=64)
def _write_text_events(content: str | None, sizes: tuple[int, ...], is_refusal: bool) -> tuple[bytes, ...]:
    """Return what stands in the events of a text after their head."""
    first = b'{"role":"assistant","content":%b}%b' % (b"null" if content is None or is_refusal else b'""', _GOES_ON)
    name = b"refusal" if is_refusal else b"content"
    pieces = split_pieces(content or "", sizes)
    return (first, *(b'{"%b":%b}%b' % (name, to_json(piece), _GOES_ON) for piece in pieces))


def _may_follow_blanks(done: Completion) -> bool:
    """Tell whether blank text before it changes nothing: before calls, and before what begins with a mark."""
    return bool(done.tool_calls and not done.content) or (done.content or "").startswith(("[[ ## ", "<", "Thought:"))


def _make_call_head(call: ToolCall) -> dict[str, str]:
    return {"id": call.id, "type": "function"}


def _make_call_body(call: ToolCall) -> dict[str, str]:
    return {"name": call.name, "arguments": call.arguments}


class TextCompletion(WireForm):
    """A completion as `POST /v1/completions` gives it: of it, the text."""

    _ending = (DONE,)

    def _write_whole(self) -> dict[str, Any]:
        return {**self._write_body(self._completion.content, self._manner.finish), "usage": self._tokens}

    def _write_events(self) -> Iterator[dict[str, Any]]:
        for piece in split_pieces(self._completion.content or "", self._streaming.chunk_sizes):
            yield self._write_body(piece)
        yield self._write_body(None if self._completion.content is None else "", self._manner.finish)
        if self._wanted.include_usage or "usage-chunk" in self._quirks:
            yield {**self._write_body(None), "usage": self._tokens}

    def _write_body(self, text: str | None, finish: str | None = None) -> dict[str, Any]:
        """Return a body with this text, or without choices."""
        choices = [] if text is None else [{"text": text, "index": 0, "logprobs": None, "finish_reason": finish}]
        head = {"id": f"cmpl-{self._number}", "object": "text_completion", "created": CREATED}
        return {**head, "model": self._wanted.request.model, "choices": choices}
