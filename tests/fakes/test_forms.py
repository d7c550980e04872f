"""The forms of API beside chat, responses and messages, by their providers' own clients."""

from collections.abc import Iterator
from typing import Any

import httpx
import openai
import pytest

from react_tck.fakes.server import CuedEndpoint, LaneServer, Streaming
from tests.support.cued import QUESTION, sdk


@pytest.fixture(scope="module", name="server")
def _server() -> Iterator[LaneServer]:
    with LaneServer(Streaming(chunk_sizes=(4,))) as running:
        yield running


@pytest.fixture(name="lm")
def _lm(server: LaneServer) -> CuedEndpoint:
    return CuedEndpoint(server)


def claude(lm: CuedEndpoint) -> Any:
    """Anthropic's client of it."""
    anthropic = pytest.importorskip("anthropic", reason="Anthropic's client isn't installed: pip install anthropic")
    return anthropic.Anthropic(base_url=lm.root_url, api_key=lm.api_key, max_retries=0)


def test_a_prompt_is_a_message_of_the_users_and_the_text_that_follows_it_the_reply(lm: CuedEndpoint) -> None:
    lm.usage(7, 3).says("It is 5.").says("It is six.").calls("add", a=2)
    form = "Use this format:\n\nThought: what to do\nAction: the tool\nAction Input: its input\nObservation: its result"

    said = sdk(lm).completions.create(model="m", prompt="2+3 is")
    assert (said.choices[0].text, said.choices[0].finish_reason, said.usage and said.usage.total_tokens) == (
        *("It is 5.", "stop"),
        10,
    )
    stream = sdk(lm).completions.create(
        model="m", prompt=["3+3 is"], stream=True, stream_options={"include_usage": True}
    )
    pieces = list(stream)
    assert [choice.text for piece in pieces for choice in piece.choices] == ["It i", "s si", "x.", ""]
    assert [piece.usage.completion_tokens for piece in pieces if piece.usage] == [2]
    assert "Action: add\n" in sdk(lm).completions.create(model="m", prompt=form).choices[0].text
    assert [request.messages[0].content for request in lm.requests] == ["2+3 is", "3+3 is", form]
    assert lm.complaints == ()


@pytest.mark.parametrize("options", [{"n": 2}, {"best_of": 3}, {"echo": True}, {"logprobs": 1}, {"prompt": ["a", "b"]}])
def test_what_is_not_given_of_completions_is_refused(lm: CuedEndpoint, options: Any) -> None:
    with pytest.raises(openai.BadRequestError, match=next(iter(options))):
        sdk(lm).completions.create(**{"model": "m", "prompt": "2+3 is", **options})


def test_a_text_is_flagged_for_the_categories_that_it_names_in_brackets(lm: CuedEndpoint) -> None:
    harmless, found = sdk(lm).moderations.create(input=["I hate violence.", "[violence/graphic] boo"]).results

    assert (harmless.flagged, found.flagged) == (False, True)
    assert (found.categories.violence, found.categories.violence_graphic, found.categories.hate) == (True, True, False)
    assert found.category_scores.violence > 0.9 > 0.1 > found.category_scores.hate
    image: Any = {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}
    parts = sdk(lm).moderations.create(input=[image, {"type": "text", "text": "[self-harm]"}]).results
    assert [part.categories.self_harm for part in parts] == [True]
    with pytest.raises(openai.BadRequestError, match="`input` is neither a text nor a list"):
        sdk(lm).moderations.create(input=[])


def test_the_tokens_of_a_message_are_those_that_its_reply_says(lm: CuedEndpoint) -> None:
    anthropic = pytest.importorskip("anthropic", reason="Anthropic's client isn't installed: pip install anthropic")
    lm.says("5")
    asked: Any = {"model": "m", "messages": QUESTION, "system": "You add."}

    counted = claude(lm).messages.count_tokens(**asked)
    assert claude(lm).messages.create(max_tokens=9, **asked).usage.input_tokens == counted.input_tokens == 5
    assert len(lm.requests) == 1
    with pytest.raises(anthropic.BadRequestError, match="`messages` is not a list"):
        claude(lm).messages.count_tokens(model="m", messages="2+3?")


CALLED: Any = {"tools": [{"name": "add", "input_schema": {"type": "object"}}], "max_tokens": 99, "model": "m"}
THINKING = {"type": "enabled", "budget_tokens": 1024}
THOUGHT = "Two and three."


