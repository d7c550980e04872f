"""The calls of a turn where the LM writes them as text: all of them are read, or none (TRN-013, ERR-018).

Asked for is `{"tool_calls": [{"name": …, "args": {…}}]}`. As `dspy.ReActV2` does, one call alone is read too, and one
as OpenAI writes it, with `arguments` or inside `function`. A key that nobody declared is refused: args may stand there.
"""

import json
from typing import Any

import dspy

from react_tck.dialects.fields import TOOL_CALLS
from react_tck.model.base import JsonObject
from react_tck.reference.adapters.policies import read_call_args, read_calls
from react_tck.reference.loop import Policy

_NAME, _ARGS, _ID = "name", "args", "id"
_KEYS = (_ID, _NAME, _ARGS)
#: The names that OpenAI has for them.
_OTHER_NAMES = {"arguments": _ARGS, "call_id": _ID}


def parse_calls(said: Any, policy: Policy) -> dspy.ToolCalls:
    """Return the calls of a turn from their text, or from the value that it is.

    Raises:
        ValueError: if one of them can't be read with certainty; it says why in words for the LM.
    """
    written = read_calls(said, policy) if isinstance(said, str) else said
    calls = [_read_call(call, policy) for call in _list_calls(written, policy)]
    return dspy.ToolCalls(tool_calls=[dspy.ToolCalls.ToolCall(**call) for call in calls])


def _takes_other_forms(policy: Policy) -> bool:
    """Tell whether calls may stand there in another form than the one asked for."""
    return policy.args_notation == "repaired when certain"


def _list_calls(written: Any, policy: Policy) -> list[Any]:
    """Return each call as it is written."""
    if isinstance(written, list):
        return written
    listed = written.get(TOOL_CALLS) if isinstance(written, dict) else None
    if isinstance(listed, list):
        _refuse_args_outside(written, listed)
        return listed
    if isinstance(written, dict) and _takes_other_forms(policy) and written.keys() & {_NAME, "function"}:
        return [written]
    raise ValueError(f"there is no list of calls in {_encode_json(written)}")


def _refuse_args_outside(written: JsonObject, listed: list[Any]) -> None:
    """Where a call has no args, they may stand beside the list."""
    beside = [name for name in written if name != TOOL_CALLS]
    has_args = [isinstance(call, dict) and call.keys() & {_ARGS, *_OTHER_NAMES, "function"} for call in listed]
    if beside and not all(has_args):
        raise ValueError(f"beside the list of calls stands {beside[0]!r}, and a call has no {_ARGS!r}")


def _read_call(written: Any, policy: Policy) -> JsonObject:
    if not isinstance(written, dict):
        raise ValueError(f"{_encode_json(written)} is no call")
    call = _rename_keys(written) if _takes_other_forms(policy) else written
    name = call.get(_NAME)
    if not isinstance(name, str):
        raise ValueError(f"the call {_encode_json(written)} names no tool")
    if unknown := [key for key in call if key not in _KEYS]:
        raise ValueError(f"the call of {name!r} has {unknown[0]!r}, which no call has; its args stand as {_ARGS!r}")
    args = read_call_args(call.get(_ARGS), policy)
    if not isinstance(args, dict):
        raise ValueError(f"the args of {name!r} are no JSON object, but {_encode_json(args)}")
    return {**call, _ARGS: args}


def _rename_keys(written: JsonObject) -> JsonObject:
    """Return a call in OpenAI's form as one in the form asked for; a key that is there keeps its name."""
    function = written.get("function")
    if isinstance(function, dict):
        written = {name: value for name, value in written.items() if (name, value) != ("type", "function")}
        written = {**{name: value for name, value in written.items() if name != "function"}, **function}
    return {
        other if (other := _OTHER_NAMES.get(name, name)) not in written else name: value
        for name, value in written.items()
    }


def _encode_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
