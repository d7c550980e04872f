"""The validator of the message protocol: what a strict provider, or a careful reader, finds wrong with a request.

Pure, and never satisfied with the first problem: all of a request are found.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from operator import itemgetter

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError

from react_tck.adapter.lm import LMRefusal
from react_tck.dialects.fields import is_json
from react_tck.model.lm import Completion, LMRequest, Message, ToolCall, ToolOffer
from react_tck.texts import read_json

_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_LEADING = ("system", "developer")
_MODES = ("auto", "none", "required")

#: The index of a message, and what is wrong with it.
_Found = tuple[int, str]


def find_problems(request: LMRequest, given: Sequence[Completion]) -> list[str]:
    """Return all that is wrong with a request, in the order of its messages.

    `given` are the episode's completions so far, with the ids under which the subject saw their tool calls.
    """
    found = [] if request.messages else ["the request has no messages"]
    in_messages = list(_check_messages(request.messages))
    if any(message.tool_calls or message.tool_call_id for message in request.messages):
        in_messages += _check_calls(request.messages, given)
    if in_messages:
        found += [f"messages[{at}]: {wrong}" for at, wrong in sorted(in_messages, key=itemgetter(0))]
    if request.tools or request.tool_choice:
        found += _check_offers(request)
    return found


class ProtocolBroken(LMRefusal):
    """A provider would refuse the request; the message says which of its messages, and why."""


class StrictRequest(LMRequest):
    """A request that is refused where its calls and results don't belong together."""

    def check_calls(self) -> None:
        """Raise ProtocolBroken if a provider would refuse the request."""
        for at, wrong in find_unpaired_calls(self.messages):
            raise ProtocolBroken(f"messages[{at}]: {wrong}")


def find_unpaired_calls(messages: Sequence[Message]) -> Iterator[_Found]:
    """Yield where a request shows a tool's result without its call, a call without its result, or an id twice: the
    message's index, and what is wrong.

    Every provider refuses such a request, whatever else stands in it: "An assistant message with 'tool_calls' must be
    followed by tool messages responding to each 'tool_call_id'" (OpenAI).
    """
    open_calls: dict[str, int] = {}
    for at, message in enumerate(messages):
        if message.role == "tool":
            yield from _check_result(at, message.tool_call_id, open_calls)
            continue
        yield from _report_unanswered(open_calls)
        ids = [call.id for call in message.tool_calls]
        yield from ((at, f"two tool calls have the id {id_!r}") for id_ in dict.fromkeys(ids) if ids.count(id_) > 1)
        open_calls = dict.fromkeys(ids, at)
    yield from _report_unanswered(open_calls)


def _check_messages(messages: Sequence[Message]) -> Iterator[_Found]:  # in one go, because every request is checked
    """Messages stand where their role may stand, and say something, but nothing that isn't their role's."""
    begun = answerable = False
    for at, message in enumerate(messages):
        role, calls = message.role, message.tool_calls
        if role in _LEADING:
            if begun:
                yield at, f"a {role} message comes after the conversation has begun"
        else:
            begun = True
        if role == "tool":
            if not answerable:
                yield at, "a tool message doesn't follow an assistant turn with tool calls"
        else:
            answerable = role == "assistant" and bool(calls)
        if not message.content and not calls and _must_speak(message):
            yield at, f"the {role} message is empty"
        if calls and role != "assistant":
            yield at, f"a {role} message has tool calls"
        if bool(message.tool_call_id) != (role == "tool"):
            yield at, f"a {role} message has {'no' if role == 'tool' else 'a'} tool_call_id"


def _must_speak(message: Message) -> bool:
    """Tell whether the message needs a text: a tool may return nothing, but its message says so."""
    return message.content is None or message.role not in ("assistant", "tool")


