"""dspy's adapters made to read by the letter, as far as a policy asks for it: nothing is guessed at.

dspy's own parsing takes the first of two contradicting fields, does without the end of a reply, and repairs what isn't
JSON: each a guess at what to do with a user's tools (ERR-002, ERR-003, ERR-005, ERR-011).
"""

import copy
import inspect
import json
import sys
from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any, NamedTuple

import dspy
from dspy.utils.callback import with_callbacks
from dspy.utils.exceptions import AdapterParseError

from react_tck.dialects import DIALECTS
from react_tck.dialects.fields import STEPS, THOUGHT, TOOL_ARGS, TOOL_CALLS, TOOL_NAME, ParseError, strict_json
from react_tck.dialects.markup import as_text
from react_tck.model.base import JsonObject
from react_tck.model.lm import Completion
from react_tck.reference.adapters.conversation import assistant_message, drop_fields, system_message, user_message
from react_tck.reference.adapters.policies import CutOff, admit_reply, read_call_args, read_calls
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


#: Whose replies are read by which of our parsers. A subclass that reads otherwise is left to itself.
_READERS: Mapping[type[dspy.Adapter], str] = {
    dspy.ChatAdapter: "chat",
    dspy.JSONAdapter: "json",
    dspy.XMLAdapter: "xml",
}
#: The args of a step of a conversation.
S0_ARGS = STEPS[1][2]
#: What dspy takes for the end of a line inside a value, as JSON can write it too.
_BREAKS = str.maketrans({character: f"\\u{ord(character):04x}" for character in "\x85\u2028\u2029"})


def make_strict(adapter: dspy.Adapter, policy: Policy) -> dspy.Adapter:
    """Return a copy of the adapter that reads by the letter, or as the policy has it, as does its fallback.

    One that reads otherwise than dspy's, because a subclass says so, stays as it is.
    """
    kind: Any = type(adapter)
    dialect = _dialect_of(kind)
    if dialect is None:
        return adapter
    made = copy.copy(adapter)
    made.parse = partial(_parse_with_callbacks, adapter, _Reading(dialect, policy))
    if kind in _READERS:
        made.format_system_message = partial(system_message, adapter)
        made.format_user_message_content = partial(user_message, adapter)
        made.format_assistant_message_content = partial(assistant_message, adapter)
    set_fallback(made, adapter, lambda plain: make_strict(plain, policy))
    return made


def set_fallback(made: Any, plain: Any, make: Callable[[dspy.Adapter], dspy.Adapter]) -> None:
    """Let an adapter ask again as the plain one does, by an adapter made of the plain one's.

    If that reply can't be read either, what is raised tells what was wrong with the first one: it is in the first one's
    form that the LM is asked from then on.
    """
    if not hasattr(plain, "_make_json_adapter_fallback"):
        return

    def make_fallback() -> dspy.Adapter:
        # dspy makes it while it handles what the first reply raised.
        first, again = sys.exception(), copy.copy(make(plain._make_json_adapter_fallback()))
        read = again.parse

        def parse(signature: type[dspy.Signature], completion: str) -> dict[str, Any]:
            try:
                fields: dict[str, Any] = read(signature, completion)
            except AdapterParseError as error:
                raise first or error from error
            return fields

        again.parse = parse
        return again

    made._make_json_adapter_fallback = make_fallback


@cache
def _dialect_of(kind: Any) -> str | None:
    """By whose `parse` it reads; dspy wraps each that a class has, for its callbacks."""
    own = inspect.unwrap(kind.parse)
    return next((dialect for known, dialect in _READERS.items() if inspect.unwrap(known.parse) is own), None)


class _Reading(NamedTuple):
    """The dialect in which replies are parsed, and the policy that says what may be repaired."""

    dialect: str
    policy: Policy


def _parse_with_callbacks(
    adapter: dspy.Adapter, how: _Reading, signature: type[dspy.Signature], completion: str
) -> dict[str, Any]:
    """Read a reply; dspy's callbacks hear of this reading, whichever of the two readers it ends with."""

    @with_callbacks  # type: ignore[untyped-decorator]
    def parse(instance: dspy.Adapter, signature: type[dspy.Signature], completion: str) -> dict[str, Any]:
        return _parse_reply(instance, how, signature, completion)

    fields: dict[str, Any] = parse(adapter, signature, completion)
    return fields