@pytest.mark.parametrize(
    ("kept", "wrong"),
    [
        (slice(1, None), "Expected `thinking` or `redacted_thinking`, but found `tool_use`"),
        (slice(None), "Invalid `signature` in `thinking` block"),
    ],
)
def test_a_thought_that_is_lost_or_changed_is_refused_as_anthropic_does(
    lm: CuedEndpoint, kept: slice, wrong: str
) -> None:
    lm.thinks(THOUGHT).calls("add", a=2)
    asked = {**CALLED, "thinking": THINKING}
    anthropic = pytest.importorskip("anthropic", reason="Anthropic's client isn't installed: pip install anthropic")

    thought, call = claude(lm).messages.create(messages=QUESTION, **asked).content
    blocks = [{**thought.model_dump(), "thinking": "Two and four."}, call.model_dump()][kept]
    result = {"type": "tool_result", "tool_use_id": call.id, "content": "5"}
    turns = [*QUESTION, {"role": "assistant", "content": blocks}, {"role": "user", "content": [result]}]
    with pytest.raises(anthropic.BadRequestError, match=wrong):
        claude(lm).messages.create(messages=turns, **asked)
    assert [wrong in complaint for complaint in lm.complaints] == [True]


@pytest.mark.parametrize("stream", [False, True])
def test_a_thought_is_the_reasoning_of_chat_completions_and_of_responses(lm: CuedEndpoint, stream: bool) -> None:
    lm.times(3).thinks(THOUGHT).says("It is 5.")
    chat, responses = sdk(lm).chat.completions, sdk(lm).responses

    def respond(**options: Any) -> Any:
        if not stream:
            return responses.create(model="m", input="2+3?", **options)
        with responses.stream(model="m", input="2+3?", **options) as events:
            return events.get_final_response()

    if stream:
        pieces: Any = chat.create(model="m", messages=QUESTION, stream=True)
        deltas = [piece.choices[0].delta.model_dump() for piece in pieces]
        said = ["".join(delta.get(name) or "" for delta in deltas) for name in ("reasoning_content", "content")]
    else:
        message = chat.create(model="m", messages=QUESTION).choices[0].message.model_dump()
        said = [message["reasoning_content"], message["content"]]
    assert said == [THOUGHT, "It is 5."]

    told = respond(reasoning={"summary": "auto"}, include=["reasoning.encrypted_content"])
    assert [item.type for item in told.output] == ["reasoning", "message"]
    assert ([part.text for part in told.output[0].summary], told.output_text) == ([THOUGHT], "It is 5.")
    assert (bool(told.output[0].encrypted_content), told.usage.output_tokens_details.reasoning_tokens) == (True, 3)
    plain = respond().output[0]
    assert (plain.type, plain.summary, plain.encrypted_content) == ("reasoning", [], None)
    assert lm.complaints == ()


def llama(lm: CuedEndpoint) -> Any:
    """Ollama's client of it."""
    ollama = pytest.importorskip("ollama", reason="Ollama's client isn't installed: pip install ollama")
    return ollama.Client(host=lm.root_url)


def test_ollamas_format_is_the_schema_of_the_answer(lm: CuedEndpoint) -> None:
    schema = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
    lm.answers(city="Rome").always().answers(town="Rome")

    assert llama(lm).chat(model="m", messages=QUESTION, format=schema).message.content == '{"city": "Rome"}'
    with pytest.raises(Exception, match="'city' is missing"):
        llama(lm).chat(model="m", messages=QUESTION, format=schema)


@pytest.mark.parametrize("stream", [False, True])
def test_failures_have_ollamas_form(lm: CuedEndpoint, stream: bool) -> None:
    ollama = pytest.importorskip("ollama", reason="Ollama's client isn't installed: pip install ollama")
    failures = [(429, "Rate limit reached"), (400, "exceeds the context length"), (500, "error parsing tool call")]
    lm.fails(429).fails("context-window").on_purpose().garbles("add", '{"a": 2').fails("invalid-json")

    for status, message in failures:
        with pytest.raises(ollama.ResponseError, match=f"{message}.*status code: {status}"):
            list(llama(lm).chat(model="m", messages=QUESTION, stream=stream))
    with pytest.raises(ValueError, match=r"Expecting|Unterminated|delimiter"):
        list(llama(lm).chat(model="m", messages=QUESTION, stream=stream))
    assert lm.complaints == ()


