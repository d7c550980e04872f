"""Chat completions as server-sent events: the SDK puts together what it would have got as JSON."""

from collections.abc import Iterator
from typing import Any

import pytest
from openai import OpenAI
from openai.types.chat import ChatCompletionChunk

from react_tck.fakes.server import CuedEndpoint, Lane, LaneServer, Limits, Streaming, make_sizes
from react_tck.model.cue import QUIRKS, Quirk
from react_tck.model.lm import Completion
from tests.support.server_checks import QUESTION, TWO_CALLS, Heard, client, saying


@pytest.fixture(
    params=[((1,), ()), ((3,), (1,)), ((16,), ()), ((16, 1, 5), (7, 2)), (make_sizes(7), make_sizes(8))], ids=str
)
def server(request: pytest.FixtureRequest) -> Iterator[LaneServer]:
    chunks, writes = request.param
    with LaneServer(Streaming(chunks), Limits(write_sizes=writes)) as running:
        yield running


def test_streamed_equals_not_streamed(server: LaneServer, subtests: pytest.Subtests) -> None:
    cases: list[Completion] = [TWO_CALLS, Completion(content="It is ½ 🜁\n\ndata: [DONE]\r\n"), Completion(content="")]
    for completion in cases:
        with subtests.test(completion=completion):
            whole = client(server.open_lane(Heard(completion), {})).chat.completions.create(
                model="m", messages=QUESTION
            )

            with client(server.open_lane(Heard(completion), {})).chat.completions.stream(
                model="m", messages=QUESTION, stream_options={"include_usage": True}
            ) as stream:
                streamed = stream.get_final_completion()

            assert _plain(streamed.model_dump()) == _plain(whole.model_dump())


def test_chunks_come_in_the_order_of_the_api(server: LaneServer) -> None:
    chunks = _chunks(server.open_lane(Heard(TWO_CALLS), {}))

    *body, finish, usage = chunks
    assert body[0].choices[0].delta.role == "assistant"
    assert [chunk.choices[0].delta.role for chunk in body[1:]] == [None] * len(body[1:])
    assert finish.choices[0].finish_reason == "tool_calls"
    assert usage.choices == []
    assert usage.usage is not None


def test_usage_comes_only_if_wanted(server: LaneServer) -> None:
    stream = client(server.open_lane(saying("5"), {})).chat.completions.create(
        model="m", messages=QUESTION, stream=True
    )

    assert [chunk.usage for chunk in stream] == [None] * 3


def test_sdk_bears_how_some_providers_stream(subtests: pytest.Subtests) -> None:
    cases: list[Quirk] = ["comments", "crlf", "usage-chunk", "interleaved", "empty-first"]
    for quirk in cases:
        with subtests.test(quirk=quirk):
            with LaneServer(
                Streaming(make_sizes(1), quirks=frozenset({quirk})), Limits(write_sizes=make_sizes(2))
            ) as server:
                whole = client(server.open_lane(Heard(TWO_CALLS), {})).chat.completions.create(
                    model="m", messages=QUESTION
                )
                with client(server.open_lane(Heard(TWO_CALLS), {})).chat.completions.stream(
                    model="m", messages=QUESTION
                ) as stream:
                    streamed = stream.get_final_completion()

            assert _plain(streamed.choices[0].model_dump()) == _plain(whole.choices[0].model_dump())


def test_calls_can_be_told_apart_in_every_odd_stream(subtests: pytest.Subtests) -> None:
    cases: list[frozenset[Quirk]] = [frozenset(), *(frozenset({quirk}) for quirk in QUIRKS), QUIRKS]
    for quirks in cases:
        with subtests.test(quirks=quirks), LaneServer() as server:
            lm = CuedEndpoint(server)
            for _ in range(3):
                (lm.streams(*quirks) if quirks else lm).calls(("add", {"a": 2}), ("add", {"a": 30}))
            sent = [list(_stream(lm)) for _ in range(3)]
            assert [_read_calls(deltas) for deltas in sent] == [['{"a": 2}', '{"a": 30}']] * 3
            assert not lm.complaints


def _stream(lm: CuedEndpoint) -> Iterator[ChatCompletionChunk]:
    sdk = OpenAI(base_url=lm.base_url, api_key=lm.api_key)
    tools: Any = [{"type": "function", "function": {"name": "add", "parameters": {}}}]
    yield from sdk.chat.completions.create(model="m", messages=QUESTION, tools=tools, stream=True)


def _read_calls(chunks: list[ChatCompletionChunk]) -> list[str]:
    """The arguments of the calls: a piece belongs to the call of its id, else of its index, else to the last."""
    args, of_index, at = dict[str, str](), dict[int | None, str](), ""
    for delta in (call for chunk in chunks if chunk.choices for call in chunk.choices[0].delta.tool_calls or ()):
        at = delta.id or of_index.get(delta.index, at)
        of_index[delta.index] = at
        args[at] = args.get(at, "") + (delta.function.arguments or "" if delta.function else "")
    return list(args.values())


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
