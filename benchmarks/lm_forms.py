"""More of what is probed by asking: forms of API beside OpenAI's, and the manner in which a reply is said."""

import base64
import json
import struct
from collections.abc import Callable
from typing import Any

from benchmarks.lm_probes import QUESTION, TOOLS, Feature, Probe, said, streamed
from benchmarks.lm_servers import Endpoint

_TEXT, _FIVE = "Let me add.", 'mock.on({}, { content: "5" });'
_BESIDE = 'mock.on({}, { content: "Let me add.", toolCalls: [{ name: "add", arguments: { a: 2 } }] });'
_MESSAGES = {
    "model": "m",
    "max_tokens": 99,
    "messages": QUESTION,
    "tools": [{"name": "add", "input_schema": {"type": "object"}}],
}


def _post(end: Endpoint, path: str, body: object) -> tuple[int, str]:
    status, text = end.post(path, json.dumps(body).encode())
    return status, text.decode()


def _says_beside_calls(end: Endpoint) -> bool:
    found = [
        (each.content, len(each.tool_calls or ())) for each in (said(end, tools=TOOLS), streamed(end, tools=TOOLS))
    ]
    return found == [(_TEXT, 1)] * 2


def _speaks_anthropics(end: Endpoint) -> bool:
    """A text and a call in one message, as a whole and as events whose pieces make the same."""
    whole = json.loads(_post(end, "/v1/messages", _MESSAGES)[1])
    blocks = [(block["type"], block.get("text") or block.get("input")) for block in whole["content"]]
    lines = _post(end, "/v1/messages", {**_MESSAGES, "stream": True})[1].splitlines()
    events = [json.loads(line[6:]) for line in lines if line.startswith("data: {")]
    deltas = [event["delta"] for event in events if event["type"] == "content_block_delta"]
    text = "".join(delta.get("text", "") for delta in deltas)
    args = json.loads("".join(delta.get("partial_json", "") for delta in deltas))
    ends = (events[0]["type"], events[-1]["type"], whole["stop_reason"])
    same = blocks == [("text", text), ("tool_use", args)] == [("text", _TEXT), ("tool_use", {"a": 2})]
    return same and ends == ("message_start", "message_stop", "tool_use")


def _fails_as_anthropics(end: Endpoint) -> bool:
    status, text = _post(end, "/v1/messages", _MESSAGES)
    error = json.loads(text)
    return (status, error["type"], error["error"]["type"]) == (429, "error", "rate_limit_error")


def _embed(end: Endpoint, text: str, encoding: str) -> Any:
    asked = {"model": "m", "input": text, "dimensions": 7, "encoding_format": encoding}
    return json.loads(_post(end, "/v1/embeddings", asked)[1])["data"][0]["embedding"]


def _embeds(end: Endpoint) -> bool:
    packed, numbers = base64.b64decode(_embed(end, "5", "base64")), _embed(end, "5", "float")
    close = [abs(a - b) < 1e-6 for a, b in zip(struct.unpack("<7f", packed), numbers, strict=True)]
    return len(numbers) == 7 and all(close) and numbers != _embed(end, "6", "float")


def _embeds_by_words(end: Endpoint) -> bool:
    """Whether a text is nearer to one that has its words than to another."""
    asked = {"model": "m", "encoding_format": "float"}
    texts = ["How hot is it in Rome?", "In Rome it is hot: 31 degrees.", "The library opens at nine."]
    made = json.loads(_post(end, "/v1/embeddings", {**asked, "input": texts})[1])["data"]
    question, near, far = (each["embedding"] for each in made)
    nearness = [sum(a * b for a, b in zip(question, other, strict=True)) for other in (near, far)]
    return bool(nearness[0] > nearness[1] + 0.2)


def _speaks_azures(end: Endpoint) -> bool:
    body = {"messages": QUESTION}
    status, text = _post(end, "/openai/deployments/mine/chat/completions?api-version=2024-10-21", body)
    return status == 200 and bool(json.loads(text)["choices"][0]["message"]["content"] == "5")


