"""The forms of API beside chat, responses and messages, by their providers' own clients; examples/ has agents."""

from collections.abc import Iterator
from typing import Any

import httpx
import openai
import pytest

from react_tck.fakes.server import CuedEndpoint, LaneServer, Streaming
from tests.support.cued import QUESTION, sdk

anthropic = pytest.importorskip("anthropic", reason="Anthropic's client isn't installed: make setup")
genai = pytest.importorskip("google.genai", reason="Google's client isn't installed: make setup")
ollama = pytest.importorskip("ollama", reason="Ollama's client isn't installed: make setup")

THOUGHT = "Two and three."


@pytest.fixture(scope="module", name="server")
def _server() -> Iterator[LaneServer]:
    with LaneServer(Streaming(chunk_sizes=(4,))) as running:
        yield running


@pytest.fixture(name="lm")
def _lm(server: LaneServer) -> CuedEndpoint:
    return CuedEndpoint(server)


def test_a_prompt_is_a_message_of_the_users_and_the_text_that_follows_it_the_reply(lm: CuedEndpoint) -> None:
    form = "Use this format:\n\nThought: what to do\nAction: the tool\nAction Input: its input\nObservation: its result"
    lm.usage(7, 3).says("It is 5.").says("It is six.").calls("add", a=2)
    asked: Any = sdk(lm).completions.create

    said = asked(model="m", prompt="2+3 is")
    assert (said.choices[0].text, said.choices[0].finish_reason, said.usage.total_tokens) == ("It is 5.", "stop", 10)
    pieces = list(asked(model="m", prompt=["3+3 is"], stream=True, stream_options={"include_usage": True}))
    assert [choice.text for piece in pieces for choice in piece.choices] == ["It i", "s si", "x.", ""]
    assert [piece.usage.completion_tokens for piece in pieces if piece.usage] == [2]
    assert "Action: add\n" in asked(model="m", prompt=form).choices[0].text
    assert [request.messages[0].content for request in lm.requests] == ["2+3 is", "3+3 is", form]
    assert lm.complaints == ()
    for option in ({"n": 2}, {"best_of": 3}, {"echo": True}, {"logprobs": 1}, {"prompt": ["a", "b"]}):
        with pytest.raises(openai.BadRequestError, match=next(iter(option))):
            asked(**{"model": "m", "prompt": "2+3 is", **option})


def test_a_text_is_flagged_for_the_categories_that_it_names_in_brackets(lm: CuedEndpoint) -> None:
    harmless, found = sdk(lm).moderations.create(input=["I hate violence.", "[violence/graphic] boo"]).results

    assert (harmless.flagged, found.flagged) == (False, True)
    assert (found.categories.violence, found.categories.violence_graphic, found.categories.hate) == (True, True, False)
    parts: Any = [{"type": "image_url", "image_url": {"url": "a:b"}}, {"type": "text", "text": "[self-harm]"}]
    assert [part.categories.self_harm for part in sdk(lm).moderations.create(input=parts).results] == [True]
    with pytest.raises(openai.BadRequestError, match="`input` is neither a text nor a list"):
        sdk(lm).moderations.create(input=[])


def test_the_tokens_of_a_message_are_those_that_its_reply_says(lm: CuedEndpoint) -> None:
    messages = anthropic.Anthropic(base_url=lm.root_url, api_key=lm.api_key, max_retries=0).messages
    lm.says("5")
    asked: Any = {"model": "m", "messages": QUESTION, "system": "You add."}

    counted = messages.count_tokens(**asked)
    assert messages.create(max_tokens=9, **asked).usage.input_tokens == counted.input_tokens == 5
    assert len(lm.requests) == 1
    with pytest.raises(anthropic.BadRequestError, match="`messages` is not a list"):
        messages.count_tokens(model="m", messages="2+3?")


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
    messages = anthropic.Anthropic(base_url=lm.root_url, api_key=lm.api_key, max_retries=0).messages
    tools = [{"name": "add", "input_schema": {"type": "object"}}]
    asked: Any = {"max_tokens": 9, "model": "m", "tools": tools, "thinking": {"type": "enabled", "budget_tokens": 1024}}
    lm.thinks(THOUGHT).calls("add", a=2)

    thought, call = messages.create(messages=QUESTION, **asked).content
    blocks = [{**thought.model_dump(), "thinking": "Two and four."}, call.model_dump()][kept]
    result = {"type": "tool_result", "tool_use_id": call.id, "content": "5"}
    turns = [*QUESTION, {"role": "assistant", "content": blocks}, {"role": "user", "content": [result]}]
    with pytest.raises(anthropic.BadRequestError, match=wrong):
        messages.create(messages=turns, **asked)
    assert [wrong in complaint for complaint in lm.complaints] == [True]