def _check_calls(messages: Sequence[Message], given: Sequence[Completion]) -> Iterator[_Found]:
    """Every call is answered exactly once, directly after its turn, and is echoed as it was given."""
    yield from find_unpaired_calls(messages)
    turns = {call.id: turn.tool_calls for turn in given for call in turn.tool_calls}
    for at, message in enumerate(messages):
        yield from ((at, wrong) for wrong in _check_echo(message.tool_calls, turns))


def _check_result(at: int, call_id: str | None, open_calls: dict[str, int]) -> Iterator[_Found]:
    if call_id and call_id not in open_calls:
        yield at, f"tool_call_id {call_id!r} is unknown in the turn before it, or already answered"
    open_calls.pop(call_id or "", None)


def _report_unanswered(open_calls: Mapping[str, int]) -> Iterator[_Found]:
    for call_id, at in open_calls.items():
        yield at, f"the tool call {call_id!r} is not answered directly after its turn"


def _check_echo(calls: Sequence[ToolCall], turns: Mapping[str, tuple[ToolCall, ...]]) -> Iterator[str]:
    ids = [call.id for call in calls]
    for call in calls:
        original = next((c for c in turns.get(call.id, ()) if c.id == call.id), None)
        yield from _compare_call(call, original)
    known = [turns[call_id] for call_id in ids if call_id in turns]
    together = [call.id for call in known[0]] if known else ids
    if len(known) == len(ids) and ids != together:
        yield f"the turn was given with the tool calls {_join_names(together)}, and is echoed with {_join_names(ids)}"


def _compare_call(call: ToolCall, original: ToolCall | None) -> Iterator[str]:
    if original is None:
        yield f"the tool call {call.id!r} was never given"
    elif call.name != original.name:
        yield f"the tool call {call.id!r} was given as {original.name!r}, and is echoed as {call.name!r}"
    if original and call.arguments == original.arguments:
        return  # the LM may have written bad JSON; to echo it is right
    if not is_json(call.arguments):
        yield f"the arguments of the tool call {call.id!r} are not JSON: {call.arguments!r}"
    elif original and not is_same_json(call.arguments, original.arguments):
        yield (
            f"the tool call {call.id!r} was given with the arguments {original.arguments}, "
            f"and is echoed with {call.arguments}"
        )


def _check_offers(request: LMRequest) -> Iterator[str]:
    names = [offer.name for offer in request.tools]
    for at, offer in enumerate(request.tools):
        yield from (f"tools[{at}]: {wrong}" for wrong in _check_offer(offer))
        if offer.name in names[:at]:
            yield f"tools[{at}]: the name {offer.name!r} is offered twice"
    wanted = request.tool_choice
    if wanted and not request.tools:
        yield f"tool_choice is {wanted!r}, but no tools are offered"
    elif wanted and wanted not in _MODES and wanted not in names:
        yield f"tool_choice is {wanted!r}, which is not among the tools offered: {_join_names(names)}"


def _check_offer(offer: ToolOffer) -> Iterator[str]:
    if not _NAME.fullmatch(offer.name):
        yield f"the name {offer.name!r} is not 1 to 64 letters, digits, underscores or hyphens"
    if wrong := _schema_problem(json.dumps(offer.parameters)):
        yield f"the parameters of {offer.name!r} {wrong}"


@lru_cache(maxsize=256)
def _schema_problem(schema_text: str) -> str | None:
    """Find what is wrong with a schema; cached, because every request of an episode offers the same tools."""
    schema = json.loads(schema_text)
    if schema and schema.get("type") != "object":
        return 'are not a schema of type "object"'
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        return f"are not valid JSON Schema: {error.message}"
    return None


def is_same_json(one: str, other: str) -> bool:
    """Tell whether two texts mean the same JSON; the second need not be JSON at all."""
    return is_json(other) and _normalize_json(one) == _normalize_json(other)


def _normalize_json(text: str) -> str:
    return json.dumps(read_json(text), sort_keys=True)


def _join_names(names: Sequence[str]) -> str:
    return ", ".join(names) or "none"
