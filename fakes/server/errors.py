"""Errors on the wire: the kit's own, with messages that tell the developer what to do, and a provider's, by script.

All have the form of OpenAI's.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from react_tck.fakes.lm import CUT_TEXT
from react_tck.fakes.server.wire import DONE, Reply, WireForm, Write, json_reply, write_form
from react_tck.model.lm import Completion

#: The official SDKs obey it: an error of the kit's own is one request, not several.
NO_RETRY = ("x-should-retry", "false")


class BadRequest(Exception):
    """A body that can't be understood, or asks for what isn't given here; the message says what is wrong."""


def make_error(status: int, message: str, kind: str, code: str | None = None) -> Reply:
    """Return an error that the SDKs don't retry."""
    return provider_error(status, message, kind, code, headers=(NO_RETRY,))


def provider_error(
    status: int,
    message: str,
    kind: str,
    code: str | None = None,
    param: str | None = None,
    headers: tuple[tuple[str, str], ...] = (),
) -> Reply:
    """Return an error that the SDKs treat as a provider's."""
    body = {"error": {"message": message, "type": kind, "param": param, "code": code}}
    return json_reply(body, status, headers)


def report_invalid(message: str) -> Reply:
    """Return the reply (400) to a request that breaks the format; the message says how."""
    return make_error(400, message, "invalid_request_error", "invalid_request")


def report_refusal(message: str) -> Reply:
    """Return the reply (400) to a request that the kit refuses to answer; the message says why."""
    return make_error(400, f"react-tck refuses this request: {message}", "react_tck_refusal", "refused")


def report_bug(exception: Exception) -> Reply:
    """Return the kit itself fails; its traceback is nobody's business on the wire."""
    message = f"This is a bug of react-tck: {type(exception).__name__}: {exception}"
    return make_error(500, message, "react_tck_bug", "bug")


def no_lane(what: str) -> Reply:
    """Return the path or the key belongs to no open episode."""
    message = f"{what} Use the base URL (or the API key) of the episode under way, exactly as the kit gave it."
    return make_error(404, message, "invalid_request_error", "unknown_lane")


def no_key() -> Reply:
    """Neither the path nor a key says which episode is meant."""
    message = (
        "This request says neither in its path nor in its API key which episode it belongs to. "
        "Use the base URL of the episode, or send `Authorization: Bearer tck-...` with its API key."
    )
    return make_error(401, message, "invalid_request_error", "no_lane")


def wrong_method(method: str, path: str, right: str) -> Reply:
    """Return the answer where the path is right and the method is not."""
    message = f"{path} takes {right}, not {method}."
    return make_error(405, message, "invalid_request_error", "method_not_allowed")


class FaultyReply(NamedTuple):
    """The request that meets the failure, and what writes a completion as it wants it."""

    write: Write
    stream: bool
    #: Events that arrive before a stream is cut.
    cut_after: int


def make_failure(fault: str, scene: FaultyReply) -> Reply:
    """Return the scripted failure of a provider that has this name."""
    return _REPLIES.get(fault) or _FAULTS[fault](scene)


#: Clients that ask again may do so at once: OpenAI's own take the milliseconds, and no 0 of them.
_AT_ONCE = (("retry-after", "0"), ("retry-after-ms", "1"))


_REFUSED = "invalid_request_error"
_WAIT = "Rate limit reached for requests. Please try again later."
_SORRY = "The server had an error while processing your request. Sorry about that!"
_TOO_LONG = (
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens. "
    "Please reduce the length of the messages."
)
_NOT_ALLOWED = "You are not allowed to sample from this model."
#: What is the same whatever was asked.
_REPLIES: Mapping[str, Reply] = {
    "rate-limit": provider_error(429, _WAIT, "requests", "rate_limit_exceeded", headers=_AT_ONCE),
    "server-error": provider_error(500, _SORRY, "server_error", headers=_AT_ONCE),
    "context-window": provider_error(400, _TOO_LONG, _REFUSED, "context_length_exceeded", "messages"),
    "bad-request": provider_error(400, "Invalid value for 'model'.", _REFUSED, "invalid_value", "model"),
    "unauthorized": provider_error(401, "Incorrect API key provided.", _REFUSED, "invalid_api_key"),
    "forbidden": provider_error(403, _NOT_ALLOWED, _REFUSED, "permission_denied"),
    "timeout": Reply(ending="hold"),
    "connection-reset": Reply(ending="reset"),
}


def _truncated_body(scene: FaultyReply) -> Reply:
    return _cut_completion(scene).as_json()._replace(ending="cut")


def _truncated_stream(scene: FaultyReply) -> Reply:
    if not scene.stream:
        return _truncated_body(scene)
    whole = _cut_completion(scene).as_events()
    return whole._replace(events=(whole.events or ())[: scene.cut_after], ending="cut")


def _invalid_json(scene: FaultyReply) -> Reply:
    form = _cut_completion(scene)
    broken = form.as_json().body[:-20]
    if not scene.stream:
        return Reply(body=broken)
    whole = form.as_events()
    first, *_ = whole.events or (b"",)
    named, marked, _ = first.partition(b"data: ")
    events = (b"%bdata: %b\n\n" % (named, broken), DONE) if marked else (b"%b\n" % broken,)
    return whole._replace(events=events)


def _cut_completion(scene: FaultyReply) -> WireForm:
    return scene.write(Completion(content=CUT_TEXT, finish_reason="length"))


_FAULTS: Mapping[str, Callable[[FaultyReply], Reply]] = {
    "truncated-body": _truncated_body,
    "truncated-stream": _truncated_stream,
    "invalid-json": _invalid_json,
    "empty-choices": lambda scene: _cut_completion(scene).without_choices(stream=scene.stream),
    "finish-length": lambda scene: write_form(_cut_completion(scene), stream=scene.stream),
}
