"""What of a scripted LM is probed by asking it: each feature, how either server is told to do it, and its probe."""

import re
import time
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any, NamedTuple

import openai

from benchmarks.lm_servers import Endpoint
from react_tck.fakes.server import CuedEndpoint

Probe = Callable[[Endpoint], bool]
Plan = Callable[[CuedEndpoint], object]

QUESTION: list[Any] = [{"role": "user", "content": "What is 2+3?"}]
OTHER: list[Any] = [{"role": "user", "content": "And the weather?"}]
TOOLS: list[Any] = [{"type": "function", "function": {"name": "add", "parameters": {"type": "object"}}}]
_SCHEMA = {"type": "object", "properties": {"count": {"type": "integer"}}, "required": ["count"]}
FORMAT: Any = {"type": "json_schema", "json_schema": {"name": "sum", "strict": True, "schema": _SCHEMA}}
_FIELDS = "Your output fields are:\n1. `count` (str)\n\n[[ ## count ## ]]\n{count}\n\n[[ ## completed ## ]]"
_BODY = b'{"model": "m",   "messages": [{"role": "user", "content": "2+3?"}]}'
_FIVE = 'mock.on({}, { content: "5" });'


class Feature(NamedTuple):
    """What is probed, and how each is told to do it."""

    name: str
    ours: Plan
    theirs: str
    probe: Probe
    options: Mapping[str, Any] = {}


def said(end: Endpoint, messages: list[Any] = QUESTION, **options: Any) -> Any:
    """The message that comes."""
    return end.sdk().chat.completions.create(model="m", messages=messages, **options).choices[0].message


def streamed(end: Endpoint, **options: Any) -> Any:
    """The message that comes in pieces, put together by the client."""
    with end.sdk().chat.completions.stream(model="m", messages=QUESTION, **options) as stream:
        return stream.get_final_completion().choices[0].message


def fails(ask: Callable[[], object], *errors: type[Exception]) -> bool:
    """Whether it ends with one of these, and no subclass of them."""
    try:
        ask()
    except openai.APIError as error:
        return type(error) in errors
    except Exception:
        return Exception in errors
    return False


def _responses(end: Endpoint) -> bool:
    whole = end.sdk().responses.create(model="m", input="2+3?").output_text
    with end.sdk().responses.stream(model="m", input="2+3?") as stream:
        return whole == stream.get_final_response().output_text == "5"


def _parallel(end: Endpoint) -> bool:
    def calls(message: Any) -> list[tuple[str, str]]:
        return [(call.function.name, call.function.arguments.replace(" ", "")) for call in message.tool_calls]

    whole = calls(said(end, tools=TOOLS))
    return whole == calls(streamed(end, tools=TOOLS)) == [("add", '{"a":2}'), ("add", '{"a":3}')]


def _refused_once(end: Endpoint) -> bool:
    """One request, and an error that the official client doesn't ask again after."""
    said(end)
    before = end.kept().count(b"2+3?")
    try:
        end.sdk(retries=2).chat.completions.create(model="m", messages=QUESTION)
    except openai.APIStatusError:
        return end.kept().count(b"2+3?") == before + 1
    return False


def _tells_apart(end: Endpoint) -> bool:
    """Whether a request too many is told otherwise when it is the same than when it is another."""
    said(end)
    told = []
    for messages in (QUESTION, OTHER):
        try:
            said(end, messages)
        except openai.APIStatusError as error:
            told.append(re.sub(r"\d+", "", str(error.body)))
    return len(told) == 2 and told[0] != told[1]


def _objects(messages: list[Any], **options: Any) -> Probe:
    def probe(end: Endpoint) -> bool:
        try:
            said(end, messages, **options)
        except openai.APIStatusError:
            return True
        return bool(end.objections())

    return probe


def _fits_whatever_is_asked(end: Endpoint) -> bool:
    choice = {"type": "function", "function": {"name": "add"}}
    as_json = said(end, response_format=FORMAT).content
    calls = said(end, tools=TOOLS, tool_choice=choice).tool_calls or []
    fields = said(end, [{"role": "system", "content": _FIELDS}, *QUESTION]).content
    found = [re.sub(r"\s", "", text or "") for text in (as_json, *(call.function.arguments for call in calls))]
    return found == ['{"count":5}'] * 2 and "[[ ## count ## ]]\n5" in (fields or "")