@pytest.mark.parametrize(
    ("turns", "wrong"),
    [
        ([{"role": "tool", "content": "5", "tool_name": "add"}], "doesn't follow an assistant turn"),
        (
            [{"role": "assistant", "tool_calls": [{"function": {"name": "add", "arguments": {"a": 9}}}]}],
            "'messages[1].tool_calls[0]' was never given",
        ),
    ],
)
def test_what_breaks_ollamas_conversation_is_told_of(lm: CuedEndpoint, turns: list[Any], wrong: str) -> None:
    lm.says("5")
    llama(lm).chat(model="m", messages=[*QUESTION, *turns])
    assert any(wrong in complaint for complaint in lm.complaints), lm.complaints


def ask_google(lm: CuedEndpoint, stream: bool = False, contents: Any = "2+3?", **config: Any) -> Any:
    """The last piece of the reply that Google's client reads."""
    genai = pytest.importorskip("google.genai", reason="Google's client isn't installed: pip install google-genai")
    with genai.Client(api_key=lm.api_key, http_options={"base_url": lm.root_url, "api_version": "v1beta"}) as client:
        options = {"model": "m", "contents": contents, "config": config}
        models = client.models
        return [*models.generate_content_stream(**options)][-1] if stream else models.generate_content(**options)


@pytest.mark.parametrize("stream", [False, True])
def test_failures_have_googles_form(lm: CuedEndpoint, stream: bool) -> None:
    errors = pytest.importorskip("google.genai.errors", reason="needs google-genai")
    lm.fails(429).fails(500).fails("context-window").says("5")
    told = [
        (429, "RESOURCE_EXHAUSTED", "Rate"),
        (500, "INTERNAL", "The server"),
        (400, "INVALID_ARGUMENT", "The input"),
    ]

    for code, status, message in told:
        with pytest.raises(errors.APIError, match=message) as failed:
            ask_google(lm, stream)
        assert (failed.value.code, failed.value.status) == (code, status)
    with pytest.raises(errors.ClientError, match="`candidateCount` is 1 here"):
        ask_google(lm, stream, candidate_count=2)


@pytest.mark.parametrize("stream", [False, True])
def test_why_googles_candidates_end(lm: CuedEndpoint, stream: bool) -> None:
    lm.on_purpose().garbles("add", '{"a": 2').filters("First, take").fails("finish-length").fails("empty-choices")
    lm.usage(9, 5).thinks(THOUGHT).says("It is 5.")

    ends = [ask_google(lm, stream).candidates[0] for _ in range(4)]
    assert [end.finish_reason.name for end in ends] == ["MALFORMED_FUNCTION_CALL", "SAFETY", "MAX_TOKENS", "STOP"]
    assert [bool(end.content.parts) for end in ends] == [False, True, True, False]
    said = ask_google(lm, stream)
    assert said.candidates[0].content.parts[-1].thought_signature
    usage = said.usage_metadata
    assert (usage.thoughts_token_count, usage.candidates_token_count, usage.total_token_count) == (3, 2, 14)


def test_a_call_that_comes_back_unsigned_is_refused_as_google_does(lm: CuedEndpoint) -> None:
    lm.thinks(THOUGHT).calls("add", a=2)
    tools: Any = [{"function_declarations": [{"name": "add", "parameters": {"type": "OBJECT", "nullable": False}}]}]

    turn = ask_google(lm, tools=tools).candidates[0].content.model_dump()
    turn["parts"][0]["thought_signature"] = None
    result = {"role": "user", "parts": [{"function_response": {"name": "add", "response": {"result": 5}}}]}
    with pytest.raises(Exception, match="missing a thought_signature in functionCall parts"):
        ask_google(lm, contents=[{"role": "user", "parts": [{"text": "2+3?"}]}, turn, result], tools=tools)
    assert len(lm.complaints) == 1


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("/v1beta/models/m:countTokens?key={key}", '{"totalTokens":1}'),
        ("/v1beta/models/m:streamGenerateContent?key={key}", "the query has no `alt=sse`"),
        ("/v1/v1beta/models/m:generateContent?key={key}", "the address without /v1"),
    ],
)
def test_requests_without_a_client(server: LaneServer, lm: CuedEndpoint, path: str, told: str) -> None:
    body = {"contents": [{"parts": [{"text": "What"}]}], "system_instruction": {"parts": [{"text": ""}]}}
    assert told in httpx.post(server.root + path.format(key=lm.api_key), json=body).text
