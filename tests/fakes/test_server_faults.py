"""Each scripted failure of a provider, as the official SDK sees it."""

from collections.abc import Iterator
from itertools import product
from typing import Any

import openai
import pytest

from react_tck.fakes.lm import CUT_TEXT
from react_tck.fakes.server import Lane, LaneServer, Limits, Streaming
from tests.support.server_checks import QUESTION, client, failing


@pytest.fixture(scope="module")
def server() -> Iterator[LaneServer]:
    with LaneServer(Streaming(cut_after=3), limits=Limits(hold=0.5)) as running:
        yield running


def ask(lane: Lane, **options: Any) -> Any:
    return client(lane).chat.completions.create(model="m", messages=QUESTION, **options)


def test_status(server: LaneServer, subtests: pytest.Subtests) -> None:
    cases_1: list[tuple[str, type[openai.APIStatusError], str | None]] = [
        ("rate-limit", openai.RateLimitError, "rate_limit_exceeded"),
        ("server-error", openai.InternalServerError, None),
        ("context-window", openai.BadRequestError, "context_length_exceeded"),
        ("bad-request", openai.BadRequestError, "invalid_value"),
        ("unauthorized", openai.AuthenticationError, "invalid_api_key"),
        ("forbidden", openai.PermissionDeniedError, "permission_denied"),
    ]
    for stream, (fault, error, code) in product([False, True], cases_1):
        with subtests.test(stream=stream, fault=fault, error=error, code=code):
            with pytest.raises(error) as caught:
                ask(server.open_lane(failing(fault), {}), stream=stream)

            assert caught.value.code == code


def test_timeout_holds_until_the_client_leaves() -> None:
    with LaneServer() as patient, pytest.raises(openai.APITimeoutError):
        client(patient.open_lane(failing("timeout"), {}), timeout=1.0).chat.completions.create(
            model="m", messages=QUESTION
        )


def test_stream_is_cut_after_exactly_so_many_chunks(server: LaneServer) -> None:
    stream = ask(server.open_lane(failing("truncated-stream"), {}), stream=True)

    chunks = [next(stream).choices[0].delta.content for _ in range(3)]
    with pytest.raises(Exception, match="incomplete chunked read"):
        next(stream)

    assert chunks == ["", CUT_TEXT[:16], CUT_TEXT[16:32]]
