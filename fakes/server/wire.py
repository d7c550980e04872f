"""What goes over the wire: requests and replies as the server's parts hand them to each other, and replies as bytes.

A reply is cut into events, and into the bytes that arrive together, as OpenAI does it or as some providers do.

The same reply gives the same bytes: there is no Date, and the headers stand in a fixed order.
"""

import math
from base64 import b64encode
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import sha512
from http import HTTPStatus
from itertools import cycle
from typing import Any, Literal, NamedTuple, TypeVar
from urllib.parse import unquote

from pydantic_core import to_json

from react_tck.model.cue import CuedCompletion, Quirk
from react_tck.model.lm import JSON, Completion, LMRequest, Message

#: How a reply ends: as it should, cut off before its end, with a reset, or never.
Ending = Literal["whole", "cut", "reset", "hold"]
Headers = tuple[tuple[str, str], ...]

#: What a provider's clock would say: the same in every run.
CREATED = 1_750_000_000
#: Characters of a token, where nobody counts them.
_TOKEN = 4
DONE = b"data: [DONE]\n\n"
#: What streams are: server-sent events, and lines of JSON.
EVENTS, NDJSON = "text/event-stream", "application/x-ndjson"
_REASONS = {status.value: status.phrase.encode() for status in HTTPStatus}


class Limits(NamedTuple):
    """What a client may do, and how slowly it is served."""

    head_bytes: int = 64 * 1024
    body_bytes: int = 32 * 1024 * 1024
    #: Seconds from a request's first byte to its last.
    slow_after: float = 10.0
    #: Seconds for which a client may leave unread what was written to it.
    unread_after: float = 60.0
    #: Seconds that a scripted timeout holds the connection at most, unless the client leaves before.
    hold: float = 600.0
    #: Bytes of a stream that are written at a time, these sizes in turn, inside characters and escapes too;
    #: without any, all at once.
    write_sizes: tuple[int, ...] = ()


class HTTPRequest(NamedTuple):
    """What a client sent, as far as anybody here reads it."""

    method: str
    path: str
    authorization: str
    body: bytes
    #: As it came, with its query.
    target: bytes = b""
    headers: Sequence[tuple[bytes, bytes]] = ()


# A client asks for the same few again and again.
@lru_cache(maxsize=256)
def parse_path(url: bytes) -> str:
    """Of a target the path, without its query."""
    return unquote(url.split(b"?", 1)[0].decode("latin-1"))


#: What is waited for, and the reply that it gives, if it makes one.
Hold = Callable[[], Awaitable["Reply | None"]]


class Reply(NamedTuple):
    """What is sent back: a JSON body, or server-sent events."""

    status: int = 200
    body: bytes = b""
    events: tuple[bytes, ...] | None = None
    headers: Headers = ()
    ending: Ending = "whole"
    #: What is waited for before it is sent, or what that gives in its place.
    after: Hold | None = None
    #: Of a body; of events, where it is another than this.
    content_type: str = JSON
    #: Seconds, at most, for which one that never ends is held.
    patience: float = math.inf
    #: Seconds between two events.
    pause: float = 0.0


def json_reply(value: object, status: int = 200, headers: Headers = ()) -> Reply:
    """Return a reply with this value as its JSON body."""
    return Reply(status=status, body=to_json(value), headers=headers)


def write_event(value: object, name: str = "") -> bytes:
    """Return a server-sent event, with a name if it has one."""
    named = f"event: {name}\n".encode() if name else b""
    return b"%bdata: %b\n\n" % (named, to_json(value))


class Wanted(NamedTuple):
    """What is asked of the LM, and how the reply is to be sent."""

    request: LMRequest
    stream: bool = False
    include_usage: bool = False
    #: What the ids of the reply's calls begin with.
    call_prefix: str = "call_"
    #: Whether it is to be shown what the model thinks, and to be signed.
    shows_thoughts: bool = True
    signs_thoughts: bool = True
    #: What later requests may go on from, with the reply, if they may.
    conversation: tuple[Message, ...] | None = None
    #: What the ids of replies begin with, by which later requests name them.
    reply_prefix: str = "resp_"


