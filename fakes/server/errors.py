"""Errors in the form of OpenAI's, with messages that tell the developer what to do."""

from react_tck.fakes.server.wire import Reply, json_reply

#: The official SDKs obey it: an error of the kit's own is one request, not several.
NO_RETRY = ("x-should-retry", "false")


class BadRequest(Exception):
    """A body that can't be understood; the message says all that is wrong with it."""


def error(status: int, message: str, kind: str, code: str | None = None, param: str | None = None) -> Reply:
    """An error that the SDKs don't retry."""
    return provider_error(status, message, kind, code, param, (NO_RETRY,))


def provider_error(
    status: int,
    message: str,
    kind: str,
    code: str | None = None,
    param: str | None = None,
    headers: tuple[tuple[str, str], ...] = (),
) -> Reply:
    """An error that the SDKs treat as a provider's."""
    body = {"error": {"message": message, "type": kind, "param": param, "code": code}}
    return json_reply(body, status, headers)


def invalid(message: str) -> Reply:
    """The request is wrong."""
    return error(400, message, "invalid_request_error", "invalid_request")


def refused(message: str) -> Reply:
    """The kit won't answer."""
    return error(400, f"react-tck refuses this request: {message}", "react_tck_refusal", "refused")


def broken(exception: Exception) -> Reply:
    """The kit itself fails; its traceback is nobody's business on the wire."""
    message = f"This is a bug of react-tck: {type(exception).__name__}: {exception}"
    return error(500, message, "react_tck_bug", "bug")


def no_lane(what: str) -> Reply:
    """The path or the key belongs to no open episode."""
    message = f"{what} Use the base URL (or the API key) of the episode under way, exactly as the kit gave it."
    return error(404, message, "invalid_request_error", "unknown_lane")


def no_key() -> Reply:
    """Neither the path nor a key says which episode is meant."""
    message = (
        "This request says neither in its path nor in its API key which episode it belongs to. "
        "Use the base URL of the episode, or send `Authorization: Bearer tck-...` with its API key."
    )
    return error(401, message, "invalid_request_error", "no_lane")


def no_route(method: str, path: str) -> Reply:
    """There is an episode, but nothing at this path."""
    message = (
        f"There is no {method} {path}. There are POST /v1/chat/completions, POST /v1/responses, GET /v1/models "
        "and POST /tools/NAME, each behind the path of the episode."
    )
    return error(404, message, "invalid_request_error", "unknown_url")


def wrong_method(method: str, path: str, right: str) -> Reply:
    """The path is right and the method is not."""
    message = f"{path} takes {right}, not {method}."
    return error(405, message, "invalid_request_error", "method_not_allowed")
