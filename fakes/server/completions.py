"""Completions on their way out, in the form of chat completions: as JSON, and as events of the same content."""

from collections.abc import Iterator

from pydantic_core import to_json

from react_tck.fakes.server.wire import DONE, Reply, event
from react_tck.model.lm import Completion, LMRequest

#: What a provider's clock would say: the same in every run.
CREATED = 1_750_000_000

#: What is the same in all replies is written here once: a dict for each would be most of the work.
_JSON = (
    b'{"id":"chatcmpl-%d","object":"chat.completion","created":%d,"model":%b,"choices":'
    b'[{"index":0,"message":%b,"logprobs":null,"finish_reason":%b}],'
    b'"usage":{"prompt_tokens":%d,"completion_tokens":%d,"total_tokens":%d}}'
)
_GOES_ON = b',"logprobs":null,"finish_reason":null}]}\n\n'
_ENDS = b',"logprobs":null,"finish_reason":%b}]}\n\n'


def usage(request: LMRequest, completion: Completion) -> dict[str, int]:
    """Numbers that depend on nothing but the texts: a token is four characters."""
    prompt = sum([len(message.content or "") for message in request.messages]) // 4
    written = len(completion.content or "") + sum([len(call.arguments) for call in completion.tool_calls])
    return {"prompt_tokens": prompt, "completion_tokens": written // 4, "total_tokens": prompt + written // 4}


class Rendering:
    """One completion on its way out, as JSON and as events of the same content."""

    def __init__(self, number: int, request: LMRequest, completion: Completion) -> None:
        self._number = number
        self._request = request
        self._completion = completion

    def head(self, kind: str) -> dict[str, object]:
        """How every object of this kind begins."""
        return {"id": f"chatcmpl-{self._number}", "object": kind, "created": CREATED, "model": self._request.model}

    def as_json(self) -> Reply:
        """The whole completion."""
        done = self._completion
        message: dict[str, object] = {"role": "assistant", "content": done.content, "refusal": None}
        if done.tool_calls:
            message["tool_calls"] = [_call_said(call.id, call.name, call.arguments) for call in done.tool_calls]
        model, used = to_json(self._request.model), usage(self._request, done)
        end = to_json(done.finish_reason)
        return Reply(body=_JSON % (self._number, CREATED, model, to_json(message), end, *used.values()))

    def as_events(self, size: int, include_usage: bool) -> Reply:
        """The completion in pieces of this many characters."""
        head = self.head("chat.completion.chunk")
        # All events begin alike: this is written once, because it is most of the work.
        begun = b'data: %b,"choices":[{"index":0,"delta":' % to_json(head)[:-1]
        events = [b"%b%b%b" % (begun, to_json(delta), _GOES_ON) for delta in self._deltas(size)]
        events.append(b"%b{}%b" % (begun, _ENDS % to_json(self._completion.finish_reason)))
        if include_usage:
            events.append(event({**head, "choices": [], "usage": usage(self._request, self._completion)}))
        return Reply(events=(*events, DONE))

    def _deltas(self, size: int) -> Iterator[dict[str, object]]:
        content = self._completion.content
        yield {"role": "assistant", "content": None if content is None else ""}
        for piece in pieces(content or "", size):
            yield {"content": piece}
        for index, call in enumerate(self._completion.tool_calls):
            yield {"tool_calls": [{"index": index, **_call_said(call.id, call.name, "")}]}
            for piece in pieces(call.arguments, size):
                yield {"tool_calls": [{"index": index, "function": {"arguments": piece}}]}


def pieces(text: str, size: int) -> Iterator[str]:
    """The text, cut after every `size` characters."""
    return (text[at : at + size] for at in range(0, len(text), size))


def _call_said(call_id: str, name: str, arguments: str) -> dict[str, object]:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}
