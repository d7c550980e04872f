"""What a person's response is to udspy: its `respond_to_confirmation`, as S3 says to use it."""

import json
from typing import Any

from react_tck.model.base import JsonObject
from react_tck.subjects.plain import plain


def respond(confirmation_id: str, response: str) -> None:
    """Tell udspy; it reads no responses itself, so what is no yes, no or edit is feedback."""
    from udspy.confirmation import respond_to_confirmation

    word = response.strip().lower()
    if word in ("yes", "y"):
        respond_to_confirmation(confirmation_id, approved=True)
    elif word in ("no", "n"):
        respond_to_confirmation(confirmation_id, approved=False, status="rejected")
    elif (edit := _edit(response)) is not None:
        # udspy takes the args of an edit and has no place for another tool.
        respond_to_confirmation(confirmation_id, approved=True, data=edit, status="edited")
    else:
        respond_to_confirmation(confirmation_id, approved=False, data={"feedback": response}, status="feedback")


def suspension(asked: Any) -> JsonObject:
    """What a `ConfirmationRequired` of udspy's says."""
    call = asked.tool_call
    return {
        "question": asked.question,
        "confirmation_id": asked.confirmation_id,
        "tool_call": {"name": call.name, "args": plain(call.args), "call_id": call.call_id} if call else None,
        "context": {key: plain(value) for key, value in asked.context.items()},
    }


def _edit(response: str) -> dict[str, Any] | None:
    try:
        args = json.loads(response)["edit"]["args"]
    except (ValueError, TypeError, KeyError):
        return None
    return args if isinstance(args, dict) else None
