"""Gemini's form, `POST /v1beta/models/MODEL:generateContent`: requests read into the words of chat completions."""

import json
import re
from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any

from react_tck.fakes.server.errors import BadRequest
from react_tck.fakes.server.forms.pairing import CallPairing
from react_tck.fakes.server.reading import NO_LOGPROBS, find_args, json_object, read_list, validate_request
from react_tck.fakes.server.wire import (
    Reply,
    SaidBefore,
    Wanted,
    WireForm,
    find_thoughts,
    sign_thought,
    split_pieces,
    write_event,
)

#: What says which tool may be called, as chat completions call it.
_MODES = {"AUTO": "auto", "VALIDATED": "auto", "ANY": "required", "NONE": "none"}
#: By these a tool's result is what they say of it: Google's own, its client's, litellm's and pydantic-ai's.
_RESULTS = ("output", "result", "content", "return_value")
_JSON = "application/json"
#: Characters of a part that isn't cut.
_WHOLE = (2**62,)


def _take(values: Any, name: str) -> Any:
    """Return a value by its name, which may be written in either of two ways."""
    other = re.sub(r"[A-Z]", lambda letter: f"_{letter[0].lower()}", name)
    return values.get(name, values.get(other)) if isinstance(values, Mapping) else None


def read_stream_request(body: bytes, model: str, past: SaidBefore) -> Wanted:
    """Return the request in a body, whose reply is wanted in pieces. Raises BadRequest."""
    return read_request(body, model, past)._replace(stream=True)


def read_request(body: bytes, model: str, past: SaidBefore) -> Wanted:
    """Return the request in a body, to this model.

    Raises:
        BadRequest: if it isn't one.
    """
    values = json_object(body)
    config, schema = _take(values, "generationConfig"), None
    is_json = _take(config, "responseMimeType") == _JSON
    contents = read_list(values.get("contents"), "contents", is_needed=True)
    if _take(config, "candidateCount") not in (None, 1):
        raise BadRequest("`candidateCount` is 1 here; a request is given one reply, so ask once for each")
    if _take(config, "responseLogprobs"):
        raise BadRequest(f"`responseLogprobs` isn't supported here; {NO_LOGPROBS}")
    if is_json:
        schema = _take(config, "responseJsonSchema") or _read_schema(_take(config, "responseSchema"))
    tools = read_list(values.get("tools"), "tools")
    asked = {
        "messages": [*_read_system(_take(values, "systemInstruction")), *_read_contents(contents, past)],
        "tools": [offer for at, tool in enumerate(tools) for offer in _read_offers(tool, at)],
        "tool_choice": _read_choice(_take(_take(values, "toolConfig"), "functionCallingConfig")),
        "response_format": ("json_schema" if schema else "json_object") if is_json else None,
        "answer_schema": schema,
        "model": model,
    }
    shows = _take(_take(config, "thinkingConfig"), "includeThoughts")
    return Wanted(validate_request(asked), shows_thoughts=bool(shows))


def _read_system(content: Any) -> Iterator[dict[str, Any]]:
    if content:
        yield {"role": "system", "content": "\n".join(map(_read_text, _list_parts(content, "systemInstruction")))}


def _list_parts(content: Any, where: str) -> list[dict[str, Any]]:
    parts = content.get("parts", []) if isinstance(content, dict) else None
    if not isinstance(parts, list) or not all(isinstance(part, dict) for part in parts):
        raise BadRequest(f"{where} has no list of `parts`, each of them an object")
    return parts


def _read_text(part: Mapping[str, Any]) -> str:
    """Return the text of a part; one that is no text is named."""
    return str(part["text"]) if "text" in part else f"[{next(iter(part), 'nothing')}]"


def _read_contents(contents: list[Any], past: SaidBefore) -> Iterator[dict[str, Any]]:
    """Yield messages in the words of chat completions; what the model has said in several contents is one turn."""
    pairing = CallPairing(past.given)
    for is_model, turn in groupby(enumerate(contents), lambda each: _take(each[1], "role") == "model"):
        found = [(f"contents[{at}]", _list_parts(content, f"contents[{at}]")) for at, content in turn]
        if is_model:
            yield _read_turn([part for _, parts in found for part in parts], found[0][0], pairing, past)
        else:
            for where, parts in found:
                yield from _read_parts(parts, where, pairing)


