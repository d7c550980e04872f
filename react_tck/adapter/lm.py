"""The kit's LM as a user's class gets it: an address, a client, or a function."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from typing import TYPE_CHECKING, Any, Callable  # noqa: UP035 - Python 3.9

if TYPE_CHECKING:
    import openai


class LMRefusal(Exception):
    """The kit won't answer: unexpected request, script exhausted, or budget spent."""


class LMFault(Exception):
    """A scripted failure of the provider; `fault` says which."""

    def __init__(self, fault: str) -> None:
        super().__init__(f"scripted LM fault: {fault}")
        self.fault = fault


@dataclass(frozen=True)
class LMCall:
    """A call that the LM wants.

    Attributes:
        id: its id in this conversation.
        name: the tool's, as the LM wrote it.
        arguments: the JSON text that it wrote.
    """

    id: str
    name: str
    arguments: str


@dataclass(frozen=True)
class LMReply:
    """What the LM said.

    Attributes:
        text: its text; empty where it only calls tools.
        tool_calls: the calls it wants, each with `id`, `name` and `arguments`, the JSON text that it wrote.
        finish_reason: `stop`, `tool_calls`, or `length` where it was cut off.
    """

    text: str
    tool_calls: tuple[LMCall, ...] = ()
    finish_reason: str = "stop"

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


#: Asks the kit: `chat` for a reply, `endpoint` for the address.
AskLM = Callable[[str, dict[str, Any]], dict[str, Any]]


class LM:
    """The kit's LM, for one agent: it says what the scenario's script says, and keeps a record of what it is asked.

    Take what your library needs: an address, a client of OpenAI's SDK, or `chat`. It must not cache, nor try again.
    """

    def __init__(self, ask: AskLM) -> None:
        self._ask = ask
        self._numbers = count(1)

    @cached_property
    def _endpoint(self) -> dict[str, Any]:
        return self._ask("endpoint", {})

    @property
    def base_url(self) -> str:
        """Where an OpenAI-compatible client finds it: chat completions and responses, on loopback."""
        return str(self._endpoint["base_url"])

    @property
    def api_key(self) -> str:
        """The key that goes with it."""
        return str(self._endpoint["api_key"])

    @property
    def model(self) -> str:
        """The name of the model."""
        return str(self._endpoint["model"])

    def client(self) -> openai.OpenAI:
        """Return a client of OpenAI's SDK that tries once, and takes no busy machine for an LM that says nothing.

        Raises:
            ImportError: if the package `openai` isn't installed.
        """
        from react_tck.adapter import clients

        return clients.make_client(self.base_url, self.api_key)

    def async_client(self) -> openai.AsyncOpenAI:
        """Return the asynchronous one; it belongs to the event loop in which it is first used.

        Raises:
            ImportError: if the package `openai` isn't installed.
        """
        from react_tck.adapter import clients

        return clients.make_async_client(self.base_url, self.api_key)

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
            asked = json.dumps(body)
        except TypeError as wrong:
            raise ValueError(f"lm.chat: the messages are no JSON: {wrong}") from wrong
        return self._read_reply(self._ask("chat", {"body": asked}))

    def _read_reply(self, said: Mapping[str, Any]) -> LMReply:
        if "fault" in said:
            raise LMFault(said["fault"])
        if "refusal" in said:
            raise LMRefusal(said["refusal"])
        if "wrong" in said:
            raise ValueError(f"lm.chat: {said['wrong']}")
        calls = tuple(LMCall(f"call_{next(self._numbers)}", name, text) for name, text in said["tool_calls"])
        return LMReply(said["text"], calls, said["finish_reason"])
