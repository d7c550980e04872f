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
    SaidBefore,
    Wanted,
    WireForm,
    split_pieces,
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

    _ending = (DONE,)

    def _write_whole(self) -> dict[str, Any]:
        return {**self._write_body(self._completion.content, self._manner.finish), "usage": self._tokens}

    def _write_events(self) -> Iterator[dict[str, Any]]:
        for piece in split_pieces(self._completion.content or "", self._streaming.chunk_sizes):
            yield self._write_body(piece)
        yield self._write_body(None if self._completion.content is None else "", self._manner.finish)
        if self._wanted.include_usage or "usage-chunk" in self._quirks:
            yield {**self._write_body(None), "usage": self._tokens}

    def _write_body(self, text: str | None, finish: str | None = None) -> dict[str, Any]:
        """Return a body with this text, or without choices."""
        choices = [] if text is None else [{"text": text, "index": 0, "logprobs": None, "finish_reason": finish}]
        head = {"id": f"cmpl-{self._number}", "object": "text_completion", "created": CREATED}
        return {**head, "model": self._wanted.request.model, "choices": choices}
