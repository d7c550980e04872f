"""`native`: the provider's own tool calls; an answer is plain text or the call of a tool that takes it."""

import json
from collections.abc import Mapping

from react_tck.dialects.fields import (
    SUBMIT,
    THOUGHT,
    TOOL_ARGS,
    TOOL_NAME,
    ParseError,
    calls_of,
    check_fields,
    strict_json,
    whole_answer,
)
from react_tck.dialects.markup import as_text
from react_tck.model.base import JsonObject
from react_tck.model.intent import Answer, CallTool, Move
from react_tck.model.lm import Ask, Completion, LMRequest, ToolCall

_STEP = (THOUGHT, TOOL_NAME, TOOL_ARGS)


def classify_request(request: LMRequest) -> Ask | None:
    """Tools are offered and may be chosen; where `submit` must be, it is the answer that is asked for.

    Where text has to be JSON of the answer, there is no room for a thought: clients read any text as that JSON.
    """
    if not request.tools or request.tool_choice == "none":
        return None
    fields = _STEP[1:] if request.demanded_fields else _STEP
    return Ask(phase="extraction" if request.tool_choice == SUBMIT else "step", dialect="native", fields=fields)


def classify_last(request: LMRequest) -> Ask | None:
    """No tools are offered any more, or none may be chosen: what is left to say is the answer."""
    return (
        None if classify_request(request) else Ask(phase="extraction", dialect="native", fields=request.demanded_fields)
    )


def classify_answer(request: LMRequest, answer_tool: str) -> Ask | None:
    """Return the form of a request that offers a tool to take the answer."""
    offer = next((offer for offer in request.tools if offer.name == answer_tool), None)
    if offer is None:
        return None
    properties = offer.parameters.get("properties")
    fields = tuple(properties) if isinstance(properties, dict) else ()
    return Ask(phase="step", dialect="native", fields=fields, answer_tool=answer_tool)


def may_answer(request: LMRequest) -> bool:
    """Tell whether the LM is free to answer in text instead of calling one of the tools offered."""
    return bool(request.tools) and request.tool_choice in (None, "auto")


def classify_text(request: LMRequest) -> Ask:
    """Of a request that may be answered in text, in which no other dialect asks for anything."""
    return Ask(phase="step", dialect="native", fields=request.demanded_fields or _STEP)


def render_reply(intent: Move, ask: Ask) -> Completion:
    """Return the tool calls beside the thought; an answer as text, or as the call of the tool that takes it."""
    if isinstance(intent, Answer):
        return _render_answer(intent, ask)
    return _render_calls(calls_of(intent), intent.thought)


def parse_reply(completion: Completion, schemas: Mapping[str, JsonObject]) -> JsonObject:
    """Return the step that the reply's only tool call takes.

    Raises:
        ParseError: if there isn't exactly one call, or its arguments aren't a JSON object.
    """
    if len(completion.tool_calls) != 1:
        raise ParseError(f"the reply has {len(completion.tool_calls)} tool calls, not one")
    call = completion.tool_calls[0]
    try:
        args = strict_json(call.arguments)
    except ValueError as error:
        raise ParseError(f"the arguments of {call.name!r} are not JSON: {error}") from error
    return check_fields({THOUGHT: completion.content or "", TOOL_NAME: call.name, TOOL_ARGS: args}, schemas)


def _render_answer(intent: Answer, ask: Ask) -> Completion:
    outputs = intent.outputs
    value = whole_answer(outputs)
    # A tool, or a text, that knows nothing of the signature's outputs takes whatever the answer is; the parts of a step
    # are no outputs, though one may be called as they are.
    takes_outputs = ask.fields != _STEP and set(outputs) <= set(ask.fields)
    if ask.answer_tool is None:
        return Completion(content=as_text(outputs if takes_outputs else value))
    call = CallTool(tool=ask.answer_tool, args=outputs if takes_outputs else dict.fromkeys(ask.fields[:1], value))
    return _render_calls((call,), intent.reasoning)


def _render_calls(calls: tuple[CallTool, ...], thought: str) -> Completion:
    # The ids are made unique in the episode by the LM's endpoint; here they are in the reply.
    made = tuple(_render_call(number, call) for number, call in enumerate(calls))
    return Completion(content=thought or None, tool_calls=made, finish_reason="tool_calls")


def _render_call(number: int, call: CallTool) -> ToolCall:
    return ToolCall(id=f"call_{number}", name=call.tool, arguments=json.dumps(call.args, ensure_ascii=False))