def _read_turn(parts: list[dict[str, Any]], where: str, pairing: CallPairing, past: SaidBefore) -> dict[str, Any]:
    """Return a turn of the model: its text, and the calls beside it."""
    called = [(part, _take(part, "functionCall")) for part in parts if _take(part, "functionCall")]
    said = "".join(_read_text(part) for part in parts if not _take(part, "functionCall") and not part.get("thought"))
    read = [_read_call(call, where) for _, call in called]
    calls = pairing.identify_calls(read, f"{where}.functionCall") if read else []
    if calls and not _take(called[0][0], "thoughtSignature") and calls[0]["id"] in find_thoughts(past.given):
        raise BadRequest(
            f"{where}: Function call is missing a thought_signature in functionCall parts: the call of "
            f"{calls[0]['name']!r} was given with one, and is echoed without it"
        )
    return {"role": "assistant", "content": said or None, "tool_calls": calls}


def _read_call(call: Any, where: str) -> dict[str, Any]:
    args = call.get("args") or {} if isinstance(call, dict) else None
    if not isinstance(args, dict):
        raise BadRequest(f"{where} has a functionCall whose `args` are no object")
    return {"id": call.get("id"), "name": call.get("name"), "arguments": json.dumps(args, ensure_ascii=False)}


def _read_parts(parts: list[dict[str, Any]], where: str, pairing: CallPairing) -> Iterator[dict[str, Any]]:
    """Yield what a user's content says: results of tools and, in one message, what stands before or behind them."""
    for is_result, several in groupby(parts, lambda part: _take(part, "functionResponse") is not None):
        found = list(several)
        if not is_result:
            inline = [data for part in found if (data := _take(part, "inlineData"))]
            images = [f"data:{_take(data, 'mimeType')};base64,{_take(data, 'data')}" for data in inline]
            yield {"role": "user", "content": "\n".join(map(_read_text, found)), "images": images}
            continue
        for part in found:
            result = _take(part, "functionResponse")
            if not isinstance(result, dict) or not isinstance(result.get("response"), dict):
                raise BadRequest(f"{where} has a functionResponse whose `response` is no object")
            id_ = pairing.identify_result(result.get("name"), result.get("id"))
            yield {"role": "tool", "tool_call_id": id_, "content": _write_result(result["response"])}


def _write_result(response: Mapping[str, Any]) -> str:
    """Return what a tool returned, without the name that it is put under."""
    named = [response[name] for name in _RESULTS if response.keys() == {name}]
    value = named[0] if named else response
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _read_offers(tool: Any, at: int) -> Iterator[dict[str, Any]]:
    declared = _take(tool, "functionDeclarations")
    if not isinstance(declared, list) or not all(isinstance(each, dict) for each in declared):
        raise BadRequest(f"tools[{at}] has no `functionDeclarations`: tools that Google runs itself aren't there")
    for each in declared:
        schema = _take(each, "parametersJsonSchema") or _read_schema(each.get("parameters")) or {}
        yield {"name": each.get("name"), "description": each.get("description") or "", "parameters": schema}


def _read_schema(schema: Any) -> Any:
    """Return a schema of Google's as one of JSON Schema, whose types are written in small letters."""
    if not isinstance(schema, dict):
        return schema
    made: dict[str, Any] = {}
    for said, value in schema.items():
        name = re.sub(r"_([a-z])", lambda letter: letter[1].upper(), said)
        match name, value:
            case "type", str():
                made[name] = value.lower()
            case "properties", dict():
                made[name] = {key: _read_schema(each) for key, each in value.items()}
            case "anyOf", list():
                made[name] = [_read_schema(each) for each in value]
            case "items", _:
                made[name] = _read_schema(value)
            case _, str() if name.startswith(("min", "max")) and value.isdigit():
                made[name] = int(value)
            case _:
                made[name] = value
    return {"anyOf": [made, {"type": "null"}]} if schema.get("nullable") else made


