"""`native`: the provider's own tool calls; an answer is plain text or the call of a tool that takes it."""

import json
from collections.abc import Mapping

from react_tck.dialects.fields import FINISH, THOUGHT, TOOL_ARGS, TOOL_NAME, ParseError, checked
from react_tck.dialects.markup import as_text
from react_tck.dialects.strict_json import read_json
from react_tck.model.base import JsonObject
from react_tck.model.intent import Answer, CallTool, Finish
from react_tck.model.lm import Ask, Completion, LMRequest, ToolCall

_STEP = (THOUGHT, TOOL_NAME, TOOL_ARGS)


def classify(request: LMRequest) -> Ask | None:
    """Tools are offered and may be chosen."""
    if not request.tools or request.tool_choice == "none":
        return None
    return Ask(phase="step", dialect="native", fields=_STEP)


def may_answer(request: LMRequest) -> bool:
    """Whether the LM is free to answer in text instead of calling one of the tools offered."""
    return bool(request.tools) and request.tool_choice in (None, "auto")


def render(intent: CallTool | Finish | Answer, ask: Ask) -> Completion:  # noqa: ARG001 - one shape for all dialects
    """A tool call beside the thought; an answer as text."""
    if isinstance(intent, Answer):
        return Completion(content=_answer(intent.outputs))
    name = FINISH if isinstance(intent, Finish) else intent.tool
    arguments = json.dumps(intent.args, ensure_ascii=False)
    # The id is made unique by the LM's door: one reply holds one call here.
    call = ToolCall(id="call_0", name=name, arguments=arguments)
    return Completion(content=intent.thought or None, tool_calls=(call,), finish_reason="tool_calls")


def parse(completion: Completion, schemas: Mapping[str, JsonObject]) -> JsonObject:
    """The step that the reply's only tool call takes.

    Raises:
        ParseError: if there isn't exactly one call, or its arguments aren't a JSON object.
    """
    if len(completion.tool_calls) != 1:
        raise ParseError(f"the reply has {len(completion.tool_calls)} tool calls, not one")
    call = completion.tool_calls[0]
    try:
        args = read_json(call.arguments)
    except ValueError as error:
        raise ParseError(f"the arguments of {call.name!r} are not JSON: {error}") from error
    return checked({THOUGHT: completion.content or "", TOOL_NAME: call.name, TOOL_ARGS: args}, schemas)


def _answer(outputs: JsonObject) -> str:
    values = list(outputs.values())
    return as_text(values[0]) if len(values) == 1 else json.dumps(outputs, ensure_ascii=False)