def _parse_reply(
    adapter: dspy.Adapter, how: _Reading, signature: type[dspy.Signature], completion: str
) -> dict[str, Any]:
    """Return the fields. Of a step all are texts, but args that can be read: the rest is the loop's to judge."""
    reply, said = _parse_fields(adapter, how, signature, completion)
    if TOOL_NAME in said:
        _refuse_retyped(adapter, signature, completion, said)
        # JSON alone tells an object from a text that reads like one.
        quoted = (TOOL_ARGS,) if how.dialect == "json" else ()
        step: dict[str, Any] = {n: json.dumps(value) if n in quoted else as_text(value) for n, value in said.items()}
        return {**step, TOOL_ARGS: _read_or_keep(step[TOOL_ARGS])} if TOOL_ARGS in step else step
    _refuse_null_texts(adapter, signature, completion, said)
    texts = {n: said[n] for n, f in signature.output_fields.items() if f.annotation is str and isinstance(said[n], str)}
    rest = signature
    if S0_ARGS in said:
        # The loop's to judge, as those of any step.
        texts, rest = {**texts, S0_ARGS: said[S0_ARGS]}, drop_fields(rest, S0_ARGS)
    if TOOL_CALLS in said:
        read = _read_calls(adapter, how.policy, signature, completion, said[TOOL_CALLS])
        texts, rest = {**texts, TOOL_CALLS: read}, drop_fields(rest, TOOL_CALLS)
    if rest.output_fields.keys() <= texts.keys():
        return texts
    # Unwrapped: the callbacks have been told.
    return {**inspect.unwrap(type(adapter).parse)(adapter, rest, reply.translate(_BREAKS)), **texts}


def _read_or_keep(args: str) -> JsonObject | str:
    """Return the args as users of a predictor have them from dspy; their text, where it is no JSON object."""
    try:
        read = strict_json(args)
    except ValueError:
        return args
    return read if isinstance(read, dict) else args


def _refuse_retyped(adapter: dspy.Adapter, signature: type[dspy.Signature], completion: str, said: JsonObject) -> None:
    """Of a step, thought and tool name are texts: nothing else is made one (ERR-016). Raises AdapterParseError."""
    for name in (THOUGHT, TOOL_NAME):
        if not isinstance(said.get(name, ""), str):
            told = f"{name} is {json.dumps(said[name])}, which is no text"
            raise AdapterParseError(type(adapter).__name__, signature, completion, told)


def _refuse_null_texts(
    adapter: dspy.Adapter, signature: type[dspy.Signature], completion: str, said: JsonObject
) -> None:
    """Refuse to make a text of what isn't there (EXT-006). Raises AdapterParseError."""
    for name, field in signature.output_fields.items():
        if field.annotation is str and name in said and said[name] is None:
            raise AdapterParseError(type(adapter).__name__, signature, completion, f"{name} is null, which is no text")


def _read_calls(
    adapter: dspy.Adapter, policy: Policy, signature: type[dspy.Signature], completion: str, said: Any
) -> dspy.ToolCalls:
    """Return the calls of a turn. Raises AdapterParseError."""
    try:
        return parse_calls(said, policy)
    except ValueError as error:
        raise AdapterParseError(type(adapter).__name__, signature, completion, f"{TOOL_CALLS}: {error}") from error


def _parse_fields(
    adapter: dspy.Adapter, how: _Reading, signature: type[dspy.Signature], completion: str
) -> tuple[str, JsonObject]:
    """Return the reply as it is admitted, and its fields."""
    anything: dict[str, JsonObject] = {name: {} for name in signature.output_fields}
    try:
        reply = admit_reply(completion, how.dialect, anything, how.policy)
        return reply, DIALECTS[how.dialect].parse_reply(Completion(content=reply), anything)
    except (CutOff, ParseError) as error:
        raise AdapterParseError(type(adapter).__name__, signature, completion, str(error)) from error