@pytest.mark.parametrize("stream", [False, True])
def test_a_thought_is_the_reasoning_of_chat_completions_and_of_responses(lm: CuedEndpoint, stream: bool) -> None:
    lm.times(3).thinks(THOUGHT).says("It is 5.")

    def respond(**options: Any) -> Any:
        if not stream:
            return sdk(lm).responses.create(model="m", input="2+3?", **options)
        with sdk(lm).responses.stream(model="m", input="2+3?", **options) as events:
            return events.get_final_response()

    chat: Any = sdk(lm).chat.completions.create(model="m", messages=QUESTION, stream=stream)
    said = [piece.choices[0].delta for piece in chat] if stream else [chat.choices[0].message]
    for name, text in (("reasoning_content", THOUGHT), ("content", "It is 5.")):
        assert "".join(each.model_dump().get(name) or "" for each in said) == text
    told = respond(reasoning={"summary": "auto"}, include=["reasoning.encrypted_content"])
    assert [item.type for item in told.output] == ["reasoning", "message"]
    assert ([part.text for part in told.output[0].summary], told.output_text) == ([THOUGHT], "It is 5.")
    assert (bool(told.output[0].encrypted_content), told.usage.output_tokens_details.reasoning_tokens) == (True, 3)
    plain = respond().output[0]
    assert (plain.type, plain.summary, plain.encrypted_content) == ("reasoning", [], None)


@pytest.mark.parametrize("stream", [False, True])
def test_failures_have_ollamas_form(lm: CuedEndpoint, stream: bool) -> None:
    failures = [(429, "Rate limit reached"), (400, "exceeds the context length"), (500, "error parsing tool call")]
    lm.fails(429).fails("context-window").on_purpose().garbles("add", '{"a": 2').answers(town="Rome")
    schema = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}

    for status, message in [*failures, (400, "'city' is missing")]:
        with pytest.raises(ollama.ResponseError, match=f"{message}.*status code: {status}"):
            list(ollama.Client(lm.root_url).chat("m", QUESTION, stream=stream, format=schema))
    lm.fails("invalid-json")
    with pytest.raises(ValueError, match=r"Expecting|Unterminated|delimiter"):
        list(ollama.Client(lm.root_url).chat("m", QUESTION, stream=stream))


def test_what_breaks_ollamas_conversation_is_told_of(lm: CuedEndpoint) -> None:
    lm.times(2).says("5")
    invented = {"role": "assistant", "tool_calls": [{"function": {"name": "add", "arguments": {"a": 9}}}]}

    for turn in ({"role": "tool", "content": "5", "tool_name": "add"}, invented):
        ollama.Client(lm.root_url).chat("m", [*QUESTION, turn])
    assert "a tool message doesn't follow an assistant turn" in lm.complaints[0]
    assert "'messages[1].tool_calls[0]' was never given" in lm.complaints[-1]


def ask_google(lm: CuedEndpoint, stream: bool = False, contents: Any = "2+3?", **config: Any) -> Any:
    """The last piece of the reply that Google's client reads."""
    with genai.Client(api_key=lm.api_key, http_options={"base_url": lm.root_url, "api_version": "v1beta"}) as client:
        asked = {"model": "m", "contents": contents, "config": config}
        models = client.models
        return [*models.generate_content_stream(**asked)][-1] if stream else models.generate_content(**asked)


@pytest.mark.parametrize("stream", [False, True])
def test_failures_have_googles_form(lm: CuedEndpoint, stream: bool) -> None:
    lm.fails(429).fails(500).fails("context-window")

    for code, status, said in [
        (429, "RESOURCE_EXHAUSTED", "Rate"),
        (500, "INTERNAL", "The"),
        (400, "INVALID", "input"),
    ]:
        with pytest.raises(genai.errors.APIError, match=f"{code} {status}.*{said}"):
            ask_google(lm, stream)
    with pytest.raises(genai.errors.ClientError, match="`candidateCount` is 1 here"):
        ask_google(lm, stream, candidate_count=2)


@pytest.mark.parametrize("stream", [False, True])
def test_why_googles_candidates_end(lm: CuedEndpoint, stream: bool) -> None:
    lm.on_purpose().garbles("add", '{"a": 2').filters("First, take").fails("finish-length").fails("empty-choices")
    lm.streams().usage(9, 5).thinks(THOUGHT).says("It is 5.")

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
    with pytest.raises(genai.errors.ClientError, match="missing a thought_signature in functionCall parts"):
        ask_google(lm, contents=[{"role": "user", "parts": [{"text": "2+3?"}]}, turn, result], tools=tools)
    assert len(lm.complaints) == 1


def test_googles_api_without_its_client(server: LaneServer, lm: CuedEndpoint) -> None:
    body = {"contents": [{"parts": [{"text": "What"}]}], "system_instruction": {"parts": [{"text": "You add."}]}}
    told = {
        "/v1beta/models/m:generateContent": "no reply is for request 1: none is left",
        "/v1beta/models/m:streamGenerateContent": "the query has no `alt=sse`",
        "/v1/v1beta/models/m:generateContent": "the address without /v1",
    }
    for path, sentence in told.items():
        assert sentence in httpx.post(f"{server.root}{path}?key={lm.api_key}", json=body).text
    assert (lm.requests[0].system_text, lm.requests[0].model) == ("You add.", "m")