class SaidBefore(NamedTuple):
    """What was said before a request, as far as it may refer to that."""

    #: The completions with tool calls, as the subject saw them: with the ids of the calls.
    given: Sequence[Completion] = ()
    #: What a response answered, itself included among the messages, by its id.
    conversations: Mapping[str, LMRequest] = {}


class Manner(NamedTuple):
    """How a completion is said."""

    #: Whether its text says why the model refuses.
    is_refusal: bool = False
    #: Why it ends, in the words of chat completions.
    finish: str = "stop"
    tokens_per_second: float | None = None
    streams: tuple[Quirk, ...] = ()
    #: What is thought before it.
    thought: str = ""


def find_manner(completion: Completion) -> Manner:
    """Return how a completion is said: as its cue has it, else plainly and at once."""
    if not isinstance(completion, CuedCompletion):
        return Manner(finish=completion.finish_reason)
    finish = "content_filter" if completion.is_filtered else completion.finish_reason
    said = completion
    return Manner(said.is_refusal, finish, said.tokens_per_second, said.streams, said.thought)


def sign_thought(thought: str) -> str:
    """Return by what a provider knows a thought as its own when it is sent back: letters and digits."""
    return b64encode(sha512(thought.encode(errors="surrogatepass")).hexdigest()[:96].encode()).decode()


def count_tokens(request: LMRequest, completion: Completion) -> dict[str, int]:
    """Return what the completion says; else numbers made of the texts: a token is four characters."""
    told = completion.usage
    prompt, said = (told.prompt_tokens, told.completion_tokens) if told else (None, None)
    if prompt is None:
        prompt = sum([len(message.content or "") for message in request.messages]) // _TOKEN
    if said is None:
        said = (len(completion.content or "") + sum([len(call.arguments) for call in completion.tool_calls])) // _TOKEN
        said += len(find_manner(completion).thought) // _TOKEN
    return {"prompt_tokens": prompt, "completion_tokens": said, "total_tokens": prompt + said}


def find_thoughts(given: Iterable[Completion]) -> dict[str, str]:
    """Return what was thought before calls, by their ids."""
    thoughts = ((find_manner(done).thought, done.tool_calls) for done in given)
    return {call.id: thought for thought, calls in thoughts if thought for call in calls}


def as_bytes(reply: Reply, *, keep_alive: bool, chunked: bool = True) -> bytes:
    """Head and body, for one write. A reply that is to be cut lacks its end."""
    head = _write_head(reply.status, reply.headers, keep_alive)
    return head + (_json_part(reply) if reply.events is None else _events_part(reply, reply.events, chunked))


def as_pieces(reply: Reply, *, keep_alive: bool, chunked: bool) -> Iterator[bytes]:
    """Yield the bytes of `as_bytes`, an event at a time."""
    events, whole = reply.events or (), as_bytes(reply, keep_alive=keep_alive, chunked=chunked)
    at = whole.index(b"\r\n\r\n") + 4
    yield whole[:at]
    for event in events:
        after = whole.index(event, at) + len(event) + (2 if chunked else 0)
        yield whole[at:after]
        at = after
    if at < len(whole):
        yield whole[at:]


@lru_cache(maxsize=256)
def _write_head(status: int, headers: Headers, keep_alive: bool) -> bytes:
    lines = [b"HTTP/1.1 %d %b" % (status, _REASONS.get(status, b"Unknown"))]
    lines += [f"{name}: {value}".encode() for name, value in headers]
    lines += [] if keep_alive else [b"connection: close"]
    return b"".join(b"%b\r\n" % line for line in lines)


