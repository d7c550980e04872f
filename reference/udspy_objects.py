"""udspy's own objects, as programs around `UdspyReAct` go on using them: its LM, its confirmations, its callbacks.

`UdspyReAct` asks for this module only where udspy has been imported: nobody else can have any of them.
"""

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import Any

import dspy
from dspy.clients.errors import error_boundary
from dspy.utils.callback import with_callbacks
from openai.types.chat import ChatCompletion
from udspy import ConfirmationRequired as UdspysConfirmationRequired
from udspy import Module, ModuleCallback, ReactContext, settings
from udspy import Tool as UdspysTool
from udspy.adapter import ChatAdapter, StreamingParser
from udspy.confirmation import ApprovalData, clear_confirmation, get_confirmation_context, respond_to_confirmation
from udspy.exceptions import AdapterParseError
from udspy.signature import make_signature
from udspy.streaming import Prediction, _stream_queue, emit_event

from react_tck.reference.confirmation import CONFIRMATIONS, ConfirmationRequired
from react_tck.reference.drive import run_coroutine
from react_tck.reference.loop import Call

__all__ = [
    "ModuleCallback",
    "ReactContext",
    "UdspyConfirmation",
    "UdspyLM",
    "UdspysConfirmationRequired",
    "UdspysTool",
    "agree_to",
    "answer_to",
    "stream_events",
    "tell_prediction",
]


Messages = list[dict[str, Any]]
#: Options of a request that are dspy's alone.
_DSPYS_OWN = ("cache", "rollout_id", "num_generations")


class UdspyConfirmation(ConfirmationRequired, UdspysConfirmationRequired):
    """The call is suspended, and `except udspy.ConfirmationRequired` catches it."""


class LMMissing(dspy.LMNotConfiguredError, RuntimeError):
    """There is no LM in `udspy.settings`: the RuntimeError that udspy raises, which dspy hands on as it is."""


class UdspyLM(dspy.BaseLM):
    """The LM of `udspy.settings` as dspy's, with what they have for every request, for its own model or another.

    dspy's adapters write messages as it takes them, and read its completions: nothing stands between. It is udspy's to
    try again. Who has configured none hears it from udspy, once the LM is needed.
    """

    #: Whether it is to is the agent's adapter's to say.
    supports_function_calling = True

    def __init__(self, model: str | None) -> None:
        super().__init__("udspy", cache=False, num_retries=0)
        self._model = {} if model is None else {"model": model}

    @with_callbacks  # type: ignore[untyped-decorator]
    def __call__(self, prompt: str | None = None, *, messages: Messages | None = None, **kwargs: Any) -> list[Any]:
        """Return what is said to the messages; raises dspy's LMError."""
        return run_coroutine(self._ask(prompt, messages, kwargs))

    @with_callbacks  # type: ignore[untyped-decorator]
    async def acall(self, prompt: str | None = None, *, messages: Messages | None = None, **kwargs: Any) -> list[Any]:
        """Return the same without blocking the event loop, and tell a stream what is said."""
        return await self._ask(prompt, messages, kwargs, is_streamed=_stream_queue.get() is not None)

    async def _ask(
        self, prompt: str | None, messages: Messages | None, options: dict[str, Any], *, is_streamed: bool = False
    ) -> list[Any]:
        asked = {name: option for name, option in options.items() if option is not None and name not in _DSPYS_OWN}
        written = messages or [{"role": "user", "content": prompt}]
        request = {**asked, "messages": written, **settings.default_kwargs, **self._model}
        with error_boundary(self.model, unexpected=True):
            if is_streamed:
                said = await _tell_chunks(await self._find_lm().acomplete(**request, stream=True))
            else:
                said = await self._find_lm().acomplete(**request)
            outputs: list[Any] = self._process_lm_response(said, prompt, messages, **options)
        return outputs

    def _find_lm(self) -> Any:
        try:
            return settings.lm
        except RuntimeError as error:
            raise LMMissing(str(error)) from None


async def _tell_chunks(chunks: Any) -> ChatCompletion:
    """Tell the stream what each piece of a reply says, by udspy's own parser, and give the reply as a whole."""
    asking = dspy.settings.caller_modules[-1]
    fields = {name: field.annotation for name, field in asking.signature.output_fields.items()}
    parser = StreamingParser(ChatAdapter(), asking, make_signature({}, fields))
    async for chunk in chunks:
        async for event in parser.process_chunk(chunk):
            emit_event(event)
    try:
        outputs, native, _ = await parser.finalize()
        said = {name: outputs[name] for name in fields if name in outputs}
        emit_event(Prediction(module=asking, native_tool_calls=native, **said))
    except AdapterParseError:
        pass  # The agent says what is wrong with a reply that can't be read.
    message = {"role": "assistant", "content": "".join(parser.full_completion)}
    calls = [{**call, "type": "function"} for call in parser.tool_calls.values()]
    choice = {"index": 0, "finish_reason": "stop", "message": {**message, "tool_calls": calls or None}}
    return ChatCompletion(id="streamed", created=0, model="udspy", object="chat.completion", choices=[choice])


def stream_events(agent: Any, inputs: dict[str, Any]) -> AsyncIterator[Any]:
    """Return the events of a call of the agent's, as udspy's modules stream theirs."""
    events: AsyncIterator[Any] = Module.astream(agent, **inputs)
    return events


def tell_prediction(agent: Any, made: dspy.Prediction) -> None:
    """Tell the stream, if there is one, what the agent has predicted."""
    emit_event(Prediction(module=agent, **made))


def answer_to(call: Call) -> tuple[str, str] | None:
    """Return the confirmation for which such a call waits, and what `respond_to_confirmation` was told of it.

    It is told once: the next such call waits again (CNF-015).
    """
    for confirmation_id, given in get_confirmation_context().items():
        if (said := _describe_response(given)) and CONFIRMATIONS.has_waiting(confirmation_id, call):
            clear_confirmation(confirmation_id)
            return confirmation_id, said
    return None


@contextmanager
def agree_to(confirmation_id: str) -> Iterator[None]:
    """Tell udspy that a person has agreed, for as long as the tool runs that asks udspy."""
    respond_to_confirmation(confirmation_id, approved=True)
    try:
        yield
    finally:
        clear_confirmation(confirmation_id)


def _describe_response(given: ApprovalData) -> str | None:
    """Return the response in the words that `resume` takes."""
    if given.get("approved"):
        return json.dumps({"edit": {"args": given["data"]}}) if given.get("data") else "yes"
    return "no" if given.get("status") == "rejected" else None
