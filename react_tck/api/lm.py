"""The kit's LM as a user's class gets it: an address, a client, or a function."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from typing import TYPE_CHECKING, Any, Literal

from react_tck.fakes.lm import CUT_TEXT, LMFault
from react_tck.fakes.server import chat
from react_tck.fakes.server.errors import BadRequest
from react_tck.model.lm import Completion, LMRequest, ToolCall
from react_tck.model.protocol import Endpoint

if TYPE_CHECKING:
    import openai

#: Seconds a client waits for an LM in another process.
TIMEOUT = 10


@dataclass(frozen=True)
class LMReply:
    """What the LM said.

    Attributes:
        text: its text; empty where it only calls tools.
        tool_calls: the calls it wants, each with `id`, `name` and `arguments`, the JSON text that it wrote.
        finish_reason: `stop`, `tool_calls`, or `length` where it was cut off.
    """

    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    finish_reason: Literal["stop", "tool_calls", "length"] = "stop"

    @property
    def message(self) -> dict[str, Any]:
        """The reply as a message, to be appended to those of the next request."""
        made: dict[str, Any] = {"role": "assistant", "content": self.text}
        if self.tool_calls:
            made["tool_calls"] = [
                {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
                for call in self.tool_calls
            ]
        return made


def _refuse_address() -> Endpoint:
    raise ValueError("this LM is asked by `chat`, and has no address")


class LM:
    """The kit's LM, for one agent: it says what the scenario's script says, and keeps a record of what it is asked.

    Take what your library needs: an address, a client of OpenAI's SDK, or `chat`. It must not cache, nor try again.
    """

    def __init__(
        self,
        complete: Callable[[LMRequest], Completion],
        serve: Callable[[], Endpoint] = _refuse_address,
        timeout: float | None = None,
    ) -> None:
        self._complete = complete
        self._serve = serve
        self._timeout = timeout
        self._numbers = count(1)

    @cached_property
    def _endpoint(self) -> Endpoint:
        return self._serve()

    @property
    def base_url(self) -> str:
        """Where an OpenAI-compatible client finds it: chat completions and responses, on loopback."""
        return self._endpoint.base_url

    @property
    def api_key(self) -> str:
        """The key that goes with it."""
        return self._endpoint.api_key

    @property
    def model(self) -> str:
        """The name of the model."""
        return self._endpoint.model

    def client(self) -> "openai.OpenAI":
        """Return a client of OpenAI's SDK that tries once, and takes no busy machine for an LM that says nothing.

        Raises:
            ImportError: if the package `openai` isn't installed.
        """
        from react_tck.api import clients

        return clients.make_client(self._endpoint, self._timeout)

    def async_client(self) -> "openai.AsyncOpenAI":
        """Return the asynchronous one; it belongs to the event loop in which it is first used.

        Raises:
            ImportError: if the package `openai` isn't installed.
        """
        from react_tck.api import clients

        return clients.make_async_client(self._endpoint, self._timeout)

    def chat(
        self,
        messages: Sequence[Mapping[str, Any]],
        tools: Sequence[Mapping[str, Any]] | None = None,
        tool_choice: str | Mapping[str, Any] | None = None,
    ) -> LMReply:
        """Ask it, without a client and without HTTP.

        Args:
            messages: as OpenAI's API has them, `[{"role": "system", "content": "…"}, …]`.
            tools: what is offered, `tools.as_schemas()`; nothing where calls are written as text.
            tool_choice: `auto`, `none`, `required`, or `{"type": "function", "function": {"name": "submit"}}` for the
                one tool that has to be called.

        Raises:
            LMFault: where the scenario has the provider fail; `fault` says how. A reply for which the tokens don't
                suffice is none: its `finish_reason` is `length`.
            ValueError: if the API would refuse the messages; the message says which and why.
            Exception: if the LM is asked for what the scenario doesn't provide for.
        """
        body: dict[str, Any] = {"messages": list(messages)}
        if tools:
            body["tools"] = list(tools)
        if tool_choice is not None:
            body["tool_choice"] = tool_choice
        try:
            said = self._complete(_parse_request(body))
        except LMFault as fault:
            if fault.fault != "finish-length":
                raise
            return LMReply(CUT_TEXT, finish_reason="length")
        calls = tuple(call.model_copy(update={"id": f"call_{next(self._numbers)}"}) for call in said.tool_calls)
        return LMReply(said.content or "", calls, said.finish_reason)


def _parse_request(body: Mapping[str, Any]) -> LMRequest:
    try:
        return chat.read_request(json.dumps(body).encode()).request
    except BadRequest as wrong:
        raise ValueError(f"lm.chat: {wrong}") from wrong
    except TypeError as wrong:
        raise ValueError(f"lm.chat: the messages are no JSON: {wrong}") from wrong
