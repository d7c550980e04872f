"""What a policy lets pass before a reply is read by the letter: each rule leaves one certain reading, or none."""

import json
import re
from collections.abc import Collection
from typing import Any

from dspy.clients.base_lm import GLOBAL_HISTORY
from dspy.utils.exceptions import LMAuthError, LMError, LMInvalidRequestError

from react_tck.dialects.fields import STEPS, TOOL_CALLS, strict_json
from react_tck.dialects.notations import bare_name, is_nothing, is_plain_json, parse_certain_args, read_both_values
from react_tck.model.base import JsonObject
from react_tck.reference.loop.policy import Policy

_SECTION = re.compile(r"^(?=\[\[ ## \w+ ## \]\][^\S\n]*$)", re.MULTILINE)
_NAME = re.compile(r"\[\[ ## (\w+) ## \]\]")
#: What only a step has among its fields.
_STEP = frozenset({TOOL_CALLS, *(name for _, name, _ in STEPS)})
_COMPLETED = "[[ ## completed ## ]]"
#: The one arg by which dspy hands on args of a native call that are no JSON object: the text that they are.
_UNREAD = "partial_json"
#: How far back the request is looked for whose reply is being read: others may have been asked meanwhile.
_RECENT = 100


class CutOff(ValueError):
    """The reply ends because the LM had no tokens left."""


def admit_reply(said: str, dialect: str, fields: Collection[str], policy: Policy) -> str:
    """Return the reply as its dialect has it, if the policy lets it pass; else as it is.

    Raises:
        CutOff: if the LM had no tokens left, and nothing tells that the last field is whole.
    """
    reply = said
    if policy.repeated_field != "refused":
        reply = _ONCE[dialect](reply, fields, policy.repeated_field == "first")
    is_step = not _STEP.isdisjoint(fields)
    if policy.cut_off_answer == "refused" and not is_step and was_cut_off(said):
        raise CutOff("the reply was cut off: the LM had no tokens left (finish_reason: length)")
    if dialect != "chat" or policy.completed_marker == "required" or _COMPLETED in reply:
        return reply
    if not _ends_in_json(reply) and was_cut_off(said):
        raise CutOff(f"the reply was cut off (finish_reason: length): it has no {_COMPLETED}")
    return f"{reply}\n\n{_COMPLETED}\n"


def read_args(text: str, policy: Policy) -> JsonObject:
    """Return the args of a step from their text.

    Raises:
        ValueError: if no object can be read in it with certainty.
    """
    try:
        args = strict_json(text)
    except ValueError as error:
        made = _parse_leniently(text, policy)
        if made is None:
            raise ValueError(f"next_tool_args is not valid JSON: {error}") from error
        return made
    made = args if isinstance(args, dict) else _parse_leniently(text, policy)
    if made is None:
        raise ValueError(f"next_tool_args is not a JSON object, but {text}")
    return made


def unwrap_args(args: JsonObject) -> JsonObject | str:
    """Return the args of a native call; their text, where dspy couldn't read it."""
    text = args.get(_UNREAD) if len(args) == 1 else None
    return text if isinstance(text, str) else args


def read_calls(text: str, policy: Policy) -> Any:
    """Return the calls of a turn from their text: a list, or an object that holds one. Raises ValueError."""
    try:
        return strict_json(text)
    except ValueError:
        made = _parse_leniently(f'{{"{TOOL_CALLS}": {text}}}', policy)
        if made is None:
            raise
        return made[TOOL_CALLS]


def read_call_args(said: Any, policy: Policy) -> Any:
    """Return the args of one call of a turn, where they stand there as a text or not at all. Raises ValueError."""
    if isinstance(said, str) and policy.args_notation == "repaired when certain":
        return read_args(said, policy)
    return {} if said in (None, "") and policy.empty_args == "empty object" else said


