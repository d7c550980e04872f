"""Between the kit's values and udspy's: failures of a provider, replies to be parsed, a person's responses."""

import json
from functools import lru_cache
from typing import Any

from react_tck.fakes.annotations import annotation_of
from react_tck.fakes.lm import CUT_TEXT, LMFault
from react_tck.model.base import JsonObject
from react_tck.model.protocol import Parsing
from react_tck.subjects.python import plain

_STATUS = {
    "rate-limit": 429,
    "server-error": 500,
    "context-window": 400,
    "bad-request": 400,
    "unauthorized": 401,
    "forbidden": 403,
}


def fault_reply(fault: LMFault) -> dict[str, Any]:
    """The reply, if the failure is one.

    Raises:
        OpenAIError: if it isn't.
    """
    if fault.fault in ("finish-length", "empty-choices"):
        message = {"role": "assistant", "content": CUT_TEXT}
        choices = (
            [{"index": 0, "finish_reason": "length", "message": message}] if fault.fault == "finish-length" else []
        )
        return {"id": "tck", "created": 0, "model": "tck", "object": "chat.completion", "choices": choices}
    raise _error(fault) from fault


def _error(fault: LMFault) -> Exception:
    import httpx
    import openai

    request = httpx.Request("POST", "http://tck/v1/chat/completions")
    if fault.fault == "timeout":
        return openai.APITimeoutError(request=request)
    if fault.fault not in _STATUS:
        return openai.APIConnectionError(message=str(fault), request=request)
    response = httpx.Response(_STATUS[fault.fault], request=request)
    kinds: dict[int, type[openai.APIStatusError]] = {
        429: openai.RateLimitError,
        500: openai.InternalServerError,
        400: openai.BadRequestError,
        401: openai.AuthenticationError,
        403: openai.PermissionDeniedError,
    }
    return kinds[response.status_code](str(fault), response=response, body=None)


def read(parsing: Parsing) -> dict[str, Any]:
    """What the adapter makes of the reply.

    Raises:
        AdapterParseError: if it refuses the reply; anything else that it raises.
    """
    from udspy.adapter import ChatAdapter

    adapter, signature, text = ChatAdapter(), _signature(json.dumps(parsing.fields)), parsing.reply.content or ""
    found: dict[str, Any] = adapter.parse_outputs(signature, text)
    adapter.validate_outputs(signature, found, [], text)
    return found


# The same few signatures are parsed for thousands of times.
@lru_cache(maxsize=256)
def _signature(schemas: str) -> Any:
    from udspy import InputField, OutputField, Signature

    fields = {name: annotation_of(schema) for name, schema in json.loads(schemas).items()}
    members: dict[str, Any] = {"question": InputField(), **{name: OutputField() for name in fields}}
    members |= {"__annotations__": {"question": str, **fields}, "__module__": __name__, "__doc__": "Answer."}
    return type(Signature)("Task", (Signature,), members)


def respond(confirmation_id: str, tool: str, response: str) -> None:
    """Tell udspy; it reads no responses itself, so what is no yes, no or edit is feedback.

    Raises:
        NotImplementedError: if another tool is to run than the one that waits, for which udspy has no place.
    """
    from udspy.confirmation import respond_to_confirmation

    word = response.strip().lower()
    if word in ("yes", "y"):
        respond_to_confirmation(confirmation_id, approved=True)
    elif word in ("no", "n"):
        respond_to_confirmation(confirmation_id, approved=False, status="rejected")
    elif (edit := _edit(response)) is not None:
        if edit.get("name", tool) != tool:
            raise NotImplementedError(f"udspy edits the args of {tool!r}, and can't run {edit['name']!r} instead")
        respond_to_confirmation(confirmation_id, approved=True, data=edit["args"], status="edited")
    else:
        respond_to_confirmation(confirmation_id, approved=False, data={"feedback": response}, status="feedback")


def suspension(asked: Any, arguments: dict[str, Any]) -> JsonObject:
    """What a `ConfirmationRequired` of udspy's says, and the call to make again: it doesn't say for how many steps."""
    call = asked.tool_call
    return {
        "question": asked.question,
        "confirmation_id": asked.confirmation_id,
        "tool_call": {"name": call.name, "args": plain(call.args), "call_id": call.call_id} if call else None,
        "context": {key: plain(value) for key, value in asked.context.items()},
        "call": plain(arguments),
    }


def _edit(response: str) -> dict[str, Any] | None:
    try:
        edit = json.loads(response)["edit"]
        return edit if isinstance(edit["args"], dict) else None
    except (ValueError, TypeError, KeyError):
        return None
