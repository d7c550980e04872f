"""A provider that was recorded, replayed by content: the same is said to whoever asks the same."""

import json
import threading
from collections.abc import Iterator, Mapping

from pydantic import JsonValue
from pydantic_core import from_json

from react_tck.fakes.complaints import Complaints
from react_tck.fakes.server import chat, messages, responses
from react_tck.fakes.server.azure import find_place
from react_tck.fakes.server.errors import BadRequest, make_error
from react_tck.fakes.server.provider import ProviderPath, Sent
from react_tck.fakes.server.secrets import hide_in_headers
from react_tck.fakes.server.server import LaneServer
from react_tck.fakes.server.standalone import LMEndpoint
from react_tck.fakes.server.wire import Reply
from react_tck.model.lm import LMRequest
from react_tck.model.recording import JSON, Exchange, Recording

#: What a body stands in where it is read again, which goes no deeper than it does here.
_OPENED, _CLOSED = b"[[[[", b"]]]]"
#: Characters shown of a value.
_SHOWN = 60


class RecordedProvider:
    """Says again what was said to the same request; to the same one several times, one after the other."""

    def __init__(self, recording: Recording) -> None:
        self._lock = threading.Lock()
        self._exchanges = recording.exchanges
        self._left = list(recording.exchanges)
        self._unknown = Complaints()

    @property
    def complaints(self) -> tuple[str, ...]:
        """The requests that nothing was recorded for."""
        return self._unknown.sentences

    def answer_request(self, sent: Sent) -> Reply:
        """Return what was said to it."""
        asked = _make_key(make_exchange(sent, 200, JSON, ""))
        with self._lock:
            left = next((each for each in self._left if _make_key(each) == asked), None)
            if left is not None:
                self._left.remove(left)
                return _make_reply(left)
            said = [each for each in self._exchanges if _make_key(each) == asked]
            if said:
                return _make_reply(said[-1])
            complaint = self._describe_unknown(asked)
            self._unknown.add(complaint)
            return make_error(404, complaint, "react_tck_refusal", "not_recorded")

    def _describe_unknown(self, asked: tuple[str, str, str]) -> str:
        same = [(n, each) for n, each in enumerate(self._exchanges, 1) if (each.method, each.path) == asked[:2]]
        what = f"{asked[0]} {asked[1]} was not recorded"
        if not same:
            return f"{what}: there is no exchange with this path"
        request = json.loads(asked[2])
        number, nearest = min(same, key=lambda found: len(list(_find_differences(found[1].request, request))))
        place, recorded, now = next(_find_differences(nearest.request, request))
        return f"{what}: of exchange {number}, which is nearest, {place or 'the body'} is {recorded}, not {now}"


def _make_key(exchange: Exchange) -> tuple[str, str, str]:
    """Return what makes two requests the same."""
    return exchange.method, exchange.path, json.dumps(exchange.request, sort_keys=True)


def _find_differences(recorded: JsonValue, asked: JsonValue, place: str = "") -> Iterator[tuple[str, str, str]]:
    """Yield every place where two bodies differ, with what stands there."""
    match recorded, asked:
        case dict(), dict():
            for key in sorted({*recorded, *asked}):
                yield from _find_differences(recorded.get(key), asked.get(key), f"{place}.{key}".lstrip("."))
        case list(), list() if len(recorded) == len(asked):
            for number, (one, other) in enumerate(zip(recorded, asked, strict=True)):
                yield from _find_differences(one, other, f"{place}[{number}]")
        case _ if recorded != asked:
            yield place, json.dumps(recorded)[:_SHOWN], json.dumps(asked)[:_SHOWN]


def _decode_body(body: bytes) -> JsonValue:
    """Return the value of a body, if it stands as such in the file of a recording; else its text."""
    try:
        value: JsonValue = from_json(body, allow_inf_nan=False) if body else None
        json.dumps(value, allow_nan=False)  # 1e999
        from_json(b"%b%b%b" % (_OPENED, body, _CLOSED))
    except ValueError:
        return body.decode(errors="replace")
    return value


def make_exchange(sent: Sent, status: int, content_type: str, reply: str) -> Exchange:
    """Return the exchange that a request makes with a reply, as it is kept: without a secret of the request."""
    hider = sent.make_hider()
    return Exchange(
        method=sent.method,
        path=hider.hide_in_text(sent.path),
        request=hider.hide_in_value(_decode_body(sent.body)),
        status=status,
        content_type=content_type,
        reply=reply,
    )


def _make_reply(exchange: Exchange) -> Reply:
    return Reply(exchange.status, exchange.reply.encode(errors="replace"), content_type=exchange.content_type)


class RecordedEndpoint(LMEndpoint):
    """What was recorded, said again in a test; nobody minds what isn't asked for again."""

    def __init__(self, server: LaneServer, recording: Recording) -> None:
        self._provider = RecordedProvider(recording)
        self._sent: list[Sent] = []
        self._path = ProviderPath(server, self)
        super().__init__(self._path.base_url, "any")

    def answer_request(self, sent: Sent) -> Reply:
        """Return what was said to it."""
        self._sent.append(sent)
        return self._provider.answer_request(sent)

    @property
    def requests(self) -> tuple[LMRequest, ...]:
        """Those for chat completions, responses and messages, as they were understood."""
        return tuple(understood for sent in self._sent if (understood := _parse_request(sent)) is not None)

    @property
    def bodies(self) -> tuple[bytes, ...]:
        """What was sent, byte for byte."""
        return tuple(sent.body for sent in self._sent)

    @property
    def headers(self) -> tuple[Mapping[str, str], ...]:
        """The headers of each of `bodies`, by their names in small letters; what is secret is `***`."""
        return tuple(hide_in_headers(sent.headers, self.api_key) for sent in self._sent)

    @property
    def complaints(self) -> tuple[str, ...]:
        """The requests that nothing was recorded for."""
        return self._provider.complaints

    def close(self) -> None:
        """Stop: requests find nothing here from now on."""
        self._path.close()


def _parse_request(sent: Sent) -> LMRequest | None:
    try:
        place, model = find_place(sent.path, sent.target.encode("latin-1"))
        match place.removeprefix("/v1"):
            case "/chat/completions":
                return chat.read_request(sent.body, model).request
            case "/responses":
                return responses.read_request(sent.body, {}, model)[0].request
            case "/messages":
                return messages.read_request(sent.body).request
    except BadRequest:
        pass
    return None