def _shows_headers(end: Endpoint) -> bool:
    said(end, extra_headers={"X-Run-Id": "seventeen"})
    return "seventeen" in end.headers()


def _honours(option: str, value: object, is_given: Callable[[Any], bool]) -> Probe:
    """Whether what is asked for is given, or refused."""

    def probe(end: Endpoint) -> bool:
        status, text = _post(end, "/v1/chat/completions", {"model": "m", "messages": QUESTION, option: value})
        return status == 400 or is_given(json.loads(text)["choices"])

    return probe


def _has_two(choices: Any) -> bool:
    return len(choices) == 2


def _has_probabilities(choices: Any) -> bool:
    return bool(choices[0].get("logprobs"))


def _filters(end: Endpoint) -> bool:
    choice = end.sdk().chat.completions.create(model="m", messages=QUESTION).choices[0]
    return (choice.finish_reason, choice.message.content) == ("content_filter", "First, take")


def _objects_to_unoffered(end: Endpoint) -> bool:
    said(end, tools=TOOLS)
    return any("fly" in each for each in end.objections())


def _fail(_: object) -> Any:
    raise KeyError("a city that nobody knows")


def _shows_line(end: Endpoint) -> bool:
    """Whether the place of the function's own line is told, to the client or to who looks afterwards."""
    status, text = _post(end, "/v1/chat/completions", {"model": "m", "messages": QUESTION})
    told = text + "\n".join(end.objections()) + end.kept().decode()
    return status >= 400 and ("lm_forms.py" in told or "<anonymous>:" in told)


FORMS = (
    Feature(
        "a text and calls in one reply",
        lambda lm: lm.times(2).says(_TEXT, calls=[("add", {"a": 2})]),
        _BESIDE,
        _says_beside_calls,
    ),
    Feature(
        "Anthropic's messages, as JSON and as a stream",
        lambda lm: lm.times(2).says(_TEXT, calls=[("add", {"a": 2})]),
        _BESIDE,
        _speaks_anthropics,
    ),
    Feature("… and its errors", lambda lm: lm.fails(429), f"mock.nextRequestError(429); {_FIVE}", _fails_as_anthropics),
    Feature("embeddings of any dimension, as numbers and as base64", lambda _: None, "", _embeds),
    Feature("… nearer where texts share words", lambda _: None, "", _embeds_by_words),
    Feature("Azure's paths", lambda lm: lm.says("5"), _FIVE, _speaks_azures),
    Feature("headers of what was asked can be read", lambda lm: lm.says("5"), _FIVE, _shows_headers),
    Feature(
        "`n` is given or refused, never ignored",
        lambda lm: lm.always().says("5"),
        _FIVE,
        _honours("n", 2, _has_two),
    ),
    Feature(
        "… and `logprobs`",
        lambda lm: lm.always().says("5"),
        _FIVE,
        _honours("logprobs", True, _has_probabilities),
    ),
    Feature(
        "a model that refuses",
        lambda lm: lm.refuses("No."),
        'mock.on({}, { content: null, refusal: "No." });',
        lambda end: said(end).refusal == "No.",
    ),
    Feature(
        "a reply that the content filter cuts off",
        lambda lm: lm.filters("First, take"),
        'mock.on({}, { content: "First, take", finishReason: "content_filter" });',
        _filters,
    ),
    Feature(
        "a call of a tool that isn't offered is told of",
        lambda lm: lm.calls("fly"),
        'mock.on({}, { toolCalls: [{ name: "fly", arguments: {} }] });',
        _objects_to_unoffered,
    ),
    Feature(
        "a function that raises is shown to its line",
        lambda lm: lm.replies(_fail),
        'mock.on({}, () => { throw new Error("a city that nobody knows"); });',
        _shows_line,
    ),
)
