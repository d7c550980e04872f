"""Chat completions as server-sent events: the SDK puts together what it would have got as JSON."""

from collections.abc import Iterator

import pytest
from openai.types.chat import ChatCompletionChunk

from react_tck.fakes.server import Lane, LaneServer, Limits
from react_tck.model.lm import Completion
from tests.server_checks import QUESTION, TWO_CALLS, Heard, chat_bytes, client, exchange, saying


@pytest.fixture(params=[(1, 0), (3, 1), (16, 0), (16, 7), (1000, 0)], ids=str)
def server(request: pytest.FixtureRequest) -> Iterator[LaneServer]:
    chunk, write_size = request.param
    with LaneServer(stream_chunk=chunk, limits=Limits(write_size=write_size)) as running:
        yield running


@pytest.mark.parametrize(
    "completion",
    [TWO_CALLS, Completion(content="It is ½ 🜁\n\ndata: [DONE]\r\n"), Completion(content="")],
    ids=["two calls", "content", "empty"],
)
def test_streamed_equals_not_streamed(server: LaneServer, completion: Completion) -> None:
    whole = client(server.open(Heard(completion), {})).chat.completions.create(model="m", messages=QUESTION)

    with client(server.open(Heard(completion), {})).chat.completions.stream(
        model="m", messages=QUESTION, stream_options={"include_usage": True}
    ) as stream:
        streamed = stream.get_final_completion()

    assert _plain(streamed.model_dump()) == _plain(whole.model_dump())


def test_chunks_come_in_the_order_of_the_api(server: LaneServer) -> None:
    chunks = _chunks(server.open(Heard(TWO_CALLS), {}))

    *body, finish, usage = chunks
    assert body[0].choices[0].delta.role == "assistant"
    assert [chunk.choices[0].delta.role for chunk in body[1:]] == [None] * len(body[1:])
    assert finish.choices[0].finish_reason == "tool_calls"
    assert usage.choices == []
    assert usage.usage is not None


def test_call_is_named_once(server: LaneServer) -> None:
    deltas = [
        call
        for chunk in _chunks(server.open(Heard(TWO_CALLS), {}))
        if chunk.choices
        for call in chunk.choices[0].delta.tool_calls or ()
    ]

    named = [(call.index, call.id, call.function.name) for call in deltas if call.function and call.function.name]
    assert named == [(0, "call_1", "add"), (1, "call_2", "search")]


def test_usage_comes_only_if_wanted(server: LaneServer) -> None:
    stream = client(server.open(saying("5"), {})).chat.completions.create(model="m", messages=QUESTION, stream=True)

    assert [chunk.usage for chunk in stream] == [None] * 3


def test_old_client_gets_events_without_chunked_encoding(server: LaneServer) -> None:
    lane = server.open(saying("5"), {})
    request = chat_bytes(lane, {"messages": QUESTION, "stream": True}).replace(b"HTTP/1.1", b"HTTP/1.0")

    head, _, body = exchange(server.root, request).partition(b"\r\n\r\n")

    assert b"chunked" not in head
    assert body.startswith(b"data: {")
    assert body.endswith(b"data: [DONE]\n\n")


def _chunks(lane: Lane) -> list[ChatCompletionChunk]:
    options = {"include_usage": True}
    return list(
        client(lane).chat.completions.create(
            model="m",
            messages=QUESTION,
            stream=True,
            stream_options=options,
        )
    )


def _plain(value: object) -> object:
    """The completion without what the SDK adds to a streamed one."""
    if isinstance(value, dict):
        return {
            k: _plain(v) for k, v in value.items() if v is not None and k not in ("index", "parsed", "parsed_arguments")
        }
    return [_plain(item) for item in value] if isinstance(value, list) else value
