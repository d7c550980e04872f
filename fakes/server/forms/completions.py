"""`POST /v1/completions`, OpenAI's older form: a prompt, which is read as a user's message, and a text that follows."""

from collections.abc import Iterator
from typing import Any

from react_tck.fakes.server.errors import BadRequest
from react_tck.fakes.server.reading import (
    NO_LOGPROBS,
    json_object,
    read_stream,
    read_usage_wish,
    refuse_unmet,
    validate_request,
)
from react_tck.fakes.server.wire import (
    CREATED,
    DONE,
    Reply,
    SaidBefore,
    Wanted,
    WireForm,
    apply_quirks,
    count_tokens,
    json_reply,
    split_pieces,
    write_event,
)

_INSTEAD = "put what you want into the prompt"
#: What isn't given here, and why.
_UNMET = {"logprobs": NO_LOGPROBS, "echo": _INSTEAD, "suffix": _INSTEAD}


def read_request(body: bytes, model: str, _: SaidBefore) -> Wanted:
    """Return the request in a body; this is its model if it names none.

    Raises:
        BadRequest: if it isn't one.
    """
    values = json_object(body)
    refuse_unmet(values, _UNMET)
    if any(values.get(name, 1) not in (None, 1) for name in ("n", "best_of")):
        raise BadRequest("`n` and `best_of` are 1 here; a request is given one reply, so ask once for each")
    prompt = values.get("prompt")
    text = prompt[0] if isinstance(prompt, list) and len(prompt) == 1 else prompt
    if not isinstance(text, str):
        raise BadRequest("`prompt` is not one text; of several, ask for each")
    asked = {"messages": [{"role": "user", "content": text}], "model": values.get("model") or model}
    return Wanted(validate_request(asked), read_stream(values), read_usage_wish(values))


class TextCompletion(WireForm):
    """A completion as `POST /v1/completions` gives it: of it, the text."""

    def as_json(self) -> Reply:
        """Return the completion as one JSON body."""
        said = self._make_choice(self._completion.content or "", self._finish)
        return json_reply({**self._write([said]), "usage": count_tokens(self._wanted.request, self._completion)})

    def as_events(self) -> Reply:
        """Return the completion as server-sent events, cut into pieces of the sizes that are set."""
        events = tuple(write_event(event) for event in self._write_events())
        return Reply(events=apply_quirks((*events, DONE), self._quirks))

    def without_choices(self, *, stream: bool) -> Reply:
        """Return a completion, or a piece of one, whose choices are empty."""
        empty = self._write([])
        return Reply(events=(write_event(empty), DONE)) if stream else json_reply(empty)

    @property
    def _finish(self) -> str:
        return "stop" if self._manner.finish == "tool_calls" else self._manner.finish

    def _write_events(self) -> Iterator[dict[str, Any]]:
        for piece in split_pieces(self._completion.content or "", self._streaming.chunk_sizes):
            yield self._write([self._make_choice(piece, None)])
        yield self._write([self._make_choice("", self._finish)])
        if self._wanted.include_usage or "usage-chunk" in self._quirks:
            yield {**self._write([]), "usage": count_tokens(self._wanted.request, self._completion)}

    def _make_choice(self, text: str, finish: str | None) -> dict[str, Any]:
        return {"text": text, "index": 0, "logprobs": None, "finish_reason": finish}

    def _write(self, choices: list[dict[str, Any]]) -> dict[str, Any]:
        head = {"id": f"cmpl-{self._number}", "object": "text_completion", "created": CREATED}
        return {**head, "model": self._wanted.request.model, "choices": choices}