def _read_choice(config: Any) -> str | None:
    mode, allowed = _take(config, "mode"), read_list(_take(config, "allowedFunctionNames"), "allowedFunctionNames")
    if mode == "ANY" and len(allowed) == 1:
        return str(allowed[0])
    if mode not in (*_MODES, None):
        raise BadRequest(f"the mode of `functionCallingConfig` is {json.dumps(mode)}; it is one of {', '.join(_MODES)}")
    return None if mode is None else _MODES[mode]


#: Why a candidate ends, by what chat completions call it.
_REASONS = {"stop": "STOP", "tool_calls": "STOP", "length": "MAX_TOKENS", "content_filter": "SAFETY"}
#: The status of an error, by its number.
_STATUSES = {
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
}
_TOO_LONG = "The input token count (9000) exceeds the maximum number of tokens allowed (8192)."


class Candidates(WireForm):
    """A completion as `generateContent` and `streamGenerateContent` give it."""

    def as_events(self) -> Reply:
        """Return the completion as server-sent events, with no oddities, which Google's client wouldn't bear."""
        return Reply(events=tuple(map(write_event, self._write_events())))

    def _write_whole(self) -> dict[str, Any]:
        return self._write_piece([*self._list_parts(_WHOLE)], ends=True)

    def _write_events(self) -> Iterator[dict[str, Any]]:
        *parts, last = [[part] for part in self._list_parts(self._streaming.chunk_sizes)] or [[]]
        yield from (self._write_piece(part, ends=False) for part in parts)
        yield self._write_piece(last, ends=True)

    @property
    def _is_unreadable(self) -> bool:
        """Whether the model has called a tool in a way that Google can't read."""
        return any(find_args(call) is None for call in self._completion.tool_calls)

    def _list_parts(self, sizes: tuple[int, ...]) -> Iterator[dict[str, Any]]:
        """Yield the parts; what was thought is signed with the first call, or with the end of the text."""
        if self._is_unreadable:
            return
        thought, text = self._manner.thought, self._completion.content or ""
        signed = {"thoughtSignature": sign_thought(thought)} if thought else {}
        if self._wanted.shows_thoughts:
            yield from ({"text": piece, "thought": True} for piece in split_pieces(thought, sizes))
        calls = [{"id": call.id, "name": call.name, "args": find_args(call)} for call in self._completion.tool_calls]
        pieces = [{"text": piece} for piece in split_pieces(text, sizes)]
        yield from pieces[:-1]
        yield from ({**piece, **({} if calls else signed)} for piece in pieces[-1:])
        yield from ({"functionCall": call, **({} if at else signed)} for at, call in enumerate(calls))

    def _write_piece(self, parts: list[dict[str, Any]], *, ends: bool) -> dict[str, Any]:
        candidate: dict[str, Any] = {"content": {**({"parts": parts} if parts else {}), "role": "model"}, "index": 0}
        if ends:
            finish = "MALFORMED_FUNCTION_CALL" if self._is_unreadable else _REASONS[self._manner.finish]
            candidate["finishReason"] = finish
        return {
            "candidates": [candidate],
            "usageMetadata": {
                "promptTokenCount": self._tokens["prompt_tokens"],
                "candidatesTokenCount": self._tokens["completion_tokens"] - self._thought_tokens,
                **({"thoughtsTokenCount": self._thought_tokens} if self._thought_tokens else {}),
                "totalTokenCount": self._tokens["total_tokens"],
            },
            "modelVersion": self._wanted.request.model,
            "responseId": f"response_{self._number}",
        }


def write_error(status: int, error: Mapping[str, Any]) -> dict[str, Any]:
    """Return the body of an error, of OpenAI's, as Google says it."""
    message = _TOO_LONG if error["code"] == "context_length_exceeded" else error["message"]
    return {"error": {"code": status, "message": message, "status": _STATUSES.get(status, "INVALID_ARGUMENT")}}