def _usage(end: Endpoint) -> bool:
    used = end.sdk().chat.completions.create(model="m", messages=QUESTION).usage
    return used is not None and (used.prompt_tokens, used.completion_tokens) == (1200, 34)


def _cut(end: Endpoint) -> bool:
    """A stream that begins, and breaks before its end."""
    pieces = []
    try:
        for chunk in end.sdk().chat.completions.create(model="m", messages=QUESTION, stream=True):
            pieces.append(chunk)
    except Exception:
        return bool(pieces)
    return False


def _paced(end: Endpoint) -> bool:
    """Whether the pieces of a stream come one after the other."""
    stream = end.sdk().chat.completions.create(model="m", messages=QUESTION, stream=True)
    at = [time.monotonic() for _ in stream]
    return sum(after - before > 0.1 for before, after in pairwise(at)) >= 3  # one may be a busy machine's


def _over_http(end: Endpoint) -> bool:
    if end.journal is None:
        return False
    said(end)
    return b"2+3?" in end.kept()


def _answers(*paths: str) -> Probe:
    body = b'{"model": "m", "messages": [{"role": "user", "content": "2+3?"}], "contents": [{"role": "user", "parts": '
    body += b'[{"text": "2+3?"}]}], "input": "2+3?", "prompt": "2+3?", "max_tokens": 9, "stream": false}'
    return lambda end: all(end.post(path, body).status == 200 for path in paths)


def _recovers(end: Endpoint) -> bool:
    return end.sdk(retries=1).chat.completions.create(model="m", messages=QUESTION).choices[0].message.content == "5"


def _in_order(end: Endpoint) -> bool:
    return [said(end).content, said(end, OTHER).content, said(end).content] == ["1", "2", "3"]


_CALL = {"id": "call_1", "type": "function", "function": {"name": "add", "arguments": "{}"}}
_UNANSWERED = [*QUESTION, {"role": "assistant", "tool_calls": [_CALL]}, *OTHER]
_ORDER = "[1, 2, 3].forEach((n, i) => mock.on({ sequenceIndex: i }, { content: String(n) }));"
_ONCE = 'mock.on({ sequenceIndex: 0 }, { content: "5" });'
_TWO_CALLS = '{ toolCalls: [{ name: "add", arguments: { a: 2 } }, { name: "add", arguments: { a: 3 } }] }'
_BAD_ARGS = """mock.on({}, { toolCalls: [{ name: "add", arguments: '{"a": 2' }] });"""
_MATCHED = 'mock.onMessage("weather", { content: "Sunny." }); mock.on({}, { content: "5" });'
_GEMINI = "/v1beta/models/m:generateContent"
_LONG = '{ content: "It is five, and it always was." }'
_PACED = f"mock.on({{}}, {_LONG}, {{ streamingProfile: {{ tps: 5 }}, chunkSize: 4 }});"

