"""Clients of OpenAI's SDK for the kit's LM, which don't mistake a busy machine for an LM that says nothing.

The kit's server ends a silence of the LM's by itself, so that nobody has to wait for a time-out of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import openai

#: The HTTP library that the installed SDK takes clients of: httpx up to its version 2, then httpx2.
_HTTP: Any = import_module(str(openai.DefaultHttpxClient.__base__.__module__).partition(".")[0])


def make_client(base_url: str, api_key: str) -> openai.OpenAI:
    """One that tries once, and waits until the kit ends its silence."""
    transport = _HTTP.HTTPTransport(**_make_loopback_options())
    send = transport.handle_request

    def handle_request(request: Any) -> Any:
        with _silence_is_a_timeout(request):
            return send(request)

    transport.handle_request = handle_request
    return openai.OpenAI(
        http_client=_HTTP.Client(transport=transport, timeout=None, trust_env=False),
        **_make_client_options(base_url, api_key),
    )


def make_async_client(base_url: str, api_key: str) -> openai.AsyncOpenAI:
    """Return an asynchronous client that tries once, and waits until the kit ends its silence."""
    transport = _HTTP.AsyncHTTPTransport(**_make_loopback_options())
    send = transport.handle_async_request

    async def handle_request(request: Any) -> Any:
        with _silence_is_a_timeout(request):
            return await send(request)

    transport.handle_async_request = handle_request
    return openai.AsyncOpenAI(
        http_client=_HTTP.AsyncClient(transport=transport, timeout=None, trust_env=False),
        **_make_client_options(base_url, api_key),
    )


def _make_client_options(base_url: str, api_key: str) -> dict[str, Any]:
    return {"base_url": base_url, "api_key": api_key, "max_retries": 0}


def _make_loopback_options() -> dict[str, Any]:
    """On loopback there is no TLS, and reading all certificates takes longer than an episode.

    And nobody tells an instance that it is done with: a connection kept alive would stay until it is collected.
    """
    return {"verify": False, "trust_env": False, "limits": _HTTP.Limits(max_keepalive_connections=0)}


@contextmanager
def _silence_is_a_timeout(request: Any) -> Iterator[None]:
    """Return the kit's server ends a connection without a word only where the LM was to say nothing."""
    try:
        yield
    except _HTTP.RemoteProtocolError as silent:
        raise _HTTP.ReadTimeout("the LM said nothing", request=request) from silent
