"""Scripted failures of a provider, by name, as they look on the wire."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from react_tck.fakes.lm import CUT_TEXT
from react_tck.fakes.server.errors import provider_error
from react_tck.fakes.server.form import WireForm, Write, sent
from react_tck.fakes.server.wire import DONE, Reply
from react_tck.model.lm import Completion


class FaultyReply(NamedTuple):
    """The request that meets the failure, and what writes a completion as it wants it."""

    write: Write
    stream: bool
    #: Events that arrive before a stream is cut.
    cut_after: int


def fail(fault: str, scene: FaultyReply) -> Reply:
    """The failure with this name."""
    return _FAULTS[fault](scene)


def _rate_limit(_: FaultyReply) -> Reply:
    message = "Rate limit reached for requests. Please try again later."
    return provider_error(429, message, "requests", "rate_limit_exceeded", headers=(("retry-after", "0"),))


def _server_error(_: FaultyReply) -> Reply:
    return provider_error(
        500, "The server had an error while processing your request. Sorry about that!", "server_error"
    )


def _context_window(_: FaultyReply) -> Reply:
    message = (
        "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens. "
        "Please reduce the length of the messages."
    )
    return provider_error(400, message, "invalid_request_error", "context_length_exceeded", "messages")


def _timeout(_: FaultyReply) -> Reply:
    return Reply(ending="hold")


def _connection_reset(_: FaultyReply) -> Reply:
    return Reply(ending="reset")


def _truncated_body(scene: FaultyReply) -> Reply:
    return _cut(scene).as_json()._replace(ending="cut")


def _truncated_stream(scene: FaultyReply) -> Reply:
    if not scene.stream:
        return _truncated_body(scene)
    events = _cut(scene).as_events().events or ()
    return Reply(events=events[: scene.cut_after], ending="cut")


def _invalid_json(scene: FaultyReply) -> Reply:
    broken = _cut(scene).as_json().body[:-20]
    return Reply(events=(b"data: %b\n\n" % broken, DONE)) if scene.stream else Reply(body=broken)


def _empty_choices(scene: FaultyReply) -> Reply:
    return _cut(scene).without_choices(stream=scene.stream)


def _finish_length(scene: FaultyReply) -> Reply:
    return sent(_cut(scene), stream=scene.stream)


def _cut(scene: FaultyReply) -> WireForm:
    return scene.write(Completion(content=CUT_TEXT, finish_reason="length"))


_FAULTS: Mapping[str, Callable[[FaultyReply], Reply]] = {
    "rate-limit": _rate_limit,
    "server-error": _server_error,
    "context-window": _context_window,
    "timeout": _timeout,
    "connection-reset": _connection_reset,
    "truncated-body": _truncated_body,
    "truncated-stream": _truncated_stream,
    "invalid-json": _invalid_json,
    "empty-choices": _empty_choices,
    "finish-length": _finish_length,
}