FEATURES = (
    Feature(
        "chat completions, as JSON and as a stream",
        lambda lm: lm.always().says("5"),
        _FIVE,
        lambda end: said(end).content == streamed(end).content == "5",
    ),
    Feature("responses, as JSON and as a stream", lambda lm: lm.always().says("5"), _FIVE, _responses),
    Feature(
        "several calls in a turn, streamed as they are whole",
        lambda lm: lm.times(2).calls(("add", {"a": 2}), ("add", {"a": 3})),
        f"mock.on({{}}, {_TWO_CALLS});",
        _parallel,
    ),
    Feature("replies in order, whatever is asked", lambda lm: lm.says("1").says("2").says("3"), _ORDER, _in_order),
    Feature(
        "replies by content, and a default",
        lambda lm: lm.always().says("5").when("weather").says("Sunny."),
        _MATCHED,
        lambda end: [said(end).content, said(end, OTHER).content, said(end).content] == ["5", "Sunny.", "5"],
    ),
    Feature(
        "replies by a function",
        lambda lm: lm.replies(lambda request: {"says": str(len(request.messages))}),
        "mock.on({}, (request) => ({ content: String(request.messages.length) }));",
        lambda end: said(end, [*QUESTION, *OTHER]).content == "2",
    ),
    Feature(
        "values in the form that is asked for: JSON, a call, dspy's fields",
        lambda lm: lm.times(3).answers(count=5),
        "mock.on({}, { content: JSON.stringify({ count: 5 }) });",
        _fits_whatever_is_asked,
    ),
    Feature(
        "an answer that the request's schema doesn't allow is refused",
        lambda lm: lm.answers(sum=5),
        "mock.on({}, { content: JSON.stringify({ sum: 5 }) });",
        _objects(QUESTION, response_format=FORMAT),
    ),
    Feature(
        "a conversation with an unanswered call is objected to", lambda lm: lm.says("5"), _FIVE, _objects(_UNANSWERED)
    ),
    Feature("a request that nothing is for is refused, once", lambda lm: lm.says("5"), _ONCE, _refused_once),
    Feature("… and told apart: the same again, or another", lambda lm: lm.says("5"), _ONCE, _tells_apart),
    Feature("what was never asked for is told of", lambda lm: lm.says("1").says("2"), _ORDER, _objects(QUESTION)),
    Feature(
        "what was asked can be read",
        lambda lm: lm.says("5"),
        _FIVE,
        lambda end: said(end).content == "5" and b"2+3?" in end.kept(),
    ),
    Feature(
        "… byte for byte",
        lambda lm: lm.says("5"),
        _FIVE,
        lambda end: end.post("/v1/chat/completions", _BODY).status == 200 and _BODY in end.kept(),
    ),
    Feature("… over HTTP, while it runs", lambda lm: lm.says("5"), _FIVE, _over_http),
    Feature(
        "token counts can be set",
        lambda lm: lm.usage(1200, 34).says("5"),
        'mock.on({}, { content: "5", usage: { prompt_tokens: 1200, completion_tokens: 34 } });',
        _usage,
    ),
    Feature(
        "a failure (429), and then the reply",
        lambda lm: lm.fails(429).says("5"),
        f"mock.nextRequestError(429); {_FIVE}",
        _recovers,
    ),
    Feature(
        "a connection that is reset",
        lambda lm: lm.fails("connection-reset"),
        f"{_FIVE} mock.setChaos({{ disconnectRate: 1 }});",
        lambda end: fails(lambda: said(end), openai.APIConnectionError),
    ),
    Feature(
        "a provider that says nothing",
        lambda lm: lm.fails("timeout"),
        f"{_FIVE} mock.setChaos({{ latencyMs: 20000 }});",
        lambda end: fails(
            lambda: end.sdk(timeout=0.5).chat.completions.create(model="m", messages=QUESTION), openai.APITimeoutError
        ),
    ),
    Feature(
        "a stream that breaks off",
        lambda lm: lm.fails("truncated-stream"),
        f"mock.on({{}}, {_LONG}, {{ truncateAfterChunks: 3, chunkSize: 4, latency: 20 }});",
        _cut,
    ),
    Feature(
        "a body that is no JSON",
        lambda lm: lm.fails("invalid-json"),
        f"{_FIVE} mock.setChaos({{ malformedRate: 1 }});",
        lambda end: fails(lambda: said(end), Exception, openai.APIResponseValidationError),
    ),
    Feature(
        "args of a call that are no JSON",
        lambda lm: lm.garbles("add", '{"a": 2'),
        _BAD_ARGS,
        lambda end: said(end, tools=TOOLS).tool_calls[0].function.arguments == '{"a": 2',
    ),
    Feature(
        "a stream at a pace",
        lambda lm: lm.slowly(tokens_per_second=5).says("It is five, and it always was."),
        _PACED,
        _paced,
    ),
    Feature("Gemini's and Ollama's API", lambda lm: lm.always().says("5"), _FIVE, _answers(_GEMINI, "/api/chat")),
    Feature(
        "images",
        lambda lm: lm.always().says("5"),
        'mock.onImage("2+3", { image: { url: "https://example.com/5.png" } });',
        _answers("/v1/images/generations"),
    ),
)
