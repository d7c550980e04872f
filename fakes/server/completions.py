"""Completions on their way out, in the form of chat completions."""

from collections.abc import Iterator

from pydantic_core import to_json

from react_tck.fakes.server.form import CREATED, Wanted, usage
from react_tck.fakes.server.streaming import Streaming, cut, dressed
from react_tck.fakes.server.wire import DONE, Reply, event, json_reply
from react_tck.model.lm import Completion, ToolCall

#: What is the same in all replies is written here once: a dict for each would be most of the work.
_JSON = (
    b'{"id":"chatcmpl-%d","object":"chat.completion","created":%d,"model":%b,"choices":'
    b'[{"index":0,"message":%b,"logprobs":null,"finish_reason":%b}],'
    b'"usage":{"prompt_tokens":%d,"completion_tokens":%d,"total_tokens":%d}}'
)
_GOES_ON = b',"logprobs":null,"finish_reason":null}]}\n\n'
_ENDS = b',"logprobs":null,"finish_reason":%b}]}\n\n'


class ChatCompletion:
    """A completion as `POST /v1/chat/completions` gives it."""

    def __init__(self, number: int, wanted: Wanted, streaming: Streaming, completion: Completion) -> None:
        self._number = number
        self._wanted = wanted
        self._streaming = streaming
        self._completion = completion

    def as_json(self) -> Reply:
        """The whole completion."""
        done = self._completion
        message: dict[str, object] = {"role": "assistant", "content": done.content, "refusal": None}
        if done.tool_calls:
            message["tool_calls"] = [{**_named(call), "function": _said(call)} for call in done.tool_calls]
        model, used = to_json(self._wanted.request.model), usage(self._wanted.request, done)
        end = to_json(done.finish_reason)
        return Reply(body=_JSON % (self._number, CREATED, model, to_json(message), end, *used.values()))

    def as_events(self) -> Reply:
        """The completion in pieces."""
        head = self._head("chat.completion.chunk")
        # All events begin alike: this is written once, because it is most of the work.
        begun = b'data: %b,"choices":[{"index":0,"delta":' % to_json(head)[:-1]
        events = [b"%b%b%b" % (begun, to_json(delta), _GOES_ON) for delta in self._deltas()]
        events.append(b"%b{}%b" % (begun, _ENDS % to_json(self._completion.finish_reason)))
        if self._wanted.include_usage or "usage-chunk" in self._streaming.quirks:
            events.append(event({**head, "choices": [], "usage": usage(self._wanted.request, self._completion)}))
        return Reply(events=dressed((*events, DONE), self._streaming.quirks))

    def without_choices(self, *, stream: bool) -> Reply:
        """A completion, or a chunk, whose choices are empty."""
        if stream:
            return Reply(events=(event({**self._head("chat.completion.chunk"), "choices": []}), DONE))
        return json_reply({**self._head("chat.completion"), "choices": []})

    def _head(self, kind: str) -> dict[str, object]:
        model = self._wanted.request.model
        return {"id": f"chatcmpl-{self._number}", "object": kind, "created": CREATED, "model": model}

    def _deltas(self) -> Iterator[dict[str, object]]:
        content, sizes = self._completion.content, self._streaming.chunk_sizes
        yield {"role": "assistant", "content": None if content is None else ""}
        for piece in cut(content or "", sizes):
            yield {"content": piece}
        for index, call in enumerate(self._completion.tool_calls):
            at = {} if "no-index" in self._streaming.quirks else {"index": index}
            again = _named(call) if "repeated-id" in self._streaming.quirks else {}
            yield {"tool_calls": [{**at, **_named(call), "function": {"name": call.name, "arguments": ""}}]}
            for piece in cut(call.arguments, sizes):
                yield {"tool_calls": [{**at, **again, "function": {"arguments": piece}}]}


def _named(call: ToolCall) -> dict[str, str]:
    return {"id": call.id, "type": "function"}


def _said(call: ToolCall) -> dict[str, str]:
    return {"name": call.name, "arguments": call.arguments}
