"""Between the kit's values and udspy's: signatures, the LM and how it fails, and what a person responds."""

import json
from collections.abc import Mapping
from typing import Any

import tenacity
from udspy import InputField, OutputField, Signature
from udspy.confirmation import respond_to_confirmation
from udspy.lm.openai import OpenAILM

import react_tck

# udspy looks this up whenever it asks: without it, its three tries take three seconds longer.
tenacity.wait_exponential = lambda **_: tenacity.wait_none()  # type: ignore[assignment, misc]


def language_model(lm: react_tck.LM) -> OpenAILM:
    """udspy's own client of the kit's LM, with its three tries."""
    return OpenAILM(client=lm.async_client(), default_model=lm.model)


def signature_of(task: react_tck.Task) -> Any:
    """Return the signature in the form that the task has."""
    if task.form == "arrow" and all(field.is_text for field in (*task.inputs, *task.outputs)):
        return task.arrow
    annotations = {f.name: react_tck.annotation_of(f.json_schema) for f in (*task.inputs, *task.outputs)}
    members: dict[str, Any] = {field.name: InputField(description=field.description or None) for field in task.inputs}
    members |= {field.name: OutputField(description=field.description or None) for field in task.outputs}
    return _make_signature(members, annotations, task.instructions)


def signature_with(fields: Mapping[str, Any]) -> Any:
    """Return a signature with these outputs, by their JSON Schemas."""
    annotations = {name: react_tck.annotation_of(schema) for name, schema in fields.items()}
    members: dict[str, Any] = {"question": InputField(), **{name: OutputField() for name in fields}}
    return _make_signature(members, {"question": str, **annotations}, "Answer.")


def _make_signature(members: dict[str, Any], annotations: dict[str, Any], instructions: str) -> Any:
    named = {"__annotations__": annotations, "__module__": __name__, "__doc__": instructions}
    return type(Signature)("Task", (Signature,), members | named)


def fields_of(signature: Any) -> dict[str, Any]:
    """Return what a signature of udspy's consists of."""
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
    """Return what udspy's `ConfirmationRequired` says, and the call to make again: it says not for how many steps."""
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