def _json_part(reply: Reply) -> bytes:
    body = reply.body[: len(reply.body) // 2] if reply.ending == "cut" else reply.body
    kind = reply.content_type.encode()
    return b"content-type: %b\r\ncontent-length: %d\r\n\r\n%b" % (kind, len(reply.body), body)


def _events_part(reply: Reply, events: tuple[bytes, ...], chunked: bool) -> bytes:
    kind = EVENTS if reply.content_type == JSON else reply.content_type
    head = b"content-type: %b\r\ncache-control: no-cache\r\n" % kind.encode()
    if not chunked:  # HTTP/1.0: the end of the connection is the end of the body
        return head + b"\r\n" + b"".join(events)
    body = b"".join([b"%x\r\n%b\r\n" % (len(event), event) for event in events])
    end = b"" if reply.ending == "cut" else b"0\r\n\r\n"
    return b"%btransfer-encoding: chunked\r\n\r\n%b%b" % (head, body, end)


#: Of these a reply has one, each in turn: nobody could tell its calls apart otherwise.
_EXCLUSIVE: tuple[Quirk, ...] = ("interleaved", "same-index", "no-index")

_Text = TypeVar("_Text", str, bytes)


class Streaming(NamedTuple):
    """How replies are cut into events, where a truncated stream ends, and how it deviates from OpenAI's."""

    #: Characters of a text or of arguments in an event: these sizes in turn, again and again.
    chunk_sizes: tuple[int, ...] = (16,)
    cut_after: int = 2
    quirks: frozenset[Quirk] = frozenset()

    def pace(self, completion: Completion) -> "Streaming":
        """Return the same for a completion: a token an event where it comes at a pace."""
        return self._replace(chunk_sizes=(_TOKEN,)) if find_manner(completion).tokens_per_second else self


class WireForm:
    """One completion on its way out, as JSON and as events of the same content."""

    #: What stands after the events.
    _ending: tuple[bytes, ...] = ()

    def __init__(self, number: int, wanted: Wanted, streaming: Streaming, completion: Completion) -> None:
        self._number = number
        self._wanted = wanted
        self._streaming = streaming.pace(completion)
        self._completion = completion
        self._manner = find_manner(completion)
        self._quirks = _choose_quirks(streaming.quirks.union(self._manner.streams), number)

    def as_json(self) -> Reply:
        """Return the completion as one JSON body."""
        return json_reply(self._write_whole())

    def as_events(self) -> Reply:
        """Return the completion as server-sent events, each of the type that it names, if it names one."""
        events = tuple(write_event(event, str(event.get("type", ""))) for event in self._write_events())
        return Reply(events=apply_quirks((*events, *self._ending), self._quirks))

    @property
    def _tokens(self) -> dict[str, int]:
        return count_tokens(self._wanted.request, self._completion)

    @property
    def _thought_tokens(self) -> int:
        return min(self._tokens["completion_tokens"], len(self._manner.thought) // _TOKEN)

    def _write_whole(self) -> dict[str, Any]:
        raise NotImplementedError

    def _write_events(self) -> Iterator[dict[str, Any]]:
        raise NotImplementedError

    def without_choices(self, *, stream: bool) -> Reply:
        """Return the same with nothing in it."""
        empty = type(self)(self._number, self._wanted, self._streaming, Completion())
        return write_form(empty, stream=stream)


def _choose_quirks(quirks: frozenset[Quirk], number: int) -> frozenset[Quirk]:
    """Return what the reply of this number has of them; an id in every piece would undo that calls come in turns."""
    among = [quirk for quirk in _EXCLUSIVE if quirk in quirks]
    if not among:
        return quirks
    chosen = among[(number - 1) % len(among)]
    undone = {"repeated-id"} if chosen == "interleaved" else set[str]()
    return frozenset({*quirks.difference(among, undone), chosen})


Write = Callable[[Completion], WireForm]


def write_form(form: WireForm, *, stream: bool) -> Reply:
    """Return the reply, in the way it is wanted."""
    return form.as_events() if stream else form.as_json()


def make_sizes(seed: int) -> tuple[int, ...]:
    """64 sizes from 1 to 9, the same for the same seed on every machine."""
    return tuple(1 + byte % 9 for byte in sha512(str(seed).encode()).digest())


def split_pieces(text: _Text, sizes: tuple[int, ...]) -> Iterator[_Text]:
    """Yield the text or the bytes in pieces of these sizes in turn, again and again.

    Raises:
        ValueError: if a size is not positive, or there is none.
    """
    if min(sizes, default=0) < 1:
        raise ValueError(f"pieces can't have the sizes {sizes}")
    at = 0
    for size in cycle(sizes):
        if at >= len(text):
            return
        yield text[at : at + size]
        at += size


def apply_quirks(events: tuple[bytes, ...], quirks: frozenset[Quirk]) -> tuple[bytes, ...]:
    """Return the events as they look on the wire."""
    if "comments" in quirks:
        events = tuple(b": still thinking\n\n%b" % event for event in events)
    if "crlf" in quirks:
        events = tuple(event.replace(b"\n", b"\r\n") for event in events)
    return events
