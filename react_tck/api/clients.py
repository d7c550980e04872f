"""Clients of OpenAI's SDK for the kit's LM, which don't mistake a busy machine for an LM that says nothing."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import openai

from react_tck.model.protocol import Endpoint


def make_client(endpoint: Endpoint, timeout: float | None) -> openai.OpenAI:
    """One that tries once, and waits for so many seconds; without them, until the kit ends its silence."""
    transport = _Transport(**_ON_LOOPBACK)
    return openai.OpenAI(
        http_client=httpx.Client(transport=transport, timeout=timeout, trust_env=False),
        **_make_client_options(endpoint),
    )


def make_async_client(endpoint: Endpoint, timeout: float | None) -> openai.AsyncOpenAI:
    """An asynchronous client that tries once; its timeout is in seconds, None to wait until the kit's silence ends."""
    transport = _AsyncTransport(**_ON_LOOPBACK)
    return openai.AsyncOpenAI(
        http_client=httpx.AsyncClient(transport=transport, timeout=timeout, trust_env=False),
        **_make_client_options(endpoint),
    )


def _make_client_options(endpoint: Endpoint) -> dict[str, Any]:
    return {"base_url": endpoint.base_url, "api_key": endpoint.api_key, "max_retries": 0}


# On loopback there is no TLS, and reading all certificates takes longer than an episode. And nobody tells an instance
# that it is done with: a connection kept alive would stay until it is collected.
_ON_LOOPBACK: dict[str, Any] = {
    "verify": False,
    "trust_env": False,
    "limits": httpx.Limits(max_keepalive_connections=0),
}


class _Transport(httpx.HTTPTransport):
    def handle_request(self, request: httpx.Request) -> httpx.Response:
        with _silence_is_a_timeout(request):
            return super().handle_request(request)


class _AsyncTransport(httpx.AsyncHTTPTransport):
    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        with _silence_is_a_timeout(request):
            return await super().handle_async_request(request)


@contextmanager
def _silence_is_a_timeout(request: httpx.Request) -> Iterator[None]:
    """The kit's server ends a connection without a word only where the LM was to say nothing."""
    try:
        yield
    except httpx.RemoteProtocolError as silent:
        raise httpx.ReadTimeout("the LM said nothing", request=request) from silent
