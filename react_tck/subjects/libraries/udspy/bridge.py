"""Between the kit's values and udspy's: signatures, the LM and how it fails, and what a person responds."""

import json
from collections.abc import Mapping
from typing import Any

import httpx
import openai
from openai.types.chat import ChatCompletion
from udspy import InputField, OutputField, Signature
from udspy.confirmation import respond_to_confirmation
from udspy.lm.base import LM

import react_tck

_STATUS = {
    "rate-limit": 429,
    "server-error": 500,
    "context-window": 400,
    "bad-request": 400,
    "unauthorized": 401,
    "forbidden": 403,
}
_ERRORS: dict[int, type[openai.APIStatusError]] = {
    429: openai.RateLimitError,
    500: openai.InternalServerError,
    400: openai.BadRequestError,
    401: openai.AuthenticationError,
    403: openai.PermissionDeniedError,
}


class KitLM(LM):
    """The kit's LM as udspy's. In this process, since udspy's own client tries again."""

    def __init__(self, lm: react_tck.LM) -> None:
        self._lm = lm

    async def acomplete(self, messages: list[dict[str, Any]], **_: Any) -> ChatCompletion:
        """Ask the kit's LM. A provider's failure is raised as the error that OpenAI's client has for it."""
        asked = [{"role": message["role"], "content": message.get("content")} for message in messages]
        try:
            reply = self._lm.chat(asked)
        except react_tck.LMFault as fault:
            if fault.fault == "empty-choices":
                return _make_completion()
            raise _make_error(fault) from fault
        message = {"role": "assistant", "content": reply.text}
        return _make_completion({"index": 0, "finish_reason": reply.finish_reason, "message": message})


def _make_completion(*choices: dict[str, Any]) -> ChatCompletion:
    made = {"id": "tck", "created": 0, "model": "tck", "object": "chat.completion", "choices": choices}
    return ChatCompletion.model_validate(made)


def _make_error(fault: react_tck.LMFault) -> Exception:
    request = httpx.Request("POST", "http://tck/v1/chat/completions")
    if fault.fault == "timeout":
        return openai.APITimeoutError(request=request)
    if fault.fault not in _STATUS:
        return openai.APIConnectionError(message=str(fault), request=request)
    response = httpx.Response(_STATUS[fault.fault], request=request)
    return _ERRORS[response.status_code](str(fault), response=response, body=None)


def signature_of(task: react_tck.Task) -> Any:
    """The signature in the form that the task has."""
    if task.form == "arrow" and all(field.is_text for field in (*task.inputs, *task.outputs)):
        return task.arrow
    annotations = {f.name: react_tck.annotation_of(f.json_schema) for f in (*task.inputs, *task.outputs)}
    members: dict[str, Any] = {field.name: InputField(description=field.description or None) for field in task.inputs}
    members |= {field.name: OutputField(description=field.description or None) for field in task.outputs}
    return _make_signature(members, annotations, task.instructions)


def signature_with(fields: Mapping[str, Any]) -> Any:
    """A signature with these outputs, by their JSON Schemas."""
    annotations = {name: react_tck.annotation_of(schema) for name, schema in fields.items()}
    members: dict[str, Any] = {"question": InputField(), **{name: OutputField() for name in fields}}
    return _make_signature(members, {"question": str, **annotations}, "Answer.")


def _make_signature(members: dict[str, Any], annotations: dict[str, Any], instructions: str) -> Any:
    named = {"__annotations__": annotations, "__module__": __name__, "__doc__": instructions}
    return type(Signature)("Task", (Signature,), members | named)


def fields_of(signature: Any) -> dict[str, Any]:
    """What a signature of udspy's consists of."""
    return {
        "inputs": [*signature.get_input_fields()],
        "outputs": [*signature.get_output_fields()],
        "instructions": signature.get_instructions(),
    }


def answer_confirmation(confirmation_id: str, tool: str, response: str) -> None:
    """Tell udspy. It reads no responses itself: what they say is read here, and what is no yes, no or edit is feedback.

    Raises:
        NotImplementedError: if another tool is to run than the one that waits, for which udspy has no place.
        ValueError: if it looks like an edit and can't be read as one.
    """
    word = response.strip().lower()
    if word in ("yes", "y"):
        respond_to_confirmation(confirmation_id, approved=True)
    elif word in ("no", "n"):
        respond_to_confirmation(confirmation_id, approved=False, status="rejected")
    elif response.lstrip().startswith("{"):
        edit = _parse_edit(response)
        if edit.get("name", tool) != tool:
            raise NotImplementedError(f"udspy edits the args of {tool!r}, and can't run {edit['name']!r} instead")
        respond_to_confirmation(confirmation_id, approved=True, data=edit["args"], status="edited")
    else:
        respond_to_confirmation(confirmation_id, approved=False, data={"feedback": response}, status="feedback")


def make_suspension(asked: Any, arguments: dict[str, Any]) -> dict[str, Any]:
    """What a `ConfirmationRequired` of udspy's says, and the call to make again: it doesn't say for how many steps."""
    call = asked.tool_call
    return {
        "question": asked.question,
        "confirmation_id": asked.confirmation_id,
        "tool_call": {"name": call.name, "args": call.args, "call_id": call.call_id} if call else None,
        "context": asked.context,
        "call": arguments,
    }


def _parse_edit(response: str) -> dict[str, Any]:
    try:
        edit: dict[str, Any] = json.loads(response)["edit"]
        if isinstance(edit["args"], dict):
            return edit
    except (ValueError, TypeError, KeyError) as error:
        raise ValueError(f"the response looks like an edit and can't be read: {error}") from error
    raise ValueError(f"the args of the edit are no object: {edit['args']!r}")