def match_tool_name(written: str, tools: Collection[str], policy: Policy) -> str:
    """Return the tool that is named, if the policy takes the name for one's; else the name as it is written."""
    if written in tools or policy.tool_name_matching == "exact":
        return written
    bare = bare_name(written)
    alike = [name for name in tools if name.lower() == bare.lower()]
    if bare in tools:
        return bare
    return alike[0] if policy.tool_name_matching == "case ignored" and len(alike) == 1 else written


def is_transient_error(error: LMError) -> bool:
    """Tell whether asking again may mend what the LM failed of (ERR-012)."""
    return not isinstance(error, LMAuthError | LMInvalidRequestError)


def was_cut_off(reply: str) -> bool:
    """Tell whether the LM had no tokens left for more, as far as dspy's history says."""
    for entry in reversed(GLOBAL_HISTORY[-_RECENT:]):
        if any(reply == (said.get("text") if isinstance(said, dict) else said) for said in entry["outputs"]):
            return "length" in _read_finish_reasons(entry.get("response"))
    return False


def _ends_in_json(reply: str) -> bool:
    """Tell whether the last field is an object or a list that is closed: nothing can be missing of it."""
    try:
        last = strict_json(_SECTION.split(reply)[-1].partition("\n")[2])
    except ValueError:
        return False
    return isinstance(last, dict | list)


def _read_finish_reasons(response: Any) -> list[Any]:
    """Return why each of the replies ended: of a response as `lm15` has it, or as chat completions have it."""
    choices = getattr(response, "choices", None) or [response]
    return [getattr(choice, "finish_reason", None) for choice in choices]


def _dedupe_sections(reply: str, fields: Collection[str], keeps_first: bool) -> str:
    sections = _SECTION.split(reply)
    named = [(found[1] if (found := _NAME.match(section)) else "", section) for section in sections]
    return "".join(_drop_repeated(named, fields, keeps_first))


def _dedupe_elements(reply: str, fields: Collection[str], keeps_first: bool) -> str:
    names = "|".join(map(re.escape, fields))
    pieces = re.split(rf"(<(?:{names})>.*?</(?:{names})>)", reply, flags=re.DOTALL)
    named = [(piece[1 : piece.index(">")] if number % 2 else "", piece) for number, piece in enumerate(pieces)]
    return "".join(_drop_repeated(named, fields, keeps_first))


def _dedupe_members(reply: str, _: Collection[str], keeps_first: bool) -> str:
    """Of objects inside others too; a text that isn't JSON stays as it is."""
    repeated: list[str] = []

    def drop_repeats(members: list[tuple[str, Any]]) -> JsonObject:
        names = [name for name, _ in members]
        twice = len(set(names)) < len(names)
        repeated.extend(names if twice else ())
        return dict(reversed(members) if twice and keeps_first else members)

    try:
        read = json.loads(reply, object_pairs_hook=drop_repeats)
    except (ValueError, RecursionError):
        return reply
    return json.dumps(read, ensure_ascii=False) if repeated else reply


def _parse_leniently(text: str, policy: Policy) -> JsonObject | None:
    """Return the args in a text that is no JSON object to the letter, if the policy lets them pass."""
    if is_nothing(text):
        return {} if policy.empty_args == "empty object" else None
    if policy.args_notation != "repaired when certain" and not is_plain_json(text):
        return None
    if both := read_both_values(text):
        return None if policy.repeated_field == "refused" else both[0 if policy.repeated_field == "first" else 1]
    return parse_certain_args(text) if policy.args_notation == "repaired when certain" else None


def _drop_repeated(named: list[tuple[str, str]], fields: Collection[str], keeps_first: bool) -> list[str]:
    """Return the pieces without all but one of those that have the name of one field."""
    ordered = named if keeps_first else named[::-1]
    seen: set[str] = set()
    kept: list[str] = []
    for name, piece in ordered:
        if name not in seen:
            kept.append(piece)
        if name in fields:
            seen.add(name)
    return kept if keeps_first else kept[::-1]


_ONCE = {"chat": _dedupe_sections, "xml": _dedupe_elements, "json": _dedupe_members}
