"""The forms in which the LM is asked, by their paths: what reads a request, and what writes a reply or an error."""

import re
from collections.abc import Callable
from typing import NamedTuple

from pydantic_core import from_json

from react_tck.fakes.server.errors import make_error
from react_tck.fakes.server.forms import (
    chat,
    embeddings,
    gemini,
    messages,
    moderations,
    ollama,
    responses,
)
from react_tck.fakes.server.wire import CREATED, Reply, SaidBefore, Wanted, WireForm, json_reply


class APIForm(NamedTuple):
    """One form of asking the LM."""

    #: Of a body, for the model that the path names, after what was said before.
    read: Callable[[bytes, str, SaidBefore], Wanted]
    write: type[WireForm]


def _list_models(_: bytes, __: str) -> Reply:
    model = {"id": "scripted", "object": "model", "created": CREATED, "owned_by": "react-tck"}
    return json_reply({"object": "list", "data": [model]})


#: Where the LM is asked, by POST.
FORMS = {
    "/v1/chat/completions": APIForm(chat.read_request, chat.ChatCompletion),
    "/v1/completions": APIForm(chat.read_prompt, chat.TextCompletion),
    "/v1/responses": APIForm(responses.read_request, responses.ResponseItems),
    "/v1/messages": APIForm(messages.read_request, messages.MessageBlocks),
    "/api/chat": APIForm(ollama.read_request, ollama.ChatLines),
    "/v1beta/models/MODEL:generateContent": APIForm(gemini.read_request, gemini.Candidates),
    "/v1beta/models/MODEL:streamGenerateContent": APIForm(gemini.read_stream_request, gemini.Candidates),
}
#: What needs no script: the method, and what answers a body, for the model that the path names.
ANSWERS: dict[str, tuple[str, Callable[[bytes, str], Reply]]] = {
    "/v1/messages/count_tokens": ("POST", messages.answer_count),
    "/v1/embeddings": ("POST", embeddings.answer_request),
    "/api/show": ("POST", ollama.answer_show),
    "/v1/moderations": ("POST", moderations.answer_request),
    "/v1/models": ("GET", _list_models),
}
#: What says an error, by the paths of a provider that says it otherwise than OpenAI.
_ERRORS = (
    (re.compile(r"/v1/messages(/|$)"), messages.write_error),
    (re.compile(r"/v1(beta|alpha)/|/v1/models/[^/]+:"), gemini.write_error),
    (re.compile(r"^(/[^/]+)?/api/"), ollama.write_error),
)


def rewrite_error(reply: Reply, path: str) -> Reply:
    """Return an error as the provider says it whose path it is, instead of OpenAI; other replies as they are."""
    if reply.status < 400 or reply.ending != "whole":
        return reply
    write = next((write for paths, write in _ERRORS if paths.search(path)), None)
    if write is None:
        return reply
    return json_reply(write(reply.status, from_json(reply.body)["error"]), reply.status, reply.headers)


def no_route(method: str, path: str) -> Reply:
    """There is an episode, but nothing at this path."""
    known = [f"POST {each}" for each in FORMS] + [f"{said} {each}" for each, (said, _) in ANSWERS.items()]
    message = (
        f"There is no {method} {path}. There are {', '.join(known)} and POST /tools/NAME, each behind the path of the "
        "episode."
    )
    if path.startswith(("/v1/v1/", "/v1/v1beta/", "/v1/api/")):
        message += " The clients of Anthropic, Google and Ollama are given the address without /v1: `lm.root_url`."
    return make_error(404, message, "invalid_request_error", "unknown_url")
